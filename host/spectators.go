package host

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/internal/wire"
)

// Spectators see a room and its games and are no part of them: they have no seat and no
// machine number, nobody waits for them, nothing that they say reaches a console, and
// they come and go in any phase. What they see of a game is a copy of its log, which
// they ask for beside the room; see internal/spectate.

// MaxSpectators is how many can watch a room.
const MaxSpectators = 16

// MaxSpectateDelay is the longest that spectators can be behind, seconds: ten minutes.
const MaxSpectateDelay = 600

// What a room has that was not told otherwise.
const (
	DefaultSpectators    = 4
	DefaultSpectateDelay = 2 // seconds
)

// Spectator is someone who watches.
type Spectator struct {
	Number   int // 0 to 15; the lowest that was free
	Nickname string
	Program  string // version of the spectator's nettplay
}

func spectatorFields(c *wire.Coder, s *Spectator) {
	wire.Number(c, "spectator", &s.Number, 0, MaxSpectators-1)
	c.Text("nickname", &s.Nickname, maxName)
	c.Text("program version", &s.Program, maxProgram)
}

// watchMsg asks to watch, in the place of join.
type spectateMsg struct {
	Nickname string
	Core     CoreID
	BIOS     []BIOSHash
	Proof    [32]byte // last: it covers all that stands before it
}

func (m *spectateMsg) Fields(c *wire.Coder) {
	c.Text("nickname", &m.Nickname, maxName)
	c.Within("core", m.Core.fields)
	wire.List(c, "bios files", &m.BIOS, maxBIOS, biosFields)
	c.Fixed("proof", m.Proof[:])
}

// admittedMsg lets somebody watch.
type admittedMsg struct {
	Number int
	Proof  [32]byte
	Room   Room
}

func (m *admittedMsg) Fields(c *wire.Coder) {
	wire.Number(c, "spectator", &m.Number, 0, MaxSpectators-1)
	c.Fixed("proof", m.Proof[:])
	m.Room.fields(c)
}

// SpectatorJoined tells the game host of somebody who watches from now on.
type SpectatorJoined struct {
	Spectator Spectator
	Peer      PeerID
}

// SpectatorLeft tells the game host that somebody watches no longer.
type SpectatorLeft struct {
	Spectator Spectator
	Peer      PeerID
	Words     string // who, and how it came
}

// Admitted tells a client that it may watch, as the spectator of that number.
type Admitted struct{ Number int }

func (SpectatorJoined) event() {}
func (SpectatorLeft) event()   {}
func (Admitted) event()        {}

// spectators are all who watch, by number.
func (h *Host) spectators() []Spectator {
	var list []Spectator
	for _, p := range h.peers {
		if p.stage == spectating {
			list = append(list, p.spectator)
		}
	}
	slices.SortFunc(list, func(a, b Spectator) int { return a.Number - b.Number })
	return list
}

// Spectator is who watches at the other end of a line.
func (h *Host) Spectator(id PeerID) (Spectator, bool) {
	if p := h.peer(id); p != nil && p.stage == spectating {
		return p.spectator, true
	}
	return Spectator{}, false
}

// takeWatch lets somebody watch, or not.
func (h *Host) takeSpectate(now time.Time, p *peer, m *spectateMsg, msg []byte) {
	if p.crowded {
		h.turnAway(p)
		return
	}
	t := transcript(p.hello, p.challenge, msg, proofSize)
	name := cleanNickname(m.Nickname)
	if r, did, ok := h.password(now, p, &joinMsg{Proof: m.Proof}, t); !ok {
		h.refuse(p, name, r, did)
		return
	}
	bios, err := checkBIOS(m.BIOS)
	if err != nil {
		h.expel(now, p, err.Error())
		return
	}
	if r, did, ok := h.maySpectate(m.Core.cleaned(), bios, name); !ok {
		h.refuse(p, name, r, did)
		return
	}
	there := h.spectators()
	number := 0
	for slices.ContainsFunc(there, func(s Spectator) bool { return s.Number == number }) {
		number++
	}
	p.spectator = Spectator{Number: number, Nickname: h.nickname(name), Program: p.program}
	p.stage, p.since, p.hello, p.challenge = spectating, now, nil, nil
	h.dirty = true
	h.send(p, &admittedMsg{Number: number, Proof: proof(h.key, labelHost, t), Room: h.Room()})
	h.emit(SpectatorJoined{Spectator: p.spectator, Peer: p.id})
	h.say(p.spectator.Nickname + " watches")
}

// mayWatch tells whether one more can watch.
func (h *Host) maySpectate(core CoreID, bios []BIOSHash, name string) (r Refusal, did string, ok bool) {
	switch n := len(h.spectators()); {
	case h.settings.Spectators == 0:
		return Refusal{Code: CodeFull, Sentence: "nobody may watch in this room", Hint: "ask the game host to allow spectators"},
			"cannot watch: this room has no spectators", false
	case n >= h.settings.Spectators:
		return Refusal{
			Code: CodeFull, Sentence: fmt.Sprintf("as many watch this room as may: %d", n), Hint: "ask the game host to allow one more",
		}, fmt.Sprintf("cannot watch: %d do, which is all that may", n), false
	}
	if r, ok := h.coreRefusal(core, ""); !ok {
		told, _ := h.coreRefusal(core, name)
		return r, "cannot watch: " + told.Error(), false
	}
	if r, ok := biosRefusal(h.settings.BIOS, bios, ""); !ok {
		told, _ := biosRefusal(h.settings.BIOS, bios, name)
		return r, "cannot watch: " + told.Error(), false
	}
	return Refusal{}, "", true
}

// spectatorIsThere takes a spectator's sign of life.
func (h *Host) spectatorIsThere(time.Time, *peer, *statusMsg) {}

func (h *Host) spectatorLeaves(_ time.Time, p *peer, m *leaveMsg) {
	h.close(p, "goodbye")
	h.loseSpectator(p, joinWords("does not watch any more", brackets(m.Why)))
}

// dropSpectator closes the line of one that cannot be kept, with what it did.
func (h *Host) dropSpectator(p *peer, did string) {
	h.send(p, &closedMsg{Reason: ClosedDropped, Why: "your machine " + did})
	h.close(p, "your machine "+did)
	h.loseSpectator(p, "watches no longer: the machine "+did)
}

// loseSpectator is for one whose line is closed.
func (h *Host) loseSpectator(p *peer, did string) {
	words := wire.Clean(p.spectator.Nickname+" "+did, maxSentence)
	h.dirty = true
	h.emit(SpectatorLeft{Spectator: p.spectator, Peer: p.id, Words: words})
	h.say(words)
}

// KickSpectator sends somebody away who watches, with the reason in words; with ban for
// good, as Kick does.
func (h *Host) KickSpectator(now time.Time, number int, why string, ban bool) error {
	i := slices.IndexFunc(h.peers, func(p *peer) bool { return p.stage == spectating && p.spectator.Number == number })
	if h.phase == PhaseClosed || i < 0 {
		return fmt.Errorf("send away spectator %d: nobody of that number is there", number+1)
	}
	now = h.clock.at(now)
	p, why := h.peers[i], wire.Clean(why, maxReason)
	if ban {
		h.guard.ban(p.addr)
	}
	words := joinWords("the game host sent you away", brackets(why))
	h.send(p, &closedMsg{Reason: ClosedKicked, Why: words})
	h.close(p, words)
	h.loseSpectator(p, joinWords("was sent away by the game host", brackets(why)))
	h.flush(now)
	return nil
}

// NewWatcher prepares to watch a room: a [Client] that has no seat, hears what happens
// in the room, and plays no game. Of cfg only Nickname, Password, Core, BIOS, Version,
// Random and Timeouts count.
func NewSpectator(cfg JoinConfig) (*Client, error) {
	cfg.LocalPlayers, cfg.ROM = nil, nil
	c, err := NewClient(cfg)
	if err != nil {
		return nil, err
	}
	c.spectating, c.machine = true, -1
	return c, nil
}

// ask is what a client comes with: it wants to play, or to watch.
func (c *Client) joinRequest() (m message, prove func(proof [32]byte)) {
	if c.spectating {
		w := &spectateMsg{Nickname: c.join.Nickname, Core: c.join.Core, BIOS: c.join.BIOS}
		return w, func(p [32]byte) { w.Proof = p }
	}
	join := c.join
	return &join, func(p [32]byte) { join.Proof = p }
}

func (c *Client) takeAdmitted(now time.Time, m *admittedMsg, _ []byte) error {
	if c.stage != awaitWelcome || !c.spectating {
		return errors.New("it lets us watch, which was not asked for")
	}
	if !proven(m.Proof, proof(c.key, labelHost, c.sent)) {
		c.refuse(impostor())
		return nil
	}
	if err := c.checkRoom(m.Room); err != nil {
		return err
	}
	c.stage, c.since, c.room, c.hello = inside, now, m.Room, nil
	c.emit(Admitted{m.Number})
	c.emit(RoomChanged{})
	return nil
}

// impostor is why not to stay with somebody who poses as a room.
func impostor() Refusal {
	return Refusal{
		Code: CodePassword, Sentence: "the room took your password without knowing it: it only pretends to be the room that you mean", Hint: "check the address",
	}
}

// checkSpectators tells what is wrong with those who are said to watch.
func checkSpectators(list []Spectator) error {
	for i, s := range list {
		if i > 0 && s.Number <= list[i-1].Number {
			return errors.New("the spectators are out of order")
		}
	}
	return nil
}

// SpectatorPeer is the line to a spectator.
func (h *Host) SpectatorPeer(number int) (PeerID, bool) {
	for _, p := range h.peers {
		if p.stage == spectating && p.spectator.Number == number {
			return p.id, true
		}
	}
	return 0, false
}
