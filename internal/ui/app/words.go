package app

import (
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/nettplay/nettplay/internal/ds"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/session"
)

// What the program says to a player stands here: failures in words, and what
// figures mean.

// sentence begins with a capital and ends in a full stop.
func sentence(s string) string {
	s = strings.TrimSpace(s)
	if s == "" {
		return s
	}
	first, size := utf8.DecodeRuneInString(s)
	s = string(unicode.ToUpper(first)) + s[size:]
	if !strings.ContainsAny(s[len(s)-1:], ".?!:") {
		s += "."
	}
	return s
}

// explain says how a session failed.
func explain(err error, r *Room) Trouble {
	t := Trouble{Title: failedTitle(r), Words: sentence(err.Error())}
	var f *session.Failure
	var none *emucore.NoCoreError
	switch {
	case errors.Is(err, link.ErrPortInUse):
		t.Title = "The room could not be opened"
		t.Words = fmt.Sprintf("Another program on this computer uses UDP port %d. Perhaps another room is open here.", r.Port)
		t.Hint = "Close the other room, or choose another port in the settings, under Network."
	case errors.As(err, &none):
		return *noCore(none)
	case errors.As(err, &f):
		t.Hint = sentence(f.Hint)
		switch f.Result {
		case session.ResultDesync:
			t.Title = "The consoles no longer agreed"
			if t.Hint == "" {
				t.Hint = "The game was ended so that no save is damaged. Your save is as it was. Play again; if it happens again, the core or one of the computers may be at fault."
			}
		case session.ResultCore:
			t.Title = "The emulator core or the game failed"
		}
	}
	t.Hint = inWindow(t.Hint)
	return t
}

// failedTitle says in a few words what did not work out.
func failedTitle(r *Room) string {
	switch {
	case r.Local > 0:
		return "The game could not go on"
	case !r.Known && r.Hosting:
		return "The room could not be opened"
	case !r.Known:
		return "You could not join the room"
	case r.Playing:
		return "The game is over"
	}
	return "You are out of the room"
}

// noCore says that a core is missing, and what to type.
func noCore(none *emucore.NoCoreError) *Trouble {
	t := &Trouble{
		Title: "An emulator core is needed",
		Words: "nettplay runs Nintendo DS games with an emulator core, and none is installed.",
		Hint:  "Open a terminal and type this line. Then press “Look again”.",
		Copy:  emucore.AptLine,
	}
	if none == nil {
		return t
	}
	switch {
	case none.Name != "" && none.AptLine == "" && len(none.Found) > 0:
		t.Words = fmt.Sprintf("The core “%s” of your settings is not there.", none.Name)
		t.Hint = "These are: " + strings.Join(none.Found, ", ") + ". Choose one in the settings, under Core."
		t.Copy = ""
	case none.Name != "":
		t.Words = fmt.Sprintf("The core “%s” of your settings is not installed.", none.Name)
		t.Copy = none.AptLine
		if t.Copy == "" {
			t.Hint = "Install it with RetroArch (Online Updater, Core Downloader), or choose another in the settings, under Core."
		}
	case len(none.Problems) > 0:
		t.Words = sentence("a file that looks like a core cannot be used: " + none.Problems[0].Error())
	}
	return t
}

// problemWords says what is wrong with settings.
func problemWords(err error) string {
	var e *config.Error
	if !errors.As(err, &e) || len(e.Problems) == 0 {
		return sentence(err.Error())
	}
	p := e.Problems[0]
	label := settingLabel(p.Key)
	words := label + ": " + p.Why
	if p.Allowed != "" && p.Other == "" {
		words += ". Allowed: " + p.Allowed
	}
	return sentence(words)
}

// delayWords says what an input delay means to a player.
func delayWords(frames int) string {
	lag := ds.FrameTime(int64(frames)).Round(time.Millisecond).Milliseconds()
	if frames == 0 {
		return "What you press counts at once. Only for computers on one desk."
	}
	return fmt.Sprintf("What you press counts %d ms later, for everybody alike. Enough for a ping up to about %d ms.", lag, pingFor(frames))
}

// pingFor is the longest ping, in milliseconds, for which a delay is suggested, on
// a line that wavers little.
func pingFor(frames int) int {
	best := 0
	for ms := 0; ms <= 2000; ms += 5 {
		ping := time.Duration(ms) * time.Millisecond
		if host.SuggestDelay(ping, ping/20) > frames {
			break
		}
		best = ms
	}
	return best
}

// pingWords is a round trip as a player reads it.
func pingWords(p host.Player, gameHost int) string {
	switch {
	case p.Machine == gameHost:
		return "host"
	case p.Ping <= 0:
		return "–"
	case p.Ping < time.Millisecond:
		return "<1 ms"
	}
	return fmt.Sprintf("%d ms", p.Ping.Round(time.Millisecond).Milliseconds())
}

// lossWords is how much is lost on the way; "" when that is hardly anything.
func lossWords(p host.Player, gameHost int) string {
	switch {
	case p.Machine == gameHost || p.Loss < 5:
		return ""
	case p.Loss < 20:
		return fmt.Sprintf("· %.1f %% lost", float64(p.Loss)/10)
	}
	return fmt.Sprintf("· %d %% lost", (p.Loss+5)/10)
}

// lineWords is what is known of a player's line; "" for one beside another.
func lineWords(p host.Player, gameHost int) string {
	if p.Local > 0 {
		return ""
	}
	return strings.Join(strings.Fields(strings.Join([]string{pingWords(p, gameHost), jitterWords(p, gameHost), lossWords(p, gameHost)}, " ")), " ")
}

// besideWords says at whose machine a player is; "" at their own.
func besideWords(r *Room, p host.Player) string {
	for _, other := range r.Room.Players {
		if p.Local > 0 && other.Machine == p.Machine && other.Local == 0 {
			return " · beside " + other.Nickname
		}
	}
	return ""
}

// jitterWords is how much a ping wavers; "" when that does not matter.
func jitterWords(p host.Player, gameHost int) string {
	if p.Machine == gameHost || p.Jitter < 2*time.Millisecond {
		return ""
	}
	return fmt.Sprintf("±%d", p.Jitter.Round(time.Millisecond).Milliseconds())
}

// bytesWords is a size as people read it.
func bytesWords(n int64) string {
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

// agoWords is how long ago something was.
func agoWords(at, now time.Time) string {
	switch d := now.Sub(at); {
	case at.IsZero():
		return ""
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return count(int(d.Minutes()), "minute") + " ago"
	case d < 24*time.Hour:
		return count(int(d.Hours()), "hour") + " ago"
	case d < 48*time.Hour:
		return "yesterday"
	case d < 60*24*time.Hour:
		return count(int(d.Hours()/24), "day") + " ago"
	}
	return at.Format("January 2006")
}

// count is a number of things.
func count(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}
