package savestate

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/testing/virtual"

	"github.com/google/go-cmp/cmp"
)

var plainLine = plain{2e6, 15 * ms}

// settled runs until nothing more happens, at most a minute of virtual time.
func settled(t testing.TB, w *virtual.World, machines ...*machine) {
	t.Helper()
	w.Pass(time.Minute)
	for _, m := range machines {
		if m.err != nil {
			t.Fatal(m.err)
		}
	}
}

func TestPartsArrive(t *testing.T) {
	w, a, b := pair(plainLine)
	state, sram := noise(1, 700_000), noise(2, 8192)
	m := manifestOf(3, mustPut(t, a.store, KindState, state), mustPut(t, a.store, KindSRAM, sram))
	m.Frame = 12
	a.do(func() {
		must.Succeed(t, a.Offer(m))
	})
	settled(t, w, a, b)
	if got := b.manifests(); len(got) != 1 || !cmp.Equal(got[0], m) {
		t.Fatalf("offered %v, heard of %v", m, got)
	}
	b.do(func() { b.Fetch(m.Parts) })
	settled(t, w, a, b)
	if done, failed := b.done(); !cmp.Equal(done, m.Parts) || failed != nil {
		t.Fatalf("fetched %v, failed %v", done, failed)
	}
	for i, want := range [][]byte{state, sram} {
		if got, ok := b.store.Get(m.Parts[i].SHA256); !ok || !bytes.Equal(got, want) {
			t.Errorf("%v is not what was sent", m.Parts[i])
		}
	}
	size := m.Parts[0].PackedSize + m.Parts[1].PackedSize
	if want := (Progress{size, size}); a.Serving() != want || b.Fetching() != want {
		t.Errorf("at the end: serving %v, fetching %v, want %v", a.Serving(), b.Fetching(), want)
	}
	// Parts that are there are not sent again.
	sent := a.out.sent
	b.do(func() { b.Fetch(m.Parts) })
	settled(t, w, a, b)
	if done, _ := b.done(); len(done) != 4 || a.out.sent != sent {
		t.Errorf("the second time: %d parts done, %d messages for that", len(done)-2, a.out.sent-sent)
	}
}

func TestProgressOnlyRises(t *testing.T) {
	w, a, b := pair(plainLine)
	p := mustPut(t, a.store, KindState, noise(1, 500_000))
	a.do(func() { a.Offer(manifestOf(0, p)) })
	b.do(func() { b.Fetch([]Part{p}) })
	var last Progress
	steps := 0
	w.Every(10*ms, func() {
		now := b.Fetching()
		if now.Done < last.Done || now.Total != p.PackedSize || now.Done > now.Total {
			t.Errorf("progress goes from %v to %v", last, now)
		}
		if now.Done > last.Done {
			steps++
		}
		if s := a.Serving(); s.Done > now.Done {
			t.Errorf("served %d, arrived %d", s.Done, now.Done)
		}
		last = now
	})
	w.Pass(3 * time.Second)
	if steps < 10 || last.Done != p.PackedSize {
		t.Errorf("%d steps to %v", steps, last)
	}
}

// Both machines send two parts to the other at the same time.
func TestBothDirectionsAtOnce(t *testing.T) {
	w, a, b := pair(plain{1e6, 20 * ms})
	var offers [2]Manifest
	for i, m := range []*machine{a, b} {
		seed := uint64(i) * 10
		offers[i] = manifestOf(ds.Seat(i), mustPut(t, m.store, KindState, noise(seed+1, 2_000_000)), mustPut(t, m.store, KindSRAM, noise(seed+2, 500_000)))
		m.do(func() { m.Offer(offers[i]) })
	}
	a.do(func() { a.Fetch(offers[1].Parts) })
	b.do(func() { b.Fetch(offers[0].Parts) })
	var took time.Duration
	w.Run(time.Minute, func() bool {
		took = w.Now
		doneA, _ := a.done()
		doneB, _ := b.done()
		return len(doneA) == 2 && len(doneB) == 2
	})
	if a.err != nil || b.err != nil {
		t.Fatal(a.err, b.err)
	}
	if ideal := time.Duration(2.5e6 / 1e6 * float64(time.Second)); took > ideal*13/10 {
		t.Errorf("took %v for what one direction alone could do in %v", took, ideal)
	}
}

// The machine in the middle offers what it does not have yet.
func TestMiddleServesWhatItHasFetched(t *testing.T) {
	w := &virtual.World{}
	owner, left := newMachine(ExchangeConfig{}), newMachine(ExchangeConfig{})
	right, guest := newMachine(ExchangeConfig{}), newMachine(ExchangeConfig{})
	right.Exchange, right.store = NewExchange(left.store, ExchangeConfig{}), left.store // the middle has two
	connect(w, plainLine, owner, left)
	connect(w, plainLine, right, guest)
	parts := []Part{mustPut(t, owner.store, KindState, noise(1, 400_000)), mustPut(t, owner.store, KindSRAM, noise(2, 100_000))}
	m := manifestOf(1, parts...)
	m.Frame = 5
	right.do(func() { right.Offer(m) })
	guest.do(func() { guest.Fetch(parts) })
	w.Pass(time.Second)
	if got := guest.Fetching(); got.Done != 0 || guest.err != nil || len(right.wants) != 2 {
		t.Fatalf("before the middle has anything: %v %v", got, guest.err)
	}
	owner.do(func() { owner.Offer(m) })
	left.do(func() { left.Fetch(parts) })
	seen := 0
	w.Every(ms, func() { // the owner of both exchanges in the middle
		if done, _ := left.done(); len(done) > seen {
			seen = len(done)
			right.do(right.Available)
		}
	})
	w.Pass(20 * time.Second)
	if done, failed := guest.done(); len(done) != 2 || failed != nil {
		t.Errorf("the guest has %v, failed %v", done, failed)
	}
}

func TestResumeOnANewConnection(t *testing.T) {
	w, a, b := pair(plainLine)
	p := mustPut(t, a.store, KindState, noise(1, 3_000_000))
	a.do(func() { a.Offer(manifestOf(0, p)) })
	b.do(func() { b.Fetch([]Part{p}) })
	var got int64
	for range 3 {
		w.Pass(250 * ms)
		before := b.Fetching().Done
		if before <= got {
			t.Fatalf("nothing came: %d bytes before, %d now", got, before)
		}
		got = before
		// The line is lost with all that is on it.
		a.Reset()
		b.Reset()
		if now := b.Fetching().Done; now != before {
			t.Fatalf("had %d bytes, after the reset %d", before, now)
		}
		connect(w, plainLine, a, b)
	}
	settled(t, w, a, b)
	if done, _ := b.done(); len(done) != 1 {
		t.Fatalf("not done: %v", b.Fetching())
	}
	if s := a.Serving(); s.Done != p.PackedSize || s.Total != p.PackedSize {
		t.Errorf("serving says %v of a part of %d bytes", s, p.PackedSize)
	}
	if len(b.manifests()) != 0 {
		t.Error("the same manifest was told again")
	}
	if a.out.sent > int(p.PackedSize-got)/MaxChunk+20 {
		t.Errorf("%d messages on the last connection, for %d bytes", a.out.sent, p.PackedSize-got)
	}
}

// A part of the store that nobody offered must not be had by guessing its hash.
func TestOnlyOfferedPartsAreServed(t *testing.T) {
	w, a, b := pair(plainLine)
	secret := mustPut(t, a.store, KindSRAM, noise(1, 5000))
	offered := mustPut(t, a.store, KindSRAM, noise(2, 5000))
	a.do(func() { a.Offer(manifestOf(0, offered)) })
	b.do(func() { b.Fetch([]Part{secret, offered}) })
	settled(t, w, a, b)
	done, failed := b.done()
	if len(failed) != 1 || failed[0].Part != secret || !errors.Is(failed[0].Err, ErrNotOffered) {
		t.Errorf("a part that was not offered: %v", failed)
	}
	if len(done) != 1 || done[0] != offered {
		t.Errorf("the part that was offered: %v", done)
	}
	if b.store.Used() != offered.PackedSize {
		t.Errorf("the store has %d bytes taken, want %d", b.store.Used(), offered.PackedSize)
	}
}

// A manifest may name the packed bytes of another's part as its own. The
// other's must be served all the same.
func TestFalsePartDoesNotHideTheTrueOne(t *testing.T) {
	for seat := range ds.Seat(2) {
		w, a, b := pair(plainLine)
		p := mustPut(t, a.store, KindSRAM, noise(1, 5000))
		other, short := p, p
		other.SHA256[0]++
		short.PackedSize--
		a.do(func() {
			a.Offer(manifestOf(ds.Seat(seat), p))
			a.Offer(manifestOf(ds.Seat(1-seat), other))
			a.Offer(manifestOf(2, short))
		})
		b.do(func() { b.Fetch([]Part{other, short, p}) })
		settled(t, w, a, b)
		if done, _ := b.done(); len(done) != 1 || done[0] != p {
			t.Errorf("fetched %v, want %v", done, p)
		}
	}
}

func TestReplacedOfferIsRefused(t *testing.T) {
	w, a, b := pair(plainLine)
	other := NewStore(0)
	p := mustPut(t, other, KindSRAM, noise(1, 5000)) // a never gets it
	a.do(func() { a.Offer(manifestOf(7, p)) })
	b.do(func() { b.Fetch([]Part{p}) })
	w.Pass(time.Second)
	if _, failed := b.done(); failed != nil {
		t.Fatalf("failed although it is offered: %v", failed)
	}
	a.do(func() { a.Offer(manifestOf(7, mustPut(t, other, KindSRAM, noise(2, 5000)))) })
	settled(t, w, a, b)
	if _, failed := b.done(); len(failed) != 1 || !errors.Is(failed[0].Err, ErrNotOffered) {
		t.Errorf("after another was offered in its place: %v", failed)
	}
}

func TestForgedBytesFail(t *testing.T) {
	raw := noise(1, 30_000)
	cases := map[string]func(a *machine, p Part) Part{
		// The bytes are not those of the manifest.
		"other bytes": func(a *machine, p Part) Part {
			forged := bytes.Clone(a.store.find(p))
			forged[len(forged)/2] ^= 1
			a.store.packed[p.PackedSHA256].packed = forged
			return p
		},
		// The manifest itself lies about the raw bytes.
		"other contents": func(a *machine, p Part) Part {
			b := a.store.packed[p.PackedSHA256]
			p.SHA256[0] ^= 1
			b.part = p
			return p
		},
		"other size": func(a *machine, p Part) Part {
			b := a.store.packed[p.PackedSHA256]
			p.Size++
			b.part = p
			return p
		},
	}
	for name, forge := range cases {
		t.Run(name, func(t *testing.T) {
			w, a, b := pair(plainLine)
			p := forge(a, mustPut(t, a.store, KindState, raw))
			a.do(func() {
				a.Offer(manifestOf(2, p))
				a.Offer(manifestOf(5, p))
				a.Offer(manifestOf(6))
			})
			settled(t, w, a, b)
			b.do(func() { b.Fetch([]Part{p}) })
			settled(t, w, a, b)
			done, failed := b.done()
			if done != nil || len(failed) != 1 || failed[0].Part != p || !strings.Contains(failed[0].Err.Error(), p.String()) {
				t.Fatalf("done %v, failed %v", done, failed)
			}
			if !failed[0].Garbage {
				t.Error("the peer is not blamed")
			}
			if b.store.Used() != 0 || b.store.Has(p) {
				t.Errorf("%d bytes are kept of it", b.store.Used())
			}
			if _, ok := b.store.Get(p.SHA256); ok {
				t.Error("the store hands it out")
			}
		})
	}
}

func TestCancel(t *testing.T) {
	w, a, b := pair(plainLine)
	parts := []Part{mustPut(t, a.store, KindState, noise(1, 3_000_000)), mustPut(t, a.store, KindSRAM, noise(2, 100_000))}
	m := manifestOf(0, parts...)
	a.do(func() { a.Offer(m) })
	b.do(func() { b.Fetch(parts) })
	w.Pass(500 * ms)
	b.do(func() { b.Cancel(parts[:1]) })
	settled(t, w, a, b)
	done, failed := b.done()
	if len(done) != 1 || done[0] != parts[1] || failed != nil {
		t.Errorf("cancelled one of two: done %v, failed %v", done, failed)
	}
	if b.store.Used() != parts[1].PackedSize {
		t.Errorf("%d bytes are taken, want %d", b.store.Used(), parts[1].PackedSize)
	}
	if len(a.flight) != 0 {
		t.Errorf("%d chunks are still waited for", len(a.flight))
	}
}

func TestFullStoreFailsTheFetch(t *testing.T) {
	w, a, b := pair(plainLine)
	b.store.limit = 150_000
	parts := []Part{mustPut(t, a.store, KindState, noise(1, 100_000)), mustPut(t, a.store, KindSRAM, noise(2, 100_000))}
	a.do(func() { a.Offer(manifestOf(0, parts...)) })
	b.do(func() { b.Fetch(parts) })
	settled(t, w, a, b)
	done, failed := b.done()
	if len(done) != 1 || len(failed) != 1 || !errors.Is(failed[0].Err, ErrStoreFull) || failed[0].Garbage {
		t.Errorf("done %v, failed %v", done, failed)
	}
}

func TestVerificationInTheBackground(t *testing.T) {
	w, a, b := pair(plainLine)
	var jobs []func()
	b.config.Background = func(job func()) { jobs = append(jobs, job) }
	p := mustPut(t, a.store, KindState, noise(1, 50_000))
	a.do(func() { a.Offer(manifestOf(0, p)) })
	b.do(func() { b.Fetch([]Part{p}) })
	settled(t, w, a, b)
	if done, _ := b.done(); done != nil || len(jobs) != 1 || b.store.Has(p) {
		t.Fatalf("before the job: done %v, %d jobs", done, len(jobs))
	}
	finished := make(chan struct{})
	go func() { jobs[0](); close(finished) }()
	b.do(func() { b.Fetch([]Part{p}) }) // asks while it works
	<-finished
	b.wake()
	if done, failed := b.done(); len(done) != 1 || failed != nil || !b.store.Has(p) {
		t.Errorf("after the job: done %v, failed %v", done, failed)
	}
}

// A part that has come from elsewhere is not waited for.
func TestAvailableEndsAFetch(t *testing.T) {
	w, a, b := pair(plainLine)
	raw := noise(1, 2_000_000)
	p := mustPut(t, a.store, KindState, raw)
	a.do(func() { a.Offer(manifestOf(0, p)) })
	b.do(func() { b.Fetch([]Part{p}) })
	w.Pass(300 * ms)
	mustPut(t, b.store, KindState, raw)
	b.do(b.Available)
	settled(t, w, a, b)
	if done, failed := b.done(); len(done) != 1 || failed != nil {
		t.Errorf("done %v, failed %v", done, failed)
	}
	if b.store.Used() != p.PackedSize || len(a.wants) != 0 {
		t.Errorf("%d bytes taken, %d wants open", b.store.Used(), len(a.wants))
	}
}

func TestCloseFreesTheStore(t *testing.T) {
	w, a, b := pair(plainLine)
	p := mustPut(t, a.store, KindState, noise(1, 2_000_000))
	a.do(func() { a.Offer(manifestOf(0, p)) })
	b.do(func() { b.Fetch([]Part{p}) })
	w.Pass(300 * ms)
	if b.store.Used() != p.PackedSize {
		t.Fatalf("%d bytes are reserved for a part of %d", b.store.Used(), p.PackedSize)
	}
	b.Close()
	if b.store.Used() != 0 {
		t.Errorf("%d bytes are still reserved", b.store.Used())
	}
}

// A player's limit holds for parts, and no more waits in the link than it needs to go on.
func TestUploadLimit(t *testing.T) {
	w := &virtual.World{}
	a, b := newMachine(ExchangeConfig{Rate: 200_000}), newMachine(ExchangeConfig{})
	connect(w, plain{5e6, 20 * ms}, a, b)
	p := mustPut(t, a.store, KindState, noise(1, 3_000_000))
	a.do(func() { a.Offer(manifestOf(0, p)) })
	b.do(func() { b.Fetch([]Part{p}) })
	var most int64
	w.Every(ms, func() { most = max(most, a.out.unsent) })
	w.Pass(10 * time.Second)
	if done := b.Fetching().Done; done > 2_050_000 || done < 1_900_000 {
		t.Errorf("%d bytes in 10 s with a limit of 200,000 a second", done)
	}
	if most > 2*MaxChunk {
		t.Errorf("%d bytes waited", most)
	}
}
