package screen

import (
	"strings"

	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// NameBox asks for a name: take that it is given, closed that the box is. Hint stands in an
// empty field.
func NameBox(u *widgets.UI, title, yes, hint string, name *string) (take, closed bool) {
	cancel := false
	closed = u.Modal(widgets.Modal{Name: "name", Title: title, Width: 480}, func() {
		e := u.Field(widgets.Field{Name: "name", Hint: hint, Max: 100, Focus: true, Select: true}, name)
		u.Row(widgets.Cells(widgets.Fill, widgets.Auto, widgets.Auto), func() {
			u.Space(0)
			cancel = u.Button(widgets.Button{Text: "Cancel", Name: "cancel"})
			take = u.Button(widgets.Button{Text: yes, Name: "take", Kind: widgets.Primary, Disabled: strings.TrimSpace(*name) == ""}) || e.Entered
		})
	})
	take = take && strings.TrimSpace(*name) != ""
	return take, closed || cancel
}
