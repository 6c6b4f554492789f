package membership

import (
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
)

// HandleCandidacy prepares a vote for a candidate if the rules allow it, and asks the caller for the inputs by an
// [event.Candidacy]. It may greet a candidate for which it cannot vote now, and drops one with a false signature.
func (e *Election) HandleCandidacy(now time.Time, k *Link, m *message.Candidacy, v ElectionView) {
	switch {
	case !v.votes() || m.Round != v.Lead.Round || !v.Lead.Voters.Has(m.Vote.Machine):
		return
	case !Verify(v.Lead.Key(m.Vote.Machine), v.Lead.VoteText(m.Vote.Machine, m.Epoch), m.Vote.Sign):
		e.Drop(k, "a vote that is not its own")
		return
	case !v.HostLost || m.Epoch <= max(e.voted, v.Lead.Epoch) || m.Epoch != NextTerm(m.Epoch-1) || !Believable(m.Epoch, v.Lead.Epoch, 1):
		e.greet(k, v)
		return
	case m.Decisions < len(v.Decisions)-message.MaxTail:
		return
	case m.Decisions <= len(v.Decisions) && v.Decisions[:m.Decisions].Digest() != m.Digest:
		return
	}
	e.majoritySince, e.candidateSince = now, time.Time{} // it has its turn
	k.told = &message.PeerStatus{Machine: m.Vote.Machine, Round: m.Round, Epoch: m.Epoch, HostLost: true}
	vote := &message.Vote{Round: m.Round, Epoch: m.Epoch, Saves: v.Saves, First: m.Decisions, Vote: v.ballot(m.Vote.Machine, m.Epoch)}
	if m.Decisions <= len(v.Decisions) {
		vote.Tail = slices.Clone(v.Decisions[m.Decisions:])
	}
	e.voted, e.epoch, e.ballots, e.pendingVote = m.Epoch, 0, nil, vote
	e.given = slices.DeleteFunc(e.given, func(g givenVote) bool { return g.epoch <= v.Lead.Epoch })
	e.given = append(e.given, givenVote{m.Vote.Machine, m.Epoch})
	e.out.Emit(event.Candidacy{Peer: k.ID, Epoch: m.Epoch})
}

// Pending reports whether the vote that an event.Candidacy asked for is still to be given.
func (e *Election) Pending(c event.Candidacy) bool {
	return e.pendingVote != nil && e.pendingVote.Epoch == c.Epoch && e.voted == c.Epoch
}

// Vote gives a pending vote, with the inputs that this machine holds.
func (e *Election) Vote(c event.Candidacy, inputs [][]byte, v ElectionView) {
	vote := e.pendingVote
	e.pendingVote = nil
	vote.Promised, vote.Inputs = v.Promised, inputs
	vote.Sign = Sign(v.Key, v.Lead.TailText(vote))
	if k := e.Link(c.Peer); k != nil {
		e.send(k, vote)
	}
}

// Won is a candidate's result when more than half have voted for it.
type Won struct {
	Proof    message.LeaderProof
	Promised int64 // the highest horizon promised to any machine
	Inputs   [][]byte
	Saves    []message.SavePoint // of all who voted for it
}

// HandleVote counts a vote for us; it returns nil until we have won. Learn takes the decisions
// that the voter knows from number first on, and reports whether they agree with ours.
func (e *Election) HandleVote(k *Link, m *message.Vote, v ElectionView, learn func(first int, tail []timeline.Decision) bool) *Won {
	if !v.Plays || e.epoch == 0 || m.Epoch != e.epoch || e.voted != e.epoch || m.Round != v.Lead.Round ||
		!v.Lead.Voters.Has(m.Vote.Machine) || slices.ContainsFunc(e.ballots, func(o *message.Vote) bool { return o.Vote.Machine == m.Vote.Machine }) {
		return nil
	}
	key := v.Lead.Key(m.Vote.Machine)
	if !Verify(key, v.Lead.VoteText(v.Machine, m.Epoch), m.Vote.Sign) || !Verify(key, v.Lead.TailText(m), m.Sign) {
		e.Drop(k, "a vote that is not its own")
		return nil
	}
	if m.Promised > v.Promised+MaxLead || !learn(m.First, m.Tail) {
		e.Drop(k, "it knows of other decisions")
		return nil
	}
	e.ballots = append(e.ballots, m)
	here := room.MachineSet(0).With(v.Machine)
	won := &Won{Promised: v.Promised, Proof: message.LeaderProof{Round: v.Lead.Round, Machine: v.Machine, Epoch: e.epoch, Votes: []message.Ballot{v.ballot(v.Machine, e.epoch)}}}
	for _, b := range e.ballots {
		here = here.With(b.Vote.Machine)
		won.Proof.Votes = append(won.Proof.Votes, b.Vote)
		won.Promised, won.Inputs, won.Saves = max(won.Promised, b.Promised), append(won.Inputs, b.Inputs...), append(won.Saves, b.Saves)
	}
	if !Elects(v.Lead.Voters, here) {
		return nil
	}
	return won
}
