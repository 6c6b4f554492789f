package room

import (
	"fmt"
	"strings"
	"time"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/seal"
)

// DelayWords says what an input delay means to a player.
func DelayWords(frames int, sync room.Sync) string {
	lag := ds.FrameTime(int64(frames)).Round(time.Millisecond).Milliseconds()
	if frames == 0 && sync == room.Rollback {
		return "Each press takes effect at once."
	}
	if frames == 0 {
		return "Each press takes effect at once. Only for computers on one desk."
	}
	return fmt.Sprintf("Each press takes effect %d ms later, on every computer. Enough for a ping up to about %d ms.", lag, pingFor(frames, sync))
}

// pingFor is the longest ping, in milliseconds, for which a delay is suggested, on
// a connection that wavers little.
func pingFor(frames int, sync room.Sync) int {
	best := 0
	for ms := 0; ms <= 2000; ms += 5 {
		ping := time.Duration(ms) * time.Millisecond
		players := []room.Player{{Machine: 1, Present: true, Beat: room.Beat{Ping: ping, Jitter: ping / 20}}}
		if room.SuggestRoomDelay(players, sync) > frames {
			break
		}
		best = ms
	}
	return best
}

// pingWords returns a round trip in words.
func pingWords(p room.Player, gameHost int) string {
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

// lossWords says how many inputs come late, in clocked play, or how many packets are lost; "" for
// hardly any.
func lossWords(p room.Player, gameHost int) string {
	switch {
	case p.Repeated > 0:
		return fmt.Sprintf("· %d of %d inputs late", p.Repeated, inputdelay.Recent)
	case p.Machine == gameHost || p.Loss < 5:
		return ""
	case p.Loss < 20:
		return fmt.Sprintf("· %.1f%% lost", float64(p.Loss)/10)
	}
	return fmt.Sprintf("· %d%% lost", (p.Loss+5)/10)
}

// connectionWords says what is known of a player's connection; "" for a further local player.
func connectionWords(p room.Player, gameHost int) string {
	if p.Local > 0 {
		return ""
	}
	return strings.Join(strings.Fields(strings.Join([]string{pingWords(p, gameHost), jitterWords(p, gameHost), lossWords(p, gameHost)}, " ")), " ")
}

// playsWords says what a player plays, where that is not the game that the room shows above, and whose machine a further
// local player shares; "" for neither.
func playsWords(r *Room, p room.Player) string {
	var words []string
	if game, _ := hostGame(r.Room); p.ROM.SHA256 != game.SHA256 {
		words = append(words, phrase.Shorten(p.ROM.Title, 30))
	}
	if first, is := r.Room.Player(p.Machine); is && p.Local > 0 {
		words = append(words, "same computer as "+first.Nickname)
	}
	return strings.Join(words, " · ")
}

// keyWords is the fingerprint of a player's key; "" for a further local player, and where none
// is known.
func keyWords(p room.Player) string {
	if key := seal.Public(p.Key); p.Local == 0 && !key.IsZero() {
		return "Key " + key.Fingerprint()
	}
	return ""
}

// jitterWords says how much a ping varies; "" for little.
func jitterWords(p room.Player, gameHost int) string {
	if p.Machine == gameHost || p.Jitter < 2*time.Millisecond {
		return ""
	}
	return fmt.Sprintf("±%d", p.Jitter.Round(time.Millisecond).Milliseconds())
}
