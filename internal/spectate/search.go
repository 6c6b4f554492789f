package spectate

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/client"
	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/link"
)

// A spectator has a connection to the game host alone. When that is gone, another player
// is game host in a moment, or the connection just broke. So a Search asks at all places
// where the room can be, until it is found.

const (
	// searchFor is the length of a search for a room: longer than players usually wait for a broken
	// connection, or need to elect a game host.
	searchFor = 75 * time.Second
	// askEvery is the time between two questions at each place.
	askEvery = time.Second
	// answerFor is the time that a place has to answer.
	answerFor = 5 * time.Second
)

// search looks for the room of a spectator. It belongs to the spectator's goroutine.
type search struct {
	of     *Spectator
	room   room.Room // as it was last
	words  string    // how it was lost
	until  time.Time
	ctx    context.Context // ends with the search
	stop   context.CancelFunc
	dialed chan dialed
	places []*place
}

// place is an address at which the room can be.
type place struct {
	addr    string    // "" for where its relays say that the room is
	next    time.Time // when to ask there again
	dialing bool
	peer    link.PeerID
	client  *client.Client // nil: no connection is open
}

// dialed is the result of opening a connection.
type dialed struct {
	place *place
	peer  link.PeerID
	err   error
}

// newSearch looks for the room of a spectator until a time. Words say how it was lost.
func newSearch(c *Spectator, until time.Time, words string) *search {
	s := &search{of: c, room: c.room, words: words, until: until, dialed: make(chan dialed)}
	s.ctx, s.stop = context.WithCancel(c.ctx)
	for _, addr := range c.addresses() {
		s.places = append(s.places, &place{addr: addr})
	}
	if c.cfg.Moved != nil {
		s.places = append(s.places, &place{})
	}
	return s
}

// addresses are where the room can be: where it was, and at the other players'.
func (c *Spectator) addresses() []string {
	list := []string{c.cfg.Addr}
	for _, p := range c.room.Players {
		if p.Local > 0 || p.Machine == c.room.Host || !p.Present {
			continue
		}
		for _, addr := range link.Numeric(c.cfg.Link, p.Addrs) {
			if !slices.Contains(list, addr) {
				list = append(list, addr)
			}
		}
	}
	return list
}

// results is where the results of a search's dialling come from; each is for
// [search.opened]. Nil, which blocks, without a search.
func (s *search) results() <-chan dialed {
	if s == nil {
		return nil
	}
	return s.dialed
}

// work goes on with the search. It returns the place where the room was found, if any;
// late tells that the time is over.
func (s *search) work(now time.Time) (found *place, late bool) {
	if now.After(s.until) {
		return nil, true
	}
	for _, p := range s.places {
		switch {
		case p.client != nil:
			if s.hear(now, p) {
				return p, false
			}
		case !p.dialing && !now.Before(p.next):
			s.dial(p)
		}
	}
	return nil, false
}

// dial opens a connection.
func (s *search) dial(p *place) {
	p.dialing = true
	s.of.dials.Go(func() {
		ctx, cancel := context.WithTimeout(s.ctx, answerFor)
		defer cancel()
		addr, err := p.addr, error(nil)
		if addr == "" {
			if found, is := s.of.cfg.Moved(ctx); is {
				addr = found
			} else {
				err = errors.New("its relays do not know where the room is")
			}
		}
		var peer link.PeerID
		if err == nil {
			peer, err = s.of.cfg.Link.Dial(ctx, addr)
		}
		select {
		case s.dialed <- dialed{p, peer, err}:
		case <-s.ctx.Done():
			if err == nil {
				s.of.cfg.Link.Disconnect(peer, "not needed any more")
			}
		}
	})
}

// opened asks on a connection that is open whether the room is there.
func (s *search) opened(now time.Time, d dialed) error {
	d.place.dialing = false
	if d.err != nil {
		d.place.next = now.Add(askEvery)
		return nil
	}
	client, err := s.of.cfg.Join()
	if err != nil {
		return err
	}
	d.place.peer, d.place.client = d.peer, client
	client.Connected(now, d.peer)
	return nil
}

// takes hands an event of the link to the client that it is for; false: it is not for the
// search.
func (s *search) takes(now time.Time, e link.Event) bool {
	if s == nil {
		return false
	}
	for _, p := range s.places {
		switch {
		case p.client == nil || p.peer != e.Peer:
			continue
		case e.Kind == link.Disconnected:
			p.client.Disconnected(now, e.Peer, e.Reason.String())
		case e.Kind == link.Message && e.Channel == link.Control:
			p.client.Receive(now, e.Peer, e.Data)
		}
		return true
	}
	return false
}

// hear takes what is said at a place, and tells whether the room is there.
func (s *search) hear(now time.Time, p *place) bool {
	p.client.Tick(now)
	admitted, gone := false, false
	for _, told := range p.client.Events() {
		switch told.(type) {
		case event.Admitted:
			admitted = true
		case event.Refused, event.RoomClosed, event.RoomLost:
			gone = true
		}
	}
	flush(s.of.cfg.Link, p.client)
	switch {
	case gone:
	case admitted && p.client.Room().Continues(s.room):
		return true
	case admitted:
		p.client.Leave(now, "this is another room")
		flush(s.of.cfg.Link, p.client)
	default:
		return false
	}
	s.of.cfg.Link.Disconnect(p.peer, "this is not the room")
	p.client, p.peer, p.next = nil, 0, now.Add(askEvery)
	if admitted {
		p.next = s.until // ours cannot be there, too
	}
	return false
}

// close ends the search and closes its connections, but for that of the place where the
// room is, if any. Nothing of it is left but dialling that is just being given up.
func (s *search) close(now time.Time, found *place) {
	s.stop()
	for _, p := range s.places {
		if p.client != nil && p != found {
			p.client.Leave(now, "")
			flush(s.of.cfg.Link, p.client)
			s.of.cfg.Link.Disconnect(p.peer, "not needed any more")
		}
	}
}

// flush sends what a client has to say.
func flush(l link.Link, c *client.Client) {
	for _, o := range c.Outgoing() {
		if o.Data != nil {
			_ = l.Send(o.Peer, link.Control, o.Data)
		}
		if o.CloseWhy != "" {
			l.Disconnect(o.Peer, o.CloseWhy)
		}
	}
}
