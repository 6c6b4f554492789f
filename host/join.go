package host

import (
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/membership"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/wire"
)

func (h *Host) handleHello(now time.Time, p *peer, hello *message.Hello, msg []byte) {
	if hello.Protocol != message.Protocol {
		us := room.Speaker{Protocol: message.Protocol, Program: h.self.Program}
		told := room.ProtocolRefusal(us, hello.Speaker, "the joining player")
		h.refuse(p, "", room.ProtocolRefusal(us, hello.Speaker, ""), "cannot join: "+told.Error())
		return
	}
	if h.turnBack(p, "") {
		return
	}
	challenge := &message.Challenge{Speaker: room.Speaker{Protocol: message.Protocol, Program: h.self.Program}, Room: h.settings.Room, Locked: h.self.Key != nil, Salt: h.self.Salt}
	if _, err := io.ReadFull(h.self.Random, challenge.Nonce[:]); err != nil {
		h.refuse(p, "", room.Refusal{Code: room.CodeBusy, Sentence: "the game host's computer has no random numbers"}, "cannot join: no random numbers: "+err.Error())
		return
	}
	p.program, p.hello, p.challenge = hello.Program, slices.Clone(msg), h.send(p, challenge)
	p.stage, p.since = awaitJoin, now
}

func (h *Host) handleJoin(now time.Time, p *peer, join *message.Join, msg []byte) {
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
	before := h.rejoining(p, join)
	if before == nil {
		var known bool
		if before, known = h.restarted(now, p, join, msg); !known {
			return // until it is
		}
	}
	if r, did, ok := h.mayCome(now, p); !ok {
		h.refuse(p, name, r, did)
		return
	}
	if before != nil && h.phase == room.PhasePreparing {
		h.restart(now, before) // the start cannot succeed any more
	}
	if r, did, ok := h.fitsWithout(before, join, name); !ok {
		h.refuse(p, name, r, did)
		return
	}
	if before != nil && before.present {
		h.restart(now, before)
	}
	name = h.nickname(name)
	mac, note, err := h.address(name, join.Firmware.MAC)
	if err != nil {
		h.refuse(p, name, room.Refusal{Code: room.CodeBusy, Sentence: "the game host's computer has no random numbers"}, "cannot join: "+err.Error())
		return
	}
	join.Nickname, join.Firmware.MAC = name, mac
	h.welcome(now, p, join, note, t)
}

// restart takes out what is left of a member whose program was started again.
func (h *Host) restart(now time.Time, m *member) {
	m.again = true
	if m.peer != nil {
		h.close(m.peer, "you started again")
	}
	h.lose(now, m, "starts again")
}

// mayProve tells whether it is somebody's turn to prove the password. If not, what it said
// is kept until it is: those behind one address have one turn a second, one after the other,
// so that the guesses of one cost another time, but do not lock it out.
func (h *Host) mayProve(now time.Time, p *peer, msg []byte) bool {
	waits := func(o *peer) bool { return o.later != nil && o.addr == p.addr }
	switch {
	case p.later != nil || p.doubt.msg != nil:
		h.expel(now, p, "it says twice that it wants to come in")
		return false
	case h.self.Key == nil || p.proves:
	case slices.ContainsFunc(h.peers, waits) || !h.guard.MayTry(now, p.addr):
		p.later = slices.Clone(msg)
		return false
	}
	return true
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
	t = membership.Transcript(p.hello, p.challenge, msg, membership.ProofSize)
	if !membership.Proven(proof, membership.Proof(h.self.Key, membership.LabelClient, t)) {
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
	if t, ok = h.proven(now, p, name, proof, msg); !ok || h.turnBack(p, name) { // its key may have come only now
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

// mayJoinNow tells whether somebody may come at this time.
func (h *Host) mayJoinNow(join *message.Join) (r room.Refusal, did string, ok bool) {
	const did0 = "cannot join while the game is running"
	wait := func(why string) (room.Refusal, string, bool) {
		return room.Refusal{Code: room.CodeRunning, Sentence: why, Hint: "join when the game is over"}, did0, false
	}
	switch {
	case h.phase == room.PhaseLobby:
		return room.Refusal{}, "", true
	case h.phase == room.PhasePreparing:
		return room.Refusal{Code: room.CodeRunning, Sentence: "a game is just beginning in this room", Hint: "try again in some seconds"}, did0, false
	case h.settings.NoLateJoin:
		return wait("a game is running in this room, and the game host lets nobody in meanwhile")
	case h.freeMachine() >= ds.MaxMachines,
		int(h.freeSeat())+len(join.LocalPlayers) >= ds.MaxSeats:
		return wait("a game is running in this room, in which too many have come and gone")
	}
	games := []*room.ROMID{join.ROM}
	for _, p := range join.LocalPlayers {
		games = append(games, p.ROM)
	}
	for _, id := range games {
		if id != nil && !slices.ContainsFunc(h.round.seats, func(s room.SeatPlan) bool { return s.ROM.SHA256 == id.SHA256 }) {
			return wait(fmt.Sprintf("a game is running in this room, and nobody in it plays %v, so the others need not have it", *id))
		}
	}
	return room.Refusal{}, "", true
}

// rejoining is a player whose connection is gone and who joins as if for the first time: its
// program has been started again, and cannot go on where it was, so nobody needs to wait
// for it; nil where it is somebody else. The console's address is the player's own, but all
// in the room know it: so it must also be the same installation, or come from where the player
// was, which says nothing behind a relay.
func (h *Host) rejoining(p *peer, join *message.Join) *member {
	i := slices.IndexFunc(h.members, func(m *member) bool {
		return !m.disconnectedAt.IsZero() && m.firmware.MAC == join.Firmware.MAC && m.firmware.Nickname == join.Firmware.Nickname &&
			(p.key != [32]byte{} && p.key == m.key || slices.ContainsFunc(m.reach(), func(addr string) bool { return bare(addr) == p.addr && !relayed(addr) }))
	})
	if i < 0 {
		return nil
	}
	return h.members[i]
}

// fits tells whether someone can play in this room now.
func (h *Host) fits(join *message.Join, name string) (r room.Refusal, did string, ok bool) {
	if r, did, ok := h.mayJoinNow(join); !ok {
		return r, did, false
	}
	if r, did, ok := h.fitsKept(join, name); !ok {
		return r, did, false
	}
	here := len(h.here())
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

// fitsWithout is fits as if a member, which may be nil, and all at its machine had left.
func (h *Host) fitsWithout(gone *member, join *message.Join, name string) (r room.Refusal, did string, ok bool) {
	if gone == nil {
		return h.fits(join, name)
	}
	for _, m := range h.at(gone.machine) {
		defer func(was bool) { m.present = was }(m.present)
		m.present = false
	}
	return h.fits(join, name)
}

// seatsFree says how many seats of all are free.
func seatsFree(n, all int) string {
	if n == 1 {
		return fmt.Sprintf("1 seat of %d is free", all)
	}
	return fmt.Sprintf("%d seats of %d are free", n, all)
}

// welcome takes a player in.
func (h *Host) welcome(now time.Time, p *peer, join *message.Join, note string, t [32]byte) {
	m := &member{
		peer: p, machine: h.freeMachine(), seat: h.freeSeat(),
		nickname: join.Nickname, firmware: join.Firmware, build: build{join.Core, join.BIOS},
		rom: join.ROM, note: note, program: p.program, present: true,
		sign: join.Sign, key: p.key, since: now, reached: reached{room.BoundAddrs(join.Addrs), p.from},
	}
	_ = h.seatKept(m) // it fits
	h.change(func() {
		h.members = append(h.members, m)
		slices.SortFunc(h.members, func(a, b *member) int { return int(a.seat - b.seat) })
	})
	if err := h.setLocalPlayers(m, join.LocalPlayers); err != nil {
		h.box.Emit(event.ChatLine{Seat: -1, Text: wire.Clean(err.Error(), room.MaxChat)}) // no random numbers: there were seats
	}
	p.stage, p.since, p.hello, p.challenge = inRoom, now, nil, nil
	p.member = m
	h.send(p, &message.Welcome{Machine: m.machine, Seat: m.seat, Proof: membership.Proof(h.self.Key, membership.LabelHost, t), Door: h.self.Door, Room: h.roomFor(p)})
	h.send(p, &message.Banned{List: h.banned})
	h.nameSuccessorTo(p)
	h.publish(now) // whoever takes over the room knows whom to call before anybody is told that one came
	for _, m := range h.at(m.machine) {
		h.box.Emit(event.PlayerJoined{Player: h.player(m)})
		h.Say(m.nickname + " joined")
		if note := h.note(m); note != "" {
			h.Say(note)
		}
	}
}
