package host

import (
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/access"
	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/wire"
)

func (h *Host) takeHello(now time.Time, p *peer, hello *message.Hello, msg []byte) {
	if hello.Protocol != message.Protocol {
		us := room.Speaker{Protocol: message.Protocol, Program: h.self.Program}
		told := room.ProtocolRefusal(us, hello.Speaker, "the joining player")
		h.refuse(p, "", room.ProtocolRefusal(us, hello.Speaker, ""), "cannot join: "+told.Error())
		return
	}
	if h.guard.IsBanned(p.addr) || h.guard.IsBanned(p.installation()) {
		h.refuse(p, "", room.Refusal{Code: room.CodeBanned, Sentence: "you were sent away from this room for good"}, "was sent away for good and tried to come back")
		return
	}
	challenge := &message.Challenge{Speaker: room.Speaker{Protocol: message.Protocol, Program: h.self.Program}, Room: h.settings.Room, Locked: h.self.Key != nil, Salt: h.self.Salt}
	if _, err := io.ReadFull(h.self.Random, challenge.Nonce[:]); err != nil {
		h.refuse(p, "", room.Refusal{Code: room.CodeBusy, Sentence: "the game host's machine has no random numbers"}, "cannot join: no random numbers: "+err.Error())
		return
	}
	p.program, p.hello, p.challenge = hello.Program, slices.Clone(msg), h.send(p, challenge)
	p.stage, p.since = awaitJoin, now
}

func (h *Host) takeJoin(now time.Time, p *peer, join *message.Join, msg []byte) {
	name := room.CleanNickname(join.Nickname)
	t, ok := h.admissible(now, p, name, join.Proof, &join.BIOS, msg)
	if !ok {
		return
	}
	join.Core = join.Core.Cleaned()
	var err error
	if join.LocalPlayers, err = room.CheckLocalPlayers(join.LocalPlayers); err != nil {
		h.expel(now, p, err.Error())
		return
	}
	if r, did, ok := h.mayCome(now, p); !ok {
		h.refuse(p, name, r, did)
		return
	}
	before := h.rejoining(p, join)
	if r, did, ok := h.fitsWithout(before, join, name); !ok {
		h.refuse(p, name, r, did)
		return
	}
	if before != nil {
		before.again = true
		h.lose(now, before, "starts again")
	}
	name = h.nickname(name)
	mac, note, err := h.address(name, join.Firmware.MAC)
	if err != nil {
		h.refuse(p, name, room.Refusal{Code: room.CodeBusy, Sentence: "the game host's machine has no random numbers"}, "cannot join: "+err.Error())
		return
	}
	join.Nickname, join.Firmware.MAC = name, mac
	h.welcome(now, p, join, note, t)
}

// mayProve tells whether it is somebody's turn to prove the password. If not, what it said
// is kept until it is: those behind one address have one turn a second, one after the other,
// so that the guesses of one cost another time, but do not lock it out.
func (h *Host) mayProve(now time.Time, p *peer, msg []byte) bool {
	waits := func(o *peer) bool { return o.later != nil && o.addr == p.addr }
	switch {
	case h.self.Key == nil || p.proves:
	case p.later != nil:
		h.expel(now, p, "it says twice that it wants to come in")
		return false
	case slices.ContainsFunc(h.peers, waits) || !h.guard.MayTry(now, p.addr):
		p.later = slices.Clone(msg)
		return false
	}
	return true
}

// hearLater takes what those have said whose turn it is now, in the order in which they came.
func (h *Host) hearLater(now time.Time) {
	for _, p := range slices.Clone(h.peers) {
		if p.later != nil && h.guard.MayTry(now, p.addr) {
			msg := p.later
			p.later, p.proves = nil, true
			h.act(now, p, msg)
		}
	}
}

// proven tells whether a peer that wants to come in, to play or to watch, has its turn and has
// proven the password, and returns what the proof is of; else it answers. A client without a
// password sends a zero proof.
func (h *Host) proven(now time.Time, p *peer, name string, proof [32]byte, msg []byte) (t [32]byte, ok bool) {
	if p.crowded {
		h.turnAway(p)
		return t, false
	}
	if !h.mayProve(now, p, msg) {
		return t, false
	}
	t = access.Transcript(p.hello, p.challenge, msg, access.ProofSize)
	if !access.Proven(proof, access.Proof(h.self.Key, access.LabelClient, t)) {
		h.refuse(p, name, room.Refusal{
			Code: room.CodePassword, Sentence: fmt.Sprintf("this is not the password of the room %q", h.settings.Room), Hint: "ask the game host for it",
		}, "gave a wrong password")
		return t, false
	}
	h.guard.Forgive(p.addr)
	return t, true
}

// admissible is proven for a peer with these BIOS files, which it checks and sorts.
func (h *Host) admissible(now time.Time, p *peer, name string, proof [32]byte, bios *[]room.BIOSHash, msg []byte) (t [32]byte, ok bool) {
	if t, ok = h.proven(now, p, name, proof, msg); !ok {
		return t, false
	}
	checked, err := room.CheckBIOS(*bios)
	if err != nil {
		h.expel(now, p, err.Error())
		return t, false
	}
	*bios = checked
	return t, true
}

// mayCome tells whether somebody else may come into the room from an address.
func (h *Host) mayCome(now time.Time, p *peer) (r room.Refusal, did string, ok bool) {
	if h.guard.MayJoin(now, p.addr) {
		return room.Refusal{}, "", true
	}
	return room.Refusal{
		Code: room.CodeBusy, Sentence: "too many have come into this room from your address within the last minutes", Hint: "try again in a minute",
	}, "cannot come in: too many came from that address within the last minutes", false
}

// fits tells whether someone can play in this room now.
func (h *Host) fits(join *message.Join, name string) (r room.Refusal, did string, ok bool) {
	if r, did, ok := h.mayJoinNow(join); !ok {
		return r, did, false
	}
	if r, did, ok := h.fitsKept(join, name); !ok {
		return r, did, false
	}
	here := h.here()
	if need := 1 + len(join.LocalPlayers); need > 1 && here < h.settings.Seats && here+need > h.settings.Seats {
		return room.Refusal{
			Code: room.CodeFull, Sentence: fmt.Sprintf("you are %d, and %s", need, seatsFree(h.settings.Seats-here, h.settings.Seats)), Hint: "ask the game host for more seats, or join with fewer players",
		}, fmt.Sprintf("cannot join with %d players: there are not enough seats left", need), false
	}
	if here >= h.settings.Seats {
		return room.Refusal{
			Code: room.CodeFull, Sentence: fmt.Sprintf("the room is full: all %d seats are taken", h.settings.Seats), Hint: "ask the game host for one more seat",
		}, fmt.Sprintf("cannot join: all %d seats are taken", h.settings.Seats), false
	}
	return h.sameBuild(build{join.Core, join.BIOS}, name, "cannot join: ")
}

// seatsFree says how many seats of all are free.
func seatsFree(n, all int) string {
	if n == 1 {
		return fmt.Sprintf("1 seat of %d is free", all)
	}
	return fmt.Sprintf("%d seats of %d are free", n, all)
}

// nickname makes a name unlike all others in the room.
func (h *Host) nickname(wish string) string {
	var names []string
	for _, m := range h.members {
		if m.present {
			names = append(names, m.nickname)
		}
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
	for _, m := range h.members {
		if !m.present {
			continue // its console is switched off
		}
		taken = append(taken, m.firmware.MAC)
		if m.firmware.MAC == wish {
			holder = m.nickname
		}
	}
	mac = room.FreeMAC(wish, random, taken)
	return mac, room.MacNote(name, wish, mac, holder), nil
}

// welcome takes a player in.
func (h *Host) welcome(now time.Time, p *peer, join *message.Join, note string, t [32]byte) {
	m := &member{
		peer: p, machine: h.freeMachine(), seat: h.freeSeat(),
		nickname: join.Nickname, firmware: join.Firmware, build: build{join.Core, join.BIOS},
		rom: join.ROM, note: note, program: p.program, present: true,
		sign: join.Sign, key: p.key, reached: reached{room.BoundAddrs(join.Addrs), p.from},
	}
	_ = h.seatKept(m) // it fits
	h.change(func() {
		h.members = append(h.members, m)
		slices.SortFunc(h.members, func(a, b *member) int { return int(a.seat - b.seat) })
	})
	if err := h.setLocalPlayers(m, join.LocalPlayers); err != nil {
		h.emit(event.ChatLine{Seat: -1, Text: wire.Clean(err.Error(), room.MaxChat)}) // no random numbers: there were seats
	}
	p.stage, p.since, p.hello, p.challenge = inRoom, now, nil, nil
	p.member = m
	h.send(p, &message.Welcome{Machine: m.machine, Seat: m.seat, Proof: access.Proof(h.self.Key, access.LabelHost, t), Door: h.self.Door, Room: h.roomFor(p)})
	for _, m := range h.at(m.machine) {
		h.emit(event.PlayerJoined{Player: h.player(m)})
		h.say(m.nickname + " joined")
		if m.note != "" {
			h.say(m.note)
		}
	}
}

// freeMachine returns the lowest machine number that no member has.
func (h *Host) freeMachine() int { return free(h.members, func(m *member) int { return m.machine }) }

// freeSeat returns the lowest seat that no member has.
func (h *Host) freeSeat() ds.Seat { return free(h.members, func(m *member) ds.Seat { return m.seat }) }

// free returns the lowest number that no member has.
func free[N ~int](members []*member, number func(*member) N) N {
	for n := N(0); ; n++ {
		if !slices.ContainsFunc(members, func(m *member) bool { return number(m) == n }) {
			return n
		}
	}
}

// buildRefusal compares what a machine's consoles are emulated with to the room's.
func (h *Host) buildRefusal(b build, nickname string) (r room.Refusal, ok bool) {
	if r, ok := room.CoreRefusal(room.UsedCore{CoreID: h.settings.Core, Source: h.self.CoreSource}, b.core, h.self.CorePackage, nickname); !ok {
		return r, false
	}
	return room.BiosRefusal(h.settings.BIOS, b.bios, nickname)
}

// sameBuild tells whether the consoles of somebody who wants to come in would be the room's.
func (h *Host) sameBuild(b build, name, cannot string) (r room.Refusal, did string, ok bool) {
	if r, ok = h.buildRefusal(b, ""); ok {
		return r, "", true
	}
	told, _ := h.buildRefusal(b, name)
	return r, cannot + told.Error(), false
}
