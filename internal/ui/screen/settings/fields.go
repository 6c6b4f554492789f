package settings

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// labelWidth is the width of the names of settings, beside what changes them.
const labelWidth = 170

// undoWidth is the width of the button that gives a setting its default.
const undoWidth = widgets.Control

// margin draws a page beside a margin at the right, in which the ways back to the defaults are: all else ends at one edge.
func margin(u *widgets.UI, page func()) {
	u.Row(widgets.Cells(widgets.Fill, undoWidth), func() {
		u.Column(page)
		u.Space(0)
	})
}

// undoable draws the row of a setting, and in the margin beside it the way back to its default.
func (v *Screen) undoable(u *widgets.UI, key string, row func()) {
	row()
	last := u.LastRect()
	u.In(draw.R(u.Area().Right()+widgets.Gap, last.Center().Y-widgets.Control/2, undoWidth, widgets.Control), func() { v.undo(u, key) })
}

// heading is the name of a setting that takes more than a line.
func (v *Screen) heading(u *widgets.UI, r row) {
	v.undoable(u, r.key, func() {
		u.Row(widgets.Cells(widgets.Fill, 1), func() {
			u.Heading(r.label)
			u.Cell(1, widgets.Control) // as high as the way back
		})
	})
}

// setting is one setting: its label, a widget, and what it means, or why it is not
// taken.
func (v *Screen) setting(u *widgets.UI, r row, build func()) {
	v.Offered(r.key)
	u.Tight(func() {
		v.undoable(u, r.key, func() {
			u.Row(widgets.Cells(labelWidth, widgets.Fill), func() {
				u.Label(r.label)
				build()
			})
		})
		u.Message(widgets.Danger, v.Problems[r.key])
		if r.key == "audio.device" && v.NoSound {
			u.Message(widgets.Warning, NoSoundWords)
		}
		u.Note(config.Help(r.key))
		u.Space(8)
	})
}

// alone shows a setting by a widget that changes it by itself.
func alone(build func(v *Screen, u *widgets.UI)) show {
	return func(v *Screen, u *widgets.UI, r row) {
		v.setting(u, r, func() { build(v, u) })
	}
}

// heads shows what a setting is called and means, and below it more than one line has room for.
func heads(build func(v *Screen, u *widgets.UI)) show {
	return func(v *Screen, u *widgets.UI, r row) {
		v.setting(u, r, func() { u.Space(0) })
		build(v, u)
	}
}

// edit shows a setting by a widget that changes a value and tells whether it did.
func edit[T any](at func(*config.Config) *T, widget func(u *widgets.UI, key string, value *T) bool) show {
	return func(v *Screen, u *widgets.UI, r row) {
		v.setting(u, r, func() {
			value := *at(v.draft())
			if widget(u, r.key, &value) {
				v.Change(func(c *config.Config) { *at(c) = value })
			}
		})
	}
}

// text is a setting that is a text.
func text(hint string, length int, at func(*config.Config) *string) show {
	return edit(at, func(u *widgets.UI, key string, s *string) bool {
		return u.Field(widgets.Field{Name: key, Hint: hint, Max: length, Forward: true}, s).Changed
	})
}

// slider is a setting that is a number from lo to hi.
func slider[T int | float64 | time.Duration](lo, hi, step T, words func(T) string, at func(*config.Config) *T) show {
	return edit(at, func(u *widgets.UI, key string, n *T) bool { return screen.Slide(u, key, n, lo, hi, step, words) })
}

// whole is a setting that is a whole number.
func whole(lo, hi int, at func(*config.Config) *int) show {
	return slider(lo, hi, 1, strconv.Itoa, at)
}

// percent writes a part, or a multiple, of the usual.
func percent(f float64) string { return fmt.Sprintf("%.0f%%", f*100) }

// yesNo is a setting that is on or off.
func yesNo(at func(*config.Config) *bool) show {
	return edit(at, func(u *widgets.UI, key string, on *bool) bool {
		word := "off"
		if *on {
			word = "on"
		}
		return u.Check(widgets.Check{Text: word, Name: key}, on)
	})
}

// oneOf is a setting with a few values, which have names for people.
func oneOf(values, names []string, at func(*config.Config) *string) show {
	return edit(at, func(u *widgets.UI, key string, value *string) bool {
		i := slices.Index(values, *value)
		choose := u.Choice
		if len(names) <= 4 {
			choose = u.Radio
		}
		if !choose(widgets.Choice{Name: key, Options: names}, &i) || i < 0 {
			return false
		}
		*value = values[i]
		return true
	})
}

// typedWhole is a whole number that is typed, since there are too many for a
// slider.
func typedWhole(at func(*config.Config) *int) show {
	return typed(func(c *config.Config) string { return strconv.Itoa(*at(c)) }, func(c *config.Config, text string) string {
		n, err := strconv.Atoi(text)
		if err != nil || strconv.Itoa(n) != text {
			return "This is not a whole number."
		}
		*at(c) = n
		return ""
	})
}

// typed is a setting that is typed in a form of its own. A text that makes no sense
// stays in the field with the reason, until it does or the focus leaves the field: set changes nothing then.
func typed(value func(*config.Config) string, set func(*config.Config, string) (why string)) show {
	return func(v *Screen, u *widgets.UI, r row) {
		text, typing := v.typed[r.key]
		if !typing {
			text = value(v.draft())
		}
		why := ""
		v.setting(u, r, func() {
			e := u.Field(widgets.Field{Name: r.key, Max: 200, Forward: true}, &text)
			if e.Changed {
				v.typed[r.key], typing = text, true
				v.Change(func(c *config.Config) { set(c, strings.TrimSpace(text)) })
			} else if e.Left && v.Problems[r.key] == "" {
				delete(v.typed, r.key)
			}
			if typing {
				trial := Clone(*v.draft())
				why = set(&trial, strings.TrimSpace(text))
			}
		})
		u.Message(widgets.Danger, why)
	}
}

// addFolder is a field for one more folder of a list, which can also be found.
func (v *Screen) addFolder(u *widgets.UI, key, hint string, ask screen.PathRequest, at func(*config.Config) *[]string) {
	v.Offered(key)
	add := func(folder string) { v.add(key, folder, at) }
	browse := "Browse"
	if u.Area().W < 440 {
		browse = ""
	}
	v.addLine(u, key, hint, add, widgets.Button{Text: browse, Name: "browse " + key, Icon: draw.IconFolder, Tip: "Choose a folder", Do: func() {
		ask.Want, ask.Take, ask.Key, ask.Do = screen.WantFolder, "Use this folder", key, add
		v.AskPath(ask)
	}})
}

// addLine is a field for one more item of a list, with what else there is to find one.
func (v *Screen) addLine(u *widgets.UI, key, hint string, add func(typed string), more ...widgets.Button) {
	text, addText, plus := v.typed[key], "Add", draw.NoIcon
	if u.Area().W < 440 {
		addText, plus = "", draw.IconPlus
	}
	entered := false
	buttons := append([]widgets.Button{{Text: addText, Icon: plus, Name: "add " + key, Tip: "Add what is typed", Do: func() { entered = true }}}, more...)
	u.Bar(func() {
		entered = u.Field(widgets.Field{Name: key, Hint: hint, Max: 1000}, &text).Entered
		v.typed[key] = text
		buttons[0].Disabled = text == "" // with what was typed just now
	}, buttons...)
	if entered && text != "" {
		add(text)
	}
}

// add puts an item into a list of the settings, unless it is there or not allowed, and says so.
func (v *Screen) add(key, item string, at func(*config.Config) *[]string) {
	if slices.Contains(*at(v.draft()), item) {
		v.Say("It is in the list already.")
		return
	}
	before := Clone(v.Draft)
	v.Change(func(c *config.Config) { *at(c) = append(*at(c), item) })
	if why := v.Problems[key]; why != "" {
		v.Say(why)
		v.Change(func(c *config.Config) { *c = before })
		return
	}
	v.typed[key] = ""
}

// items are those of a list, each with a button that removes it. Tip says what that means.
func (v *Screen) items(u *widgets.UI, icon draw.Icon, tip, hint string, at func(*config.Config) *[]string) {
	for i, item := range *at(v.draft()) {
		u.ScopeN(i, func() {
			u.Row(widgets.Cells(widgets.Auto, widgets.Fill, widgets.Auto), func() {
				u.Icon(icon, widgets.Normal)
				u.Label(item)
				u.Button(v.removal(tip, "Remove "+item+" from the list?", hint, func(c *config.Config) { *at(c) = without(*at(c), item) }))
			})
		})
	}
}

// removal is the button that removes something from the settings. It asks before, unless ask is "".
func (v *Screen) removal(tip, ask, hint string, remove func(*config.Config)) widgets.Button {
	do := func() { v.Change(remove) }
	return widgets.Button{Icon: draw.IconTrash, Name: "remove", Kind: widgets.Quiet, Aside: true, Tip: tip, Do: func() {
		if ask == "" {
			do()
			return
		}
		v.Question = &screen.Question{Words: ask, Hint: hint, Yes: "Remove", No: "Cancel", Do: do}
	}}
}

func without(list []string, item string) []string {
	return slices.DeleteFunc(append([]string{}, list...), func(s string) bool { return s == item })
}

func capitals(names []string) []string {
	list := make([]string, len(names))
	for i, n := range names {
		list[i] = strings.ToUpper(n[:1]) + strings.ReplaceAll(n[1:], "-", " ")
	}
	return list
}
