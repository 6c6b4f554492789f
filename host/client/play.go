package client

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/membership"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/wire"
)

// game is a client's part in one game.
type game struct {
	membership.Game
	installed, playing, finished bool
	out                          bool // failed: it only watches the room
}

// apply notes a decision.
func (g *game) apply(d timeline.Decision) {
	g.Decisions = append(g.Decisions, d)
	switch d.Kind {
	case timeline.Enter:
		g.Seats = timeline.InOrder(g.Seats, d.Plan)
	case timeline.Resynced:
		g.Wrong = 0
	}
}

// plays tells whether a game is the one that runs, and we know it.
func (c *Client) plays(round uint32) bool {
	return c.game != nil && c.game.Round == round && c.game.playing
}

func (c *Client) handleRoom(_ time.Time, m *message.Room) error {
	if err := c.checkRoom(m.Room); err != nil {
		return err
	}
	if m.Room.Host != c.room.Host || m.Room.Epoch != c.room.Epoch {
		return fmt.Errorf("it says that machine %d is game host in epoch %d", m.Room.Host, m.Room.Epoch)
	}
	c.room = m.Room
	c.box.Emit(event.RoomChanged{})
	return nil
}

// checkRoom tells what is wrong with a room that is told to us.
func (c *Client) checkRoom(r room.Room) error {
	if err := r.Settings.Check(); err != nil {
		return err
	}
	for i, p := range r.Players {
		if i > 0 && p.Seat <= r.Players[i-1].Seat {
			return fmt.Errorf("the roster has seat %v after seat %v", p.Seat, r.Players[i-1].Seat)
		}
	}
	if err := room.CheckSpectators(r.Spectators); err != nil {
		return err
	}
	mine := c.joining.spectating || slices.ContainsFunc(r.Players, func(p room.Player) bool { return p.Machine == c.machine })
	if _, hosted := r.Player(r.Host); !hosted || !mine {
		return fmt.Errorf("the roster of %d has not both the game host and this machine", len(r.Players))
	}
	return nil
}

func (c *Client) handleChatLine(_ time.Time, m *message.ChatLine) error {
	c.box.Emit(event.ChatLine(*m))
	return nil
}

func (c *Client) handleDesyncFound(_ time.Time, m *message.DesyncFound) error {
	if c.plays(m.Round) {
		c.game.Wrong = c.game.Wrong.With(m.Desync.Machine)
		c.box.Emit(event.DesyncFound{Desync: m.Desync})
	}
	return nil
}

func (c *Client) handleStartFailed(_ time.Time, m *message.StartFailed) error {
	m.Why = orNoReason(m.Why)
	return c.takeOver(m.Round, event.StartFailed(*m))
}

func (c *Client) handleEnded(_ time.Time, m *message.Ended) error {
	if m.Outcome != message.OutcomeFinished {
		m.Why = orNoReason(m.Why)
	}
	return c.takeOver(m.Round, event.Ended(*m))
}

// orNoReason returns the game host's reason for something, which it may leave out: all that players are
// told is a whole sentence.
func orNoReason(why string) string { return cmp.Or(why, "the game host gives no reason") }

func (c *Client) handleHeartbeat(_ time.Time, m *message.Heartbeat) error {
	c.agreed = m.Agreed
	for _, b := range m.Beats {
		for i := range c.room.Players {
			if p := &c.room.Players[i]; p.Machine == b.Machine {
				p.Beat = b.Beat
			}
		}
	}
	c.box.Emit(event.RoomChanged{})
	return nil
}

func (c *Client) handlePrepare(_ time.Time, m *message.Prepare) error {
	mine := false
	for _, s := range m.Seats {
		mine = mine || s.Machine == c.machine
	}
	switch err := m.Settings.Check(); {
	case err != nil:
		return err
	case c.game != nil || m.Round <= c.lastRound:
		return fmt.Errorf("prepare: game %d, but game %d is not over", m.Round, c.lastRound)
	case !mine:
		return fmt.Errorf("prepare: game %d does not have our seat", m.Round)
	}
	c.game, c.lastRound, c.agreed = &game{Game: membership.Game{Round: m.Round, Seats: m.Seats}}, m.Round, 0
	c.room.Phase, c.room.Round = room.PhasePreparing, m.Round
	c.report.now.Up, c.report.now.Down = room.Progress{}, room.Progress{}
	c.box.Emit(event.Prepare{Round: m.Round, Settings: m.Settings.Clone(), Seats: slices.Clone(m.Seats)})
	return nil
}

func (c *Client) handleBegin(_ time.Time, m *message.Begin) error {
	if c.game == nil || m.Round != c.game.Round || !c.game.installed || c.game.playing {
		return fmt.Errorf("game %d begins without having been prepared", m.Round)
	}
	if len(m.Decisions) == 0 {
		return errors.New("a game begins without a decision")
	}
	for _, d := range m.Decisions {
		if err := c.game.Decisions.Check(d, c.game.Seats); err != nil {
			return err
		}
		c.game.Decisions = append(c.game.Decisions, d)
	}
	c.game.playing, c.game.Promised = true, m.Horizon
	c.room.Phase = room.PhasePlaying
	c.box.Emit(event.Begin{Round: m.Round, Decisions: slices.Clone(m.Decisions), Horizon: ds.Horizon{Frame: m.Horizon, Decisions: uint32(len(m.Decisions))}})
	return nil
}

func (c *Client) handleDecision(_ time.Time, m *message.Decision) error {
	if c.game == nil || m.Round != c.game.Round || !c.game.playing || m.Number != len(c.game.Decisions) {
		return fmt.Errorf("decision %d of game %d is out of turn", m.Number, m.Round)
	}
	if err := c.game.Decisions.Check(m.Decision, c.game.Seats); err != nil {
		return err
	}
	c.game.apply(m.Decision)
	c.box.Emit(event.Decided{Number: m.Number, Decision: m.Decision})
	return nil
}

// takeOver takes us back to the lobby.
func (c *Client) takeOver(round uint32, e event.Event) error {
	if c.game == nil || round != c.game.Round {
		return fmt.Errorf("game %d is said to be over, but we do not play it", round)
	}
	if _, ended := e.(event.Ended); ended != c.game.playing {
		return fmt.Errorf("game %d is said to have ended in an impossible way", round)
	}
	c.game = nil
	c.room.Phase, c.room.Round = room.PhaseLobby, 0
	c.box.Emit(e)
	return nil
}

// inGame tells whether a game is the present one, with this machine in it, and
// is played or still prepared.
func (c *Client) inGame(round uint32, playing bool) error {
	switch {
	case c.game == nil || c.game.Round != round || c.game.out:
		return fmt.Errorf("%w, game %d is over for this machine", room.ErrPhase, round)
	case c.game.playing != playing:
		return fmt.Errorf("%w, the room is %v", room.ErrPhase, c.Phase())
	}
	return nil
}

// Installed tells that this machine has built all consoles of a game, with the
// hashes of all of them by rising seat.
func (c *Client) Installed(_ time.Time, round uint32, hashes []room.SeatHash) error {
	if err := c.inGame(round, false); err != nil {
		return fmt.Errorf("consoles are installed: %w", err)
	}
	if c.game.installed {
		return errors.New("consoles are installed twice")
	}
	if !slices.EqualFunc(hashes, c.game.Seats, func(a room.SeatHash, b room.SeatPlan) bool { return a.Seat == b.Seat }) {
		return fmt.Errorf("consoles are installed, but not those of all %d seats", len(c.game.Seats))
	}
	err := c.tell(&message.Installed{Round: round, Hashes: hashes})
	c.game.installed = err == nil
	return err
}

// Failed tells that this machine cannot go on with a game: while it is prepared
// it does not start then, for that cause, and when it runs the others go on without this
// machine, which stays in the room.
func (c *Client) Failed(_ time.Time, round uint32, cause room.Cause, why string) error {
	if c.game == nil || c.game.Round != round || c.game.out {
		return fmt.Errorf("the game fails: %w, game %d is over for this machine", room.ErrPhase, round)
	}
	c.game.out = true
	m := &message.Failed{Round: round, Cause: cause, Why: why}
	c.game.Said = append(c.game.Said, m)
	return c.tell(m)
}

// Hashes reports the hashes of some consoles after so many frames; those of one
// seat by rising frames.
func (c *Client) Hashes(_ time.Time, round uint32, frame int64, hashes []room.SeatHash) error {
	if err := c.inGame(round, true); err != nil {
		return fmt.Errorf("report hashes: %w", err)
	}
	list := make([]room.SeatHash, 0, len(hashes))
	for _, h := range hashes {
		list = append(list, h.Short())
	}
	return c.tell(&message.Hashes{Round: round, Frame: frame, Hashes: list})
}

// Arrivals reports how the inputs of others arrive here.
func (c *Client) Arrivals(_ time.Time, round uint32, list []message.SeatArrival) error {
	if err := c.inGame(round, true); err != nil {
		return fmt.Errorf("report lines: %w", err)
	}
	return c.tell(&message.Arrivals{Round: round, List: list})
}

// Pause asks the game host to let all consoles stand, or go on again.
func (c *Client) Pause(_ time.Time, pause bool) error {
	if c.game == nil {
		return fmt.Errorf("pause: %w, the room is %v", room.ErrPhase, c.Phase())
	}
	if err := c.inGame(c.game.Round, true); err != nil {
		return fmt.Errorf("pause: %w", err)
	}
	return c.tell(&message.Pause{Round: c.game.Round, Pause: pause})
}

// SwitchOn asks the game host to switch on a console of ours whose game has switched it off.
func (c *Client) SwitchOn(_ time.Time, seat ds.Seat) error {
	if c.game == nil {
		return fmt.Errorf("switch on: %w, the room is %v", room.ErrPhase, c.Phase())
	}
	if err := c.inGame(c.game.Round, true); err != nil {
		return fmt.Errorf("switch on: %w", err)
	}
	return c.tell(&message.SwitchOn{Round: c.game.Round, Seat: seat})
}

// RequestResync asks for a resync: this machine cannot go on with its consoles as they
// are, and would take those of another. When the others are to take its own, they take
// those of another, too.
func (c *Client) RequestResync(_ time.Time, round uint32, why string) error {
	if err := c.inGame(round, true); err != nil {
		return fmt.Errorf("ask for a resync: %w", err)
	}
	m := &message.ResyncRequest{Round: round, Why: wire.Clean(why, room.MaxSentence)}
	c.game.Wrong = c.game.Wrong.With(c.machine)
	c.game.Said = append(c.game.Said, m)
	return c.tell(m)
}

// SavesWritten tells that this machine has written the saves of its own cartridges, as they
// are after so many frames, beside the current ones; why tells why it could not.
func (c *Client) SavesWritten(_ time.Time, round uint32, frame int64, why string) error {
	return c.reportSaves(&message.SaveAnswer{Round: round, Frame: frame, Why: wire.Clean(why, room.MaxSentence)})
}

// SavesCommitted tells that this machine has made them current.
func (c *Client) SavesCommitted(_ time.Time, round uint32, frame int64) error {
	return c.reportSaves(&message.SaveAnswer{Round: round, Frame: frame, Committed: true})
}

func (c *Client) reportSaves(m *message.SaveAnswer) error {
	if err := c.inGame(m.Round, true); err != nil {
		return fmt.Errorf("saves are written: %w", err)
	}
	c.game.Said = slices.DeleteFunc(c.game.Said, func(o message.Message) bool {
		_, is := o.(*message.SaveAnswer)
		return is
	})
	c.game.Said = append(c.game.Said, m)
	return c.tell(m)
}

// Remade tells that this machine's consoles are made anew for the resync of that
// number, with the hashes of all that play by rising seat.
func (c *Client) Remade(_ time.Time, round uint32, number int, hashes []room.SeatHash) error {
	if err := c.inGame(round, true); err != nil {
		return fmt.Errorf("consoles are remade: %w", err)
	}
	m := &message.Remade{Round: round, Number: number, Hashes: hashes}
	c.game.Said = []message.Message{m}
	return c.tell(m)
}

// Finished tells that this machine has run every console to the end: frames of
// its own console, the final hashes by rising seat, what it counted. It serves
// inputs on until Ended comes.
func (c *Client) Finished(_ time.Time, round uint32, frames int64, hashes []room.SeatHash, stats message.Stats) error {
	if err := c.inGame(round, true); err != nil {
		return fmt.Errorf("the game is finished: %w", err)
	}
	if c.game.finished {
		return errors.New("the game is finished twice")
	}
	m := &message.Finished{Round: round, Frames: frames, Hashes: hashes, Stats: stats}
	err := c.tell(m)
	c.game.finished = err == nil
	c.game.Said = append(c.game.Said, m)
	return err
}

// Reran tells the game host what came out when this machine played a part of the game
// again. While the connection is gone it is not told.
func (c *Client) Reran(_ time.Time, r message.Rerun) error {
	if c.stage != inside {
		return fmt.Errorf("tell of playing again: %w, the room is %v", room.ErrPhase, c.Phase())
	}
	return c.tell(&r)
}

// Waiting tells whether this machine is in the room, but not in the game that runs, and
// could be let in.
func (c *Client) Waiting() bool {
	return c.stage == inside && c.room.Phase == room.PhasePlaying && c.game == nil && !c.joining.spectating
}

func (c *Client) handleLateJoin(_ time.Time, m *message.LateJoin) error {
	switch err := m.Settings.Check(); {
	case err != nil:
		return err
	case !c.Waiting() || m.Round != c.room.Round || m.Round <= c.lastRound:
		return fmt.Errorf("admitted to game %d, which this machine is not waiting to join", m.Round)
	}
	c.game = &game{Game: membership.Game{Round: m.Round, Seats: slices.Clone(m.Seats)}, playing: true}
	c.lastRound = m.Round
	c.box.Emit(event.LateJoined{Round: m.Round, Settings: m.Settings.Clone(), Seats: m.Seats})
	return nil
}

// Agreed is the newest frame of the running game after which, as the game host says, all
// machines were alike; 0 for none.
func (c *Client) Agreed() int64 { return c.agreed }
