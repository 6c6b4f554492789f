package files

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/saves"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// narrow is the width, in points, below which there is little room beside the buttons at the foot; a little below it there
// is none.
const narrow = 560

// Build implements screen.Screen.
func (v *Saves) Build(u *widgets.UI) {
	k, s := v.Shown()
	if v.Searches() {
		s = nil // it is out of sight
	}
	v.SearchPage(u, "Saves", 760, &v.Search, len(v.List), func() {
		if k == nil {
			u.Soft("There are no saves and no games yet.")
			return
		}
		if v.Searches() {
			v.found(u)
			return
		}
		v.game(u)
		empty := "No save of this game yet. Drop one here: a .sav, .srm, .dsv or .duc file."
		p := u.List(widgets.List{Name: "saves", Count: len(k.Saves), Empty: empty, Blank: draw.IconSave, Focus: true, Item: func(i int) widgets.Item { return saveItem(k.Saves, &k.Saves[i]) }}, &v.Lit)
		if p.Activated {
			v.AskRestore()
		}
	}, func() {
		words := "nettplay keeps your last ten saves, and one from each evening."
		if w := u.Area().W; w < narrow-40 {
			words = ""
		} else if w < narrow {
			words = "Ten are kept, and one from each evening."
		}
		screen.Foot(u, words,
			widgets.Button{Text: "Import", Name: "import", Disabled: k == nil || v.Searches(), Tip: "Takes a save of another emulator, a flash card or an Action Replay", Do: v.AskImport},
			widgets.Button{Text: "Export", Name: "export", Disabled: s == nil || s.Damage != nil || s.Blank, Do: v.AskExport},
			widgets.Button{Text: "Use this save", Name: "restore", Kind: widgets.Primary, Disabled: s == nil || s.Current || s.Blank || s.Damage != nil, Do: v.AskRestore},
			widgets.Button{Text: "Delete", Name: "delete", Disabled: !deletable(k, s), Tip: "A deleted save stays in this list, and can be used again", Do: v.AskDelete})
	})
	if !v.Searches() && !u.Settling() && !u.Busy() && u.Shortcut(0, widgets.KeyDelete) {
		v.AskDelete()
	}
	v.file(u, k)
}

// found draws the games that the player looks for, instead of the saves of one: the one that is picked shows its own.
func (v *Saves) found(u *widgets.UI) {
	list := v.Narrow(u, widgets.List{Name: "games", Count: len(v.List), Pictures: true, Item: func(i int) widgets.Item {
		k := &v.List[i]
		item := widgets.Item{Title: k.Title, Image: v.IconOf(k.Game.SHA256), Icon: draw.IconConsole, Right: "no saves"}
		if len(k.Saves) > 0 {
			item.Right = phrase.Count(len(k.Saves), "save")
		}
		return item
	}}, &v.Sought)
	if v.Draw(u, list, &v.Sought).Activated {
		v.At, v.Lit = v.Sought, 0
		v.Reset()
	}
}

// game shows for which game the saves are.
func (v *Saves) game(u *widgets.UI) {
	var titles []string
	for _, g := range v.List {
		titles = append(titles, g.Title+keptWords(g))
	}
	choose := func() {
		if u.Choice(widgets.Choice{Name: "game", Options: titles}, &v.At) {
			v.Lit = 0
		}
	}
	icon := draw.Texture(0)
	if k, _ := v.Shown(); k != nil {
		icon = v.IconOf(k.Game.SHA256)
	}
	if icon == 0 {
		choose()
		return
	}
	u.Row(widgets.Cells(widgets.Auto, widgets.Fill), func() {
		u.Image(icon, 32, 32)
		choose()
	})
}

// file asks for which game a file is to become the save, when it was dropped where none shows.
func (v *Saves) file(u *widgets.UI, k *Kept) {
	if v.File == "" || k == nil {
		return
	}
	path := v.File
	screen.Dialog(u, widgets.Modal{Name: "file", Title: "Import this save?", Width: 480}, func() { v.File = "" }, func() {
		u.Paragraph(screen.Printable(filepath.Base(path)))
		u.Note("It becomes your save of this game; the one you have now is kept.")
		v.game(u)
	}, widgets.Button{Text: "Cancel", Name: "cancel"}, widgets.Button{Text: "Import", Name: "take", Kind: widgets.Primary, Do: func() { v.TakeFile(path) }})
}

// keptWords returns the number of saves that a game has.
func keptWords(k Kept) string {
	words := "no saves"
	if len(k.Saves) > 0 {
		words = phrase.Count(len(k.Saves), "save")
	}
	return " · " + words
}

// timeOf says when a save of a list was made, with seconds where another was made in the same minute.
func timeOf(list []saves.Save, s *saves.Save) string {
	switch {
	case s.At.IsZero():
		return "an unknown time"
	case saves.SameMinute(list, s):
		return s.At.Local().Format("2 January 2006, 15:04:05")
	}
	return s.At.Local().Format("2 January 2006, 15:04")
}

// saveItem is one save of a list.
func saveItem(list []saves.Save, s *saves.Save) widgets.Item {
	item := widgets.Item{Title: "Unknown time", Icon: draw.IconSave, Sub: saveWords(s), Right: fmt.Sprintf("no. %d", s.Number)}
	if !s.At.IsZero() {
		item.Title = timeOf(list, s)
	}
	switch {
	case s.Deleted:
		item.Badge, item.Faint = "deleted", true
	case s.Damage != nil:
		item.Badge, item.Kind, item.Faint = "damaged", widgets.Danger, true
	case s.Blank:
		item.Badge, item.Faint = "no save", true
	case s.Current:
		item.Badge, item.Kind = "your save", widgets.Good
	case !s.Confirmed:
		item.Badge, item.Kind = "not confirmed", widgets.Warning
	}
	return item
}

// saveWords says where a save comes from.
func saveWords(s *saves.Save) string {
	var words []string
	switch s.Origin {
	case saves.Deleted:
		return "You deleted the earlier save; the game starts from the beginning"
	case saves.Imported:
		words = append(words, "from "+s.From)
	case saves.Restored:
		words = append(words, s.From+", restored")
	}
	if s.Room != "" {
		words = append(words, s.Room)
	}
	if len(s.Players) > 0 {
		words = append(words, "with "+strings.Join(s.Players, ", "))
	}
	if len(words) == 0 && s.Damage != nil {
		return screen.Sentence(s.Damage.Error())
	}
	return strings.Join(words, " · ")
}
