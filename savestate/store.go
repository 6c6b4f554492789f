package savestate

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"sync"
)

// ErrForged says that bytes do not have the promised hash.
var ErrForged = errors.New("the bytes are not those that were promised")

// ErrStoreFull says that a part does not fit into a Store.
var ErrStoreFull = errors.New("no space left for parts of consoles")

// DefaultStoreLimit holds sixteen states of a size that does not shrink, or
// hundreds of usual ones, packed.
const DefaultStoreLimit = 512 << 20

// A Store keeps parts of consoles in memory, packed, and knows them by their
// hashes. All methods may be called from any goroutine.
type Store struct {
	packer packer

	mu       sync.Mutex
	limit    int64
	used     int64                 // packed bytes held
	reserved int64                 // promised to parts that are on their way
	packed   map[[32]byte]*blob    // by the hash of the packed bytes
	raw      map[[32]byte]*blob    // by the hash of the raw bytes; one of them, if packed in several ways
	expected map[[32]byte]expected // by the hash of the raw bytes; see expect.go
}

// expected is a part as it is, not packed, that others may describe in a moment.
type expected struct {
	kind Kind
	raw  []byte
}

// blob is a part whose hashes were verified. It is immutable.
type blob struct {
	part   Part
	packed []byte
}

// NewStore returns an empty Store for at most limit bytes of packed parts, those
// on their way included. 0 is [DefaultStoreLimit].
func NewStore(limit int64) *Store {
	if limit <= 0 {
		limit = DefaultStoreLimit
	}
	return &Store{limit: limit, packed: make(map[[32]byte]*blob), raw: make(map[[32]byte]*blob), expected: make(map[[32]byte]expected)}
}

// Put packs raw, keeps that, and returns how to name it. It takes some tens of
// milliseconds for a state, a few hundred for 20 MB that do not shrink. raw is not
// kept. Errors: no such kind, no bytes or too many, [ErrStoreFull].
func (s *Store) Put(kind Kind, raw []byte) (Part, error) {
	if n := int64(len(raw)); n < 1 || n > kind.limit() {
		return Part{}, fmt.Errorf("keep a %s: %d bytes, not in 1 to %d", kind, n, kind.limit())
	}
	p := Part{Kind: kind, Size: int64(len(raw)), SHA256: sha256.Sum256(raw)}
	packed, err := s.packer.pack(raw)
	if err != nil {
		return Part{}, fmt.Errorf("pack %s: %w", p, err)
	}
	p.PackedSize, p.PackedSHA256 = int64(len(packed)), sha256.Sum256(packed)
	return p, s.keep(p, slices.Clip(packed), 0)
}

// add keeps the packed bytes of a part, whose packed hash was verified. It verifies the raw
// bytes, and returns a reservation, in any case. The store owns packed from then on. Errors:
// [ErrForged] or what else is wrong with the bytes, [ErrStoreFull].
func (s *Store) add(p Part, packed []byte, reserved int64) error {
	if err := s.verify(p, packed); err != nil {
		s.release(reserved)
		return err
	}
	return s.keep(p, packed, reserved)
}

// verify makes sure that packed bytes contain what they should.
func (s *Store) verify(p Part, packed []byte) error {
	if err := p.check(); err != nil {
		return fmt.Errorf("keep a part: %w", err)
	}
	raw, err := s.packer.unpack(p, packed)
	if err != nil {
		return err
	}
	if sha256.Sum256(raw) != p.SHA256 {
		return fmt.Errorf("keep %s: %w", p, ErrForged)
	}
	return nil
}

func (s *Store) keep(p Part, packed []byte, reserved int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reserved -= reserved
	if s.packed[p.PackedSHA256] != nil {
		return nil
	}
	if p.PackedSize > s.limit-s.used-s.reserved {
		return fmt.Errorf("keep %s: %w", p, ErrStoreFull)
	}
	s.used += p.PackedSize
	b := &blob{p, packed}
	s.packed[p.PackedSHA256] = b
	s.raw[p.SHA256] = b
	return nil
}

// Get unpacks the part whose raw bytes have this hash, and returns them; false
// when the store does not hold it. All it holds was verified when it came. The
// bytes are the caller's. It takes some ten milliseconds for a state.
func (s *Store) Get(sha [32]byte) ([]byte, bool) {
	s.mu.Lock()
	b, e := s.raw[sha], s.expected[sha]
	s.mu.Unlock()
	if b == nil {
		return slices.Clone(e.raw), e.raw != nil
	}
	raw, err := s.packer.unpack(b.part, b.packed)
	return raw, err == nil
}

// Has reports whether the store holds a part, packed in just this way, or as it is, by
// [Store.Expect]. The kind does not count.
func (s *Store) Has(p Part) bool { return s.find(p) != nil || s.expects(p) }

// find returns the packed bytes of a part, nil if they are not there.
func (s *Store) find(p Part) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.packed[p.PackedSHA256]
	if b == nil {
		return nil
	}
	if p.Kind = b.part.Kind; p != b.part {
		return nil
	}
	return b.packed
}

// Retain forgets all parts but these. An [Exchange] goes on sending its parts.
func (s *Store) Retain(parts []Part) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.retainExpected(parts)
	s.used = 0
	for _, e := range s.expected {
		s.used += int64(len(e.raw))
	}
	clear(s.raw)
	for sha, b := range s.packed {
		if !slices.ContainsFunc(parts, func(p Part) bool { return p.PackedSHA256 == sha }) {
			delete(s.packed, sha)
			continue
		}
		s.used += b.part.PackedSize
		s.raw[b.part.SHA256] = b
	}
}

// reserve reserves room for a part that is being fetched.
func (s *Store) reserve(p Part) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p.PackedSize > s.limit-s.used-s.reserved {
		return fmt.Errorf("fetch %s: %w", p, ErrStoreFull)
	}
	s.reserved += p.PackedSize
	return nil
}

func (s *Store) release(n int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reserved -= n
}

// expects reports whether a part is here, not packed. The store is not locked.
func (s *Store) expects(p Part) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	raw := s.expected[p.SHA256].raw
	return raw != nil && int64(len(raw)) == p.Size
}

// retainExpected forgets all that is expected but some parts. The store is locked.
func (s *Store) retainExpected(parts []Part) {
	for sum, e := range s.expected {
		if !slices.ContainsFunc(parts, func(p Part) bool { return p.SHA256 == sum }) {
			delete(s.expected, sum)
			s.used -= int64(len(e.raw))
		}
	}
}
