package memory

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// TestLooksThereAndBack: looks are kept by the game's image; one that was kept by its file is found, and moves.
func TestLooksThereAndBack(t *testing.T) {
	img, file := [32]byte{1}, [32]byte{2}
	var m Memory
	m.SetLook(Look{Rotation: "left"}, time.Unix(5, 0), file)
	if got := m.Look(img, file); got.Rotation != "left" {
		t.Errorf("by the file it is %+v", got)
	}
	m.SetLook(Look{Rotation: "left", Filter: "linear"}, time.Unix(6, 0), img, file)
	if got := m.Look(img); len(m.Looks) != 1 || got.Filter != "linear" || got.At != 6 {
		t.Errorf("moved it is %+v of %d", got, len(m.Looks))
	}
	path := filepath.Join(t.TempDir(), "app.json")
	must.Succeed(t, m.Save(path, Memory{}))
	if got := Load(path).Look(img); got != m.Look(img) {
		t.Errorf("read back as %+v", got)
	}
	usual := config.Defaults().Video
	shown := m.Look(img).Over(usual)
	if shown.Rotation != "left" || shown.Filter != "linear" || shown.Layout != usual.Layout {
		t.Errorf("shown as %+v", shown)
	}
	if l := LookOf(shown, usual); l != (Look{Rotation: "left", Filter: "linear"}) {
		t.Errorf("its own is %+v", l)
	}
	m.SetLook(Look{}, time.Unix(7, 0), img, file)
	if len(m.Looks) != 0 {
		t.Errorf("nothing of its own is remembered as %v", m.Looks)
	}
}

// TestLooksAreBounded: the oldest go, what is none is dropped, and the largest memory is read back.
func TestLooksAreBounded(t *testing.T) {
	var m Memory
	for i := range maxLooks + 50 {
		m.SetLook(Look{Rotation: "right", Layout: "horizontal", Emphasis: "bottom", Filter: "nearest"}, time.Unix(1e9+int64(i), 0), [32]byte{byte(i), byte(i >> 8)})
	}
	if len(m.Looks) != maxLooks || m.Look([32]byte{49}).Any() || !m.Look([32]byte{50}).Any() {
		t.Errorf("%d looks are remembered", len(m.Looks))
	}
	for i := range maxPlayed {
		m.Play([32]byte{byte(i), byte(i >> 8)}, time.Unix(1e9, 0))
	}
	for i := range maxFolders {
		m.LookedIn(fmt.Sprint(i), strings.Repeat("x", maxFolder))
	}
	for range MaxControllers {
		m.Controllers = append(m.Controllers, Controller{strings.Repeat("n", maxControllerText), strings.Repeat("s", maxControllerText), strings.Repeat("p", maxControllerText), 1})
	}
	path := filepath.Join(t.TempDir(), "app.json")
	must.Succeed(t, m.Save(path, Memory{}))
	if got := Load(path); len(got.Looks) != maxLooks || len(got.Played) != maxPlayed {
		t.Errorf("of the largest memory %d looks and %d games are read", len(got.Looks), len(got.Played))
	}
	sha := strings.Repeat("ab", 32)
	for _, text := range []string{
		`{"looks":{"x":{"rotation":"left"}}}`, `{"looks":{"` + sha + `":{"rotation":"up"}}}`, `{"looks":{"` + sha + `":{"at":5}}}`,
		`{"looks":{"` + sha + `":{"layout":"` + strings.Repeat("v", 5000) + `"}}}`,
	} {
		if got := parse([]byte(text)).Looks; len(got) != 0 {
			t.Errorf("%.80s is %v", text, got)
		}
	}
	if got := parse([]byte(`{"welcomed":true,"played":{"` + sha + `":5}}`)); !got.Welcomed || got.Looks != nil || len(got.Played) != 1 {
		t.Errorf("a memory of an earlier version is %+v", got)
	}
}
