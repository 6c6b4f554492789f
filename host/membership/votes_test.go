package membership

import (
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/internal/ds"
)

// A machine gives its own candidacy up for a game host of an earlier epoch, once its voters had time to answer:
// nobody else wins by its vote for itself. What it has given another one it keeps.
func TestVotesBind(t *testing.T) {
	lead, keys := electorate(t)
	v := ElectionView{Machine: 4, Key: keys[4], Lead: lead, HostLost: true, Plays: true}
	now, first := time.Unix(1000, 0), NextTerm(0)
	second := NextTerm(first)
	var out event.Outbox
	e := NewElection(&out)
	for m := 2; m < 4; m++ { // both have voted for machine 1, of which this one does not hear
		e.Connected(now, ds.PeerID(m), "", [32]byte{}, v)
		s := &message.PeerStatus{Machine: m, Round: 1, Epoch: first, HostLost: true}
		s.Sign = Sign(keys[m], lead.PeerStatusText(s))
		e.HandleStatus(e.Link(ds.PeerID(m)), s, v)
	}
	for !e.Voted(first) {
		now = now.Add(100 * time.Millisecond)
		e.Tick(now, v)
	}
	if e.Voted(second) || !e.MayFollow(now, second) {
		t.Error("it stands for another epoch than the second")
	}
	if e.MayFollow(now, first) {
		t.Error("it does not wait for those who would vote for it")
	}
	if now = now.Add(candidacyEvery); !e.MayFollow(now, first) {
		t.Error("it holds on to a candidacy that nobody answers")
	}
	e.Named(now)
	if e.Voted(first) {
		t.Error("it stands for game host beside the one that it follows")
	}

	third := NextTerm(second)
	vote := message.Ballot{Machine: 3, Sign: Sign(keys[3], lead.VoteText(3, third))}
	e.HandleCandidacy(now, e.Link(3), &message.Candidacy{Round: 1, Epoch: third, Digest: v.Decisions.Digest(), Vote: vote}, v)
	if !e.Voted(second) {
		t.Fatal("it does not vote for machine 3")
	}
	e.Named(now)
	if now = now.Add(time.Hour); e.MayFollow(now, second) || !e.MayFollow(now, third) {
		t.Error("its vote for another machine does not bind it")
	}
	e.End(v)
	if e.MayFollow(now, second) {
		t.Error("its vote does not bind it when there is a game host")
	}

	says := func(machine int, epoch uint32, lost bool) {
		e.Connected(now, ds.PeerID(machine), "", [32]byte{}, v)
		s := &message.PeerStatus{Machine: machine, Round: 1, Epoch: epoch, HostLost: lost}
		s.Sign = Sign(keys[machine], lead.PeerStatusText(s))
		e.HandleStatus(e.Link(ds.PeerID(machine)), s, v)
	}
	says(3, third, true)   // it may win yet
	says(3, second, false) // as it said before it stood
	says(2, third, false)  // another one's word
	if e.MayFollow(now, second) || !e.Voted(second) {
		t.Error("its vote does not bind it while machine 3 may count on it")
	}
	if says(3, third, false); !e.MayFollow(now, second) || e.Voted(second) {
		t.Error("its vote binds it to a candidate that follows another game host")
	}
}
