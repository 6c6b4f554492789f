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

// Build draws it if it is open. Given takes the name once it is given. Hint stands in an empty
// field.
func (n *Naming) Build(u *widgets.UI, title, yes, hint string, given func(name string)) {
	if !n.open {
		return
	}
	take := func() {
		if strings.TrimSpace(n.name) != "" {
			n.Stop()
			given(n.name)
		}
	}
	Dialog(u, widgets.Modal{Name: "name", Title: title, Width: 480}, n.Stop, func() {
		if u.Field(widgets.Field{Name: "name", Hint: hint, Max: 100, Secret: n.Secret, Focus: true, Select: true}, &n.name).Entered {
			take()
		}
	}, widgets.Button{Text: "Cancel", Name: "cancel"},
		widgets.Button{Text: yes, Name: "take", Kind: widgets.Primary, Disabled: strings.TrimSpace(n.name) == "", Do: take})
}
