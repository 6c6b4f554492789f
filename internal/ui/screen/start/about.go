package start

import (
	"fmt"
	"strings"

	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// About says what this program is.
type About struct{ screen.Base }

// Build implements screen.Screen.
func (v About) Build(u *widgets.UI) {
	core, sum := "none", "–"
	if c := v.Core.Core; v.Core.Found {
		core, sum = strings.TrimSpace(c.Name+" "+c.Version), fmt.Sprintf("%x", c.SHA256)
	}
	v.Page(u, "About nettplay", 600, func() {
		u.Scroll("about", 0, func() {
			u.Paragraph("Every player's computer runs one emulated Nintendo DS per player. Only button presses cross the network, and all computers stay identical, bit for bit. That is how games with local wireless can be played far apart, on unmodified emulator cores.")
			u.Card(func() {
				screen.Labelled(u, "Version", "", func() { u.Label(v.Version) })
				screen.Labelled(u, "Core", "", func() { u.Label(core) })
				screen.Labelled(u, "Core's SHA-256", "All players of a room need the same core.", func() { u.Column(func() { v.Mono(u, sum) }) })
			})
			u.Note("nettplay is free software under the GNU General Public License, version 3 or later. It comes without any warranty.")
		})
	}, nil)
}
