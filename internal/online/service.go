package online

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"fmt"
	"net/netip"
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/nettplay/nettplay/internal/invite"
	"github.com/nettplay/nettplay/internal/link/udp"
	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/seal"
)

// Config holds the beginning of a service.
type Config struct {
	Relays []string // "host:port"
	Own    []string // those that the player's settings name; a room's game host may have told of the others
	Bind   string   // address to send from, "" for any
	// Here is where this machine itself speaks to a relay, as for [udp.Config]; nil: at its address.
	Here   func(netip.AddrPort) netip.AddrPort
	Browse bool // look for open rooms
	// Key is the installation's, and Friends are those who are let know of this machine and
	// looked for; without either nobody is.
	Key     seal.Private
	Friends []KnownKey
	// Have reports whether this machine has a game, by its SHA-256, or may have it, by its title; nil: it has all. It must
	// not wait for long.
	Have func(rom [32]byte, title string) bool
	// HasCore tells so of a build of a core.
	HasCore func(build [32]byte) bool
	// Tell is told what is known, at most twice a second and when it is another view than
	// before, on the goroutine of Run; nil for nobody.
	Tell func(View)
}

// Service is the machine's part in what relays publish. Run owns it; its other methods may be called
// on any goroutine.
type Service struct {
	cfg    Config
	index  *relay.Client
	known  map[string]*Room // by key and body: what relays tell of is read once; nil for what is no room
	met    []*friend
	signer ed25519.PrivateKey
	key    relay.Locator // of our room
	listed bool          // there is one
	lists  []string      // relays that have listed it

	mu      sync.Mutex // guards what follows
	listing *relay.Listing
	word    Word
	news    chan struct{} // has one when they changed
}

const (
	viewEvery = 500 * time.Millisecond
	goodbye   = 700 * time.Millisecond // for relays to withdraw what we publish, at the end
)

// New makes a service.
func New(cfg Config) (*Service, error) {
	if len(cfg.Relays) == 0 {
		return nil, errors.New("open rooms and friends are found through a relay, and the settings name none")
	}
	public, signer, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	s := &Service{cfg: cfg, signer: signer, key: relay.RoomKey(public), news: make(chan struct{}, 1), word: Word{State: There}}
	for _, f := range cfg.Friends[:min(len(cfg.Friends), relay.MaxFriends)] {
		to, err := cfg.Key.DropTo(f.Key)
		from, wrong := cfg.Key.DropFrom(f.Key)
		if err == nil && wrong == nil && f.Key != cfg.Key.Public() {
			s.met = append(s.met, &friend{KnownKey: f, to: to, from: from})
		}
	}
	return s, nil
}

// List publishes this machine's open room, or what changed of it; nil withdraws it. Texts are
// cleaned and cut.
func (s *Service) List(l *relay.Listing) { s.change(func() { s.listing = l }) }

// Say lets friends know something else.
func (s *Service) Say(w Word) { s.change(func() { s.word = w }) }

func (s *Service) change(do func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	do()
	select {
	case s.news <- struct{}{}:
	default:
	}
}

// Run serves until ctx ends, withdraws what is published, and fails if there is no network.
func (s *Service) Run(ctx context.Context) error {
	key, err := seal.NewKey()
	if err != nil {
		return err
	}
	// Nobody knows the secret, so nobody connects.
	l, err := udp.Listen(udp.Config{Bind: s.cfg.Bind, Relays: s.cfg.Own, Here: s.cfg.Here, Key: key, Room: seal.NewSecret()})
	if err != nil {
		return fmt.Errorf("look for others: %w", err)
	}
	defer l.Close()
	s.index = l.FindRelays(s.cfg.Relays...)
	s.index.Browse(s.cfg.Browse)
	s.seek()
	s.change(func() {}) // what friends are told at first is news, too
	s.serve(ctx)
	s.leave()
	return nil
}

// serve publishes and tells, both at most twice a second.
func (s *Service) serve(ctx context.Context) {
	tick := time.NewTicker(viewEvery)
	defer tick.Stop()
	var told View
	var published relay.Listing
	var said Word
	for number := uint64(time.Now().UnixMilli()); ; number++ {
		select {
		case <-s.news:
			s.mu.Lock()
			listing, word := s.listing, s.word
			s.mu.Unlock()
			switch s.listed = listing != nil; {
			case listing == nil:
				s.index.Drop(relay.KindRoom, s.key)
				published = relay.Listing{}
			case !reflect.DeepEqual(*listing, published) || s.moreList():
				published = *listing
				s.publish(published, number)
			}
			if !reflect.DeepEqual(word, said) {
				said = word
				s.say(word, number)
			}
		default:
			if s.listed && s.moreList() {
				s.publish(published, number)
			}
		}
		if v := s.view(); s.cfg.Tell != nil && !reflect.DeepEqual(v, told) {
			told = v
			s.cfg.Tell(v)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// step is the precision of the told distance to a relay: each change is published.
const step = 10 * time.Millisecond

func (s *Service) publish(l relay.Listing, number uint64) {
	var nearest time.Duration
	for _, k := range s.index.Catalogs() {
		if k.RTT > 0 && (nearest == 0 || k.RTT < nearest) {
			nearest = k.RTT
		}
	}
	l.Away = int(nearest.Round(step).Milliseconds())
	lists := s.lists
	s.index.Put(relay.KindRoom, s.key, func(by string, o relay.Owner) []byte {
		l := l
		l.Invitation = listedAt(l.Invitation, by, lists)
		return l.Sign(s.signer, o, number)
	})
}

// moreList notes the relays that list our room, and reports whether there are more than before.
func (s *Service) moreList() (more bool) {
	for _, k := range s.index.Catalogs() {
		if k.Kept && !slices.Contains(s.lists, k.Name) {
			s.lists, more = append(slices.Clone(s.lists), k.Name), true
		}
	}
	return more
}

// listedAt is an invitation as one relay lists it: of its relays it names those that list the room, or this one. Strangers are not
// told of a relay that a friend runs at home.
func listedAt(invitation []byte, by string, lists []string) []byte {
	v, err := invite.Read(invitation)
	if err != nil || len(v.Relays) == 0 {
		return invitation
	}
	v.Relays = slices.DeleteFunc(v.Relays, func(name string) bool { return name != by && !slices.Contains(lists, name) })
	if len(v.Relays) == 0 { // by is another one of a service
		v.Relays = []string{by}
	}
	return v.Bytes()
}

// leave has the relays withdraw all, and waits a moment for it.
func (s *Service) leave() {
	s.index.Browse(false)
	s.index.Seek(nil)
	s.index.Drop(relay.KindRoom, s.key)
	for _, f := range s.met {
		s.index.Drop(relay.KindFriend, f.to.Place)
	}
	for end := time.Now().Add(goodbye); time.Now().Before(end); time.Sleep(goodbye / 50) {
		if !slices.ContainsFunc(s.index.Catalogs(), func(k relay.Catalog) bool { return k.Held && !k.Kept }) {
			return
		}
	}
}
