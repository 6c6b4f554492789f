package app

import (
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/internal/language"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/ui/draw"
)

// TestScreensFitInEveryLanguage: TestScreensFit for all languages, in the smallest window with an interface of usual
// size and of twice that. What no catalogue has is found by the tests of internal/language. Each screen is tried in one
// language, in turn; NETTPLAY_LONG=1 tries each in all.
func TestScreensFitInEveryLanguage(t *testing.T) {
	if must.RaceDetector {
		t.Skip("there is nothing that runs beside it, and it takes minutes")
	}
	codes := slices.DeleteFunc(language.Codes(), func(code string) bool { return code == "en" })
	all := append(scenes(), playScenes()...)
	for turn, code := range codes {
		t.Run(code, func(t *testing.T) {
			to, err := language.Open(code)
			must.Succeed(t, err)
			for i, s := range all {
				if likeAnother(s.name, all) || i%len(codes) != turn && os.Getenv("NETTPLAY_LONG") == "" {
					continue
				}
				t.Run(s.name, func(t *testing.T) {
					for _, scale := range []float32{1, 2} {
						p := inspectIn(t, to, s, smallest, scale)
						p.fits()
						p.reaches()
						for _, words := range p.faults {
							t.Errorf("at %g times: %s", scale, words)
						}
					}
				})
			}
		})
	}
}

// TestButtonsAreWhole: what leads elsewhere is written whole, at the usual sizes of the window, in every language.
func TestButtonsAreWhole(t *testing.T) {
	all := append(scenes(), playScenes()...)
	for name, words := range map[string][]string{
		"home":       {"Play online", "Play alone", "Continue", "Recordings", "Settings", "Saves", "Self-test", "Quit"},
		"home-again": {"Play online", "Play alone", "Continue", "Recordings", "Settings", "Saves", "Self-test", "Quit"},
		"menu":       {"Back to the game", "Pause for all", "Save to continue later", "Swap the screens", "More about screens", "End the game for all", "Leave the room"},
	} {
		s := all[slices.IndexFunc(all, func(s scene) bool { return s.name == name })]
		for _, code := range language.Codes() {
			to, err := language.Open(code)
			must.Succeed(t, err)
			texts := inspectIn(t, to, s, s.size, 1).ui.Canvas().Texts()
			for _, word := range words {
				if i := slices.IndexFunc(texts, func(w draw.Written) bool { return w.Text == to.Say(word) }); i < 0 {
					t.Errorf("%s in %s: there is no %q", name, code, to.Say(word))
				} else if texts[i].Cut {
					t.Errorf("%s in %s: %q is cut", name, code, to.Say(word))
				}
			}
		}
	}
}

// TestPicturesOfLanguages writes pictures of some screens into the folder that the variable NETTPLAY_PICTURES names,
// for people to look at: there is a file for each screen, language and size. NETTPLAY_SIZES gives sizes of the window, as
// in "640x480 1920x1080"; without it each screen has its own, and twice that.
func TestPicturesOfLanguages(t *testing.T) {
	folder := os.Getenv("NETTPLAY_PICTURES")
	if folder == "" {
		t.Skip("NETTPLAY_PICTURES names no folder")
	}
	wanted := strings.Fields(os.Getenv("NETTPLAY_SCENES"))
	for _, code := range language.Codes() {
		to, err := language.Open(code)
		must.Succeed(t, err)
		for _, s := range append(scenes(), playScenes()...) {
			if !slices.Contains(wanted, s.name) {
				continue
			}
			write := func(size image.Point, scale float32, name string) {
				f, err := os.Create(filepath.Join(folder, s.name+"-"+code+name+".png"))
				must.Succeed(t, err)
				must.Succeed(t, png.Encode(f, inspectIn(t, to, s, size, scale).picture()))
				must.Succeed(t, f.Close())
			}
			sizes := strings.Fields(os.Getenv("NETTPLAY_SIZES"))
			for _, text := range sizes {
				var size image.Point
				_, err := fmt.Sscanf(text, "%dx%d", &size.X, &size.Y)
				must.Succeed(t, err)
				write(size, 1, "-"+text)
			}
			if len(sizes) == 0 {
				write(s.size, 1, "")
				write(s.size, 2, "-2x")
			}
		}
	}
}
