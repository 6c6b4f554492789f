package host

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
)

// member is a player in the room.
type member struct {
	peer           *peer // nil for the game host, and while disconnected
	machine        int
	seat           ds.Seat
	local          int // 0: the machine's primary player; else see localplayers.go
	nickname       string
	firmware       ds.Firmware
	build          build
	rom            *room.ROMID // nil: that of the machine's primary player, or else the game host's
	note, program  string
	status         room.Status
	beat           room.Beat // of its connection; the rest is in its status
	again          bool      // it has left, and joins again
	present        bool
	since          time.Time // when it came in here; zero: with another game host
	sign           [32]byte  // its public key, which proves that a new connection is its own
	key            [32]byte  // its installation's, by which players know each other again
	reached        reached
	disconnectedAt time.Time    // in a game; zero: it is connected
	pendingResult  *event.Ended // how the last game ended, if it may not have heard
}

// build is the core, and its settings, of a machine's consoles.
type build struct {
	core room.CoreID
	bios []room.BIOSHash
}

// own is the game host's own player: the first one at its machine.
func (h *Host) own() *member { return h.first(h.me) }

// at are the members at a machine, in their order.
func (h *Host) at(machine int) []*member {
	var list []*member
	for _, m := range h.members {
		if m.machine == machine {
			list = append(list, m)
		}
	}
	slices.SortFunc(list, func(a, b *member) int { return a.local - b.local })
	return list
}

// first returns the primary player of a machine, nil for none.
func (h *Host) first(machine int) *member {
	for _, m := range h.members {
		if m.machine == machine && m.local == 0 {
			return m
		}
	}
	return nil
}

// primary returns the primary player on m's machine.
func (h *Host) primary(m *member) *member { return cmp.Or(h.first(m.machine), m) }

// Spectators are all who watch, by number.
func (h *Host) Spectators() []room.Spectator {
	var list []room.Spectator
	for _, p := range h.peers {
		if p.stage == spectating {
			list = append(list, p.spectator)
		}
	}
	slices.SortFunc(list, func(a, b room.Spectator) int { return a.Number - b.Number })
	return list
}

// here are the players in the room; those who left during a game are not.
func (h *Host) here() []*member {
	return slices.DeleteFunc(slices.Clone(h.members), func(m *member) bool { return !m.present })
}

// freeMachine returns the lowest machine number that no member has, and nobody has had in the running game: who was let
// in while the game host changed may be in the game's decisions, and not in the roster.
func (h *Host) freeMachine() (n int) {
	for slices.ContainsFunc(h.members, func(m *member) bool { return m.machine == n }) || h.round != nil && h.round.part(n) != nil {
		n++
	}
	return n
}

// freeSeat returns the lowest seat that is free in the same way.
func (h *Host) freeSeat() (seat ds.Seat) {
	for slices.ContainsFunc(h.members, func(m *member) bool { return m.seat == seat }) || h.round != nil && h.round.plan(seat) != nil {
		seat++
	}
	return seat
}

// renumberSeats gives those who have a seat beyond the room's, which there are during a game,
// one of the free ones.
func (h *Host) renumberSeats() {
	for _, m := range h.members {
		if int(m.seat) >= h.settings.Seats {
			m.seat = h.freeSeat()
		}
	}
	slices.SortFunc(h.members, func(a, b *member) int { return int(a.seat - b.seat) })
}

// nickname makes a name unlike all others in the room.
func (h *Host) nickname(wish string) string {
	var names []string
	for _, m := range h.here() {
		names = append(names, m.nickname)
	}
	for _, s := range h.Spectators() {
		names = append(names, s.Nickname)
	}
	return room.FreeNickname(wish, names)
}

// address finds a console's address, with a note when it is not its own.
func (h *Host) address(name string, wish [6]byte) (mac [6]byte, note string, err error) {
	var random [3]byte
	if _, err := io.ReadFull(h.self.Random, random[:]); err != nil {
		return mac, "", fmt.Errorf("random numbers: %w", err)
	}
	var taken [][6]byte
	holder := ""
	for _, m := range h.here() { // all other consoles are switched off
		taken = append(taken, m.firmware.MAC)
		if m.firmware.MAC == wish {
			holder = m.nickname
		}
	}
	mac = room.FreeMAC(wish, random, taken)
	return mac, room.MacNote(name, wish, mac, holder), nil
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

// games are the hashes of all games that are played, sorted, each once.
func (h *Host) games() [][32]byte {
	var list [][32]byte
	for _, m := range h.members {
		list = append(list, h.romOf(m).SHA256)
	}
	slices.SortFunc(list, func(a, b [32]byte) int { return slices.Compare(a[:], b[:]) })
	return slices.Compact(list)
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

// nextHost is the member that becomes game host when we leave; nil for none. In a game it is a
// voter, if there is one: voters also count when another game host is elected.
func (h *Host) nextHost() *member {
	var next *member
	for _, m := range h.members {
		able := m.peer != nil && m.present && m.machine != h.me
		if able && h.phase == room.PhasePlaying {
			able = h.takesPart(m) && !h.round.timeline.Decisions().Incoming().Has(m.machine)
		}
		if slices.Contains(m.status.Missing, h.own().rom.SHA256) {
			able = false // a room without its game is nobody's gain
		}
		if able && (next == nil || h.before(m, next)) {
			next = m
		}
	}
	return next
}

// before tells whether a member is rather game host after us than another one.
func (h *Host) before(m, other *member) bool {
	if a, b := h.lead.voters.Has(m.machine), h.lead.voters.Has(other.machine); a != b {
		return a
	}
	return m.machine < other.machine
}
