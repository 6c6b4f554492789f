package session

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/nettplay/nettplay/host"
	"github.com/nettplay/nettplay/internal/link"
)

// Who watches has a line to the game host alone. When that is gone, one of the other
// players is game host in a moment, or the line was just broken. So all places are asked
// where the room can be, until it is found; the game that was watched is played on from
// there, where it was left.

// chase is the search for a room.
type chase struct {
	words string // how it was lost
	until time.Time
	ctx   context.Context // ends with the search
	stop  context.CancelFunc
	calls []*call
}

// call is one place where the room can be.
type call struct {
	addr   string
	next   time.Time // when to ask there again
	asking bool
	peer   link.PeerID
	client *host.Client // nil: no line is open
}

// called is how the opening of a line ended.
type called struct {
	chase *chase
	call  *call
	peer  link.PeerID
	err   error
}

const (
	// chaseFor is how long a room is looked for: longer than players usually wait for a
	// broken line, or need to elect a game host.
	chaseFor = 75 * time.Second
	// callEvery is how often each place is asked.
	callEvery = time.Second
	// callFor is how long a place has to answer.
	callFor = 5 * time.Second
)

// lost looks for the room, whose line is gone, if we have been in it.
func (w *watcher) lost(words string) {
	switch {
	case w.over:
		return
	case w.room.Players == nil:
		w.roomOver(words)
		return
	}
	w.peer, w.asked = 0, false
	now := time.Now()
	w.chase = &chase{words: words, until: now.Add(cmp.Or(w.cfg.patience, chaseFor))}
	w.chase.ctx, w.chase.stop = context.WithCancel(w.ctx)
	for _, addr := range w.places() {
		w.chase.calls = append(w.chase.calls, &call{addr: addr, next: now})
	}
	if w.cut = w.live != nil; w.cut {
		w.live.End()
	}
	if w.player == nil {
		w.endGame()
	}
	w.notify(Message{Text: words + "; looking for where the room goes on"})
}

// places are where the room can be: where it was, and at the other players'.
func (w *watcher) places() []string {
	list := []string{w.cfg.Addr}
	for _, p := range w.room.Players {
		if p.Local > 0 || p.Machine == w.room.Host || !p.Present {
			continue
		}
		for _, addr := range numbered(w.cfg.Link, p.Addrs) {
			if !slices.Contains(list, addr) {
				list = append(list, addr)
			}
		}
	}
	return list
}

// search goes on with the search.
func (w *watcher) search(now time.Time) {
	c := w.chase
	if c == nil || w.over {
		return
	}
	if now.After(c.until) {
		w.endChase()
		w.roomOver(c.words + "; it was not found again")
		return
	}
	for _, o := range c.calls {
		switch {
		case o.client != nil:
			if w.hear(now, o); w.chase == nil {
				return
			}
		case !o.asking && !now.Before(o.next):
			w.call(o)
		}
	}
}

// call opens a line.
func (w *watcher) call(o *call) {
	c := w.chase
	o.asking = true
	w.jobs.Go(func() {
		ctx, cancel := context.WithTimeout(c.ctx, callFor)
		defer cancel()
		peer, err := w.cfg.Link.Dial(ctx, o.addr)
		select {
		case w.called <- called{c, o, peer, err}:
		case <-w.ctx.Done(): // the link is closed with it
		}
	})
}

// lineOpened asks on a line that is open whether the room is there.
func (w *watcher) lineOpened(now time.Time, d called) {
	d.call.asking = false
	switch {
	case d.err != nil:
		d.call.next = now.Add(callEvery)
		return
	case d.chase != w.chase:
		w.cfg.Link.Disconnect(d.peer, "not needed any more")
		return
	}
	client, err := w.newClient()
	if err != nil {
		w.fail(&Failure{Result: ResultLost, Err: err})
		return
	}
	d.call.peer, d.call.client = d.peer, client
	client.Connected(now, host.PeerID(d.peer))
}

// takes hands what comes on a line to who asked there; false: it is of another one.
func (c *chase) takes(now time.Time, e link.Event) bool {
	if c == nil {
		return false
	}
	for _, o := range c.calls {
		switch {
		case o.client == nil || o.peer != e.Peer:
			continue
		case e.Kind == link.Disconnected:
			o.client.Disconnected(now, host.PeerID(e.Peer), e.Reason.String())
		case e.Kind == link.Message && e.Channel == link.Control:
			o.client.Receive(now, host.PeerID(e.Peer), e.Data)
		}
		return true
	}
	return false
}

// hear takes what one says who was asked.
func (w *watcher) hear(now time.Time, o *call) {
	o.client.Tick(now)
	found, gone := false, false
	for _, event := range o.client.Events() {
		switch event.(type) {
		case host.Admitted:
			found = true
		case host.Refused, host.RoomClosed, host.RoomLost:
			gone = true
		}
	}
	w.flush(o.client)
	switch {
	case gone:
	case found && o.client.Room().Continues(w.room):
		w.found(o)
		return
	case found:
		o.client.Leave(now, "this is another room")
		w.flush(o.client)
	default:
		return
	}
	w.cfg.Link.Disconnect(o.peer, "this is not the room")
	o.client, o.peer, o.next = nil, 0, now.Add(callEvery)
	if found {
		o.next = w.chase.until // ours cannot be there, too
	}
}

// found goes on in the room.
func (w *watcher) found(o *call) {
	w.client, w.peer, w.cfg.Addr = o.client, o.peer, o.addr
	o.client = nil
	w.endChase()
	room := w.client.Room()
	words := "The room is there again."
	for _, p := range room.Players {
		if p.Machine == room.Host && p.Local == 0 && room.Host != w.room.Host {
			words = p.Nickname + " is the game host now, and you watch on."
		}
	}
	w.notify(Message{Text: words})
	w.roomChanged()
}

// endChase closes all lines but that of the room.
func (w *watcher) endChase() {
	c := w.chase
	w.chase = nil
	c.stop()
	for _, o := range c.calls {
		if o.client != nil {
			o.client.Leave(time.Now(), "")
			w.flush(o.client)
			w.cfg.Link.Disconnect(o.peer, "not needed any more")
		}
	}
}
