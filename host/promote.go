package host

import (
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/access"
	"github.com/nettplay/nettplay/host/election"
	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/migration"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/ds"
)

// Promote makes this client the game host, after Elected, which tells the horizon that
// was promised. The client does nothing any more; what it and the Host have to send is
// to be sent, and the events of both to be taken, those of the client first.
func (c *Client) Promote(now time.Time, e event.Elected) *Host {
	now = c.clock.At(now)
	h := &Host{
		self: c.self, me: c.machine,
		lead:     leading{epoch: c.room.Epoch, voters: c.room.Voters, proof: c.lead.proof, since: now, unannounced: true, successor: -1},
		settings: c.room.Settings.Clone(), phase: c.room.Phase, revision: c.room.Revision, lastRound: c.lastRound,
		chat: access.ChatBucket(access.HostChat), clock: c.clock,
	}
	for _, p := range c.room.Players {
		h.members = append(h.members, c.memberFrom(now, p))
	}
	h.takeOverGame(now, c, e)
	for _, k := range c.election.Links() {
		p := &peer{id: k.ID, addr: bare(k.Addr), from: k.Addr, since: now, heard: now, flood: access.ClientFlood(), chat: access.ChatBucket(access.HostChat), pauses: access.PauseBucket()}
		h.peers = append(h.peers, p)
		h.send(p, &h.lead.proof)
	}
	c.stage, c.game, c.election = over, nil, election.Election{} // its peer links are the host's now
	h.say(e.Words)
	h.publish(now)
	return h
}

// memberFrom is a player of the roster as a member of the new game host's room.
func (c *Client) memberFrom(now time.Time, p room.Player) *member {
	m := &member{
		machine: p.Machine, seat: p.Seat, local: p.Local, nickname: p.Nickname, firmware: p.Firmware,
		build: build{c.room.Settings.Core, c.room.Settings.BIOS}, note: p.Note, program: p.Program,
		quality: quality{ping: p.Ping, jitter: p.Jitter}, present: p.Present, sign: p.Sign, key: p.Key, reached: reached{addrs: p.Addrs[:min(len(p.Addrs), room.MaxOwnAddrs)]},
	}
	first := p
	if i := slices.IndexFunc(c.room.Players, func(o room.Player) bool { return o.Machine == p.Machine && o.Local == 0 }); i >= 0 {
		first = c.room.Players[i]
	}
	switch mine := c.Me().ROM; {
	case p.Machine == c.machine && p.Local == 0, p.Local == 0 && p.ROM.SHA256 != mine.SHA256, p.ROM.SHA256 != first.ROM.SHA256:
		m.rom = &p.ROM
	}
	if p.Machine != c.machine && p.Present && p.Local == 0 {
		m.disconnectedAt = now // until its machine follows
	}
	if p.Machine == c.machine {
		m.status, m.reached.addrs = c.report.now, c.joining.ask.Addrs
	}
	return m
}

// takeOverGame takes over the running game, and parts with the game host that is gone.
func (h *Host) takeOverGame(now time.Time, c *Client, e event.Elected) {
	if c.game != nil && c.game.playing {
		h.round = c.game.asRound(now, c, e)
	} else {
		h.phase, h.lead.voters = room.PhaseLobby, 0
	}
	for _, m := range slices.Clone(h.members) {
		if m.machine == c.lead.previous && m.present {
			m.present, m.disconnectedAt = false, time.Time{}
			h.emit(event.PlayerLeft{Player: h.player(m), Words: e.Words})
		}
	}
	if h.round == nil {
		h.settings.Continues = room.Kept{} // only the old game host had the consoles
		h.revision++
		h.dismiss()
		return
	}
	for _, p := range h.round.parts {
		gone := !slices.ContainsFunc(h.members, func(m *member) bool { return m.machine == p.machine && m.present })
		if h.round != nil && p.in && gone {
			h.outOfGame(now, p.machine, e.Words)
		}
	}
	switch {
	case h.round == nil:
	case h.round.resync != nil && !h.round.part(h.round.resync.donor).in:
		h.resyncWithout(now, h.round.part(h.round.resync.donor), e.Words) // it left in good order
	case h.round.resync != nil && h.round.wrong.Has(h.round.resync.donor):
		h.changeDonor(now, e.Words+"; it lost a console") // it is this machine, which the old game host did not hear
	case h.round.resync == nil && (h.round.timeline.Decisions().Incoming() != 0 || h.round.wrong.Has(h.me)):
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

// asRound is the game as its new game host has to know it.
func (g *clientGame) asRound(now time.Time, c *Client, e event.Elected) *round {
	r := &round{number: g.number, seats: g.seats, begun: now, moved: now, newestOrder: g.saveOrder, wrong: g.wrong}
	delay := c.room.Settings.Delay
	for _, d := range g.decisions {
		switch d.Kind {
		case timeline.SetDelay:
			delay = max(delay, d.Delay)
		case timeline.Resync:
			r.resyncs++
			r.resync = &resync{number: r.resyncs, donor: d.Machine}
		case timeline.Resynced:
			r.resync = nil
		}
	}
	r.timeline = timeline.Continue(g.decisions, delay, max(e.Promised, g.promised))
	r.earlierPromise = min(r.timeline.Announced().Frame+migration.MaxLead, ds.MaxFrame)
	for _, s := range g.seats {
		p := r.part(s.Machine)
		if p == nil {
			p = newPart(&member{machine: s.Machine, nickname: s.Nickname})
			p.in, p.why = false, s.Nickname+" left the room"
			r.parts = append(r.parts, p)
		}
		p.in = p.in || !g.decisions.SeatEnded(s.Seat)
		p.reconnected = true
	}
	slices.SortFunc(r.parts, func(a, b *part) int { return a.machine - b.machine })
	for _, m := range g.repeat {
		if m, ok := m.(*message.Remade); ok && r.resync != nil && m.Number == r.resyncs {
			r.resync.built = append(r.resync.built, room.Installation{Machine: c.machine, Nickname: c.Me().Nickname, Hashes: m.Hashes})
		}
		if m, ok := m.(*message.Finished); ok {
			r.part(c.machine).result = &message.Result{
				Machine: c.machine, Nickname: c.Me().Nickname, Finished: true, Frames: m.Frames, Hashes: m.Hashes, Stats: m.Stats,
			}
			r.finished = now
		}
	}
	return r
}
