package udp

import (
	"slices"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/link/stream"
)

// pending holds a session's events until the consumer takes them. The streams'
// windows bound its messages, maxPendingInputs its inputs.
type pending struct {
	connected bool                               // Connected is to be told
	messages  [stream.Count + 1][]stream.Message // by channel; an input has no segments
	ended     *link.Event                        // nil for none
	turn      int
}

// input adds a received input and says whether an older one had to go.
func (p *pending) input(data []byte) (dropped bool) {
	inputs := &p.messages[link.Input]
	if dropped = len(*inputs) == stream.MaxPendingInputs; dropped {
		*inputs = slices.Delete(*inputs, 0, 1)
	}
	*inputs = append(*inputs, stream.Message{Data: data})
	return dropped
}

// head is the event to come next, and the channel it is of. Connected comes
// first and Disconnected last; between, the channels take turns, so that no flood
// on one holds up another.
func (p *pending) head() (ev link.Event, ok bool) {
	if p.connected {
		return link.Event{Kind: link.Connected}, true
	}
	for i := range p.messages {
		ch := (p.turn + i) % len(p.messages)
		if list := p.messages[ch]; len(list) > 0 {
			p.turn = ch
			return link.Event{Kind: link.Message, Channel: link.Channel(ch), Data: list[0].Data}, true
		}
	}
	if p.ended != nil {
		return *p.ended, true
	}
	return link.Event{}, false
}

// pop removes ev, which head gave, and returns its message if it has one.
func (p *pending) pop(ev link.Event) (m stream.Message) {
	switch ev.Kind {
	case link.Connected:
		p.connected = false
	case link.Disconnected:
		p.ended = nil
	default:
		list := &p.messages[ev.Channel]
		m, (*list)[0] = (*list)[0], stream.Message{} // its memory goes with it
		if *list = (*list)[1:]; len(*list) == 0 {
			*list = nil
		}
		p.turn++
	}
	return m
}
