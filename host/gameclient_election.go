package host

import (
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/migration"
	"github.com/nettplay/nettplay/host/room"
)

// election is what a client knows of the other members while the game host is gone.
type election struct {
	links          []*peerLink
	connectAsked   time.Time // when ConnectPeers was told
	majoritySince  time.Time // since when more than half are here who do not hear the game host
	candidateSince time.Time // when we were a candidate last
	epoch          uint32    // for which
	votes          []*migration.VoteMsg
	pendingVote    *migration.VoteMsg // for another one, while its last parts are asked for
	namedSince     time.Time          // since when a game host is waited for that was named, or proven
}

// end ends the election: there is a game host.
func (o *election) end(c *Client) {
	for _, k := range o.links {
		c.out = append(c.out, event.Outgoing{Peer: k.id, CloseWhy: "there is a game host"})
	}
	*o = election{}
}

// tickElection does what is due while the game host is gone.
func (c *Client) tickElection(now time.Time) {
	o := &c.election
	for _, k := range slices.Clone(o.links) {
		if k.told == nil && now.Sub(k.since) >= linkLate {
			c.dropLink(k, "it did not say who it is")
		} else if now.Sub(k.heard) >= linkIdle && !c.hostLost() {
			c.dropLink(k, "nothing more to say")
		}
	}
	if !c.mayElect() || !o.namedSince.IsZero() && now.Sub(o.namedSince) < namedWait {
		return
	}
	if o.connectAsked.IsZero() || now.Sub(o.connectAsked) >= connectEvery {
		o.connectAsked = now
		c.emit(event.ConnectPeers{Players: c.absent()})
		for _, k := range o.links {
			c.greetLink(k)
		}
	}
	c.considerCandidacy(now)
}

// mayElect tells whether a new game host can be found without the old one's word.
func (c *Client) mayElect() bool {
	return c.stage != over && c.hostLost() && c.game != nil && c.game.playing && !c.game.out && c.room.Voters.Has(c.machine) && c.room.Voters.Count() > 2
}

// Electing tells whether this machine has voted, and does not yet know for whom most
// did: then it does not go back to the old game host.
func (c *Client) Electing() bool { return c.stage != over && c.lead.voted > c.room.Epoch }

// absent are the members to whom there is no connection.
func (c *Client) absent() []room.Player {
	var list []room.Player
	for _, p := range c.room.Players {
		known := slices.ContainsFunc(c.election.links, func(k *peerLink) bool { return k.told != nil && k.told.Machine == p.Machine })
		twice := slices.ContainsFunc(list, func(o room.Player) bool { return o.Machine == p.Machine })
		if p.Machine != c.machine && p.Machine != c.room.Host && p.Present && !known && !twice {
			list = append(list, p)
		}
	}
	return list
}

// considerCandidacy becomes a candidate when more than half are here who do not hear the game
// host, and it is our turn: the lowest machine's first.
func (c *Client) considerCandidacy(now time.Time) {
	o, here, epoch := &c.election, room.MachineSet(0).With(c.machine), max(c.lead.voted, c.room.Epoch)
	for _, k := range o.links {
		if t := k.told; t != nil && t.HostLost && t.Round == c.game.number && t.Machine != c.room.Host {
			here = here.With(t.Machine)
			if migration.Believable(t.Epoch, c.room.Epoch, 0) {
				epoch = max(epoch, t.Epoch)
			}
		}
	}
	here &= c.room.Voters
	if !migration.Elects(c.room.Voters, here) {
		o.majoritySince = time.Time{}
		return
	}
	if o.majoritySince.IsZero() {
		o.majoritySince = now
	}
	rank := (here & (1<<c.machine - 1)).Count()
	wait := time.Duration(rank) * yieldTime
	if here.With(c.room.Host) != c.room.Voters.With(c.room.Host) {
		wait += gatherTime
	}
	if now.Sub(o.majoritySince) < wait || !o.candidateSince.IsZero() && now.Sub(o.candidateSince) < candidacyEvery+wait {
		return
	}
	if migration.NextTerm(epoch) <= epoch {
		return // no room was ever handed on so often
	}
	o.candidateSince, o.epoch, o.votes = now, migration.NextTerm(epoch), nil
	c.vote(o.epoch)
	stand := &migration.CandidacyMsg{
		Round: c.game.number, Epoch: o.epoch, Decisions: len(c.game.decisions), Digest: c.game.decisions.Digest(),
		Vote: migration.Ballot{Machine: c.machine, Sign: migration.Sign(c.self.sign, c.leadership().VoteText(c.machine, o.epoch))},
	}
	for _, k := range o.links {
		c.sendTo(k.id, stand)
	}
}

// vote gives our vote for an epoch away: the old game host is not followed any more.
func (c *Client) vote(epoch uint32) {
	c.lead.voted = epoch
	c.dropConnection("another game host is elected")
}

// takeCandidacy votes for a candidate, if we may, or says why not.
func (c *Client) takeCandidacy(now time.Time, k *peerLink, m *migration.CandidacyMsg) {
	known := c.game != nil && c.game.playing && !c.game.out && m.Round == c.game.number
	switch {
	case !known || !c.room.Voters.Has(m.Vote.Machine) || !c.room.Voters.Has(c.machine):
		return
	case !migration.Verify(c.leadership().Keys[m.Vote.Machine], c.leadership().VoteText(m.Vote.Machine, m.Epoch), m.Vote.Sign):
		c.dropLink(k, "a vote that is not its own")
		return
	case !c.hostLost() || m.Epoch <= max(c.lead.voted, c.room.Epoch) || m.Epoch != migration.NextTerm(m.Epoch-1) || !migration.Believable(m.Epoch, c.room.Epoch, 1):
		c.greetLink(k)
		return
	case m.Decisions < len(c.game.decisions)-migration.MaxTail:
		return
	case m.Decisions <= len(c.game.decisions) && c.game.decisions[:m.Decisions].Digest() != m.Digest:
		return
	}
	c.election.majoritySince, c.election.candidateSince = now, time.Time{} // it has its turn
	c.vote(m.Epoch)
	k.told = &migration.PeerStatusMsg{Machine: m.Vote.Machine, Round: m.Round, Epoch: m.Epoch, HostLost: true}
	known = m.Decisions <= len(c.game.decisions)
	vote := &migration.VoteMsg{
		Round: m.Round, Epoch: m.Epoch, Saves: migration.SavePoint(c.game.commit), First: m.Decisions,
		Vote: migration.Ballot{Machine: c.machine, Sign: migration.Sign(c.self.sign, c.leadership().VoteText(m.Vote.Machine, m.Epoch))},
	}
	if known {
		vote.Tail = slices.Clone(c.game.decisions[m.Decisions:])
	}
	c.election.epoch, c.election.votes, c.election.pendingVote = 0, nil, vote
	c.emit(event.Candidacy{Peer: k.id, Epoch: m.Epoch})
}

// Vote gives what a Candidacy asks for: up to which frame this machine was promised
// that no decision comes that it does not know, and all inputs that it holds, as at
// most 32 datagrams of at most 1200 bytes.
func (c *Client) Vote(e event.Candidacy, promised int64, inputs [][]byte) {
	vote := c.election.pendingVote
	if vote == nil || vote.Epoch != e.Epoch || c.lead.voted != e.Epoch || c.game == nil {
		return
	}
	c.election.pendingVote = nil
	c.Promised(promised)
	vote.Promised, vote.Inputs = c.game.promised, inputs
	vote.Sign = migration.Sign(c.self.sign, c.leadership().TailText(vote))
	c.sendTo(e.Peer, vote)
}

// takeVote counts a vote for us.
func (c *Client) takeVote(now time.Time, k *peerLink, m *migration.VoteMsg) {
	o := &c.election
	if c.game == nil || o.epoch == 0 || m.Epoch != o.epoch || c.lead.voted != o.epoch || m.Round != c.game.number ||
		!c.room.Voters.Has(m.Vote.Machine) || slices.ContainsFunc(o.votes, func(v *migration.VoteMsg) bool { return v.Vote.Machine == m.Vote.Machine }) {
		return
	}
	ch := c.leadership()
	key := ch.Keys[m.Vote.Machine]
	if !migration.Verify(key, ch.VoteText(c.machine, m.Epoch), m.Vote.Sign) || !migration.Verify(key, ch.TailText(m), m.Sign) {
		c.dropLink(k, "a vote that is not its own")
		return
	}
	if m.Promised > c.game.promised+maxLead || !c.learn(m) {
		c.dropLink(k, "it knows of other decisions")
		return
	}
	o.votes = append(o.votes, m)
	votes := room.MachineSet(0).With(c.machine)
	for _, v := range o.votes {
		votes = votes.With(v.Vote.Machine)
	}
	if !migration.Elects(c.room.Voters, votes) {
		return
	}
	e := event.Elected{Promised: c.game.promised, Words: fmt.Sprintf("the line to %s is gone; %s is the game host now", c.hostName(), c.Me().Nickname)}
	c.lead.proof = migration.ProofMsg{Round: c.game.number, Machine: c.machine, Epoch: o.epoch}
	c.lead.proof.Votes = []migration.Ballot{{Machine: c.machine, Sign: migration.Sign(c.self.sign, c.leadership().VoteText(c.machine, o.epoch))}}
	for _, v := range o.votes {
		c.lead.proof.Votes = append(c.lead.proof.Votes, v.Vote)
		e.Promised, e.Inputs = max(e.Promised, v.Promised), append(e.Inputs, v.Inputs...)
		if event.SaveCommit(v.Saves).Newer(c.game.commit) {
			c.game.commit = event.SaveCommit(v.Saves)
			c.emit(c.game.commit)
		}
	}
	c.lead.previous = c.room.Host
	c.room.Host, c.room.Epoch = c.machine, o.epoch
	c.emit(e)
}

// learn takes the decisions that a voter knows and we do not. It tells whether the two
// lists agree: one game host made them all, so the longer begins with the shorter.
func (c *Client) learn(m *migration.VoteMsg) bool {
	for i, d := range m.Tail {
		switch n := m.First + i; {
		case n < len(c.game.decisions) && c.game.decisions[n] != d:
			return false
		case n < len(c.game.decisions):
		case n > len(c.game.decisions) || c.game.decisions.Check(d, c.game.seats) != nil:
			return false
		default:
			c.game.apply(d)
			c.emit(event.Decided{Number: n, Decision: d})
		}
	}
	return true
}
