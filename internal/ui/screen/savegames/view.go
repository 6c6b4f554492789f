package savegames

import (
	"fmt"
	"strings"

	"github.com/nettplay/nettplay/internal/saves"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// Build implements screen.Screen.
func (v *Screen) Build(u *widgets.UI) {
	k, s := v.Shown()
	v.Page(u, "Saves", 760, func() {
		if k == nil {
			u.Soft("There are no saves and no games yet.")
			return
		}
		var titles []string
		for _, g := range v.List {
			titles = append(titles, g.Title+keptWords(g))
		}
		if u.Choice(widgets.Choice{Name: "game", Options: titles}, &v.At) {
			v.Lit = 0
		}
		empty := "No save of this game yet. Drop a .sav, .srm or .dsv file here."
		u.List(widgets.List{Name: "saves", Count: len(k.Saves), Empty: empty, Item: func(i int) widgets.Item { return saveItem(&k.Saves[i]) }}, &v.Lit)
	}, func() {
		u.Row(widgets.Cells(widgets.Fill, widgets.Auto, widgets.Auto, widgets.Auto), func() {
			u.Small("Ten are kept, and one of each evening.")
			if u.Button(widgets.Button{Text: "Import", Name: "import", Disabled: k == nil, Tip: "Takes a save of melonDS, RetroArch or DeSmuME"}) {
				v.AskFile(ForImport)
			}
			if u.Button(widgets.Button{Text: "Export", Name: "export", Disabled: s == nil || s.Damage != nil}) {
				v.AskFile(ForExport)
			}
			if u.Button(widgets.Button{Text: "Play on from it", Name: "restore", Kind: widgets.Primary, Disabled: s == nil || s.Current || s.Damage != nil}) {
				v.AskRestore()
			}
		})
	})
	v.file(u, k)
}

// file asks for a file.
func (v *Screen) file(u *widgets.UI, k *Kept) {
	if v.Asking == NotAsking || k == nil {
		return
	}
	title, note, do := "Write the save to a file", "Raw, as melonDS and RetroArch have it, or DeSmuME's form if the name ends in .dsv.", "Write"
	if v.Asking == ForImport {
		title, note, do = "Take a save from a file", "It becomes your save of “"+k.Title+"”; the one that you have now is kept. You can also drop the file onto this window.", "Take it"
	}
	take, cancel := false, false
	closed := u.Modal(widgets.Modal{Name: "file", Title: title, Width: 480}, func() {
		e := u.Field(widgets.Field{Name: "path", Hint: "~/old.sav", Icon: draw.IconFolder, Max: 1000, Focus: true}, &v.Path)
		u.Note(note)
		u.Row(widgets.Cells(widgets.Fill, widgets.Auto, widgets.Auto), func() {
			u.Space(0)
			cancel = u.Button(widgets.Button{Text: "Cancel", Name: "cancel"})
			take = u.Button(widgets.Button{Text: do, Name: "take", Kind: widgets.Primary, Disabled: strings.TrimSpace(v.Path) == ""}) || e.Entered
		})
	})
	switch {
	case take:
		v.TakeFile()
	case closed || cancel:
		v.Asking = NotAsking
	}
}

// keptWords is how many saves a game has.
func keptWords(k Kept) string {
	if len(k.Saves) == 0 {
		return "  ·  none"
	}
	return "  ·  " + screen.Count(len(k.Saves), "save")
}

// saveItem is one save.
func saveItem(s *saves.Save) widgets.Item {
	item := widgets.Item{Title: "Unknown time", Icon: draw.IconClock, Sub: saveWords(s), Right: fmt.Sprintf("no. %d", s.Number)}
	if !s.At.IsZero() {
		item.Title = s.At.Local().Format("2 January 2006, 15:04")
	}
	switch {
	case s.Damage != nil:
		item.Badge, item.Kind, item.Faint = "damaged", widgets.Danger, true
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
