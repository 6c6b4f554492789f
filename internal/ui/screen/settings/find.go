package settings

import (
	"slices"
	"strings"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// advanced are the settings that hardly anybody needs, or needs to understand.
var advanced = map[string]bool{
	"player.mac": true,
	"core.jit":   true, "core.options": true, "core.folders": true, "core.sources": true,
	"net.forward": true, "net.stun": true, "net.bind": true, "net.upload": true, "net.silence": true, "net.help_port": true, "net.help_upload": true,
	"room.hash_every": true, "room.skew": true, "room.keep_consoles": true, "room.rtc": true, "room.spectate_delay": true, "room.announce": true,
	"video.integer": true, "video.even": true, "video.vsync": true, "video.gap": true,
	"audio.latency": true,
	"pads.speed":    true, "pads.deadzone": true,
}

// theirs are the settings that are the player's own: nobody wants their defaults back.
var theirs = map[string]bool{"player.nickname": true, "player.mac": true}

// sought reports whether a setting is one of those that the player looks for: each word is in its name, in
// what it means, in its key or in the name of its page.
func (v *Screen) sought(u *widgets.UI, page, label, key string) bool {
	return v.Search.Has(u, page, label, config.Help(key), key)
}

// searchField takes the words.
func (v *Screen) searchField(u *widgets.UI) {
	screen.SearchField(u, widgets.Field{Name: "search"}, &v.Search.Words)
}

// results are the settings that the player looks for, by page.
func (v *Screen) results(u *widgets.UI) {
	found := 0
	for i, p := range v.pages {
		heading := func() {
			u.Heading(p.name)
			u.Space(4)
		}
		n := 0
		for _, r := range p.rows {
			if r.key == "" || !v.sought(u, p.name, r.label, r.key) {
				continue
			}
			if n++; n == 1 {
				heading()
			}
			r.show(v, u, r)
		}
		for _, b := range bindings(v.ofPad()) {
			if pageOfBinding(b) != Page(i) || !v.sought(u, p.name, b.label+b.whose(), b.key) {
				continue
			}
			if n++; n == 1 {
				heading()
			}
			v.binding(u, b, b.label+b.whose())
		}
		if n > 0 {
			u.Space(8)
		}
		found += n
	}
	if found == 0 {
		u.Note(screen.NothingFound)
	}
}

// page draws the settings of a page, those that hardly anybody needs at its end, and the ways back.
func (v *Screen) page(u *widgets.UI, p page) {
	var more []row
	for _, r := range p.rows {
		if advanced[r.key] {
			more = append(more, r)
			continue
		}
		r.show(v, u, r)
	}
	if len(more) > 0 {
		v.advancedRows(u, more)
	}
	v.waysBack(u, p)
}

// advancedRows are settings that hardly anybody needs: they show when the player wants them, and while
// one of them is wrong.
func (v *Screen) advancedRows(u *widgets.UI, rows []row) {
	changed, wrong := 0, false
	for _, r := range rows {
		if _, differs := v.differing[r.key]; differs && !theirs[r.key] {
			changed++
		}
		wrong = wrong || v.Problems[r.key] != ""
	}
	words, icon := "Advanced", draw.IconRight
	if v.Advanced {
		icon = draw.IconDown
	} else if changed > 0 {
		words += ": " + phrase.Count(changed, "change")
	}
	u.Start(widgets.Button{Text: words, Name: "advanced", Icon: icon, Kind: widgets.Quiet, Do: func() { v.Advanced = !v.Advanced }})
	if v.Advanced || wrong {
		for _, r := range rows {
			r.show(v, u, r)
		}
	}
}

// waysBack give a page, or all of them, their defaults.
func (v *Screen) waysBack(u *widgets.UI, p page) {
	u.Space(8)
	differs := false
	for key := range v.differing {
		differs = differs || !theirs[key] && v.pageOf(key) == p.name
	}
	u.Start(
		widgets.Button{Text: "Defaults for this page", Name: "page defaults", Kind: widgets.Quiet, Disabled: !differs, Do: func() { v.waysBackOf(p.name) }},
		widgets.Button{Text: "Defaults for all", Name: "all defaults", Kind: widgets.Quiet, Do: v.allDefaults})
}

// waysBackOf asks whether a page shall have its defaults.
func (v *Screen) waysBackOf(page string) {
	v.ask("The page “"+page+"” back to its defaults?", "", func(key string) bool { return !theirs[key] && v.pageOf(key) == page })
}

// allDefaults asks whether all pages shall.
func (v *Screen) allDefaults() {
	v.ask("All settings back to their defaults?", "Your nickname, your folders with games and the address of your console stay.", func(key string) bool {
		return !theirs[key] && key != "roms.folders"
	})
}

// ask gives settings their defaults when the player says so.
func (v *Screen) ask(words, hint string, key func(string) bool) {
	v.Question = &screen.Question{Words: words, Hint: hint, Yes: "Use the defaults", No: "Keep mine", Do: func() {
		clear(v.typed)
		v.Change(func(c *config.Config) { c.Reset(key) })
	}}
}

// pageOf returns the name of the page that a setting is on.
func (v *Screen) pageOf(key string) string {
	for _, p := range v.pages {
		if slices.ContainsFunc(p.rows, func(r row) bool { return r.key == key }) {
			return p.name
		}
	}
	c := config.Defaults()
	if b := bindingOf(&c, key); b != nil {
		return v.pages[pageOfBinding(*b)].name
	}
	return ""
}

func pageOfBinding(b binding) Page {
	if b.pad() {
		return PagePads
	}
	return PageKeys
}

// compare notes the defaults of the settings of the form that are not as by default, by key.
func (v *Screen) compare() {
	if draft := *v.draft(); v.differing == nil || !draft.Equal(v.compared) {
		v.compared, v.differing = Clone(draft), draft.Changed()
	}
}

// undo is a button that gives a setting its default, where it has not.
func (v *Screen) undo(u *widgets.UI, key string) {
	usual, differs := v.differing[key]
	if !differs || theirs[key] {
		u.Space(0)
		return
	}
	switch usual = strings.ReplaceAll(strings.Trim(usual, "[]{} "), `"`, ""); {
	case usual == "":
		usual = "empty"
	case usual == "true":
		usual = "on"
	case usual == "false":
		usual = "off"
	}
	u.Button(widgets.Button{
		Icon: draw.IconAgain, Name: "default " + key, Kind: widgets.Quiet, Tip: "Back to the default: " + phrase.Shorten(usual, 60),
		Do: func() { v.Default(key) },
	})
}

// Default gives a setting its default. A key or button of it is taken from anything else.
func (v *Screen) Default(key string) {
	for typed := range v.typed {
		if typed == key || typed == "rtc text" && key == "room.rtc" {
			delete(v.typed, typed)
		}
	}
	c := config.Defaults()
	b := bindingOf(&c, key)
	if b == nil || len(*b.at) == 0 {
		v.Change(func(c *config.Config) { c.Reset(func(k string) bool { return k == key }) })
		return
	}
	for i, name := range *b.at {
		v.Bind(key, name, i == 0)
	}
}
