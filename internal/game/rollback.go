package game

import (
	"slices"
	"time"

	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/rollback"
)

// Rollback: consoles do not wait for the inputs of other machines' seats. They run on with a guess, and go back where it
// was wrong (package rollback, docs/decisions/0074-rollback.md).
//
// All consoles that hear each other are one group. They stop before each frame, on all machines of the room, and
// go back together with the air between them. Without an air each console is a group of its own, and none guesses: ours has
// its inputs at once, and waits for nobody; another's can be seen as soon as its input is here, which no guess betters.
//
// A seat's frame is that up to which all is confirmed. So what is recorded, hashed, decided, saved and told to others is
// that of a game without guesses, and a machine that cannot go back plays with the others: it waits.

// rolling is the state that rollback adds to a game.
type rolling struct {
	on     bool
	most   int   // frames that this machine may be ahead of the confirmed ones, at the most
	keep   bool  // always
	apart  bool  // consoles do not hear each other: none guesses, and ours waits for nobody
	first  int64 // frame of the round
	budget rollback.Budget
	depth  int   // by which needs are less
	fitted int64 // when that changed last
	begins [begins]begin
	groups []*group
	held   time.Time // since when our own console waits for others
	done   Rollbacks
}

// begins is the number of frames of ours whose beginnings are known: they may be shown as many frames later.
const begins = 2 * maxLagging

// begin is when a frame of ours was due.
type begin struct {
	at   time.Time     // that it began
	late time.Duration // that it was due before
}

// maxLagging is the number of frames that our own console may stand behind the ones whose inputs were sampled, as it waits for
// those of others. Who waits does not sample late on top: the others would wait for that in their turn.
const maxLagging = 6

// group is consoles that stand together at each frame's end.
type group struct {
	seats  []*seat
	air    *Radio // nil for none
	course *rollback.Course
	busy   int       // consoles that have something to do
	back   bool      // they go back to frame, else they run it
	noted  bool      // they were noted before it
	again  bool      // it ran before
	lost   []ds.Seat // those that failed meanwhile
	reruns int       // frames that ran again since the newest one of all
	waited bool      // since then, for an input
	frame  int64     // the one they do
	since  time.Time // they do it

	// What was shown of frames that are not confirmed, for the meter: mail.go.
	sights [ds.MaxSeats][rollback.MaxDepth + 1]sight
	unseen []unseen // confirmed, and not shown yet
}

// guesses are the frames that a seat's console has run ahead of the confirmed ones.
type guesses struct {
	list []Outcome // of the frames from the seat's on
}

// settles is the number of frames at a round's beginning of which needs say nothing: how many frames may be guessed is
// not known yet, and a delay that rises for them falls slowly.
const settles = 180

// fitsEach is the number of frames between two changes of the depth by which needs are less.
const fitsEach = 60

// settling reports whether a frame is among them.
func (r *rolling) settling(frame int64) bool {
	return r.on && !r.apart && r.most > 0 && frame < r.first+settles
}

// Rollbacks counts what a machine has guessed, and how it went back. Frames are those of all consoles together; without a
// radio each console's count.
type Rollbacks struct {
	Depth   int                          `json:"depth"`   // frames that the machine may be ahead of the confirmed ones now
	Frames  int64                        `json:"frames"`  // confirmed
	Guessed int64                        `json:"guessed"` // frames that ran with a guess
	Again   int64                        `json:"again"`   // frames that ran again
	Backs   [rollback.MaxDepth + 1]int64 `json:"backs"`   // ways back, by how many frames
	Took    time.Duration                `json:"took"`    // for ways back, and all that ran again, in nanoseconds
	Plain   Shows                        `json:"plain"`   // new frames of our own console for which nothing ran again
	Back    Shows                        `json:"back"`    // those for which it went back
	Costs   rollback.Costs               `json:"costs"`   // by which the depth is what it is
}

// Shows are frames that were shown, and those of them that were more than a frame's time after they were due.
type Shows struct {
	All  int64 `json:"all"`
	Late int64 `json:"late"`
}

// Share is the share that was late.
func (s Shows) Share() float64 {
	if s.All == 0 {
		return 0
	}
	return float64(s.Late) / float64(s.All)
}

func (s Shows) since(before Shows) Shows { return Shows{s.All - before.All, s.Late - before.Late} }

func (r *Rollbacks) judged(late bool, reruns int) {
	s := &r.Plain
	if reruns > 0 {
		s = &r.Back
	}
	if s.All++; late {
		s.Late++
	}
}

// Since is what was counted after before.
func (r Rollbacks) Since(before Rollbacks) Rollbacks {
	r.Frames, r.Guessed, r.Again, r.Took = r.Frames-before.Frames, r.Guessed-before.Guessed, r.Again-before.Again, r.Took-before.Took
	for i, n := range before.Backs {
		r.Backs[i] -= n
	}
	r.Plain, r.Back = r.Plain.since(before.Plain), r.Back.since(before.Back)
	return r
}

// Rollbacks are those of the game so far; nil in a game without rollback.
func (g *Game) Rollbacks() *Rollbacks {
	if !g.rolls.on {
		return nil
	}
	r := g.rolls.done
	r.Depth, r.Costs = g.rolls.ahead(), g.rolls.budget.Costs()
	return &r
}

// ahead is the number of frames that consoles may be ahead of the confirmed ones now.
func (r *rolling) ahead() int {
	switch {
	case r.apart:
		return 0
	case r.keep:
		return r.most
	}
	return min(r.most, r.budget.Depth())
}

// unneeded is the number of frames by which inputs may be late without that a console of ours waits.
func (r *rolling) unneeded() int {
	if r.apart {
		return rollback.MaxDepth
	}
	return r.ahead()
}

// guessing prepares a round with rollback. A machine of which one console cannot go back guesses nothing.
func (cfg Config) guessing() rolling {
	if !cfg.Rollback {
		return rolling{}
	}
	r := rolling{on: true, apart: cfg.Radio == nil, first: cfg.First, most: min(cfg.Depth, rollback.MaxDepth), keep: cfg.KeepDepth}
	for _, c := range cfg.Seats {
		if rw, ok := c.Console.(Rewinder); !ok || !rw.Returns() {
			r.most = 0
		}
	}
	if cfg.Bore != nil {
		r.budget = rollback.NewBudget(*cfg.Bore)
	}
	r.depth = r.unneeded()
	return r
}

// enroll gives a seat's console its group.
func (g *Game) enroll(s *seat) {
	switch {
	case !g.rolls.on:
	case g.radio != nil && len(g.rolls.groups) > 0:
		gr := g.rolls.groups[0]
		gr.seats = append(gr.seats, s)
		slices.SortFunc(gr.seats, func(a, b *seat) int { return int(a.number - b.number) })
	default:
		g.rolls.groups = append(g.rolls.groups, &group{seats: []*seat{s}, air: g.radio, course: rollback.NewCourse(s.frame)})
	}
}

// group is that of a seat.
func (g *Game) group(s *seat) *group {
	i := slices.IndexFunc(g.rolls.groups, func(gr *group) bool { return slices.Contains(gr.seats, s) })
	return g.rolls.groups[i]
}

// roll starts every frame that may run now, in a game with rollback.
func (g *Game) roll(now time.Time) error {
	for begun := true; begun; {
		var err error
		if begun, err = g.beginRolling(now); err != nil {
			return err
		}
		for _, gr := range g.rolls.groups {
			if err := g.goOn(gr); err != nil {
				return err
			}
		}
	}
	g.noteHeld(now)
	return nil
}

// beginRolling begins our own consoles' next frame, if it is due and they have run all before.
func (g *Game) beginRolling(now time.Time) (begun bool, err error) {
	own := false
	for _, s := range g.seats {
		if !s.mine || g.begun >= s.end {
			continue
		}
		if gr := g.group(s); gr.course.Next() < g.begun && (gr.busy > 0 || g.begun-gr.course.Next() >= maxLagging || !g.lacks(gr)) {
			return false, nil
		}
		own = true
	}
	if !own || !g.allowed(g.begun) {
		return false, nil
	}
	if wait := g.pace.wait(now); wait > 0 {
		g.wait = min(g.wait, wait)
		return false, nil
	}
	if g.stall.block(g.feed.pressure.Behind(g.begun-g.slack()), now) {
		return false, nil
	}
	g.meterBegin(g.begun, now)
	g.rolls.begins[g.begun%begins] = begin{time.Now(), max(now.Sub(g.pace.dueAt(now)), 0)}
	g.pace.frameBegan(now)
	g.begun++
	for _, s := range g.seats {
		if s.mine && g.begun <= s.end {
			if err := g.push(s, g.begun-1); err != nil {
				return false, err
			}
		}
	}
	return true, nil
}

// lacks reports whether a group stands for want of an input.
func (g *Game) lacks(gr *group) bool { return len(g.awaited(gr.course.Next())) > 0 }

// tornGroup is Torn for a group alone, whose consoles then do not go back.
func (g *Game) tornGroup(gr *group) bool {
	return g.tornAir || slices.ContainsFunc(gr.seats, (*seat).lost)
}

// slack is the number of frames that machines may be apart beyond ds.MaxBehind: what they tell of each other are
// confirmed ones.
func (g *Game) slack() int64 {
	if g.rolls.on {
		return rollback.MaxDepth
	}
	return 0
}

// known is the true input of a seat in a frame, as far as it is here.
func (g *Game) known(seat ds.Seat, frame int64) (inputdelay.Input, bool) {
	if frame < 0 {
		return inputdelay.Input{}, false
	}
	return g.seat(seat).input(frame)
}

// goOn confirms what a group has run, has it go back where that was wrong, or run its next frame.
func (g *Game) goOn(gr *group) error {
	for gr.busy == 0 && !g.failed {
		if in, ok := gr.course.Confirm(g.known, g.tornGroup(gr)); ok {
			if err := g.confirm(gr, in); err != nil {
				return err
			}
			continue
		}
		if frame, wrong := gr.course.Wrong(g.known); wrong && !g.tornGroup(gr) {
			if !g.postponed(gr, frame) {
				g.goBack(gr, frame)
			}
			return nil
		}
		ran, err := g.run(gr)
		if err != nil || !ran {
			return err
		}
	}
	return nil
}

// postponed reports whether a group goes back only when our next frame is due, since before that there is usually not
// time enough to be done. So however many inputs come in a frame's time, a console does not run again
// for each of them. What another player presses is seen the later for it: so it is not the rare long way back that counts.
func (g *Game) postponed(gr *group, frame int64) bool {
	if g.pace.unlimited || !g.pace.started || gr.course.Next() < g.begun {
		return false
	}
	wait := g.pace.due.Sub(g.pace.looked)
	if wait <= 0 || wait > g.rolls.budget.Takes(gr.course.Next()-frame) {
		return false
	}
	g.wait = min(g.wait, wait)
	return true
}

// goBack has a group's consoles go back to a frame.
func (g *Game) goBack(gr *group, frame int64) {
	gr.back, gr.frame, gr.since = true, frame, time.Now()
	g.rolls.done.Backs[gr.course.Next()-frame]++
	for _, s := range gr.seats {
		if n := frame - s.frame; n < int64(len(s.guesses.list)) {
			s.guesses.list = s.guesses.list[:n]
			g.give(gr, s, job{rewind: rewind{back: true, place: rollback.Place(frame)}})
		}
	}
}

// give gives a seat's console something to do.
func (g *Game) give(gr *group, s *seat, j job) {
	s.busy, s.since = true, g.pace.looked
	gr.busy++
	s.run.submit(j)
}

// run runs a group's next frame, if nothing but inputs is lacking that may be guessed.
func (g *Game) run(gr *group) (ran bool, err error) {
	frame := gr.course.Next()
	var seats rollback.Seats
	own, power := false, false
	for _, s := range gr.seats {
		if s.closed || frame >= s.end {
			continue
		}
		seats.Add(s.number)
		own = own || s.mine
		power = power || len(s.power) > 0 && s.power[0] <= frame
	}
	switch {
	case seats == 0, !g.allowed(frame), own && frame >= g.begun:
		return false, nil
	case power && gr.course.Ahead() > 0:
		return false, nil // nobody goes back over that
	}
	in := rollback.Known(g.known).Gather(seats, frame)
	if (in.Guessed != 0 || gr.course.Ahead() > 0) && (gr.course.Ahead() >= g.rolls.ahead() || frame >= g.begun) {
		gr.waited = gr.waited || frame < g.begun
		return false, nil
	}
	return true, g.runFrame(gr, frame, in)
}

// runFrame runs a group's next frame.
func (g *Game) runFrame(gr *group, frame int64, in rollback.Inputs) error {
	newest, again := gr.course.Newest(frame)
	gr.back, gr.frame, gr.again, gr.since = false, frame, again, time.Now()
	gr.noted = gr.course.Run(in)
	if gr.noted {
		if err := gr.air.note(frame); err != nil {
			return err
		}
	}
	if in.Guessed != 0 {
		g.rolls.done.Guessed++
	}
	if again {
		g.rolls.done.Again++
	}
	if err := gr.air.step(frame); err != nil {
		return err
	}
	for _, s := range gr.seats {
		if !in.Seats.Has(s.number) || s.dead {
			continue
		}
		j := job{in: in.Of[s.number], step: true, hash: g.hashes.wants(frame+1) || frame+1 == s.end, sram: s.mine}
		j.rewind = rewind{guess: gr.noted, place: rollback.Place(frame), again: again, hidden: !newest}
		if len(s.power) > 0 {
			j.on = s.switchesOn()
		}
		g.give(gr, s, j)
	}
	if gr.busy == 0 {
		return g.stood(gr) // all of them are gone
	}
	return nil
}

// finishRolling takes an outcome in a game with rollback.
func (g *Game) finishRolling(s *seat, o Outcome) error {
	gr := g.group(s)
	gr.busy--
	switch {
	case o.err != nil:
		gr.lost = append(gr.lost, s.number)
		g.radio.dead(s.number)
		if g.failed {
			break
		}
		g.failed = true
		if gr.busy == 0 {
			_ = g.stood(gr) // it fails for what has failed
		}
		return &ConsoleError{Seat: s.number, Frame: gr.frame, Err: g.radio.why(s.number, o.err)}
	case o.job.step:
		s.guesses.list = append(s.guesses.list, o)
	}
	if gr.busy > 0 {
		return nil
	}
	if err := g.stood(gr); err != nil {
		return err
	}
	g.wait = 0 // no outcome may come that has Advance called
	return g.goOn(gr)
}

// stood notes that all consoles of a group have done what they had to.
func (g *Game) stood(gr *group) error {
	took := time.Since(gr.since)
	if gr.back {
		g.rolls.budget.Back(took)
		g.rolls.done.Took += took
		gr.course.Back(gr.frame)
		return gr.air.back(gr.frame, gr.lost)
	}
	if gr.again {
		gr.reruns++
		g.rolls.done.Took += took
	}
	g.rolls.budget.Frame(took, gr.noted, gr.again)
	g.judge(gr)
	g.fit()
	g.noteSeen(gr)
	return gr.air.stood(gr.frame)
}

// judge tells the budget whether a new frame of ours was done within a frame's time after it was due, if it was not for an
// input that it came later.
func (g *Game) judge(gr *group) {
	if gr.again {
		return
	}
	reruns, waited := gr.reruns, gr.waited
	gr.reruns, gr.waited = 0, false
	own := slices.IndexFunc(gr.seats, func(s *seat) bool { return s.mine && len(s.guesses.list) > 0 })
	begun := g.rolls.begins[gr.frame%begins]
	if own < 0 || waited || g.pace.unlimited || gr.frame < g.rolls.first+settles || begun.late > ds.FrameTime(1)/4 {
		return
	}
	list := gr.seats[own].guesses.list
	late := begun.late+list[len(list)-1].at.Sub(begun.at) > ds.FrameTime(1)
	g.rolls.done.judged(late, reruns)
	g.rolls.budget.Shown(late, reruns)
}

// fit has the frames by which needs of inputs are less follow what this machine bears: one for which there is a guess
// needs no input delay. They follow slowly, since a hitch of a moment is nothing for which a delay should rise.
func (g *Game) fit() {
	if by := g.rolls.unneeded() - g.rolls.depth; by != 0 && g.begun >= g.rolls.fitted+fitsEach {
		g.rolls.depth += min(max(by, -1), 1)
		g.rolls.fitted = g.begun
	}
}

// confirm counts a frame that ran with these inputs, which were true.
func (g *Game) confirm(gr *group, in rollback.Inputs) error {
	frame := gr.course.Confirmed() - 1
	g.rolls.done.Frames++
	if err := gr.air.confirm(frame); err != nil {
		return err
	}
	for _, s := range gr.seats {
		if !in.Seats.Has(s.number) {
			continue
		}
		g.recordInput(s, in.Of[s.number])
		if s.dead || len(s.guesses.list) == 0 {
			g.passOver(s)
			continue
		}
		g.meterSeen(gr, s.number, frame, in.Of[s.number])
		o := s.guesses.list[0]
		s.guesses.list = s.guesses.list[1:]
		g.count(s, o)
	}
	return nil
}

// noteHeld notes which machines our own console waits for, once it has for longer than a late datagram takes.
func (g *Game) noteHeld(now time.Time) {
	var waits []int
	for _, s := range g.seats {
		if gr := g.group(s); s.mine && gr.busy == 0 && gr.course.Next() < g.begun {
			waits = g.awaited(gr.course.Next())
		}
	}
	if len(waits) == 0 {
		if !g.rolls.held.IsZero() {
			g.stall.block(nil, now)
		}
		g.rolls.held = time.Time{}
		return
	}
	if g.rolls.held.IsZero() {
		g.rolls.held = now
	}
	if now.Sub(g.rolls.held) > lateFrame {
		g.stall.block(waits, now)
	}
}

// Settle brings all consoles that stand back from guesses. It is for a game that is over. One that has run a frame
// of which nothing was guessed, while others of its group are in it still, has no way back: it counts as busy.
func (g *Game) Settle() {
	for _, s := range g.seats {
		if len(s.guesses.list) > 0 && !s.busy && s.guesses.list[0].job.guess {
			s.settled(s.run.console)
		}
	}
}

// settled brings a console back from guesses, when its game is over.
func (s *seat) settled(c Console) Console {
	if len(s.guesses.list) > 0 {
		s.guesses.list = nil
		_ = c.(Rewinder).Return(rollback.Place(s.frame)) // a console that is gone says so at its next use
	}
	return c
}
