package files

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// Build implements screen.Screen.
func (v *Finder) Build(u *widgets.UI) {
	shown := v.Shown()
	v.Lit = min(max(v.Lit, 0), len(shown)-1)
	chosen, take := -1, false
	named := v.Request.Want == screen.WantNewFile && !u.Pad() // the way forward is Enter in its field
	found := v.Narrow(u, widgets.List{Name: "entries", Count: len(shown), Empty: v.empty(), Focus: !named, Item: func(i int) widgets.Item { return v.item(shown[i]) }}, &v.Lit)
	v.SearchPage(u, v.Request.Title, 760, &v.Search, len(shown), func() {
		v.where(u)
		u.Message(widgets.Warning, v.At.Why)
		if v.Draw(u, found, &v.Lit).Activated {
			chosen = v.Lit
		}
	}, func() { take = v.foot(u) })
	switch {
	case chosen >= 0:
		v.Choose(shown[chosen])
	case take:
		v.Take()
	case u.Shortcut(widgets.Alt, widgets.KeyUp), u.Input().Nav == widgets.NavPrevious:
		v.Up()
	}
}

// where shows the folder, and leads to others.
func (v *Finder) where(u *widgets.UI) {
	low := u.Area().H < 240 // the list needs the room
	if v.Request.Note != "" && !low {
		u.Note(v.Request.Note)
	}
	if len(v.Request.Kinds) > 0 {
		u.Row(widgets.Cells(widgets.Auto, widgets.Fill), func() {
			u.Label("For")
			if u.Choice(widgets.Choice{Name: "kind", Options: v.Request.Kinds}, v.Request.Kind) {
				v.Name = strings.TrimSuffix(v.Name, filepath.Ext(v.Name)) + v.Request.Extensions[*v.Request.Kind]
			}
		})
	}
	u.Row(widgets.Cells(widgets.Auto, widgets.Fill, widgets.Auto), func() {
		u.Button(widgets.Button{Icon: draw.IconUp, Name: "up", Tip: "Parent folder (Alt and ↑, or L)", Disabled: v.At.Dir == "", Do: v.Up})
		if e := u.Field(widgets.Field{Name: "path", Hint: "~", Icon: draw.IconFolder, Max: 4096, Tail: true}, &v.Path); e.Entered {
			v.LookIn(strings.TrimSpace(v.Path))
		}
		u.Check(widgets.Check{Text: "Hidden", Name: "hidden", Tip: "Show files whose names begin with a dot"}, &v.Hidden)
	})
	if len(v.At.Places) == 0 || low {
		return
	}
	u.Flow(func() {
		for i, p := range v.At.Places {
			u.ScopeN(i, func() {
				u.Button(widgets.Button{Text: phrase.Shorten(p.Name, 24), Name: "place", Kind: widgets.Quiet, Tip: p.Path, Do: func() { v.LookIn(p.Path) }})
			})
		}
	})
}

func (v *Finder) empty() string {
	switch {
	case v.At.Why != "":
		return "This folder cannot be shown."
	case v.At.Dir == "":
		return "Looking …"
	}
	return "This folder is empty."
}

// item draws an entry.
func (v *Finder) item(e Entry) widgets.Item {
	switch {
	case e.Name == up:
		return widgets.Item{Title: "Parent folder", Icon: draw.IconUp, Faint: true}
	case e.Folder:
		return widgets.Item{Title: screen.Printable(e.Name), Icon: draw.IconFolder}
	}
	item := widgets.Item{Title: screen.Printable(e.Name), Icon: draw.IconFile, Right: screen.Bytes(e.Size)}
	item.Faint = v.Request.Want == screen.WantFolder
	item.Idle = item.Faint
	if !e.Changed.IsZero() {
		item.Right = e.Changed.Local().Format("2 Jan 2006") + " · " + item.Right
	}
	return item
}

// foot tells what is here, and takes it.
func (v *Finder) foot(u *widgets.UI) (take bool) {
	button := func() widgets.Button {
		return widgets.Button{Text: v.takeWords(), Name: "take", Kind: widgets.Primary, Disabled: !v.MayTake(), Do: func() { take = true }}
	}
	if v.Request.Want == screen.WantNewFile {
		u.Row(widgets.Cells(widgets.Auto, widgets.Fill, widgets.Auto), func() {
			u.Label("Name")
			take = u.Field(widgets.Field{Name: "name", Max: 255, Focus: !u.Pad(), Select: true}, &v.Name).Entered
			u.Button(button())
		})
		return take
	}
	screen.Foot(u, v.count(), button())
	return take
}

// takeWords are those of the button. A folder is named: the one that is open is taken, not the lit one in it.
func (v *Finder) takeWords() string {
	if v.Request.Want != screen.WantFolder || v.At.Dir == "" || filepath.Dir(v.At.Dir) == v.At.Dir {
		return v.Request.Take
	}
	return "Use “" + phrase.Shorten(phrase.Printable(filepath.Base(v.At.Dir)), 24) + "”"
}

// count says how many files fit.
func (v *Finder) count() string {
	n := 0
	for _, e := range v.At.Entries {
		if !e.Folder && v.fits(e.Name) {
			n++
		}
	}
	switch {
	case v.At.Dir == "" || v.At.Why != "":
		return ""
	case v.At.More:
		return fmt.Sprintf("Only the first %d are shown.", len(v.At.Entries))
	case n == 0 && v.Request.Want == screen.WantFolder:
		return ""
	case n == 0:
		return "No matching files here."
	}
	return phrase.Count(n, "file") + " here."
}

// OwnKeys implements screen.Keyed.
func (v *Finder) OwnKeys() []screen.KeyRow { return screen.SearchKeys() }
