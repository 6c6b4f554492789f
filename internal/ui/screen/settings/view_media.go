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
	return config.Emphases(), []string{"Same size", "Top", "Bottom"}
}

// Filters returns how pixels can be enlarged, and their names.
func Filters() (values, names []string) { return config.Filters(), []string{"Sharp", "Soft"} }

// Rotations returns how the picture can be turned, and their names.
func Rotations() (values, names []string) {
	return config.Rotations(), []string{"Not turned", "Turned left", "Turned right"}
}

// windowScale is the size of the window, by buttons: a slider would move away under the mouse.
func (v *Screen) windowScale(u *widgets.UI) {
	n := v.draft().Video.Scale
	screen.Stepper(u, "video.scale", n, n <= 1, n >= 8, fmt.Sprintf("%d ×", n), func(n int) {
		v.Change(func(c *config.Config) { c.Video.Scale = n })
	})
}

// scale is the size of the widgets themselves: chosen from a list, since buttons and sliders would move away under
// the mouse. While nobody has chosen one, the display does.
func (v *Screen) scale(u *widgets.UI) {
	now := v.draft().Video.UIScale
	values, names := []float64{0}, []string{fmt.Sprintf("Auto (%.0f%%)", 100*cmp.Or(v.AutoScale, 1))}
	add := func(s float64) {
		values, names = append(values, s), append(names, fmt.Sprintf("%.0f%%", 100*s))
	}
	for percent := 50; percent <= 400; percent += 25 {
		s := float64(percent) / 100
		if last := values[len(values)-1]; last < now && now < s {
			add(now) // by the file, between two
		}
		add(s)
	}
	screen.Choose(u, widgets.Choice{Name: "video.ui_scale", Options: names}, values, now, func(s float64) {
		v.Change(func(c *config.Config) { c.Video.UIScale = s })
	})
}

// soundDevice chooses the device that plays the sound. One that is named and not there stays in the list.
func (v *Screen) soundDevice(u *widgets.UI) {
	now := v.draft().Audio.Device
	values, names := []string{""}, []string{"System default"}
	for _, device := range v.Sounds {
		values, names = append(values, device), append(names, device)
	}
	if !slices.Contains(values, now) {
		values, names = append(values, now), append(names, now+" (not there now)")
	}
	screen.Choose(u, widgets.Choice{Name: "audio.device", Options: names}, values, now, func(device string) {
		v.Change(func(c *config.Config) { c.Audio.Device = device })
	})
}

// NoSoundWords say that there is nothing that plays sound.
const NoSoundWords = "No sound device was found, so games are silent. Sound starts as soon as you connect one."

func (v *Screen) recordingFolder(u *widgets.UI) {
	folder := v.draft().Recording.Folder
	u.Bar(func() {
		if e := u.Field(widgets.Field{Name: "recording.folder", Hint: "The usual folder", Max: 1000, Forward: true}, &folder); e.Changed {
			v.recordInto(folder)
		}
	}, widgets.Button{Text: "Browse", Name: "browse recording.folder", Icon: draw.IconFolder, Do: func() {
		v.AskPath(screen.PathRequest{Title: "Where should recordings go?", Take: "Use this folder", Key: "recording.folder", Do: v.recordInto})
	}})
}

func (v *Screen) recordInto(folder string) {
	v.Change(func(c *config.Config) { c.Recording.Folder = folder })
}
