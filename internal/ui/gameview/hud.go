package gameview

import (
	"fmt"
	"net"
	"time"

	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/session/notice"
)

// maxFigures is the greatest number of figures that there are, but for a relay.
const maxFigures = 10

// figureWords are the figures, one by one. alone leaves out what is about others.
func figureWords(f notice.Figures, alone bool) []string {
	parts := []string{fmt.Sprintf("%.1f fps", f.FPS)}
	if f.FPS < ds.FrameRate-1 && f.Slow >= 0.1 { // many frames take longer here than they last: it is not the line
		parts[0] += ", this computer is too slow"
	}
	if !alone {
		parts = append(parts, delayWords(f))
		if f.Relay == "" {
			parts = append(parts, fmt.Sprintf("ping %d ms direct", f.RTT.Milliseconds()))
		} else {
			parts = append(parts, fmt.Sprintf("ping %d ms", f.RTT.Milliseconds()), relayWords(f.Relay))
		}
		for _, words := range []string{syncWords(f), lineWords(f.Auto), "up " + rate(f.Sent), "down " + rate(f.Received)} {
			if words != "" {
				parts = append(parts, words)
			}
		}
	}
	if f.Repeated > 0 {
		parts = append(parts, fmt.Sprintf("%d of your last %d inputs came late", f.Repeated, inputdelay.Recent))
	}
	if f.Rollbacks != nil && !alone {
		parts = append(parts, rollbackWords(*f.Rollbacks)...)
	}
	if len(f.OnAir) > 0 {
		parts = append(parts, fmt.Sprintf("%d on wireless", len(f.OnAir)))
	}
	return parts
}

// rollbackWords tell how far this machine guesses, and of the last second which share of the frames ran with a guess, how often
// and how far the consoles went back, and which share of the time that took.
func rollbackWords(r game.Rollbacks) []string {
	depth := phrase.Count(r.Depth, "frame")
	switch {
	case r.Depth == 0 && r.Guessed == 0:
		return []string{"guesses nothing"}
	case r.Guessed == 0:
		return []string{"guesses up to " + depth}
	}
	words := []string{fmt.Sprintf("guesses up to %s (%d%%)", depth, 100*r.Guessed/max(r.Frames+r.Again, r.Guessed))}
	backs, deepest := int64(0), 0
	for depth, n := range r.Backs {
		if backs += n; n > 0 {
			deepest = depth
		}
	}
	if backs > 0 {
		words = append(words, fmt.Sprintf("corrected %d× by up to %d (%d%% of the time)", backs, deepest, int(100*r.Took.Seconds())))
	}
	return words
}

// delayWords tell the input delay of our own seat, and why it is that where it is automatic.
func delayWords(f notice.Figures) string {
	own, chosen := f.OwnDelay.Frames()
	switch words := fmt.Sprintf("delay %d", f.Delay); {
	case chosen && f.Delay == own:
		return words + " (your choice)"
	case f.Auto.Preset == "":
		return words
	case f.Auto.Why == "":
		return words + " (auto, by the pings)"
	default:
		return words + " (auto: " + f.Auto.Why + ")"
	}
}

// lineWords tell of the player whose inputs need the longest delay how they arrive here; "" for a delay that is not
// automatic, and while nothing is known.
func lineWords(a notice.AutoDelay) string {
	if a.Preset == "" || a.Worst == "" {
		return ""
	}
	name, way, spread := phrase.Shorten(a.Worst, maxLineName), a.Way.Round(time.Millisecond).Milliseconds(), a.Spread.Round(time.Millisecond).Milliseconds()
	if a.Late == 0 {
		return fmt.Sprintf("%s's connection %d ms ±%d, none late", name, way, spread)
	}
	return fmt.Sprintf("%s's connection %d ms ±%d, 1 in %s late", name, way, spread, thousands(max(a.Inputs/a.Late, 1)))
}

// thousands is a number with a comma.
func thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%d,%03d", n/1000, n%1000)
}

// maxRelay is the limit of a relay's name as it is shown, in runes.
const maxRelay = 20

// relayWords tell through which relay the game goes to the game host, without its port.
func relayWords(relay string) string {
	if host, _, err := net.SplitHostPort(relay); err == nil {
		relay = host
	}
	return "by " + phrase.Shorten(relay, maxRelay)
}

// maxLineName is the limit of a name as it is shown with its connection, in runes.
const maxLineName = 14

// freshSync is the age in frames, beyond one interval, up to which the last finding that all machines
// are alike is the present: in clocked play a machine may be 384 behind, and the news has its way here.
const freshSync = 600

// syncWords tell whether the machines are known to be alike, or that nobody has known for some frames:
// a machine does not say, or is far behind at maximum speed. Frames pass at any rate, and not in a pause,
// so they are no seconds.
func syncWords(f notice.Figures) string {
	switch ago := f.Frame - f.Agreed; {
	case f.Agreed <= 0:
		return ""
	case ago <= freshSync+int64(f.HashEvery):
		return "in sync"
	default:
		return "not compared for " + thousands(int(ago)) + " frames"
	}
}

// rate is bytes a second in words.
func rate(b float64) string {
	switch {
	case b < 1000:
		return fmt.Sprintf("%.0f B/s", max(b, 0))
	case b < 999_500:
		return fmt.Sprintf("%.0f kB/s", b/1000)
	}
	return fmt.Sprintf("%.1f MB/s", b/1e6)
}

// waitingLine names the players that the game waits for, "" for nobody and for a wait too brief to be
// read. since is the age of the figures: they come four times a second, the words count on meanwhile.
func waitingLine(f notice.Figures, since time.Duration) string {
	waited := f.WaitingFor + max(since, 0)
	if len(f.Waiting) == 0 || waited < briefWait {
		return ""
	}
	return fmt.Sprintf("Waiting for %s: %.1f\u00a0s", phrase.List(f.Waiting), waited.Seconds())
}
