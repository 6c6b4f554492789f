package gameview

import (
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// All figures there are at once, with the longest names, and a wait beside them: none is cut, leaves the
// window or lies over another, from the smallest window to a large one. With NETTPLAY_HUD_PICTURES
// set to a folder the pictures are written there.
func TestAllFiguresFit(t *testing.T) {
	long := "WWWWWWWWWWWWWWWWWWWWWWWW" // as long as a nickname may be, and as wide
	names := []string{"Ann", long, "ながいなまえのひとながいなまえのひとながいなま", "Dora"}
	for _, scale := range []float32{1, 2} {
		for _, size := range []image.Point{{480, 360}, {640, 480}, {760, 768}, {1280, 720}} {
			for _, players := range []int{2, 4} {
				th := newTestView(t, int(float32(size.X)*scale), int(float32(size.Y)*scale), scale)
				var consoles []Console
				for i, name := range names[:players] {
					consoles = append(consoles, Console{Seat: ds.Seat(i), Name: name})
				}
				th.Begin(consoles, []ds.Seat{0})
				for seat := range players {
					th.Show(ds.Seat(seat), coded(1))
				}
				th.Notice(notice.Figures{
					FPS: 48.4, Slow: 0.5, Delay: 12, RTT: 342 * time.Millisecond, Frame: 90_000, Agreed: 60_000, Sent: 1_234_567, Received: 1_234_567,
					OnAir: []ds.Seat{0, 1}, Repeated: 118, Relay: "a-relay-of-somebody-with-a-name.example.org:1",
					Auto:    notice.AutoDelay{Preset: "party", Worst: long, Way: 158 * time.Millisecond, Spread: 112 * time.Millisecond, Inputs: 4200, Late: 2},
					Waiting: names[1:players], WaitingFor: 5 * time.Second,
				})
				name := fmt.Sprintf("%dx%d-%d-%v", size.X, size.Y, players, scale)
				texts := th.texts()
				all := th.ui.Canvas().Bounds().Inset(-1)
				for i, w := range texts {
					if slices.Contains(names, w.Text) {
						continue
					}
					if at := w.Place; w.Cut || at.X < all.X || at.Y < all.Y || at.Right() > all.Right() || at.Bottom() > all.Bottom() {
						t.Errorf("%s: %q is cut: %v, at %v", name, w.Text, w.Cut, w.Place)
					}
					for _, other := range texts[:i] {
						if o := w.Place.Inset(1).Intersect(other.Place.Inset(1)); !o.Empty() {
							t.Errorf("%s: %q lies over %q", name, w.Text, other.Text)
						}
					}
				}
				if dir := os.Getenv("NETTPLAY_HUD_PICTURES"); dir != "" {
					file, err := os.Create(filepath.Join(dir, name+".png"))
					if err == nil {
						err = png.Encode(file, th.picture())
					}
					must.Succeed(t, err)
					file.Close()
				}
			}
		}
	}
}
