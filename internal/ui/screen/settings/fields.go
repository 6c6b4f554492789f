package settings

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// setting is one setting: its label, a widget, and what it means, or why it is not
// taken.
func (v *Screen) setting(u *widgets.UI, key string, build func()) {
	v.Offered(key)
	u.Tight(func() {
		u.Row(widgets.Cells(170, widgets.Fill), func() {
			u.Label(label(key))
			build()
		})
		if why := v.Problems[key]; why != "" {
			u.Message(widgets.Danger, why)
		}
		u.Note(help(key))
		u.Space(8)
	})
}

// text is a setting that is a text.
func (v *Screen) text(u *widgets.UI, key, hint string, length int, at func(*config.Config) *string) {
	v.setting(u, key, func() {
		s := *at(v.draft())
		if e := u.Field(widgets.Field{Name: key, Hint: hint, Max: length}, &s); e.Changed {
			v.Change(func(c *config.Config) { *at(c) = s })
		}
	})
}

// whole is a setting that is a whole number.
func (v *Screen) whole(u *widgets.UI, key string, lo, hi int, unit string, at func(*config.Config) *int) {
	v.setting(u, key, func() {
		n := *at(v.draft())
		if screen.Number(u, key, &n, lo, hi, unit) {
			v.Change(func(c *config.Config) { *at(c) = n })
		}
	})
}

// typedWhole is a whole number that is typed, since there are too many for a
// slider.
func (v *Screen) typedWhole(u *widgets.UI, key string, at func(*config.Config) *int) {
	v.typedSetting(u, key, fmt.Sprint(*at(v.draft())), func(c *config.Config, text string) string {
		var n int
		if _, err := fmt.Sscanf(text, "%d", &n); err != nil || fmt.Sprint(n) != text {
			return "This is not a whole number."
		}
		*at(c) = n
		return ""
	})
}

// typedSetting is a setting that is typed in a form of its own. A text that makes no sense
// stays in the field with the reason, until it does or the focus leaves the field.
func (v *Screen) typedSetting(u *widgets.UI, key, value string, set func(*config.Config, string) string) {
	text, typing := v.typed[key]
	if !typing {
		text = value
	}
	why := ""
	v.setting(u, key, func() {
		e := u.Field(widgets.Field{Name: key, Max: 200}, &text)
		if e.Changed {
			v.typed[key] = text
			v.Change(func(c *config.Config) {
				trial := Clone(*c)
				if why = set(&trial, strings.TrimSpace(text)); why == "" {
					*c = trial
				}
			})
			return
		}
		if e.Left && v.Problems[key] == "" {
			delete(v.typed, key)
		}
		if typing {
			trial := Clone(*v.draft())
			why = set(&trial, strings.TrimSpace(text))
		}
	})
	if why != "" {
		u.Message(widgets.Danger, why)
	}
}

// yesNo is a setting that is on or off.
func (v *Screen) yesNo(u *widgets.UI, key string, at func(*config.Config) *bool) {
	v.setting(u, key, func() {
		on := *at(v.draft())
		word := "off"
		if on {
			word = "on"
		}
		if u.Check(widgets.Check{Text: word, Name: key}, &on) {
			v.Change(func(c *config.Config) { *at(c) = on })
		}
	})
}

// oneOf is a setting with a few values, which have names for people.
func (v *Screen) oneOf(u *widgets.UI, key string, values, names []string, at func(*config.Config) *string) {
	v.setting(u, key, func() {
		i := slices.Index(values, *at(v.draft()))
		choose := u.Choice
		if len(names) <= 4 {
			choose = u.Radio
		}
		if choose(widgets.Choice{Name: key, Options: names}, &i) && i >= 0 {
			v.Change(func(c *config.Config) { *at(c) = values[i] })
		}
	})
}

// duration is a setting that is a time.
func (v *Screen) duration(u *widgets.UI, key string, lo, hi, step time.Duration, at func(*config.Config) *time.Duration) {
	v.setting(u, key, func() {
		f := float64(*at(v.draft()))
		if u.Slider(widgets.Slider{Name: key, Min: float64(lo), Max: float64(hi), Step: float64(step), Format: func(f float64) string {
			if step < time.Second {
				return fmt.Sprintf("%d ms", time.Duration(f).Milliseconds())
			}
			return fmt.Sprintf("%.0f s", time.Duration(f).Seconds())
		}}, &f) {
			v.Change(func(c *config.Config) { *at(c) = time.Duration(f).Round(step) })
		}
	})
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

// items are those of a list, each with a button that removes it. Tip says what that means.
func (v *Screen) items(u *widgets.UI, icon draw.Icon, tip string, at func(*config.Config) *[]string) {
	for i, item := range *at(v.draft()) {
		u.ScopeN(i, func() {
			u.Row(widgets.Cells(widgets.Auto, widgets.Fill, widgets.Auto), func() {
				u.Icon(icon, widgets.Normal)
				u.Label(item)
				u.Button(v.removal(tip, func(c *config.Config) { *at(c) = without(*at(c), item) }))
			})
		})
	}
}

// removal is the button that removes something from the settings.
func (v *Screen) removal(tip string, remove func(*config.Config)) widgets.Button {
	return widgets.Button{Icon: draw.IconTrash, Name: "remove", Kind: widgets.Quiet, Tip: tip, Do: func() { v.Change(remove) }}
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
