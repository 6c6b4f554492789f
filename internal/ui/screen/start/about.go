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
	v.Page(u, "About nettplay", 600, func() {
		u.Scroll("about", 0, func() {
			u.Paragraph("Every player's computer runs one emulated Nintendo DS for each player. Only what is pressed crosses the network, and all computers stay alike, bit for bit. So every game with local wireless can be played far apart, on unmodified emulator cores.")
			u.Card(func() {
				screen.Labelled(u, "Version", "", func() { u.Label(v.Version) })
				screen.Labelled(u, "Core", "", func() { u.Label(v.core()) })
				screen.Labelled(u, "Core's SHA-256", "All players of a room need the same.", func() {
					u.Column(func() { v.Mono(u, v.sum()) })
				})
			})
			u.Note("nettplay is free software under the GNU General Public License, version 3 or later. It comes without any warranty.")
		})
	}, nil)
}

func (v About) core() string {
	if !v.Core.Found {
		return "none"
	}
	return strings.TrimSpace(v.Core.Core.Name + " " + v.Core.Core.Version)
}

func (v About) sum() string {
	if !v.Core.Found {
		return "–"
	}
	return fmt.Sprintf("%x", v.Core.Core.SHA256)
}
