package session

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/autodelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/session/notice"
)

// arrivalsEvery is the interval of a machine's reports on how inputs arrive, and of the game host's looks at delays.
const arrivalsEvery = time.Second

// delaying is the state of a game's automatic input delay.
type delaying struct {
	looked time.Time
	preset autodelay.Preset      // of the keeper
	keeper *autodelay.Keeper     // on the game host, nil until the first look
	list   []message.SeatArrival // as we saw them last
	why    string                // our own seat's delay is what it is; "" while nothing of it was decided
	lines  notice.Lines          // what our player was told of lines
	blamed map[int]bool          // machines of which the game host was told that others wait for their connections
}

// preset returns the one of the game's automatic input delay, Off where there is none.
func (s *session) preset() autodelay.Preset {
	if s.game == nil {
		return autodelay.Off
	}
	settings := s.room.Room().Settings
	if settings.Sync == room.Clocked {
		return autodelay.Off // late inputs stop nobody
	}
	return s.game.AutoDelay(settings.AutoDelay)
}

// workDelays reports how inputs arrive here; the game host decides what follows.
func (s *session) workDelays(now time.Time) {
	d := &s.delaying
	if now.Sub(d.looked) < arrivalsEvery || s.game.Solo() {
		return
	}
	d.looked = now
	preset := s.preset()
	if preset != d.preset {
		d.preset, d.keeper, d.list = preset, nil, nil
	}
	if s.host != nil && d.keeper == nil {
		d.keeper = autodelay.NewKeeper(preset, now)
	}
	if preset == autodelay.Off {
		if s.host != nil && s.mayChangeDelays() {
			s.followChoices(now, d.keeper.Numbers(now, s.delayed(), s.number()))
		}
		return
	}
	list := s.arriving(preset)
	d.list = list
	if s.host == nil {
		_ = s.client.Arrivals(now, s.game.Round(), list) // a game host that is gone hears the next one
		return
	}
	for _, l := range list {
		d.keeper.Report(now, s.me(), l.Seat, l.Arrival)
	}
	seats := s.delayed()
	d.lines.Measured(d.keeper.BadLine(now, seats))
	for _, c := range d.keeper.Capped(now, seats) {
		s.blame(c)
	}
	if !s.mayChangeDelays() || s.followChoices(now, d.keeper.Chosen(now, seats)) {
		return
	}
	for _, c := range d.keeper.Next(now, seats) {
		// A game that has had all decisions that it can goes on with the delay that it has.
		_, _ = s.host.Decide(now, timeline.Decision{Kind: timeline.SeatDelay, Seat: c.Seat, Delay: c.Delay, Offset: c.Offset, Why: s.delayWords(c)})
	}
}

// followChoices decides what players have chosen for their own delays.
func (s *session) followChoices(now time.Time, list []autodelay.Change) (any bool) {
	for _, c := range list {
		_, _ = s.host.Decide(now, timeline.Decision{Kind: timeline.SeatDelay, Seat: c.Seat, Delay: c.Delay, Offset: c.Offset})
	}
	return len(list) > 0
}

// delayed are all seats with their delays, and what their players have chosen: in rollback alone, since elsewhere nobody's
// presses are felt earlier than all others have them.
func (s *session) delayed() []autodelay.Seat {
	list := s.game.Delays()
	if r := s.room.Room(); r.Settings.Sync == room.Rollback {
		for i := range list {
			p, _ := r.Player(list[i].Machine)
			list[i].Choice = p.OwnDelay
		}
	}
	return list
}

// number is the input delay that somebody chose for all last, -1 for none, as after a rule that has been switched off.
func (s *session) number() int {
	number := -1
	if settings := s.room.Room().Settings; settings.AutoDelay == autodelay.Off {
		number = settings.Delay
	}
	for _, d := range s.room.Decisions() {
		switch d.Kind {
		case timeline.SetDelay:
			number = d.Delay
		case timeline.AutoDelay:
			number = -1
		}
	}
	return number
}

// How many decisions a game spends on delays at first, and then one each delayEvery frames: a machine that
// tells anything of its arrivals spends no more than that either.
const (
	firstDelays = 256
	delayEvery  = 600
)

// mayChangeDelays reports whether the lines count: the game runs, and half of the decisions that it can
// have are left for other things.
func (s *session) mayChangeDelays() bool {
	if s.game.Paused() || s.game.Resync() != nil || s.game.Closing() {
		return false
	}
	decisions, changes := s.room.Decisions(), int64(0)
	for i := range decisions {
		if decisions[i].Kind == timeline.SeatDelay {
			changes++
		}
	}
	return len(decisions) < timeline.MaxDecisions/2 && changes < firstDelays+s.game.OwnFrames()/delayEvery
}

// blame tells the game host, once in a game, whose connection it is for which another player's delay is as long as it
// gets: its machine alone says so, and the players who feel it cannot see why.
func (s *session) blame(c autodelay.Change) {
	if s.delaying.blamed[c.Why.To] || c.Why.To == s.me() {
		return
	}
	name := s.playsAt(c.Why.To)
	if name == "" {
		return
	}
	if s.delaying.blamed == nil {
		s.delaying.blamed = map[int]bool{}
	}
	s.delaying.blamed[c.Why.To] = true
	s.Say("%s's input delay is as long as it gets (%d frames) because of the connection to %s.", s.game.Nickname(c.Seat), c.Delay, name)
}

// playsAt is the nickname of a machine's first player in the game, "" where nobody plays.
func (s *session) playsAt(machine int) string {
	for _, seat := range s.game.Delays() {
		if seat.Machine == machine {
			return s.game.Nickname(seat.Seat)
		}
	}
	return ""
}

// delayWords say in a few words why a seat's delay becomes what it does.
func (s *session) delayWords(c autodelay.Change) string {
	way, spread := quarters(c.Why.Middle).Round(time.Millisecond).Milliseconds(), quarters(c.Why.Spread).Round(time.Millisecond).Milliseconds()
	words := fmt.Sprintf("%d ms ±%d", way, spread)
	if name := s.playsAt(c.Why.To); name != "" {
		words = fmt.Sprintf("%d ms ±%d on the way to %s", way, spread, name)
	}
	if c.Offset > 0 {
		words += fmt.Sprintf(", %d frames for the others", c.Offset)
	}
	return words
}

// arriving tells how the inputs of others arrive here, by rising seat.
func (s *session) arriving(preset autodelay.Preset) (list []message.SeatArrival) {
	arrivals := s.game.Arrivals(preset)
	for _, seat := range slices.Sorted(maps.Keys(arrivals)) {
		list = append(list, message.SeatArrival{Seat: seat, Arrival: arrivals[seat]})
	}
	return list
}

// handleArrivals takes what another machine reports.
func (s *session) handleArrivals(now time.Time, e event.Arrivals) {
	if s.delaying.keeper == nil || s.game == nil {
		return
	}
	for _, l := range e.List {
		s.delaying.keeper.Report(now, e.Machine, l.Seat, l.Arrival)
	}
}

// autoDelay returns the player's notice of it.
func (s *session) autoDelay() (a notice.AutoDelay) {
	preset := s.preset()
	if preset == autodelay.Off {
		return a
	}
	a.Preset = preset.String()
	a.Why = s.delaying.why
	worst := -1
	for _, l := range s.delaying.list {
		if l.Inputs > 0 && l.Need > worst {
			worst, a.Worst = l.Need, s.game.Nickname(l.Seat)
			a.Way, a.Spread = quarters(l.Middle), quarters(l.Spread)
			a.Inputs, a.Late = l.Inputs, l.Late
		}
	}
	return a
}

// quarters returns the duration of so many quarters of a frame.
func quarters(n int) time.Duration { return ds.FrameTime(int64(n)) / 4 }
