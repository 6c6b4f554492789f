package membership

import (
	"crypto/ed25519"
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
)

// How long clients wait for each other while the game host is gone.
const (
	connectEvery   = 2 * time.Second        // between two attempts to reach those who are not there
	gatherTime     = 300 * time.Millisecond // for those who are slower to notice
	yieldTime      = time.Second            // for a candidate with a lower machine number
	candidacyEvery = 2 * time.Second        // between two elections
	// NamedWait is the time a game host that was named or proven has before it is given up.
	NamedWait = 3 * time.Second
)

// ElectionView is a client's knowledge at the time of a call.
type ElectionView struct {
	Machine   int
	Key       ed25519.PrivateKey
	Lead      Leadership
	HostLost  bool            // it does not hear the game host
	Plays     bool            // it takes part in a game that runs
	Playing   room.MachineSet // those that take part in it
	Decisions timeline.Log    // of the game
	Promised  int64           // the frame up to which it may play with them
	Saves     message.SavePoint
}

// votes reports whether this machine has a vote in its game.
func (v ElectionView) votes() bool { return v.Plays && v.Lead.Voters.Has(v.Machine) }

// MayElect reports whether this machine may vote for a new game host, and become it: it has a vote, its
// host is lost, and there are more than two voters. Of two, more than half are both.
func (v ElectionView) MayElect() bool { return v.HostLost && v.votes() && v.Lead.Voters.Count() > 2 }

// ballot is our signed vote for a machine.
func (v ElectionView) ballot(machine int, epoch uint32) message.Ballot {
	return message.Ballot{Machine: v.Machine, Sign: Sign(v.Key, v.Lead.VoteText(machine, epoch))}
}

// Election is a client's part in the search for a new game host. Make one with [NewElection].
type Election struct {
	out            *event.Outbox
	voted          uint32      // the highest epoch for which we have voted
	given          []givenVote // our votes for other machines that may count yet
	links          []*Link
	connectAsked   time.Time // when ConnectPeers was told
	majoritySince  time.Time // since when more than half are here who do not hear the game host
	candidateSince time.Time // when we were a candidate last
	epoch          uint32    // for which; 0: we are none
	ballots        []*message.Vote
	pendingVote    *message.Vote // for another one, while its last parts are asked for
	namedSince     time.Time     // since when a game host is waited for that was named, or proven
	standby        standby
}

// givenVote is a vote for another machine, which counts on it until it says that it follows a game host.
type givenVote struct {
	machine int
	epoch   uint32
}

// NewElection returns an election that has not begun. It says all that it has to say into out.
func NewElection(out *event.Outbox) Election { return Election{out: out} }

// Voted reports whether this machine has voted in an epoch later than that of the game host that it
// knows, and may still follow whoever is elected there.
func (e *Election) Voted(known uint32) bool { return max(e.bound(), e.epoch) > known }

// bound is the highest epoch for which another machine has our vote, 0 for none.
func (e *Election) bound() (epoch uint32) {
	for _, v := range e.given {
		epoch = max(epoch, v.epoch)
	}
	return epoch
}

// release takes back our vote for a candidate that has found a game host without having won. It answers for
// its highest vote then, which is that for itself, and never stands for the same epoch again.
func (e *Election) release(m *message.PeerStatus) {
	if !m.HostLost {
		e.given = slices.DeleteFunc(e.given, func(v givenVote) bool { return v == givenVote{m.Machine, m.Epoch} })
	}
}

// MayFollow reports whether this machine's vote lets it follow a game host of an epoch. What it has promised to
// another candidate it keeps while that one may count on it. Its own candidacy it may give up, since nobody else can win by
// that vote, once those who would have voted for it have had the time to.
func (e *Election) MayFollow(now time.Time, epoch uint32) bool {
	return epoch >= e.bound() && (epoch >= e.epoch || now.Sub(e.candidateSince) >= candidacyEvery)
}

// Abandon forgets all elections: the game in which they were held is over for this machine.
func (e *Election) Abandon() { *e = Election{out: e.out, links: e.links} }

// Named tells that a game host is known, and has time to take us back. We are no candidate any more.
func (e *Election) Named(now time.Time) { e.namedSince, e.epoch, e.ballots = now, 0, nil }

// End ends the election: there is a game host. Peer links to players stay for the next one.
func (e *Election) End(v ElectionView) {
	*e = Election{out: e.out, voted: e.voted, given: e.given, links: e.links}
	for _, k := range slices.Clone(e.links) {
		if !v.stays(k) {
			e.Drop(k, "there is a game host")
			continue
		}
		told := *k.told
		told.HostLost = false // it says so if it is
		k.told = &told
	}
}

// Tick does what is due while the game host is gone.
func (e *Election) Tick(now time.Time, v ElectionView) {
	for _, k := range slices.Clone(e.links) {
		switch {
		case k.told == nil && now.Sub(k.since) >= linkLate:
			e.Drop(k, "it did not say who it is")
		case k.early != nil && now.Sub(k.heard) >= linkLate:
			e.Drop(k, "this machine is not the game host")
		case now.Sub(k.heard) >= linkIdle && !v.HostLost && !v.stays(k):
			e.Drop(k, "nothing more to say")
		}
	}
	e.tendStandby(now, v)
	if !v.MayElect() || !e.namedSince.IsZero() && now.Sub(e.namedSince) < NamedWait {
		return
	}
	if e.connectAsked.IsZero() || now.Sub(e.connectAsked) >= connectEvery {
		e.connectAsked = now
		e.out.Emit(event.ConnectPeers{Players: e.absent(v)})
		for _, k := range e.links {
			e.greet(k, v)
		}
	}
	e.considerCandidacy(now, v)
}

// considerCandidacy becomes a candidate when more than half are here who do not hear the game
// host, and it is our turn: the lowest machine's first.
func (e *Election) considerCandidacy(now time.Time, v ElectionView) {
	here, epoch := room.MachineSet(0).With(v.Machine), max(e.voted, v.Lead.Epoch)
	for _, k := range e.links {
		if t := k.told; t != nil && t.HostLost && t.Round == v.Lead.Round && t.Machine != v.Lead.Host {
			here = here.With(t.Machine)
			if Believable(t.Epoch, v.Lead.Epoch, 0) {
				epoch = max(epoch, t.Epoch)
			}
		}
	}
	here &= v.Lead.Voters
	if !Elects(v.Lead.Voters, here) {
		e.majoritySince = time.Time{}
		return
	}
	if e.majoritySince.IsZero() {
		e.majoritySince = now
	}
	rank := (here & (1<<v.Machine - 1)).Count()
	wait := time.Duration(rank) * yieldTime
	if here.With(v.Lead.Host) != v.Lead.Voters.With(v.Lead.Host) {
		wait += gatherTime
	}
	if now.Sub(e.majoritySince) < wait || !e.candidateSince.IsZero() && now.Sub(e.candidateSince) < candidacyEvery+wait {
		return
	}
	if NextTerm(epoch) <= epoch {
		return // no room was ever handed on so often
	}
	e.candidateSince, e.epoch, e.ballots = now, NextTerm(epoch), nil
	e.voted = e.epoch
	m := &message.Candidacy{
		Round: v.Lead.Round, Epoch: e.epoch, Decisions: len(v.Decisions), Digest: v.Decisions.Digest(),
		Vote: v.ballot(v.Machine, e.epoch),
	}
	for _, k := range e.links {
		e.send(k, m)
	}
}
