package settings

import (
	"strings"

	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// Overview is a dialog that says what all keys do, until the player closes it.
func (v *Screen) Overview(u *widgets.UI) {
	closes := func() { v.Keys = false }
	left, right := v.keysOf("hotkeys."), v.keysOf("keys.")
	columns := []float32{widgets.Fill, 84, 8, 150, 92}
	title, where := "Keys", "Change them in the settings, under Keyboard."
	if u.Pad() {
		left, right = v.keysOf("pads."), v.keysOf("pads.buttons.")
		left = left[len(right):] // what is for no button of the console
		columns = []float32{widgets.Fill, 150, 8, 148, 114}
		title, where = "Buttons of a controller", "Change them in the settings, under Controller."
	}
	if u.Modal(widgets.Modal{Name: "keys", Title: title, Width: 660, Foot: func() {
		screen.Foot(u, where, widgets.Button{Text: "OK", Name: "close", Kind: widgets.Primary, Do: closes})
	}}, func() {
		u.Space(4)
		u.SetGap(2)
		if u.Area().W < 500 { // one below the other
			for _, b := range append(right, left...) {
				u.Row(widgets.Cells(widgets.Fill, 150), func() { v.keyRow(u, &b) })
			}
		} else {
			for i := range max(len(left), len(right)) {
				u.Row(widgets.Cells(columns...), func() {
					v.keyRow(u, screen.At(left, i))
					u.Space(0)
					v.keyRow(u, screen.At(right, i))
				})
			}
		}
		u.SetGap(widgets.Gap)
	}) {
		closes()
	}
}

// keysOf returns what the keys of a section do, without what has none.
func (v *Screen) keysOf(section string) (list []binding) {
	for _, b := range bindings(&v.Config) {
		if strings.HasPrefix(b.key, section) && len(*b.at) > 0 {
			list = append(list, b)
		}
	}
	return list
}

// keyRow shows what keys do; nil leaves its place empty.
func (v *Screen) keyRow(u *widgets.UI, b *binding) {
	if b == nil {
		u.Space(0)
		u.Space(0)
		return
	}
	u.Small(b.label)
	u.Keys(v.printedAll(*b.at, b.pad()))
}
