package host

import (
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/membership"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/ds"
)

// Promoted makes a game host of a client. Peers have to hear what the client had to say to them
// before what the game host has.
func Promoted(now time.Time, p membership.Promotion) *Host {
	h := &Host{
		self: p.Self, me: p.Machine,
		lead:     leading{epoch: p.Room.Epoch, voters: p.Room.Voters, proof: p.Proof, unannounced: true, successor: -1},
		settings: p.Room.Settings, phase: p.Room.Phase, revision: p.Room.Revision, lastRound: p.LastRound, banned: p.Banned,
		chat: membership.ChatLimit(membership.HostChat), clock: p.Clock,
	}
	now = h.clock.At(now)
	h.lead.since = now
	h.standing.former = p.Room.Players
	for _, player := range p.Room.Players {
		h.members = append(h.members, memberFrom(now, p, player))
	}
	h.takeOverGame(now, p)
	for _, k := range p.Links {
		h.send(h.newPeer(now, k.ID, k.Addr), h.proof())
	}
	h.Say(p.Elected.Words)
	h.publish(now)
	for _, k := range p.Links {
		if msg := k.Early(); msg != nil {
			h.Receive(now, k.ID, msg)
		}
	}
	return h
}

// memberFrom is a player of the roster as a member of the new game host's room.
func memberFrom(now time.Time, p membership.Promotion, player room.Player) *member {
	core := p.Room.Settings.Core
	core.SHA256 = player.Build // it is like the room's
	m := &member{
		machine: player.Machine, seat: player.Seat, local: player.Local, nickname: player.Nickname, firmware: player.Firmware,
		build: build{core, p.Room.Settings.BIOS}, note: player.Note, program: player.Program,
		present: player.Present, sign: player.Sign, key: player.Key,
		reached: reached{addrs: player.Addrs[:min(len(player.Addrs), room.MaxOwnAddrs)]},
	}
	first, there := p.Room.Player(player.Machine)
	if !there {
		first = player
	}
	me, _ := p.Room.Player(p.Machine)
	own := player.Machine == p.Machine
	switch {
	case own && player.Local == 0, player.Local == 0 && player.ROM.SHA256 != me.ROM.SHA256, player.ROM.SHA256 != first.ROM.SHA256:
		m.rom = &player.ROM
	}
	if !own && player.Present && player.Local == 0 {
		m.disconnectedAt = now // until its machine follows
	}
	if own {
		m.status, m.reached.addrs = p.Status, p.Self.Addrs
	}
	return m
}

// takeOverGame takes over the running game, and parts with the game host that is gone.
func (h *Host) takeOverGame(now time.Time, p membership.Promotion) {
	words := p.Elected.Words
	if p.Game != nil {
		h.round = roundFrom(now, p)
	} else {
		h.phase, h.lead.voters = room.PhaseLobby, 0
	}
	for _, m := range slices.Clone(h.members) {
		if m.machine == p.Previous && m.present {
			m.present, m.disconnectedAt = false, time.Time{}
			h.box.Emit(event.PlayerLeft{Player: h.player(m), Words: words})
		}
	}
	if h.round == nil {
		h.endKept() // only the old game host had the consoles
		h.revision++
		h.dismiss()
		return
	}
	for _, part := range h.round.parts {
		gone := !slices.ContainsFunc(h.members, func(m *member) bool { return m.machine == part.machine && m.present })
		if h.round != nil && part.in && gone {
			h.outOfGame(now, part.machine, words)
		}
	}
	switch {
	case h.round == nil:
	case h.round.resync != nil && !h.round.part(h.round.resync.donor).in:
		h.resyncWithout(now, h.round.part(h.round.resync.donor), words) // it left in good order
	case h.round.resync != nil && h.round.wrong.Has(h.round.resync.donor):
		h.changeDonor(now, words+"; it lost a console") // it is this machine, which the old game host did not hear
	case h.round.resync != nil:
		h.checkResync(now) // all others may have left, and this machine has its consoles
	case h.round.timeline.Decisions().Incoming() != 0 || h.round.wrong.Has(h.me):
		// The old game host let somebody in, or was told that a console is lost here, and
		// said no more. A late joiner must not wait for ever: if nobody is fit this machine
		// is asked, and says so.
		machine, ok := h.anotherDonor()
		if !ok {
			machine = h.me
		}
		if ok || h.round.timeline.Decisions().Incoming() != 0 {
			_, _ = h.Decide(now, timeline.Decision{Kind: timeline.Resync, Machine: machine, Why: "consoles are made anew as the game host has gone"})
		}
	}
}

// roundFrom is the game as its new game host has to know it.
func roundFrom(now time.Time, promotion membership.Promotion) *round {
	g := promotion.Game
	r := &round{number: g.Round, seats: g.Seats, begun: now, moved: now, newestOrder: g.SaveOrder, wrong: g.Wrong}
	delay := promotion.Room.Settings.Delay
	for _, d := range g.Decisions {
		switch d.Kind {
		case timeline.SetDelay, timeline.SeatDelay:
			delay = max(delay, d.Delay)
		case timeline.Resync:
			r.resyncs++
			r.resync = &resync{number: r.resyncs, donor: d.Machine, alike: d.Alike, keeps: d.Keep}
		case timeline.Resynced, timeline.GiveUp:
			r.resync = nil
		}
	}
	r.timeline = timeline.Continue(g.Decisions, delay, max(promotion.Elected.Promised, g.Promised))
	r.timeline.Slack(promotion.Room.Settings.Slack())
	r.earlierPromise = min(r.timeline.Announced().Frame+membership.MaxLead, ds.MaxFrame)
	for _, s := range g.Seats {
		p := r.part(s.Machine)
		if p == nil {
			p = newPart(&member{machine: s.Machine, nickname: s.Nickname})
			p.in, p.why = false, s.Nickname+" left the room"
			r.parts = append(r.parts, p)
		}
		p.in = p.in || !g.Decisions.SeatEnded(s.Seat)
		p.reconnected = true
	}
	slices.SortFunc(r.parts, func(a, b *part) int { return a.machine - b.machine })
	own := r.part(promotion.Machine)
	for _, m := range g.Said {
		switch m := m.(type) {
		case *message.Remade:
			if r.resync != nil && m.Number == r.resyncs {
				r.resync.built = append(r.resync.built, room.Installation{Machine: own.machine, Nickname: own.nickname, Hashes: m.Hashes})
			}
		case *message.Finished:
			own.finish(m)
			r.finished = now
		}
	}
	return r
}
