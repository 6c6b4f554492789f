package app

import (
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/internal/language"
	"github.com/nettplay/nettplay/internal/testing/must"
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

// TestPicturesOfLanguages writes pictures of some screens into the folder that the variable NETTPLAY_PICTURES names,
// for people to look at: there is a file for each screen, language and size.
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
			for name, scale := range map[string]float32{"": 1, "-2x": 2} {
				img := inspectIn(t, to, s, s.size, scale).picture()
				f, err := os.Create(filepath.Join(folder, s.name+"-"+code+name+".png"))
				must.Succeed(t, err)
				must.Succeed(t, png.Encode(f, img))
				must.Succeed(t, f.Close())
			}
		}
	}
}
