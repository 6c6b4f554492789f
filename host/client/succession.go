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
	"github.com/nettplay/nettplay/internal/wire"
)

// When the game host is lost without a word, and no game can go on by an election, the room goes on with the
// successor that it named. Each machine ends the game for itself first. Meanwhile all look for the game host,
// since it may only be their own connection that is gone: then they join its room again.

const (
	// successorWait is the time that the game host has to be found again, counted from its loss, before its
	// successor takes over the room.
	successorWait = 5 * time.Second
	// orphanWait is the time that the others wait for the successor: it may have noticed the loss later.
	orphanWait = 30 * time.Second
)

// succession is a client's knowledge of who takes over the room.
type succession struct {
	handover message.SignedHandover // the game host's newest standing one; its signature is there if it names us
	orphaned time.Time              // since when the room has no game host, for us; zero: it has
	round    uint32                 // the game that it lost then: others may elect a game host in it
}

// handleSuccessor notes who takes over the room when the game host is lost.
func (c *Client) handleSuccessor(_ time.Time, m *message.Successor) error {
	h := m.Handover
	if h.From != c.room.Host || h.Epoch != c.room.Epoch+1 || !h.Standing() || h.Serial < c.succession.handover.Serial {
		return fmt.Errorf("machine %d is named as the successor of machine %d, in epoch %d with serial %d", h.To, h.From, h.Epoch, h.Serial)
	}
	if lead := c.leadership(); h.To == c.machine && !membership.Verify(lead.Key(h.From), lead.HandoverText(h), h.Sign) {
		return errors.New("we are named as its successor without its signature")
	}
	c.succession.handover = h
	return nil
}

// succeeds reports whether this machine takes over the room.
func (c *Client) succeeds() bool {
	h := c.succession.handover
	return h.Standing() && h.To == c.machine && h.To != h.From
}

// orphan gives up the game host, which is lost: the game is over for us, and the room goes on with the successor
// that was named. It returns false when nobody was.
func (c *Client) orphan(now time.Time, words string) bool {
	h := c.succession.handover
	next, here := c.room.Player(h.To)
	if c.joining.spectating || !h.Standing() || h.To == h.From || !here || !next.Present {
		return false
	}
	lost := c.hostName()
	if c.peer != 0 {
		c.box.Close(c.peer, wire.Clean(words, room.MaxReason))
	}
	c.stage, c.peer, c.lostAt, c.succession.orphaned = disconnected, 0, cmp.Or(c.lostAt, now), now
	c.succession.round = c.room.Round
	c.endGame(words)
	c.election.Abandon()
	what := room.JoinWords("the connection to", lost, "was lost;")
	if h.To == c.machine {
		what += " this computer takes over the room unless it comes back at once"
	} else {
		what += " waiting for " + next.Nickname + ", who takes over the room"
	}
	c.box.Emit(event.ConnectionLost{Words: what})
	return true
}

// endGame ends whatever game the room was in, for us.
func (c *Client) endGame(words string) {
	words = wire.Clean(words, room.MaxSentence)
	round, playing := c.room.Round, c.room.Phase == room.PhasePlaying
	if c.game != nil {
		round, playing = c.game.Round, c.game.playing
	}
	phase := c.room.Phase
	c.game, c.room.Phase, c.room.Round = nil, room.PhaseLobby, 0
	switch {
	case phase == room.PhaseLobby:
	case playing:
		c.box.Emit(event.Ended{Round: round, Outcome: message.OutcomeAborted, Why: words})
	default:
		c.box.Emit(event.StartFailed{Round: round, Cause: room.CauseGone, Why: words, Machines: []int{c.room.Host}})
	}
}

// succeed has this machine be the room's game host.
func (c *Client) succeed() {
	proof := c.lead.proof
	proof.Machine, proof.Epoch = c.machine, c.succession.handover.Epoch
	proof.Handovers = append(slices.Clone(proof.Handovers), c.succession.handover)
	lead, err := c.leadership().Follow(&proof)
	if err != nil {
		c.giveUp(err.Error())
		return
	}
	if c.peer != 0 {
		c.dropConnection("it was given up")
	}
	words := wire.Clean(fmt.Sprintf("the connection to %s is gone; %s is the game host now", c.hostName(), c.Me().Nickname), room.MaxSentence)
	c.lead.proof = proof
	c.changeHost(lead)
	c.box.Emit(event.Elected{Words: words})
}

// mayBeElected reports whether the game that we play may go on with an elected game host, be it without our vote.
func (c *Client) mayBeElected() bool {
	v := c.view()
	return v.Plays && v.Lead.Voters.Count() > 2
}

// HostEnded tells that the program of the game host, whose connection is lost, has ended: there is nothing to
// wait for.
func (c *Client) HostEnded(now time.Time) {
	if now = c.clock.At(now); c.reconnecting() && !c.mayBeElected() {
		c.withoutHost(now, fmt.Sprintf("the program of %s has ended", c.hostName()))
	}
}

// MayGoOn reports whether this machine's player may give up the game host, to which there is no connection, and
// take over the room: see GoOn.
func (c *Client) MayGoOn() bool { return c.Reconnecting() && c.succeeds() && !c.mayBeElected() }

// GoOn does not wait any longer for the game host: the game is over, and this machine takes over the room.
func (c *Client) GoOn(now time.Time) error {
	if !c.MayGoOn() {
		return errors.New("go on without the game host: it is not for this computer to take over the room")
	}
	c.withoutHost(c.clock.At(now), c.lostFor("the game is given up here"))
	return nil
}

// withoutHost gives up the game host, and takes over the room if that is for us.
func (c *Client) withoutHost(now time.Time, words string) {
	if c.succession.orphaned.IsZero() && !c.orphan(now, words) {
		return
	}
	if c.succeeds() {
		c.succeed()
	}
}

// tickOrphan does what is due in a room without a game host.
func (c *Client) tickOrphan(now time.Time) {
	busy := c.stage != disconnected && now.Sub(c.since) < c.self.Timeouts.Join // the game host, or a next one, may take us back
	switch {
	case c.succession.orphaned.IsZero() || busy:
	case c.succeeds() && now.Sub(c.lostAt) >= successorWait:
		c.succeed()
	case !c.succeeds() && now.Sub(c.succession.orphaned) >= orphanWait:
		next, _ := c.room.Player(c.succession.handover.To)
		c.end("", event.RoomLost{Words: wire.Clean(room.JoinWords("the connection to", c.hostName(), "was lost, and", next.Nickname+", who was to take over the room, did not answer either; join the room again by its invitation"), room.MaxSentence)})
	}
}

// mayFollow reports whether we follow a game host that shows a standing handover: we have lost the one before, in
// a game for so long that it is over for us; and nobody whom the room keeps out becomes its game host.
func (c *Client) mayFollow(m *message.LeaderProof) bool {
	p, _ := c.room.Player(m.Machine)
	banned := slices.ContainsFunc(c.banned, func(b room.Banned) bool { return b.Key == p.Key && b.Key != [32]byte{} })
	return !c.succession.orphaned.IsZero() && !banned
}

// joinAgain comes into the room anew: its game host, whom we had lost, does not know us any more.
func (c *Client) joinAgain() {
	c.dropConnection("joining again")
	c.stage, c.lostAt, c.succession, c.lead = unconnected, time.Time{}, succession{}, following{}
	c.election.Close()
	c.report = report{now: c.report.now}
	c.box.Emit(event.JoinAgain{})
}
