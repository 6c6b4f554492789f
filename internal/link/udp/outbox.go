package udp

import (
	"bytes"
	"sync"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/link/stream"
)

// maxInputs is the limit of inputs that wait for their session's next turn. Of more the oldest are
// dropped: the newest input repeats what is not acknowledged.
const maxInputs = 64

// outbox is where callers of Send and Disconnect leave things for a session.
type outbox struct {
	mu      sync.Mutex
	inputs  [][]byte
	streams [stream.Count]stream.Out
	shut    bool   // no more sends: Disconnect was called, or the peer is gone
	leave   bool   // Disconnect was called
	why     string // with these words
	quick   bool   // and there is little time: the link is being closed

	replaced bool // the peer has begun another session, why is what to say of it
}

// put queues a copy of data.
func (o *outbox) put(ch link.Channel, data []byte) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.shut {
		return link.ErrUnknownPeer
	}
	if ch != link.Input {
		return o.streams[ch].Push(data)
	}
	if len(o.inputs) == maxInputs {
		o.inputs = o.inputs[:copy(o.inputs, o.inputs[1:])]
	}
	o.inputs = append(o.inputs, bytes.Clone(data))
	return nil
}

// end asks the session to say goodbye. Only the first words count, but haste
// always does.
func (o *outbox) end(why string, quick bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.quick = o.quick || quick
	if o.shut {
		return
	}
	o.shut, o.leave, o.why = true, true, link.Words(why, link.MaxReason)
}

// abandon asks the session to end without a goodbye.
func (o *outbox) abandon(why string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.shut, o.replaced, o.why = true, true, why
}

// close drops everything.
func (o *outbox) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.shut = true
	o.inputs = nil
	for i := range o.streams {
		o.streams[i] = stream.Out{}
	}
}

// empty reports whether all that was queued on the streams is confirmed.
func (o *outbox) empty() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.streams[link.Control].Empty() && o.streams[link.Bulk].Empty()
}

// unconfirmed reports whether something handed out on a stream is not confirmed.
func (o *outbox) unconfirmed(ch link.Channel) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.streams[ch].Unconfirmed()
}

func (o *outbox) isQuick() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.quick
}

// backlog returns the bytes that are not confirmed.
func (o *outbox) backlog() (control, bulk int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.streams[link.Control].Backlog(), o.streams[link.Bulk].Backlog()
}
