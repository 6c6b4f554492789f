package membership

import (
	"crypto/ed25519"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// electorate is a room of five machines, all of which began game 1, with machine 0 as its
// first game host.
func electorate(t *testing.T) (Leadership, []ed25519.PrivateKey) {
	t.Helper()
	random := rand.NewChaCha8([32]byte{7})
	l := Leadership{Room: [16]byte{1}, Round: 1}
	var keys []ed25519.PrivateKey
	for m := range 5 {
		k, err := NewKey(random)
		must.Succeed(t, err)
		keys = append(keys, k)
		l.Players, l.Voters = append(l.Players, room.Player{Machine: m, Sign: PublicKey(k)}), l.Voters.With(m)
	}
	return l, keys
}

// votes are those of some machines for one of them.
func votes(l Leadership, keys []ed25519.PrivateKey, winner int, epoch uint32, voters ...int) []message.Ballot {
	var list []message.Ballot
	for _, m := range voters {
		list = append(list, message.Ballot{Machine: m, Sign: Sign(keys[m], l.VoteText(winner, epoch))})
	}
	return list
}

func TestFollowElected(t *testing.T) {
	l, keys := electorate(t)
	term := NextTerm(0)
	proof := func(change func(*message.LeaderProof)) *message.LeaderProof {
		m := &message.LeaderProof{Round: 1, Machine: 2, Epoch: term, Votes: votes(l, keys, 2, term, 1, 2, 3)}
		change(m)
		return m
	}
	after, err := l.Follow(proof(func(*message.LeaderProof) {}))
	if err != nil || after.Host != 2 || after.Epoch != term || after.Voters != l.Voters {
		t.Fatalf("after an election: %+v, %v", after, err)
	}
	for name, m := range map[string]*message.LeaderProof{
		"too few votes":               proof(func(m *message.LeaderProof) { m.Votes = m.Votes[:2] }),
		"one who votes twice":         proof(func(m *message.LeaderProof) { m.Votes[2] = m.Votes[1] }),
		"votes for somebody else":     proof(func(m *message.LeaderProof) { m.Votes = votes(l, keys, 1, term, 1, 2, 3) }),
		"votes of another term":       proof(func(m *message.LeaderProof) { m.Votes = votes(l, keys, 2, NextTerm(term), 1, 2, 3) }),
		"votes in another game":       proof(func(m *message.LeaderProof) { m.Round = 2 }),
		"a vote signed by another":    proof(func(m *message.LeaderProof) { m.Votes[0].Sign = Sign(keys[4], l.VoteText(2, term)) }),
		"a machine that did not win":  proof(func(m *message.LeaderProof) { m.Machine = 3 }),
		"an epoch after the election": proof(func(m *message.LeaderProof) { m.Epoch++ }),
		"an epoch that we know":       proof(func(m *message.LeaderProof) { m.Epoch = 0 }),
	} {
		if after, err := l.Follow(m); err == nil {
			t.Errorf("%s proves that machine %d is game host", name, after.Host)
		}
	}
	for name, change := range map[string]func(*Leadership){
		"another room":            func(l *Leadership) { l.Room[0]++ },
		"no game":                 func(l *Leadership) { l.Round = 0 },
		"voters who did not vote": func(l *Leadership) { l.Voters = room.MachineSet(0).With(0).With(4) },
		"a later game host":       func(l *Leadership) { l.Epoch = NextTerm(term) },
	} {
		other, _ := electorate(t)
		change(&other)
		if _, err := other.Follow(proof(func(*message.LeaderProof) {})); err == nil {
			t.Errorf("with %s the proof holds", name)
		}
	}
}

func TestFollowHandovers(t *testing.T) {
	l, keys := electorate(t)
	hand := func(from, to int, epoch uint32) message.SignedHandover {
		h := message.SignedHandover{From: from, To: to, Epoch: epoch}
		h.Sign = Sign(keys[from], l.HandoverText(h))
		return h
	}
	chain := []message.SignedHandover{hand(0, 3, 1), hand(3, 1, 2)}
	after, err := l.Follow(&message.LeaderProof{Machine: 1, Epoch: 2, Handovers: chain})
	if err != nil || after.Host != 1 || after.Epoch != 2 || after.Voters != l.Voters.Without(0).Without(3) {
		t.Fatalf("after two handovers: %+v, %v", after, err)
	}
	known, err := l.Follow(&message.LeaderProof{Machine: 3, Epoch: 1, Handovers: chain[:1]})
	must.Succeed(t, err)
	if again, err := known.Follow(&message.LeaderProof{Machine: 1, Epoch: 2, Handovers: chain}); err != nil || again.Host != 1 {
		t.Errorf("for one who knows of the first: %+v, %v", again, err)
	}
	forged := hand(0, 3, 1)
	forged.Sign = Sign(keys[3], l.HandoverText(forged))
	for name, m := range map[string]*message.LeaderProof{
		"a gap":                       {Machine: 1, Epoch: 2, Handovers: chain[1:]},
		"a forged handover":           {Machine: 3, Epoch: 1, Handovers: []message.SignedHandover{forged}},
		"a handover by somebody else": {Machine: 2, Epoch: 1, Handovers: []message.SignedHandover{hand(1, 2, 1)}},
		"a claim beyond the proof":    {Machine: 1, Epoch: 3, Handovers: chain},
	} {
		if after, err := l.Follow(m); err == nil {
			t.Errorf("%s proves that machine %d is game host", name, after.Host)
		}
	}
	last := l
	last.Epoch = message.MaxHandovers
	if MayHandOver(last.Epoch) {
		t.Error("a term has handovers without end")
	}
	if _, err := last.Follow(&message.LeaderProof{Machine: 1, Epoch: last.Epoch + 1, Handovers: []message.SignedHandover{hand(0, 1, last.Epoch+1)}}); err == nil {
		t.Error("a room is handed on beyond the last epoch of a term")
	}
}

// A standing handover holds while its game host has not named another successor, and names it.
func TestFollowStanding(t *testing.T) {
	l, keys := electorate(t)
	hand := func(from, to int, epoch, serial uint32) message.SignedHandover {
		h := message.SignedHandover{From: from, To: to, Epoch: epoch, Serial: serial}
		h.Sign = Sign(keys[from], l.HandoverText(h))
		return h
	}
	l.Serial = 3
	proof := func(h ...message.SignedHandover) *message.LeaderProof {
		return &message.LeaderProof{Machine: h[len(h)-1].To, Epoch: h[len(h)-1].Epoch, Handovers: h}
	}
	for _, serial := range []uint32{3, 4} { // that of the fourth is on its way
		m := proof(hand(0, 2, 1, serial))
		after, err := l.Follow(m)
		if err != nil || after.Host != 2 || after.Epoch != 1 || after.Serial != 0 || !l.Stands(m) || after.Stands(m) {
			t.Errorf("serial %d: %+v, %v", serial, after, err)
		}
	}
	twice := proof(hand(0, 2, 1, 3), hand(2, 4, 2, 1))
	if after, err := l.Follow(twice); err != nil || after.Host != 4 {
		t.Errorf("the successor's successor: %+v, %v", after, err)
	}
	if m := proof(hand(0, 2, 1, 0)); l.Stands(m) {
		t.Error("a last word stands")
	}
	promoted := hand(0, 2, 1, 2)
	promoted.Serial = 3
	last := hand(0, 2, 1, 3)
	last.Serial = 0
	for name, m := range map[string]*message.LeaderProof{
		"one before the newest":           proof(hand(0, 2, 1, 2)),
		"an old one with another serial":  proof(promoted),
		"a standing one as the last word": proof(last),
		"one that names nobody":           proof(hand(0, 0, 1, 3)),
		"one that the successor signed":   proof(message.SignedHandover{From: 0, To: 2, Epoch: 1, Serial: 3, Sign: Sign(keys[2], l.HandoverText(message.SignedHandover{To: 2, Epoch: 1, Serial: 3}))}),
		"another machine's":               {Machine: 3, Epoch: 1, Handovers: []message.SignedHandover{hand(0, 2, 1, 3)}},
		"one of a later epoch":            proof(hand(0, 2, 2, 3)),
	} {
		if after, err := l.Follow(m); err == nil {
			t.Errorf("%s proves that machine %d is game host", name, after.Host)
		}
	}
	other := l
	other.Room[0]++
	if _, err := other.Follow(proof(hand(0, 2, 1, 3))); err == nil {
		t.Error("one of another room holds")
	}
}

// Of two game hosts of a room that fell apart at most one goes to the other one, and one does where both are alone.
func TestYields(t *testing.T) {
	for _, one := range []Leadership{{Host: 0}, {Host: 1, Epoch: 1}, {Host: 2, Epoch: 1}} {
		for _, two := range []Leadership{{Host: 0}, {Host: 1, Epoch: 1}, {Host: 2, Epoch: 1}} {
			if one.Host == two.Host {
				continue
			}
			for _, with := range [][2]int{{0, 0}, {0, 2}, {2, 0}} {
				a := with[0] == 0 && one.Yields(&message.LeaderProof{Machine: two.Host, Epoch: two.Epoch, With: with[1]})
				b := with[1] == 0 && two.Yields(&message.LeaderProof{Machine: one.Host, Epoch: one.Epoch, With: with[0]})
				if a == b {
					t.Errorf("%+v and %+v with %v others: both %v", one, two, with, a)
				}
			}
		}
	}
}

// Of two game hosts that go on without somebody, one has lost a voter of the other's.
func TestMajorities(t *testing.T) {
	for n := 1; n <= 16; n++ {
		all := room.MachineSet(1<<n - 1)
		for here := range room.MachineSet(1 << n) {
			if Elects(all, here) && Sustains(all, all&^here) {
				t.Fatalf("of %d machines %b elect a game host and the others go on without them", n, here)
			}
		}
	}
}

func TestEpochs(t *testing.T) {
	if next := NextTerm(5); next != 1<<TermBits || NextTerm(next) <= next {
		t.Errorf("after epoch 5 comes the term of %d", next)
	}
	if end := NextTerm(1<<32 - 1); end != 0 {
		t.Errorf("after the last term comes %d", end)
	}
	if !Believable(NextTerm(0), 0, 0) || Believable(1<<32-1, 0, 1) {
		t.Error("what is believable of an epoch")
	}
}

func TestNoKey(t *testing.T) {
	if _, err := NewKey(strings.NewReader("short")); err == nil {
		t.Error("a key out of nothing")
	}
	if Verify([32]byte{}, nil, [64]byte{}) {
		t.Error("a machine without a key signs")
	}
}
