package settings

import (
	"strings"

	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// Overview is a dialog that says what all keys do. It tells whether the player has closed it.
func (v *Screen) Overview(u *widgets.UI) (closed bool) {
	done := false
	left, right := v.keysOf("hotkeys."), v.keysOf("keys.")
	closed = u.Modal(widgets.Modal{Name: "keys", Title: "Keys", Width: 660}, func() {
		u.Space(4)
		u.SetGap(2)
		for i := range max(len(left), len(right)) {
			u.Row(widgets.Cells(widgets.Fill, 84, 8, 150, 92), func() {
				keyRow(u, left, i)
				u.Space(0)
				keyRow(u, right, i)
			})
		}
		u.SetGap(widgets.Gap)
		u.Row(widgets.Cells(widgets.Fill, widgets.Auto), func() {
			u.Note("The settings change them, under Keyboard.")
			done = u.Button(widgets.Button{Text: "OK", Name: "close", Kind: widgets.Primary})
		})
	})
	return closed || done
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

// keyRow shows what one of several keys does, if there are so many.
func keyRow(u *widgets.UI, list []binding, i int) {
	if i >= len(list) {
		u.Space(0)
		u.Space(0)
		return
	}
	u.Small(list[i].label)
	u.Keys(*list[i].at)
}
