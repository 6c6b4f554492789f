package screen

import (
	"strings"

	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// Naming is a box that asks for a name, open from Ask until one is given or Stop.
type Naming struct {
	Secret bool // it is a password

	open bool
	name string
}

// Ask opens the box, with a name in it.
func (n *Naming) Ask(name string) { n.open, n.name = true, name }

// Stop closes it.
func (n *Naming) Stop() { n.open = false }

// Build draws it if it is open, and returns the name once it is given. Hint stands in an
// empty field.
func (n *Naming) Build(u *widgets.UI, title, yes, hint string) (name string, given bool) {
	if !n.open {
		return "", false
	}
	take, cancel := false, false
	closed := u.Modal(widgets.Modal{Name: "name", Title: title, Width: 480}, func() {
		e := u.Field(widgets.Field{Name: "name", Hint: hint, Max: 100, Secret: n.Secret, Focus: true, Select: true}, &n.name)
		u.Row(widgets.Cells(widgets.Fill, widgets.Auto, widgets.Auto), func() {
			u.Space(0)
			cancel = u.Button(widgets.Button{Text: "Cancel", Name: "cancel"})
			take = u.Button(widgets.Button{Text: yes, Name: "take", Kind: widgets.Primary, Disabled: strings.TrimSpace(n.name) == ""}) || e.Entered
		})
	})
	take = take && strings.TrimSpace(n.name) != ""
	n.open = !take && !cancel && !closed
	return n.name, take
}
