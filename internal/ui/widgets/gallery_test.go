package widgets

import (
	"bytes"
	"flag"
	"fmt"
	"image"
	"image/color"
	stddraw "image/draw"
	"image/png"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/ui/draw"
)

var update = flag.Bool("update", false, "write the golden images anew")

// gallery is every widget, in the states it can have.
type gallery struct {
	layout, theme, game   int
	name, address, secret string
	delay, volume         float64
	ready                 bool
	icon                  draw.Texture
	dialog                bool
}

func newGallery(store *draw.Store) *gallery {
	img := image.NewNRGBA(image.Rect(0, 0, 32, 32))
	for i := range 32 * 32 {
		x, y := i%32, i/32
		img.Set(x, y, color.NRGBA{uint8(60 + 5*x), uint8(90 + 3*y), 170, 255})
	}
	return &gallery{
		game: 1, name: "アンナ", delay: 4, volume: 70, ready: true,
		icon: store.NewImage(img, false),
	}
}

func (g *gallery) build(u *UI) {
	page := u.Area().Inset(20)
	u.In(page.Top(60), func() {
		u.Row(Cells(Fill, Auto, Auto), func() {
			u.Title("Widget gallery")
			u.Badge(Good, "in sync")
			u.Button(Button{Icon: draw.IconSettings, Kind: Quiet, Name: "settings"})
		})
	})
	left := page.Left((page.W - 20) / 2)
	page.Left(20)
	u.In(left, func() { g.left(u) })
	u.In(page, func() { g.right(u) })
	if g.dialog {
		u.Ask("Leave the game?", "The others can play on without you. Saves of the game are kept.", "Leave", "Stay", Danger)
	}
}

func (g *gallery) left(u *UI) {
	u.Button(Button{Text: "Host a game", Sub: "Open a room; friends join you", Icon: draw.IconHome, Kind: Primary})
	u.Button(Button{Text: "Join a game", Sub: "Find a room nearby or type an address", Icon: draw.IconPeople})
	u.Card(func() {
		u.Heading("Settings of the room")
		u.Row(Cells(110, Fill), func() {
			u.Soft("Your name")
			u.Field(Field{Name: "name", Max: 10}, &g.name)
		})
		u.Row(Cells(110, Fill), func() {
			u.Soft("Address")
			u.Field(Field{Name: "address", Hint: "host name or address", Icon: draw.IconSearch, Error: g.fault()}, &g.address)
		})
		u.Row(Cells(110, Fill), func() {
			u.Soft("Password")
			u.Field(Field{Name: "secret", Secret: true}, &g.secret)
		})
		u.Row(Cells(110, Fill), func() {
			u.Soft("Input delay")
			u.Slider(Slider{Name: "delay", Min: 0, Max: 12, Step: 1, Format: frames}, &g.delay)
		})
		u.Row(Cells(110, Fill), func() {
			u.Soft("Layout")
			u.Choice(Choice{Name: "layout", Options: []string{"One above the other", "Side by side", "Top large"}}, &g.layout)
		})
		u.Row(Cells(110, Fill), func() {
			u.Soft("Theme")
			u.Radio(Choice{Name: "theme", Options: []string{"Dark", "Light", "System"}}, &g.theme)
		})
		u.Check(Check{Text: "I am ready", Tip: "The game starts when all are"}, &g.ready)
	})
}

func (g *gallery) fault() string {
	if g.address == "" {
		return "Type where the room is."
	}
	return ""
}

func frames(v float64) string { return fmt.Sprintf("%g frames", v) }

var galleryItems = []Item{
	{Title: "Air Tester", Sub: "NTR-AIRT-EUR · 2 to 4 players", Right: "128 KiB", Badge: "homebrew", Kind: Primary},
	{Title: "ポケットモンスター ブラック", Sub: "NTR-IRBJ-JPN", Right: "256 MiB"},
	{Title: "A game whose name is far too long to fit on the line that it has", Sub: "NTR-LONG-USA", Right: "64 MiB"},
	{Title: "Metroid Prime Hunters", Sub: "NTR-AMHE-USA", Right: "64 MiB"},
	{Title: "Mario Kart", Sub: "not found", Faint: true},
}

var galleryLines = []Line{
	{Text: "Bob came in.", Time: "21:04", Kind: Good},
	{From: "Bob", Text: "hi! which cartridge do you take?", Time: "21:04"},
	{From: "アンナ", Text: "ブラックにするよ。Bob はホワイトでいい? It is the one with the longer name, I think.", Time: "21:05", Mine: true},
	{Text: "The line to Bob is slow: 180 ms. A delay of 6 frames would be smooth.", Time: "21:05", Kind: Warning},
}

func (g *gallery) right(u *UI) {
	u.List(List{Name: "games", Count: len(galleryItems), Height: 190, Item: func(i int) Item {
		item := galleryItems[i]
		item.Image = g.icon
		return item
	}}, &g.game)
	u.Log(Log{Name: "chat", Lines: galleryLines, Height: 150})
	u.Progress(Progress{Value: 0.62, Text: "Bob 62 %"})
	u.Progress(Progress{Value: -1, Text: "looking for rooms"})
	u.Row(Cells(Fill, Fill), func() {
		u.Bind(Bind{Name: "a", Controls: []string{"X", "Left Shift"}})
		u.Bind(Bind{Name: "b", Controls: []string{"Z"}, Conflict: "Z is also Left"})
	})
	u.Message(Warning, "Bob's game is another version: ask for one whose code is NTR-IRBJ.")
	u.Message(Good, "All games are the same.")
	u.Row(Cells(Fill, Auto, Auto, Auto, Auto), func() {
		u.Space(0)
		u.Button(Button{Text: "Kick", Kind: Danger, Icon: draw.IconLeave})
		u.Button(Button{Text: "Back"})
		u.Button(Button{Text: "Start", Kind: Primary, Icon: draw.IconPlay})
		u.Button(Button{Text: "Off", Disabled: true})
	})
	u.Note("Names in any script: Ångström, Ελένη, Пётр, 山田太郎, e\u0301\u0323.")
}

// bench is a UI with a store, whose text is the same on every machine.
type bench struct {
	store *draw.Store
	ui    *UI
	clip  *ownClipboard
	in    Input
}

func newBench(t testing.TB, w, h int, scale float32) *bench {
	t.Helper()
	store := &draw.Store{}
	fonts, err := draw.NewFonts(store, []string{})
	must.Succeed(t, err)
	clip := &ownClipboard{}
	return &bench{
		store: store, ui: New(fonts, clip), clip: clip,
		in: Input{Size: image.Pt(w, h), Scale: scale, Focused: true, Now: time.Second},
	}
}

func (b *bench) picture(out Output) *image.RGBA {
	img := draw.Raster(out.List, b.store)
	return img
}

func TestGallery(t *testing.T) {
	for _, dark := range []bool{true, false} {
		for _, scale := range []int{1, 2} {
			name := fmt.Sprintf("gallery-%s-%dx", map[bool]string{true: "dark", false: "light"}[dark], scale)
			t.Run(name, func(t *testing.T) {
				b := newBench(t, 960*scale, 720*scale, float32(scale))
				if !dark {
					b.ui.SetTheme(LightTheme())
				}
				golden(t, name, b.picture(b.ui.Frame(b.in, newGallery(b.store).build)))
			})
		}
	}
}

// golden compares a picture with the one in testdata. Rasterisers of other
// processors may round otherwise, so each value may be 3 off.
func golden(t *testing.T, name string, got *image.RGBA) {
	t.Helper()
	path := filepath.Join("testdata", name+".png")
	if *update {
		var b bytes.Buffer
		must.Succeed(t, png.Encode(&b, got))
		must.Succeed(t, os.WriteFile(path, b.Bytes(), 0o644))
		return
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (go test -update writes it)", err)
	}
	want, err := png.Decode(bytes.NewReader(data))
	must.Succeed(t, err)
	if want.Bounds() != got.Bounds() {
		t.Fatalf("%s: got %v, want %v", name, got.Bounds(), want.Bounds())
	}
	if n := different(want, got); n > 0 {
		out := filepath.Join(t.ArtifactDir(), name+"-got.png")
		f, err := os.Create(out)
		if err == nil {
			_ = png.Encode(f, got)
			_ = f.Close()
		}
		t.Errorf("%s: %d pixels differ; see %s (with -artifacts), or run with -update", name, n, out)
	}
}

func different(want image.Image, got *image.RGBA) (n int) {
	same := image.NewRGBA(got.Rect)
	stddraw.Draw(same, got.Rect, want, image.Point{}, stddraw.Src)
	for i := 0; i < len(got.Pix); i += 4 {
		if w, g := same.Pix[i:][:3:3], got.Pix[i:][:3:3]; far(w[0], g[0]) || far(w[1], g[1]) || far(w[2], g[2]) {
			n++
		}
	}
	return n
}

func far(a, b uint8) bool { return max(a, b)-min(a, b) > 3 }
