package chaos

import (
	"regexp"
	"strings"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/internal/session/notice"
)

// Stamped are the presses that took effect at a machine's own console.
type Stamped struct {
	Presses []int64 // by rising frame
	Frames  int64   // for which that is known; 0 for a machine that is in no recording
}

// stampedIn are the presses of a seat in a recording.
func stampedIn(log *replay.Log, s replay.Seat) (found Stamped) {
	inputs, held := log.From(s.From), false
	for found.Frames = s.From; ; found.Frames++ {
		in, ok, err := inputs.Input(s.Plan.Seat, found.Frames)
		if !ok || err != nil {
			return found
		}
		if now := in.Keys&inputdelay.KeyA != 0; now != held {
			if held = now; now {
				found.Presses = append(found.Presses, found.Frames)
			}
		}
	}
}

// seatWords tell a player of its seat.
var seatWords = regexp.MustCompile(`(?m)^You are in seat (\d+)\.$`)

// sits reports whether a seat of a recording is that of a machine that came later. Another one may
// have had it before, and not have come into the game. A player who comes again while the room
// waits is called "Bob 2".
func (l *Left) sits(p *Plan, machine int, s replay.Seat) bool {
	found := seatWords.FindStringSubmatch(l.Words)
	name := p.player(machine)
	return found != nil && found[1] == s.Plan.Seat.String() && (s.Plan.Nickname == name || strings.HasPrefix(s.Plan.Nickname, name+" "))
}

// recorded finds out from the recordings of the first players when late joiners were in the game, and
// in a clocked game which presses took effect. All are alike as far as they go, but for the last frames
// of a game host that left, and of one that the others lost, which count as the others have them.
func (o *Outcome) recorded(p *Plan, recording func(machine int) string) {
	for n := p.Players; n < len(o.Machines); n++ {
		o.Machines[n].Entry = -1
	}
	facts := factsOf(p, o)
	var order, lost []int
	for n := range p.Players {
		if n = (n + 1) % p.Players; facts.ended(n, notice.ResultLost) { // the first game host comes last
			lost = append(lost, n)
			continue
		}
		order = append(order, n)
	}
	for _, n := range append(order, lost...) {
		log, err := replay.Open(recording(n))
		if err != nil {
			continue // it did not get that far
		}
		for _, s := range log.Seats {
			m := o.machineOf(p, s)
			if m < 0 {
				continue
			}
			l := &o.Machines[m]
			if s.From > 0 {
				l.Entry = s.From
			}
			if p.Sync == room.Clocked && log.Frames(s.Plan.Seat) > l.Stamped.Frames {
				l.Stamped = stampedIn(log, s)
			}
		}
		log.Close()
	}
}

// machineOf is the machine to which a seat of a recording belongs, -1 for none.
func (o *Outcome) machineOf(p *Plan, s replay.Seat) int {
	for n := range o.Machines {
		late := n >= p.Players
		if late == (s.From > 0) && (late && o.Machines[n].sits(p, n, s) || !late && s.Plan.Nickname == p.player(n)) {
			return n
		}
	}
	return -1
}
