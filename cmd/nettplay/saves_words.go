package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/nettplay/nettplay/emucore/savefile"
	"github.com/nettplay/nettplay/internal/saves"
)

func titleOf(k *saves.Kept) string {
	switch {
	case k.File != "":
		return fmt.Sprintf("%s (%s)", shown(k.File), k.Game.Title)
	case k.Console > 1:
		return fmt.Sprintf("%s (console %d)", k.Game.Title, k.Console)
	}
	return k.Game.Title
}

// shown is a path as a terminal may see it.
func shown(path string) string {
	if quoted := strconv.Quote(path); quoted != `"`+path+`"` {
		return quoted
	}
	return path
}

func dateOf(s *saves.Save) string {
	if s.At.IsZero() {
		return "-"
	}
	return s.At.Local().Format("2006-01-02 15:04")
}

// timeOf is dateOf, with seconds where a list has another save of the same minute.
func timeOf(list []saves.Save, s *saves.Save) string {
	if s.At.IsZero() || !saves.SameMinute(list, s) {
		return dateOf(s)
	}
	return s.At.Local().Format("2006-01-02 15:04:05")
}

func sizeOf(s *saves.Save) string {
	if s.Size == 0 {
		return "-"
	}
	return savefile.SizeWords(s.Size)
}

func stateOf(s *saves.Save) string {
	switch {
	case s.Deleted:
		return "deleted"
	case s.Damage != nil:
		return "damaged"
	case s.Current:
		return "your save"
	case s.Blank:
		return "no save"
	case !s.Confirmed:
		return "not confirmed"
	}
	return ""
}

// originOf says where a save comes from.
func originOf(s *saves.Save) string {
	var words []string
	switch s.Origin {
	case saves.Imported:
		words = append(words, "imported from "+s.From)
	case saves.Deleted:
		return "you deleted the save before"
	case saves.Restored:
		words = append(words, s.From+" restored")
	case saves.Found:
		words = append(words, "found in the file")
	}
	if s.Room != "" {
		words = append(words, fmt.Sprintf("room %q", s.Room))
	}
	if len(s.Players) > 0 {
		words = append(words, "with "+strings.Join(s.Players, ", "))
	}
	if s.Frame > 0 {
		words = append(words, fmt.Sprintf("frame %d", s.Frame))
	}
	return strings.Join(words, "; ")
}

func pending(list []saves.Save) (n int) {
	for _, s := range list {
		if !s.Confirmed {
			n++
		}
	}
	return n
}

// replaced says under which number the previous save is kept.
func replaced(k *saves.Kept) string {
	if k == nil || k.Current() == nil {
		return "There was none before."
	}
	return fmt.Sprintf("The one before is kept as save %d.", k.Current().Number)
}
