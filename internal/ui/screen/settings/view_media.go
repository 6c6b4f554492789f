package settings

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// Layouts returns how the two screens of a console can stand, in the settings' words and for
// people.
func Layouts() (values, names []string) {
	return config.Layouts(), []string{"Upright", "Side by side", "Hybrid: one large, and both", "Top screen only", "Bottom screen only"}
}

// Emphases returns which screen can be the large one, and their names.
func Emphases() (values, names []string) {
	return config.Emphases(), []string{"Both alike", "Top", "Bottom"}
}

// Filters returns how pixels can be enlarged, and their names.
func Filters() (values, names []string) { return config.Filters(), []string{"Sharp", "Soft"} }

// Rotations returns how the picture can be turned, and their names.
func Rotations() (values, names []string) {
	return config.Rotations(), []string{"Not turned", "Turned left", "Turned right"}
}

// windowScale is the size of the window, by buttons for the reason of scale.
func (v *Screen) windowScale(u *widgets.UI) {
	n := v.draft().Video.Scale
	screen.Stepper(u, "video.scale", n, n <= 1, n >= 8, fmt.Sprintf("%d ×", n), func(n int) {
		v.Change(func(c *config.Config) { c.Video.Scale = n })
	})
}

// scale is the size of the widgets themselves: by buttons, since a slider would
// move away under the mouse. While nobody has chosen one, the display does.
func (v *Screen) scale(u *widgets.UI) {
	s := v.draft().Video.UIScale
	set := func(percent int) {
		v.Change(func(c *config.Config) { c.Video.UIScale = float64(percent) / 100 })
	}
	auto := s == 0
	if auto {
		s = cmp.Or(v.AutoScale, 1)
	}
	percent := int(s*100 + 0.5)
	u.Row(widgets.Cells(widgets.Auto, 80, widgets.Auto, widgets.Auto, widgets.Fill), func() {
		u.Button(widgets.Button{Icon: draw.IconMinus, Name: "smaller", Disabled: percent <= 50, Do: func() { set(max(percent-25, 50)) }})
		u.Text(widgets.StyleBody, widgets.Normal, fmt.Sprintf("%d %%", percent), draw.Middle)
		u.Button(widgets.Button{Icon: draw.IconPlus, Name: "larger", Disabled: percent >= 400, Do: func() { set(min(percent+25, 400)) }})
		if u.Check(widgets.Check{Text: "Auto", Name: "auto"}, &auto) {
			set(map[bool]int{false: percent}[auto])
		}
		u.Space(0)
	})
}

// soundDevice chooses the device that plays the sound. One that is named and not there stays in the list.
func (v *Screen) soundDevice(u *widgets.UI) {
	now := v.draft().Audio.Device
	values, names := []string{""}, []string{"The system's choice"}
	for _, device := range v.Sounds {
		values, names = append(values, device), append(names, device)
	}
	if !slices.Contains(values, now) {
		values, names = append(values, now), append(names, now+" (not there now)")
	}
	u.Column(func() {
		screen.Choose(u, widgets.Choice{Name: "audio.device", Options: names}, values, now, func(device string) {
			v.Change(func(c *config.Config) { c.Audio.Device = device })
		})
		if v.NoSound {
			u.Message(widgets.Warning, NoSoundWords)
		}
	})
}

// NoSoundWords say that there is nothing that plays sound.
const NoSoundWords = "No sound device was found: games are silent. As soon as there is one, it plays."

func (v *Screen) recordingFolder(u *widgets.UI) {
	folder := v.draft().Recording.Folder
	u.Bar(func() {
		if e := u.Field(widgets.Field{Name: "recording.folder", Hint: "the usual folder", Max: 1000, Forward: true}, &folder); e.Changed {
			v.recordInto(folder)
		}
	}, widgets.Button{Text: "Browse", Name: "browse recording.folder", Icon: draw.IconFolder, Do: func() {
		v.AskPath(screen.PathRequest{Title: "Where do recordings go?", Take: "Use this folder", Key: "recording.folder", Do: v.recordInto})
	}})
}

func (v *Screen) recordInto(folder string) {
	v.Change(func(c *config.Config) { c.Recording.Folder = folder })
}
