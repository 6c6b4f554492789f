package game

import (
	"slices"
	"time"

	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/rollback"
	"github.com/nettplay/nettplay/mirror"
)

// When a machine sends datagrams to another one. The one of each frame goes as soon as our
// input is taken. Another goes only for what the receiver may wait for: inputs of a third
// machine that we pass on. The rest is for when something is lost.
const (
	// flood is the least time between two datagrams to a machine.
	flood = time.Millisecond
	// beat is the time a machine hears nothing while our frames do not run: while we wait,
	// pause, or meet at a barrier.
	beat = 16 * time.Millisecond
	// lateBeat is the same while they run. It is longer than a frame, so that it does not
	// come right before the datagram of the next one.
	lateBeat = 25 * time.Millisecond
	// halfFrame is the delay before a datagram is repeated on a line that loses some. The one of the
	// next frame is as far away then as the one before, which is the best that three in a row can do.
	halfFrame = time.Second / (2 * 60)
)

// A line counts as one that loses datagrams from the first share of them on, and until fewer
// than the second are lost. Those that overtake each other count as lost for a moment, which
// on a line without loss stays below both.
const (
	lossy = 0.01
	calm  = 0.005
)

// mail is the state of sending to one machine: when it was last sent something, and what is new since
// then. It is pure; times come in.
type mail struct {
	sent    time.Time
	news    bool // the machine lacks something that it may wait for
	repeats bool // the line loses datagrams: each is sent twice
	again   bool // the last one is still to be repeated
}

// measured takes the share of our datagrams that the line loses, 0 to 1.
func (m *mail) measured(loss float64) {
	switch {
	case loss >= lossy:
		m.repeats = true
	case loss < calm:
		m.repeats = false
	}
}

// due returns the time of the next datagram; running tells whether our frames run.
func (m *mail) due(running bool) time.Time {
	switch {
	case m.news:
		return m.sent.Add(flood)
	case m.again:
		return m.sent.Add(halfFrame)
	case running:
		return m.sent.Add(lateBeat)
	}
	return m.sent.Add(beat)
}

// post notes that a datagram goes now. One that has something new is repeated later if the
// line loses some.
func (m *mail) post(now time.Time) {
	m.again = m.news && m.repeats
	m.sent, m.news = now, false
}

// mails are those to all machines.
type mails [ds.MaxMachines]mail

// tell notes that all machines but one should hear of something at once; -1 for all.
func (l *mails) tell(but int) {
	for m := range l {
		l[m].news = l[m].news || m != but
	}
}

// MeasureLoss takes the share of the datagrams to a machine that the line there loses, 0 to
// 1, as it is now. Datagrams go twice on a line that loses some.
func (g *Game) MeasureLoss(machine int, loss float64) {
	if machine >= 0 && machine < len(g.feed.mails) {
		g.feed.mails[machine].measured(loss)
	}
}

// running reports whether our own frames run: one is under way, or will begin at a time that
// is known.
func (g *Game) running() bool {
	return len(g.stall.waiting) == 0 && (g.Busy() || g.wait < time.Duration(Never))
}

// Due is the time until the next datagrams are to be sent.
func (g *Game) Due(now time.Time) time.Duration {
	wait, running := lateBeat, g.running()
	for m, c := range g.feed.in {
		if c != nil {
			wait = min(wait, g.feed.mails[m].due(running).Sub(now))
		}
	}
	return wait
}

// Datagrams encodes what is due now and hands it to send, once for each directly connected
// machine that is to hear something, in rising order. The bytes are valid until send returns.
func (g *Game) Datagrams(now time.Time, send func(machine int, b []byte)) {
	f, running := &g.feed, g.running()
	for m := range f.mails {
		if f.in[m] == nil || f.mails[m].due(running).After(now) {
			continue
		}
		f.mails[m].post(now)
		f.buffer = g.datagram(m).Append(f.buffer[:0])
		send(m, f.buffer)
	}
}

// datagram returns the next datagram to a machine.
func (g *Game) datagram(machine int) *mirror.Datagram {
	d := &mirror.Datagram{
		Machine: g.me,
		Round:   g.round,
		Frames:  g.frames(),
		Acks:    g.acks(machine),
	}
	if g.hosting() {
		d.Horizon = g.feed.horizon
	}
	d.Windows = g.feed.out.Windows(machine, d.Budget())
	return d
}

// frames are the frames that this machine knows of, its own first. Only the game host
// speaks for others, since only it is connected to them.
func (g *Game) frames() []mirror.MachineFrame {
	list := []mirror.MachineFrame{{Machine: g.me, Frame: g.Slowest()}}
	if g.hosting() {
		list = append(list, g.feed.pressure.Frames()...)
	}
	return list
}

// acks tells a machine the newest input that we have of each seat it sends us.
func (g *Game) acks(machine int) []mirror.SeatFrame {
	var list []mirror.SeatFrame
	for _, s := range g.seats {
		switch {
		case g.stamps() && s.owner == machine:
			list = append(list, mirror.SeatFrame{Seat: s.number, Frame: s.stamper.Newest()})
		case g.follows(), !s.mine && (!g.hosting() || s.owner == machine):
			list = append(list, mirror.SeatFrame{Seat: s.number, Frame: s.queue.Newest()})
		}
	}
	return list
}

// In a game with rollback an input can be seen from when a new frame was shown for which the input's frame had run with it, or
// with a guess that was right. That is known when the frame is confirmed. It is for the meter alone.

// sight is the input with which a frame ran, as it was shown last, and since when.
type sight struct {
	frame int64
	in    inputdelay.Input
	at    time.Time
}

type unseen struct {
	seat  ds.Seat
	frame int64
}

// noteSeen notes that a frame is done which is shown, if it is the newest.
func (g *Game) noteSeen(gr *group) {
	if newest, _ := gr.course.Newest(gr.frame); !newest || g.meter == nil {
		return
	}
	for _, s := range gr.seats {
		n := len(s.guesses.list)
		if n == 0 {
			continue
		}
		at := s.guesses.list[n-1].at
		gr.course.Each(func(frame int64, in *rollback.Inputs) {
			seen := &gr.sights[s.number][rollback.Place(frame)]
			if seen.frame != frame || seen.in != in.Of[s.number] || seen.at.IsZero() {
				*seen = sight{frame, in.Of[s.number], at}
			}
		})
		gr.unseen = slices.DeleteFunc(gr.unseen, func(u unseen) bool {
			if u.seat == s.number {
				g.meter.Shown(u.seat, u.frame, at)
			}
			return u.seat == s.number
		})
	}
}

// meterSeen tells the meter since when the input of a frame can be seen, which is confirmed.
func (g *Game) meterSeen(gr *group, seat ds.Seat, frame int64, in inputdelay.Input) {
	if g.meter == nil {
		return
	}
	if seen := gr.sights[seat][rollback.Place(frame)]; seen.frame == frame && seen.in == in && !seen.at.IsZero() {
		g.meter.Shown(seat, frame, seen.at)
		return
	}
	gr.unseen = append(gr.unseen, unseen{seat, frame})
}
