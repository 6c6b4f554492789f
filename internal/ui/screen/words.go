package screen

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/corecheck"
	"github.com/nettplay/nettplay/internal/phrase"
)

// Sentence makes a sentence of s: with a capital, and a full stop.
func Sentence(s string) string { return phrase.Sentence(strings.TrimSpace(s)) }

// Bytes returns a size in words.
func Bytes(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d B", n)
	case n < 1e6:
		return fmt.Sprintf("%.0f kB", float64(n)/1e3)
	case n < 1e9:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%.1f GB", float64(n)/1e9)
}

// Printable returns the name of a file, which may be any bytes, as it can be shown.
func Printable(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return utf8.RuneError
	}, name)
}

// pageCores is where the window does what two commands do.
const pageCores = "(on the page Cores)"

// InWindow turns a hint for the command line into one for the window.
func InWindow(hint string) string {
	return strings.NewReplacer(room.GetCores, pageCores, room.UpdateCores, pageCores).Replace(hint)
}

// BehindWords says how far a spectator is behind the game.
func BehindWords(seconds int) string {
	switch {
	case seconds == 0:
		return "as soon as possible"
	case seconds < 60 || seconds%60 != 0:
		return phrase.Count(seconds, "second") + " behind"
	}
	return phrase.Count(seconds/60, "minute") + " behind"
}

// Untrusted is the trouble that a core is to run about which the player must be asked first. Nothing of it has run yet.
func Untrusted(err *corecheck.UntrustedError) *Trouble {
	return &Trouble{
		Title: "This core runs with your rights",
		Words: strings.TrimSpace(err.Core.Name+" "+err.Core.Version) + " is a file that nettplay does not know, and nobody has seen yet on Windows that the walls around a core hold. It may be able to read and change whatever you can.",
		Hint:  fmt.Sprintf("Play with it only if you trust the place that it came from. You are asked once for each core. SHA-256 %x", err.Core.SHA256[:8]),
	}
}

// NoCore says that no core was found, and what to do.
func NoCore(none *emucore.NoCoreError) *Trouble {
	t := &Trouble{
		Title: "An emulator core is needed",
		Words: "nettplay runs Nintendo DS games with an emulator core, and none is installed.",
		Hint:  "nettplay can download one. Or type this line in a terminal; nettplay then finds the core on its own.",
		Copy:  emucore.AptLine,
	}
	if emucore.AptLine == "" {
		t.Hint = "nettplay can download one."
	}
	switch {
	case none.Name != "" && none.AptLine == "" && len(none.Found) > 0:
		t.Words = fmt.Sprintf("The core “%s” named in your settings does not exist.", none.Name)
		t.Hint = "These are: " + strings.Join(none.Found, ", ") + ". Choose one, or get another: see “Cores”."
		t.Copy = ""
	case none.Name != "":
		t.Words = fmt.Sprintf("The core “%s” of your settings is not installed.", none.Name)
		t.Copy = none.AptLine
		if t.Copy == "" {
			t.Hint = "nettplay can get one: see “Cores”."
		}
	case len(none.Problems) > 0:
		t.Words = Sentence("a file that looks like a core is not usable: " + none.Problems[0].Error())
	}
	return t
}

// Minutes is a length of time as a clock shows it.
func Minutes(d time.Duration) string {
	s := int(d.Seconds())
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}
