package conn

import (
	"slices"

	"github.com/nettplay/nettplay/internal/link"
)

// MaxPendingInputs is the limit of received inputs that wait for the consumer of events.
const MaxPendingInputs = 128

// events are those that the consumer has not taken. The streams' windows bound its messages.
type events struct {
	connected bool // Connected is to be told
	messages  [streams + 1][]message
	ended     *link.Event // nil for none
	turn      int
}

// input adds a received input, for which the oldest one goes where too many wait.
func (p *events) input(data []byte) {
	inputs := &p.messages[link.Input]
	if len(*inputs) == MaxPendingInputs {
		*inputs = slices.Delete(*inputs, 0, 1)
	}
	*inputs = append(*inputs, message{data: data})
}

func (p *events) len() (n int) {
	if p.connected {
		n++
	}
	if p.ended != nil {
		n++
	}
	for _, list := range p.messages {
		n += len(list)
	}
	return n
}

// pop takes the next event, and how many bytes of a stream it came in. Connected comes first and Disconnected last;
// between, the channels take turns, so that no flood on one holds up another.
func (p *events) pop() (ev link.Event, size uint64, ok bool) {
	if p.connected {
		p.connected = false
		return link.Event{Kind: link.Connected}, 0, true
	}
	for i := range p.messages {
		ch := (p.turn + i) % len(p.messages)
		list := &p.messages[ch]
		if len(*list) == 0 {
			continue
		}
		m := (*list)[0]
		(*list)[0] = message{} // its memory goes with it
		if *list = (*list)[1:]; len(*list) == 0 {
			*list = nil
		}
		p.turn = ch + 1
		return link.Event{Kind: link.Message, Channel: link.Channel(ch), Data: m.data}, m.size, true
	}
	if p.ended != nil {
		ev, p.ended = *p.ended, nil
		return ev, 0, true
	}
	return link.Event{}, 0, false
}
