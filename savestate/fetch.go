package savestate

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"slices"
	"sync"
)

// download is a part that is being fetched.
type download struct {
	tag       uint32
	part      Part
	got       []byte    // packed bytes, from the start
	sum       hash.Hash // of got
	verifying bool      // in the background; no more bytes are to come
	stale     bool      // fetched in a round that is over, and not yet again
}

func (d *download) left() int64 { return d.part.PackedSize - int64(len(d.got)) }

// results are those of background verifications.
type results struct {
	mu   sync.Mutex
	done []result
}

type result struct {
	d   *download
	err error
}

func (r *results) add(d *download, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.done = append(r.done, result{d, err})
}

func (r *results) drain() []result {
	r.mu.Lock()
	defer r.mu.Unlock()
	done := r.done
	r.done = nil
	return done
}

// Fetch gets parts from the peer that the store lacks, one after the other. Each
// ends in a PartDone or PartFailed event; for those the store holds, at once.
// A part that is being fetched already is not fetched twice.
func (x *Exchange) Fetch(parts []Part) {
	if len(x.fetches) == 0 {
		x.fetched = Progress{}
	}
	for _, p := range parts {
		i := slices.IndexFunc(x.fetches, func(d *download) bool { return d.part == p })
		if i < 0 {
			x.fetch(p)
			continue
		}
		x.fetches[i].stale = false
	}
}

func (x *Exchange) fetch(p Part) {
	if x.store.Has(p) {
		x.fetched.add(p.PackedSize, p.PackedSize)
		x.tell(PartDone{p})
		return
	}
	if err := x.admit(p); err != nil {
		x.tell(PartFailed{Part: p, Err: err})
		return
	}
	d := &download{part: p, sum: sha256.New()}
	x.fetches = append(x.fetches, d)
	x.want(d)
}

// admit takes room in the store for a part, or says why it is not to be fetched.
func (x *Exchange) admit(p Part) error {
	if err := p.check(); err != nil {
		return err
	}
	if len(x.fetches) >= maxFetches {
		return fmt.Errorf("fetch %s: more than %d parts at a time", p, maxFetches)
	}
	return x.store.reserve(p)
}

// want asks for what is missing of a part.
func (x *Exchange) want(d *download) {
	x.tag++
	d.tag = x.tag
	x.say(kindWant, &want{tag: d.tag, part: d.part, offset: int64(len(d.got))})
}

// Cancel stops fetching these parts, or all for nil, without events. It
// forgets the bytes that have come, except of parts that are whole.
func (x *Exchange) Cancel(parts []Part) {
	x.stop(func(d *download) bool { return parts == nil || slices.Contains(parts, d.part) })
}

// stop ends what is fetched in vain, but for parts that are whole, and returns it.
func (x *Exchange) stop(vain func(*download) bool) (stopped []*download) {
	for _, d := range slices.Clone(x.fetches) {
		if !d.verifying && vain(d) {
			x.say(kindStop, &stop{d.tag})
			x.drop(d)
			stopped = append(stopped, d)
		}
	}
	return stopped
}

// Close ends all fetching, so that the store does not keep room for parts that
// will not come. The exchange is of no use afterwards.
func (x *Exchange) Close() { x.Cancel(nil) }

// drop forgets a part that will not be fetched any more.
func (x *Exchange) drop(d *download) {
	x.remove(d)
	x.store.release(d.part.PackedSize)
}

func (x *Exchange) remove(d *download) {
	x.fetches = slices.DeleteFunc(x.fetches, func(v *download) bool { return v == d })
}

func (x *Exchange) handleChunk(c *chunk) error {
	d := x.findDownload(c.tag)
	if d == nil {
		return usedTag(c.tag, x.tag)
	}
	switch have := int64(len(d.got)); {
	case c.offset+int64(len(c.bytes)) <= have:
		return nil // again
	case c.offset != have:
		return fmt.Errorf("offset: %d, expected %d", c.offset, have)
	case int64(len(c.bytes)) > d.left():
		return fmt.Errorf("bytes: %d of them, %d are left", len(c.bytes), d.left())
	}
	d.add(c.bytes)
	x.moved += int64(len(c.bytes))
	if d.left() == 0 {
		x.complete(d)
	}
	return nil
}

// add adds bytes. The first call allocates the space for all of them.
func (d *download) add(b []byte) {
	if d.got == nil {
		d.got = make([]byte, 0, d.part.PackedSize)
	}
	d.got = append(d.got, b...)
	d.sum.Write(b)
}

// complete starts the verification of a part whose bytes have all arrived.
func (x *Exchange) complete(d *download) {
	if [32]byte(d.sum.Sum(nil)) != d.part.PackedSHA256 {
		x.drop(d)
		x.failed(d, fmt.Errorf("fetch %s: %w", d.part, ErrForged))
		return
	}
	d.verifying = true
	packed := d.got
	job := func() { x.results.add(d, x.store.add(d.part, packed, d.part.PackedSize)) }
	if x.config.Background != nil {
		x.config.Background(job)
		return
	}
	job()
	x.collect()
}

// collect takes in what verifications found.
func (x *Exchange) collect() {
	for _, r := range x.results.drain() {
		x.remove(r.d)
		if r.err != nil {
			x.failed(r.d, r.err)
			continue
		}
		x.done(r.d)
		x.settleServing()
	}
}

// done reports that a part is in the store.
func (x *Exchange) done(d *download) {
	x.fetched.add(d.part.PackedSize, d.part.PackedSize)
	if !d.stale {
		x.tell(PartDone{d.part})
	}
}

// failed reports that a part will not arrive.
func (x *Exchange) failed(d *download, err error) {
	if d.stale {
		return
	}
	x.tell(PartFailed{
		Part: d.part, Err: err,
		Garbage: !errors.Is(err, ErrNotOffered) && !errors.Is(err, ErrStoreFull),
	})
}

func (x *Exchange) handleRefuse(m *refuse) error {
	if m.why > refusedWithdrawn {
		return fmt.Errorf("why: %d is not known", m.why)
	}
	d := x.findDownload(m.tag)
	if d == nil {
		return usedTag(m.tag, x.tag)
	}
	if d.verifying {
		return errors.New("tag: all of its chunks have arrived")
	}
	x.drop(d)
	x.failed(d, fmt.Errorf("fetch %s: %w", d.part, ErrNotOffered))
	return nil
}

func (x *Exchange) findDownload(tag uint32) *download {
	for _, d := range x.fetches {
		if d.tag == tag {
			return d
		}
	}
	return nil
}

// settleFetching ends what the store has got some other way.
func (x *Exchange) settleFetching() {
	for _, d := range x.stop(func(d *download) bool { return x.store.Has(d.part) }) {
		x.done(d)
	}
}

// Fetching tells how much has come of the parts to fetch, since there last were none.
func (x *Exchange) Fetching() Progress {
	p := x.fetched
	for _, d := range x.fetches {
		p.add(int64(len(d.got)), d.part.PackedSize)
	}
	return p
}

// resetFetching asks on a new connection for what is missing.
func (x *Exchange) resetFetching() {
	x.tag = 0
	for _, d := range x.fetches {
		d.tag = 0
		if !d.verifying {
			x.want(d)
		}
	}
}
