package savestate

import (
	"slices"
	"testing"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// A round is begun again while a part is on its way: it goes on, and is told of
// when it is asked for again.
func TestRoundBegunAgainSendsNothingTwice(t *testing.T) {
	for name, hostFirst := range map[string]bool{"host first": true, "client first": false} {
		t.Run(name, func(t *testing.T) {
			w, a, b := pair(plainLine)
			p := mustPut(t, a.store, KindState, noise(1, 2_000_000))
			a.do(func() { a.Offer(manifestOf(0, p)) })
			w.Pass(200 * ms)
			b.do(func() { b.Fetch([]Part{p}) })
			for round := range uint32(3) {
				w.Pass(200 * ms)
				begin := func(m *machine) { m.do(func() { m.Round(round + 1) }) }
				if !hostFirst {
					begin(b)
					w.Pass(50 * ms)
				}
				begin(a)
				a.do(func() { a.Offer(manifestOf(0, p)) })
				w.Pass(50 * ms)
				if hostFirst {
					begin(b)
				}
				w.Pass(50 * ms)
				if n := len(b.manifests()); n != int(round)+2 {
					t.Fatalf("%d manifests were told in %d rounds", n, round+2)
				}
				b.do(func() { b.Fetch([]Part{p}) })
			}
			settled(t, w, a, b)
			if done, failed := b.done(); len(done) != 1 || failed != nil {
				t.Errorf("done %v, failed %v", done, failed)
			}
			if most := int(p.PackedSize)/MaxChunk + 20; a.out.sent > most {
				t.Errorf("%d messages for %d bytes, want at most %d", a.out.sent, p.PackedSize, most)
			}
		})
	}
}

// Parts fetched in a round that is over are kept, but not told.
func TestPartsOfARoundThatIsOver(t *testing.T) {
	w, a, b := pair(plainLine)
	p := mustPut(t, a.store, KindState, noise(1, 500_000))
	a.do(func() { a.Offer(manifestOf(0, p)) })
	b.do(func() { b.Fetch([]Part{p}) })
	w.Pass(100 * ms)
	for _, m := range []*machine{a, b} {
		m.do(func() { m.Round(1) })
	}
	settled(t, w, a, b)
	if done, failed := b.done(); done != nil || failed != nil || !b.store.Has(p) {
		t.Fatalf("done %v, failed %v, in the store: %v", done, failed, b.store.Has(p))
	}
	sent := a.out.sent
	b.do(func() { b.Fetch([]Part{p}) })
	settled(t, w, a, b)
	if done, _ := b.done(); len(done) != 1 || a.out.sent != sent {
		t.Errorf("asked again: done %v, %d messages", done, a.out.sent-sent)
	}
}

// A seat with other parts than in the round before: what was on its way is dropped.
func TestNewPartsTakeThePlaceOfOld(t *testing.T) {
	w, a, b := pair(plainLine)
	before := mustPut(t, a.store, KindState, noise(1, 3_000_000))
	after := mustPut(t, a.store, KindState, noise(2, 100_000))
	other := mustPut(t, a.store, KindSRAM, noise(3, 400_000))
	a.do(func() {
		a.Offer(manifestOf(0, before))
		a.Offer(manifestOf(1, other))
	})
	b.do(func() { b.Fetch([]Part{before, other}) })
	w.Pass(300 * ms)
	for _, m := range []*machine{a, b} {
		m.do(func() { m.Round(1) })
	}
	a.do(func() { a.Offer(manifestOf(0, after)) })
	w.Pass(100 * ms)
	b.do(func() { b.Fetch([]Part{after}) })
	settled(t, w, a, b)
	if done, failed := b.done(); !slices.Equal(done, []Part{after}) || failed != nil {
		t.Errorf("done %v, failed %v", done, failed)
	}
	if used := after.PackedSize + other.PackedSize; b.store.Used() != used || b.store.Has(before) {
		t.Errorf("%d bytes are taken, want %d", b.store.Used(), used)
	}
}

// Messages of one round that come in another are told when it begins, or never.
func TestManifestsOutsideOfTheirRound(t *testing.T) {
	w, a, b := pair(plainLine)
	tell := func(round uint32, seat ds.Seat) {
		t.Helper()
		m := manifestOf(seat)
		m.RTC += int64(round)
		must.Succeed(t, b.Receive(w.Time(), encode(kindManifest, &offer{round, m})))
		b.wake()
	}
	b.do(func() { b.Round(5) })
	tell(4, 0)
	tell(6, 1)
	tell(8, 2)
	if got := b.manifests(); got != nil {
		t.Fatalf("told in round 5: %v", got)
	}
	b.do(func() { b.Round(6) })
	b.do(func() { b.Round(5) }) // nothing
	tell(6, 1)                  // again
	tell(5, 0)
	if got := b.manifests(); len(got) != 1 || got[0].Seat != 1 {
		t.Fatalf("told in round 6: %v", got)
	}
	b.do(func() { b.Round(9) })
	if got := b.manifests(); len(got) != 1 {
		t.Fatalf("told in round 9: %v", got[1:])
	}
	settled(t, w, a, b)
}

// The peer has not heard yet that a round has begun when it fetches.
func TestLateFetchIsServed(t *testing.T) {
	w, a, b := pair(plainLine)
	parts := []Part{mustPut(t, a.store, KindState, noise(1, 50_000)), mustPut(t, a.store, KindSRAM, noise(2, 50_000))}
	a.do(func() { a.Offer(manifestOf(0, parts...)) })
	a.do(func() { a.Round(1) })
	b.do(func() { b.Fetch(parts[:1]) })
	settled(t, w, a, b)
	if done, failed := b.done(); len(done) != 1 || failed != nil {
		t.Errorf("one round late: done %v, failed %v", done, failed)
	}
	a.do(func() { a.Round(2) })
	b.do(func() { b.Fetch(parts[1:]) })
	settled(t, w, a, b)
	if _, failed := b.done(); len(failed) != 1 || failed[0].Garbage {
		t.Errorf("two rounds late: failed %v", failed)
	}
}

// One exchange for the life of a room: rounds and connections come and go.
func TestRoundsOverNewConnections(t *testing.T) {
	w, a, b := pair(plainLine)
	p := mustPut(t, a.store, KindState, noise(1, 1_500_000))
	a.do(func() { a.Offer(manifestOf(3, p)) })
	b.do(func() { b.Fetch([]Part{p}) })
	w.Pass(300 * ms)
	before := b.Fetching().Done
	a.Reset()
	a.Round(1) // begun while there is no connection
	a.Offer(manifestOf(3, p))
	b.Reset()
	connect(w, plainLine, a, b)
	w.Pass(100 * ms)
	b.do(func() { b.Round(1) })
	if got := b.manifests(); len(got) != 1 {
		t.Fatalf("told: %v", got)
	}
	b.do(func() { b.Fetch([]Part{p}) })
	settled(t, w, a, b)
	if done, failed := b.done(); len(done) != 1 || failed != nil {
		t.Errorf("done %v, failed %v", done, failed)
	}
	if most := int(p.PackedSize-before)/MaxChunk + 20; before == 0 || a.out.sent > most {
		t.Errorf("%d messages after the first %d bytes, want at most %d", a.out.sent, before, most)
	}
}

// A part that was offered before it was here, and is wanted since, is sent when it is offered
// in the next round and here: the peer does not ask for it twice.
func TestWantedSinceTheRoundBefore(t *testing.T) {
	w, a, b := pair(plainLine)
	raw := noise(1, 5000)
	elsewhere := NewStore(0)
	p := mustPut(t, elsewhere, KindSRAM, raw)
	a.do(func() { a.Offer(manifestOf(0, p)) })
	b.do(func() { b.Fetch([]Part{p}) })
	w.Pass(200 * ms)
	if done, failed := b.done(); done != nil || failed != nil {
		t.Fatalf("done %v, failed %v, before it is here", done, failed)
	}
	for _, m := range []*machine{a, b} {
		m.do(func() { m.Round(1) })
	}
	mustPut(t, a.store, KindSRAM, raw)
	a.do(func() { a.Offer(manifestOf(0, p)) })
	w.Pass(100 * ms)
	b.do(func() { b.Fetch([]Part{p}) })
	settled(t, w, a, b)
	if done, failed := b.done(); len(done) != 1 || failed != nil {
		t.Errorf("done %v, failed %v", done, failed)
	}
}
