package cores

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/corestore"
	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// Build implements screen.Screen.
func (v *Screen) Build(u *widgets.UI) {
	here := v.Narrow(u, widgets.List{
		Name: "here", Count: len(v.Core.All), Empty: "No core is installed yet. nettplay needs one to run games.", Height: listHeight(len(v.Core.All)),
		Item: func(i int) widgets.Item { return v.item(&v.Core.All[i]) },
	}, &v.Lit)
	c := v.lit()
	update, newer := v.update(c)
	ours, removal := c != nil && v.kept(*c) != nil, "Removes it from this computer"
	if !ours {
		removal = "nettplay removes only cores that it downloaded"
	}
	v.SearchPage(u, "Cores", 760, &v.Search, len(v.Core.All)+len(v.Offers), func() {
		u.Scroll("cores", 0, func() {
			v.here(u, here, c)
			v.elsewhere(u)
		})
	}, func() {
		screen.Foot(u, v.foot(),
			widgets.Button{Text: "Remove", Name: "remove", Disabled: !ours, Tip: removal, Do: v.AskRemove},
			widgets.Button{Text: "Update", Name: "update", Disabled: !newer, Tip: v.updateTip(update, newer), Do: func() { v.Take(update) }},
			widgets.Button{Text: "Use it", Name: "use", Kind: widgets.Primary, Disabled: c == nil || v.chosen(*c), Do: func() { v.Use(*c) }})
	})
}

// foot says what holds of the core that is chosen.
func (v *Screen) foot() string {
	switch {
	case v.Core.Looking:
		return "Looking for cores …"
	case v.InRoom:
		return "Your choice takes effect in the next room."
	}
	return "All players of a room need the same version."
}

func (v *Screen) updateTip(o corestore.Offer, newer bool) string {
	switch {
	case newer:
		return "Gets " + Title(o) + ". This one stays until you remove it"
	case v.Asked:
		return "Its source has nothing newer"
	}
	return "Look for cores first"
}

// here draws the cores of this machine, of which c is lit.
func (v *Screen) here(u *widgets.UI, list screen.Narrowed, c *emucore.Core) {
	u.Heading("On this computer")
	p := v.Draw(u, list, &v.Lit)
	if p.Activated && c != nil && !v.chosen(*c) {
		v.Use(*c)
	}
	if c == nil {
		return
	}
	u.Tight(func() {
		u.Note(v.about(c))
		u.Note(c.StandingWords() + ".")
	})
	sum := fmt.Sprintf("%x", c.SHA256)
	u.Bar(func() {
		u.Tight(func() {
			u.Small(widgets.Verbatim("SHA-256 " + sum))
			u.Small(widgets.Verbatim(screen.Printable(c.Path)))
		})
	}, widgets.Button{Text: "Copy", Name: "sha256", Icon: draw.IconCopy, Tip: "The SHA-256, by which others tell whether they have the same build", Do: func() { v.Copy(sum, "Copied.") }})
}

// listHeight is room for so many items, at least for the words that there are none, and at most
// for some: the rest scrolls.
func listHeight(n int) float32 { return float32(min(max(n, 1), 5))*54 + 8 }

// item is a core of this machine.
func (v *Screen) item(c *emucore.Core) widgets.Item {
	item := widgets.Item{Title: name(*c), Sub: fmt.Sprintf("%s · %x", v.from(*c), c.SHA256[:4]), Icon: draw.IconConsole}
	if c.Wireless {
		item.Badge, item.Kind = "wireless", widgets.Good
	}
	if v.chosen(*c) {
		item.Right = "chosen"
	}
	return item
}

// name is a core's name and version.
func name(c emucore.Core) string { return strings.TrimSpace(c.Name + " " + c.Version) }

// from says in a few words where a core is from.
func (v *Screen) from(c emucore.Core) string {
	if b := v.kept(c); b != nil {
		return "from " + sourceWords(*b)
	}
	return "in " + filepath.Dir(c.Path)
}

// sourceWords names the source of a core that was got, with the day.
func sourceWords(b corestore.Build) string {
	words := cmp.Or(b.Origin.Host(), "a source")
	if !b.Origin.Date.IsZero() {
		words += ", " + day(b.Origin.Date)
	}
	return words
}

func day(t time.Time) string { return t.UTC().Format("2 January 2006") }

// about says what a core can do.
func (v *Screen) about(c *emucore.Core) string {
	words := name(*c) + " has no local wireless: the consoles run side by side, but do not hear each other."
	if c.Wireless {
		words = name(*c) + " has local wireless: the consoles hear each other as if they were in one room."
	}
	if c.Unopened {
		words += " It has not been started yet, so this is by the name of its file; you are asked before it is."
	}
	return words
}

// elsewhere draws what sources offer.
func (v *Screen) elsewhere(u *widgets.UI) {
	u.Space(6)
	u.Heading("Available")
	if !v.MayGet() {
		u.Note("The settings name no source of cores (core.sources).")
		return
	}
	for _, words := range v.Problems {
		u.Message(widgets.Warning, words)
	}
	if v.Asked {
		p := v.Draw(u, v.Narrow(u, widgets.List{
			Name: "offers", Count: len(v.Offers), Empty: "No cores for this computer.", Height: listHeight(len(v.Offers)),
			Item: func(i int) widgets.Item { return v.offer(&v.Offers[i]) },
		}, &v.LitOffer), &v.LitOffer)
		if o := screen.At(v.Offers, v.LitOffer); o != nil && p.Activated {
			v.Take(*o)
		}
	} else {
		u.Note("nettplay asks " + v.hosts() + " which cores they have. Nothing is downloaded before you have seen its size and said yes.")
	}
	look, get := widgets.Button{Text: "Look for cores", Name: "find", Icon: draw.IconSearch, Do: v.Find}, widgets.Button{}
	if v.Asked {
		look.Text = "Ask again"
	}
	if v.Asked && len(v.Offers) > 0 {
		get = widgets.Button{Text: "Get it", Name: "get", Icon: draw.IconGet, Do: func() {
			if v.LitOffer >= 0 {
				v.Take(v.Offers[min(v.LitOffer, len(v.Offers)-1)])
			}
		}}
	}
	switch {
	case len(v.Core.All) > 0: // the player may use one of those
	case get.Text != "":
		get.Kind = v.helping()
	default:
		look.Kind = v.helping()
	}
	u.Start(look, get)
}

// hosts are the machines of all sources.
func (v *Screen) hosts() string {
	var list []string
	for _, text := range v.Config.Core.Sources {
		if s, err := config.ParseCoreSource(text); err == nil {
			host, _, _ := strings.Cut(strings.TrimPrefix(s.Address, "https://"), "/")
			list = append(list, host)
		}
	}
	return phrase.List(list)
}

// offer returns the item of a source's offer.
func (v *Screen) offer(o *corestore.Offer) widgets.Item {
	words := []string{o.Host()}
	if o.Size > 0 {
		words = append(words, screen.Bytes(o.Size))
	}
	if !o.Date.IsZero() && o.Version != "" {
		words = append(words, day(o.Date))
	}
	item := widgets.Item{Title: Title(*o), Sub: strings.Join(words, " · "), Icon: draw.IconGet}
	if o.Wireless() {
		item.Badge, item.Kind = "wireless", widgets.Good
	}
	if v.have(o) {
		item.Right = "is here"
	}
	return item
}

// have reports whether an offer was got.
func (v *Screen) have(o *corestore.Offer) bool {
	source, version := o.Told()
	return slices.ContainsFunc(v.Core.Kept, func(b corestore.Build) bool {
		s, n := b.Origin.Told()
		return s == source && n == version && b.Name == o.Name && version != ""
	})
}

// Wireless says that games cannot find each other on a core, with the button that mends it: it has the settings
// choose a core with local wireless that is here, or gets one. then is called once they have it; it may be nil.
// Words are "" of a core with local wireless, and while there is none.
func (v *Screen) Wireless(core emucore.Core, then func()) (words string, mend widgets.Button) {
	if core.Wireless || core.Name == "" {
		return "", mend
	}
	words = "On " + core.Name + " friends cannot meet in a game."
	c, here := v.wirelessHere()
	switch {
	case here:
		mend = widgets.Button{Text: "Use " + phrase.Shorten(c.Name, 20), Name: "use wireless", Do: func() {
			v.Use(c)
			if then != nil {
				then()
			}
		}}
	case v.MayGet():
		mend = widgets.Button{Text: "Get melonDS DS", Name: "get wireless", Icon: draw.IconGet, Do: func() { v.GetWireless(then) }}
	}
	return words, mend
}

// Warn draws that, of the core that is chosen.
func (v *Screen) Warn(u *widgets.UI) { v.warn(u, widgets.Normal) }

func (v *Screen) warn(u *widgets.UI, kind widgets.Kind) {
	if !v.Core.Found || v.Core.Looking {
		return
	}
	words, mend := v.Wireless(v.Core.Core, nil)
	mend.Kind = kind
	switch {
	case words == "":
	case mend.Text == "":
		u.Message(widgets.Warning, words)
	default:
		screen.Offer(u, widgets.Warning, words, mend)
	}
}

// Offer draws which core there is, and the offer of one with local wireless, where none is chosen. First steps
// show it.
func (v *Screen) Offer(u *widgets.UI) {
	switch {
	case v.Core.Looking:
		v.settings.CoreState(u)
	case v.Core.Found && v.Core.Core.Wireless:
		v.settings.CoreState(u)
	case v.Core.Found:
		v.warn(u, v.helping())
		if _, here := v.wirelessHere(); here {
			u.Note("It has no local wireless: each console runs on its own.")
		} else {
			u.Note("It has no local wireless: each console runs on its own. melonDS DS has it; you see source and size before nettplay downloads it.")
		}
	default:
		if _, mend := v.Wireless(emucore.Core{Name: "none"}, nil); mend.Text != "" {
			mend.Kind = v.helping()
			u.Note("melonDS DS emulates the wireless of the DS, by which games find each other. You see its source and size before nettplay downloads it.")
			u.Start(mend)
		}
		v.settings.CoreState(u)
	}
}

// Helps reports whether a button here leads to a core on which games find each other, while the settings have none. One that did
// not help the last time is not the way forward.
func (v *Screen) Helps() bool {
	has := v.Core.Found && v.Core.Core.Wireless
	_, here := v.wirelessHere()
	return !v.Core.Looking && !has && !v.failed && (v.MayGet() || here)
}

// wirelessHere is the first core with local wireless of those that are here.
func (v *Screen) wirelessHere() (c emucore.Core, here bool) {
	i := slices.IndexFunc(v.Core.All, func(c emucore.Core) bool { return c.Wireless })
	if i < 0 {
		return c, false
	}
	return v.Core.All[i], true
}

// helping is the kind of such a button.
func (v *Screen) helping() widgets.Kind {
	if v.Helps() {
		return widgets.Primary
	}
	return widgets.Normal
}

// Box draws what is under way, over any screen.
func (v *Screen) Box(u *widgets.UI) {
	w := v.work
	if w == nil {
		return
	}
	screen.Dialog(u, widgets.Modal{Name: "getting", Title: w.title + " …", Width: 420}, v.Stop, func() {
		u.Paragraph(w.words(v.hosts()))
		u.Progress(w.bar())
	}, widgets.Button{Text: "Cancel", Name: "stop", Default: true})
}

// words says what is done.
func (w *work) words(hosts string) string {
	switch {
	case w.host == "":
		return "From " + hosts + "."
	case w.moved.Stage == corestore.Checking:
		return "Downloaded. Checking it …"
	}
	return "From " + w.host + "."
}

// bar shows its progress.
func (w *work) bar() widgets.Progress {
	if w.moved.Stage == corestore.Checking || w.moved.Total <= 0 {
		return widgets.Progress{Value: -1}
	}
	return widgets.Progress{Value: float64(w.moved.Done) / float64(w.moved.Total), Text: screen.Bytes(w.moved.Done) + " of " + screen.Bytes(w.moved.Total)}
}

// OwnKeys implements screen.Keyed.
func (v *Screen) OwnKeys() []screen.KeyRow { return screen.SearchKeys() }
