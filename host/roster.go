package host

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/wire"
)

func (h *Host) takeStatus(now time.Time, p *peer, m *message.Status) {
	for _, each := range h.at(p.member.machine) {
		h.setStatus(each, m.Status)
	}
}

func (h *Host) takeLeave(now time.Time, p *peer, m *message.Leave) {
	who := p.member
	h.lead.voters = h.lead.voters.Without(who.machine)
	h.close(p, "goodbye")
	h.lose(now, who, room.JoinWords("left the room", room.Brackets(m.Why)))
}

// change makes a change to the roster or the settings. When it changes what
// machines must look at, nobody is ready before having done so.
func (h *Host) change(do func()) {
	games, settings := h.games(), h.settings
	do()
	if !slices.Equal(games, h.games()) || !settings.Equal(h.settings) {
		h.revision++
	}
	h.news.dirty = true
}

// games are the hashes of all games that are played, sorted, each once.
func (h *Host) games() [][32]byte {
	var list [][32]byte
	for _, m := range h.members {
		list = append(list, h.romOf(m).SHA256)
	}
	slices.SortFunc(list, func(a, b [32]byte) int { return slices.Compare(a[:], b[:]) })
	return slices.Compact(list)
}

// romOf is the game that a player plays.
func (h *Host) romOf(m *member) room.ROMID {
	switch first := h.primary(m); {
	case m.rom != nil:
		return *m.rom
	case first.rom != nil:
		return *first.rom
	}
	return *h.own().rom
}

func (h *Host) ready(m *member) bool {
	return m.status.Ready && m.status.Revision == h.revision && m.present
}

// problem tells why a player holds up the start, apart from not being ready: to the others, by
// name, or, with an empty name, to the player. A machine's problem is told of its primary player.
func (h *Host) problem(m *member, name string) string {
	if !m.present || m.local > 0 {
		return ""
	}
	if r, ok := h.buildRefusal(m.build, name); !ok {
		return r.Error()
	}
	switch {
	case h.phase != room.PhaseLobby && !h.waits(m):
		return ""
	case !m.disconnectedAt.IsZero():
		return "the connection to " + m.nickname + " is gone"
	case m.status.Revision != h.revision:
		return room.LookingWords(name)
	case m.status.Problem != "":
		return m.status.Problem
	}
	return h.missing(m, name)
}

// missing names the games that a machine has not, and who plays them; name is as with problem.
func (h *Host) missing(m *member, name string) string {
	var words []string
	for _, sum := range h.games() {
		if !slices.Contains(m.status.Missing, sum) {
			continue
		}
		var players []string
		var rom room.ROMID
		for _, other := range h.members {
			if h.romOf(other).SHA256 == sum {
				players, rom = append(players, other.nickname), h.romOf(other)
			}
		}
		verb := "plays"
		if len(players) > 1 {
			verb = "play"
		}
		words = append(words, fmt.Sprintf("%v, which %s %s", rom, room.ListWords(players), verb))
	}
	if len(words) == 0 {
		return ""
	}
	another := ", or let another game be chosen"
	if h.settings.Continues.Any() {
		another = ""
	}
	return fmt.Sprintf("%s machine does not have %s: put a copy into one of its ROM folders (the SHA-256 must begin as in brackets)%s",
		room.Owner(name), room.ListWords(words), another)
}

// Report tells what the game host's own machine has to say of itself, as a
// client does with its Report.
func (h *Host) Report(now time.Time, s room.Status) {
	if h.phase == room.PhaseClosed {
		return
	}
	now = h.clock.At(now)
	for _, m := range h.locals() {
		h.setStatus(m, s)
	}
	h.flush(now)
}

func (h *Host) setStatus(m *member, s room.Status) {
	s = s.Bounded()
	old := m.status
	m.status = s
	if !old.Same(s) {
		h.news.dirty = true
	}
	if h.phase == room.PhaseLobby && s.Revision == h.revision {
		h.resultHeard(m.machine)
	}
	if h.round == nil {
		return
	}
	if p := h.round.part(m.machine); p != nil {
		p.total = s.Up.Total + s.Down.Total
	}
}

// SetROM changes the game host's game, and that of all who play the same. Everybody is
// told, and nobody is ready after it. Only in the lobby.
func (h *Host) SetROM(now time.Time, rom room.ROMID) error {
	rom, err := room.CheckROM(rom)
	if err != nil {
		return err
	}
	if h.phase != room.PhaseLobby {
		return fmt.Errorf("choose another game: %w, the room is %v", room.ErrPhase, h.phase)
	}
	if h.settings.Continues.Any() {
		return errors.New("a kept game goes on in this room, so nobody chooses another")
	}
	now = h.clock.At(now)
	if before := *h.own().rom; before.SHA256 != rom.SHA256 {
		h.change(func() {
			for _, m := range h.members {
				if m.rom != nil && m.rom.SHA256 == before.SHA256 { // by its file: the same game all the same
					m.rom = &rom
				}
			}
		})
		h.publish(now) // before the words: who acts on them has seen what they are about
		h.say(fmt.Sprintf("the game is now %v, chosen by %s: get ready again", rom, h.own().nickname))
	}
	h.flush(now)
	return nil
}

func (h *Host) takeGame(_ time.Time, p *peer, m *message.Game) {
	if h.phase == room.PhaseLobby && !h.settings.Continues.Any() { // else it crossed with the start: the client sees that its game did not change
		h.change(func() { p.member.rom = m.ROM })
	}
}

// SetSettings changes the room settings, and nobody is ready after it. Only
// in the lobby; a delay in a game is changed with Decide.
func (h *Host) SetSettings(now time.Time, s room.Settings) error {
	s, err := h.keepContinued(s).Checked()
	if err != nil {
		return err
	}
	if h.phase != room.PhaseLobby {
		return fmt.Errorf("change the room's settings: %w, the room is %v", room.ErrPhase, h.phase)
	}
	for _, m := range h.members {
		if int(m.seat) >= s.Seats {
			return fmt.Errorf("change the room to %d seats: %s has seat %v", s.Seats, m.nickname, m.seat)
		}
	}
	now = h.clock.At(now)
	h.change(func() {
		h.settings = s
		for _, m := range h.locals() {
			m.build.core, m.build.bios = s.Core, s.BIOS
		}
	})
	h.flush(now)
	return nil
}

// Line tells of the connection to a machine, as that measures it: Ping, Jitter, Loss and Way.
// Everyone in the room is told, a little later.
func (h *Host) Line(machine int, b room.Beat) {
	for _, m := range h.members {
		if m.machine == machine && machine != h.me {
			m.beat.Ping, m.beat.Jitter = max(b.Ping, 0), max(b.Jitter, 0)
			m.beat.Loss, m.beat.Way = min(max(b.Loss, 0), 1000), wire.Clean(b.Way, room.MaxReason)
		}
	}
}

// Repeated tells for how many of the newest [inputdelay.Recent] frames of a seat no input had
// arrived in time, in clocked play; told to everyone as with Line.
func (h *Host) Repeated(seat ds.Seat, frames int) {
	for _, m := range h.members {
		if m.seat == seat {
			m.beat.Repeated = min(max(frames, 0), inputdelay.Recent)
		}
	}
}

// Kick sends the player of a seat away, with the reason in words; with ban for
// good. A ban goes by the installation's key and by the address, so it also holds for others
// behind the same router; behind a relay it goes by the key alone.
func (h *Host) Kick(now time.Time, seat ds.Seat, why string, ban bool) error {
	i := slices.IndexFunc(h.members, func(m *member) bool { return m.seat == seat && h.primary(m).peer != nil })
	if h.phase == room.PhaseClosed || i < 0 {
		return fmt.Errorf("send away the player of seat %v: nobody who could be is there", seat)
	}
	now = h.clock.At(now)
	m, why := h.primary(h.members[i]), wire.Clean(why, room.MaxReason)
	h.sendAway(m.peer, why, ban)
	h.lose(now, m, room.JoinWords("was sent away by the game host", room.Brackets(why)))
	h.flush(now)
	return nil
}

// ban keeps whoever is at the other end of a connection out for good.
func (h *Host) ban(p *peer) {
	h.guard.Ban(p.installation())
	if !relayed(p.from) || p.key == [32]byte{} {
		h.guard.Ban(p.addr)
	}
}

// PutOut sends a machine away that cannot stay, with what it did. Nobody from its address comes
// into a running game for a while.
func (h *Host) PutOut(now time.Time, machine int, did string) {
	m := h.first(machine)
	if h.phase == room.PhaseClosed || m == nil || !m.present || machine == h.me {
		return
	}
	now = h.clock.At(now)
	h.guard.Strike(now, m.addr())
	if m.peer != nil {
		h.drop(now, m.peer, did)
	} else {
		h.lose(now, m, "was dropped: the machine "+did)
	}
	h.flush(now)
}

// lose takes a member out whose connection is already gone; did tells the cause: something that the player did.
// During a game the player stays in the roster, and its seats are the caller's to unplug.
func (h *Host) lose(now time.Time, m *member, did string) {
	words := wire.Clean(m.nickname+" "+did, room.MaxSentence)
	gone := h.player(m)
	gone.Present = false
	id := ds.PeerID(0)
	if m.peer != nil {
		id = m.peer.id
	}
	m.peer, m.disconnectedAt = nil, time.Time{}
	for _, each := range h.at(m.machine) {
		each.present = false
	}
	h.news.dirty = true
	h.emit(event.PlayerLeft{Player: gone, Peer: id, Words: words})
	h.say(words)
	switch h.phase {
	case room.PhasePlaying:
		if h.round.part(m.machine) == nil { // it has not played: its seats and its number are free
			h.change(func() {
				h.members = slices.DeleteFunc(h.members, func(o *member) bool { return o.machine == m.machine })
			})
			return
		}
		if h.mayContinueWithout(m.machine) {
			h.outOfGame(now, m.machine, words)
			return
		}
		h.endRound(now, event.Ended{Outcome: message.OutcomeAborted, Why: wire.Clean(words+": too few are left to be sure that the others do not play on elsewhere", room.MaxSentence)})
	case room.PhasePreparing:
		h.failStart(now, words, m.machine)
	default:
		h.dismiss()
	}
}

// dismiss takes those who are gone out of the roster.
func (h *Host) dismiss() {
	h.change(func() {
		h.members = slices.DeleteFunc(h.members, func(m *member) bool { return !m.present })
		h.renumberSeats()
	})
}

// addr is the address that a member came from, without the port.
func (m *member) addr() string { return bare(m.reached.seen) }

// reach is where a member can be reached, as far as is known.
func (m *member) reach() []string {
	if m.reached.seen == "" || slices.Contains(m.reached.addrs, m.reached.seen) {
		return m.reached.addrs
	}
	return append([]string{m.reached.seen}, m.reached.addrs...)
}
