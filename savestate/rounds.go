package savestate

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"

	"github.com/nettplay/nettplay/internal/ds"
)

// Offer tells the peer of a manifest, and lets it fetch the parts. It takes the
// place of the one offered before for the same seat. The store need not hold the
// parts yet; see [Exchange.Available]. An invalid manifest is an error.
func (x *Exchange) Offer(m Manifest) error {
	if err := m.Validate(); err != nil {
		return fmt.Errorf("offer: %w", err)
	}
	x.offers[m.Seat] = m
	x.reoffer()
	x.settleServing() // what the peer waits for since an earlier round may be here by now
	x.say(kindManifest, &offer{x.round, m})
	return nil
}

// reoffer draws up what may be fetched, and refuses what waits for anything else.
func (x *Exchange) reoffer() {
	clear(x.parts)
	for _, offers := range []map[ds.Seat]Manifest{x.offers, x.lastOffers, x.trials} {
		for _, m := range offers {
			for _, p := range m.Parts {
				x.parts[p] = true
			}
		}
	}
	maps.DeleteFunc(x.high, func(p Part, _ int64) bool { return !x.parts[p] })
	x.refuseWithdrawn()
}

// Round begins a round, for which everything is offered anew. Numbers rise; the
// first round is 0 and need not be begun. Both machines call it for the same
// rounds, each when it hears of one, in whatever order with the messages of the
// other:
//
//   - What the peer offers for a round to come is told when that begins, and what
//     comes late, for one that is over, is not told.
//   - What the peer fetches of our offers of the round before is still sent.
//   - What we were fetching goes on, without events unless it is fetched again in
//     the new round, until the peer offers something else for that seat.
//
// So nothing is sent twice because a round was begun again. To keep what has come
// whole, have the store retain the parts of the round before.
func (x *Exchange) Round(round uint32) {
	if round <= x.round {
		return
	}
	x.round = round
	x.lastOffers, x.offers = x.offers, make(map[ds.Seat]Manifest)
	x.reoffer()
	maps.Copy(x.lastOffered, x.offered)
	clear(x.offered)
	x.events = nil
	for _, d := range x.fetches {
		d.stale = true
	}
	for seat := range ds.Seats {
		if o, ok := x.early[seat]; ok && o.round <= round {
			delete(x.early, seat)
			x.hearOffer(o)
		}
	}
}

func (x *Exchange) handleManifest(o *offer) error {
	if len(x.events) >= maxHeard {
		return errors.New("too many at a time")
	}
	x.hearOffer(*o)
	return nil
}

// hearOffer tells of what the peer offers in this round, and keeps what is for a
// later one.
func (x *Exchange) hearOffer(o offer) {
	seat := o.manifest.Seat
	switch {
	case o.round > x.round:
		x.early[seat] = o
		return
	case o.round < x.round:
		return
	}
	old, again := x.offered[seat]
	if again && string(old.Append(nil)) == string(o.manifest.Append(nil)) {
		return
	}
	x.offered[seat] = o.manifest
	delete(x.lastOffered, seat)
	x.dropStale()
	x.tell(ManifestReceived{o.manifest})
}

// dropStale ends what was fetched for rounds before and will not be fetched again.
func (x *Exchange) dropStale() {
	x.stop(func(d *download) bool { return d.stale && !named(d.part, x.offered) && !named(d.part, x.lastOffered) })
}

// Expect keeps raw as it is, for the case that somebody else describes the same: then it
// need not be fetched. It takes no longer than the hash, but cannot be handed on, and the
// memory that it has; [Store.PackExpected] ends that. The store owns raw from then on. Errors:
// as for [Store.Put].
func (s *Store) Expect(kind Kind, raw []byte) error {
	n := int64(len(raw))
	if n < 1 || n > kind.limit() {
		return fmt.Errorf("expect a %s: %d bytes, not in 1 to %d", kind, n, kind.limit())
	}
	sum := sha256.Sum256(raw)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.raw[sum] != nil || s.expected[sum].raw != nil {
		return nil
	}
	if n > s.limit-s.used-s.reserved {
		return fmt.Errorf("expect a %s of %d bytes: %w", kind, n, ErrStoreFull)
	}
	s.used += n
	s.expected[sum] = expected{kind, raw}
	return nil
}

// PackExpected forgets of what is expected by now all but parts, and returns what packs those,
// on any goroutine; it takes as long as [Store.Put] for each of them.
func (s *Store) PackExpected(parts []Part) (pack func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.retainExpected(parts)
	list := maps.Clone(s.expected)
	return func() {
		for sum, e := range list {
			_, _ = s.Put(e.kind, e.raw) // else it is fetched again when it is needed
			s.mu.Lock()
			if _, there := s.expected[sum]; there {
				delete(s.expected, sum)
				s.used -= int64(len(e.raw))
			}
			s.mu.Unlock()
		}
	}
}

// Trial states are states that builds of a core have made, for other builds to try: see
// internal/corecheck. They belong to no round and no seat; a manifest's seat is the number of the machine
// with that build. Each machine has one at most.

// TrialReceived tells that the peer offers such a state. Whether the peer may speak for that machine is
// for the owner of the exchange to know.
type TrialReceived struct{ Manifest Manifest }

func (TrialReceived) event() {}

// OfferTrial tells the peer of a state, and lets it fetch the parts. It takes the place of the one
// of the same machine before; the same one again does nothing. An invalid manifest is an error.
func (x *Exchange) OfferTrial(m Manifest) error {
	if err := m.Validate(); err != nil {
		return fmt.Errorf("offer a trial state: %w", err)
	}
	if old, there := x.trials[m.Seat]; there && string(old.Append(nil)) == string(m.Append(nil)) {
		return nil
	}
	if x.trials == nil {
		x.trials = make(map[ds.Seat]Manifest)
	}
	x.trials[m.Seat] = m
	x.reoffer()
	x.settleServing()
	x.say(kindTrial, &trial{m})
	return nil
}

func (x *Exchange) handleTrial(s *trial) error {
	if len(x.events) >= maxHeard {
		return errors.New("too many at a time")
	}
	x.tell(TrialReceived{s.manifest})
	return nil
}
