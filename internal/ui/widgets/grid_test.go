package widgets

import (
	"fmt"
	"testing"

	"github.com/nettplay/nettplay/internal/ui/draw"
)

// TestGrid: the arrows move in a grid and lead out at its edges, a click opens a tile, letters find one, and what is chosen is in
// sight.
func TestGrid(t *testing.T) {
	b := newBench(t, 640, 480, 1)
	chosen, opened := 0, -1
	grid := Grid{Name: "tiles", Count: 23, Wide: 100, Side: 32, Lines: 2, Tile: func(i int) Tile { return Tile{Title: fmt.Sprintf("%c tile", 'a'+i), Sub: "x"} }}
	build := func(u *UI) {
		u.In(draw.R(0, 0, 340, 40), func() { u.Button(Button{Text: "above", Default: true}) })
		u.In(draw.R(0, 60, 340, 200), func() {
			if u.Grid(grid, &chosen).Activated {
				opened = chosen
			}
		})
	}
	b.frame(build)
	columns := grid.shape(340, 200, b.ui.list.LineHeight(StyleSmall)).columns
	if columns != 3 {
		t.Fatalf("%d columns", columns)
	}
	for _, step := range []struct {
		key  Key
		want int
	}{{KeyDown, 0}, {KeyDown, 0}, {KeyRight, 1}, {KeyDown, 4}, {KeyLeft, 3}, {KeyEnd, 22}, {KeyUp, 19}, {KeyDown, 22}, {KeyHome, 0}} {
		b.key(step.key, 0, build)
		if chosen != step.want {
			t.Fatalf("after %v the choice is %d, not %d", step.key, chosen, step.want)
		}
		if focused := b.ui.focus.part; chosen > 0 && focused.Empty() {
			t.Errorf("tile %d is out of sight", chosen)
		}
	}
	b.write("h", build)
	if chosen != 7 {
		t.Errorf("the letter h finds %d", chosen)
	}
	b.key(KeyEnter, 0, build)
	if opened != 7 {
		t.Errorf("Enter opens %d", opened)
	}
	b.key(KeyHome, 0, build)
	b.key(KeyUp, 0, build)
	if b.ui.Focused() != b.ui.Forward() && b.ui.focus.items[0].ID != b.ui.Focused() {
		t.Error("Up does not lead out of the first row")
	}
	b.click(130, 80, build)
	if opened != 1 {
		t.Errorf("a click on the second tile opens %d", opened)
	}
}
