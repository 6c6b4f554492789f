package screen

import (
	"cmp"
	"image"
	"strings"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// GameFile is a file of a game as a list shows it: a recording, or a moment that was kept.
type GameFile struct {
	Path    string
	Name    string // that a player gave it; "" for none
	Game    string
	Players []string
	At      time.Time // it was made
	Frames  int64     // of the game before that
	Why     string    // why it cannot be read, in words; "" when it can
}

// Square is the middle of a picture's upper part, of so many lines, for a list to show.
func Square(img image.Image, high int) image.Image {
	b := img.Bounds()
	side := min(b.Dx(), high)
	if side < 1 {
		return img
	}
	out := image.NewRGBA(image.Rect(0, 0, side, side))
	for y := range side {
		for x := range side {
			out.Set(x, y, img.At(b.Min.X+(b.Dx()-side)/2+x, b.Min.Y+y))
		}
	}
	return out
}

// Title returns a file's name on the screen.
func (f *GameFile) Title() string { return cmp.Or(f.Name, f.Game) }

// About is the game, unless the title is that, and the players.
func (f *GameFile) About() string {
	players := strings.Join(f.Players, ", ")
	if f.Name == "" {
		return players
	}
	return f.Game + " · " + players
}

// Played returns the time at which the file was made, and the length of the game.
func (f *GameFile) Played() string {
	return f.At.Local().Format("2 Jan 2006 15:04") + " · " + Minutes(ds.FrameTime(f.Frames))
}

// Item draws a file.
func (f *GameFile) Item(icon draw.Icon, t draw.Texture) widgets.Item {
	if f.Why != "" {
		return widgets.Item{Title: f.Title(), Icon: icon, Image: t, Sub: f.Why, Badge: "cannot be read", Kind: widgets.Warning, Faint: true}
	}
	return widgets.Item{Title: f.Title(), Icon: icon, Image: t, Sub: f.About(), Right: f.Played()}
}
