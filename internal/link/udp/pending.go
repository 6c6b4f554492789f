package udp

import (
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/link/stream"
)

// pending holds a session's events until the consumer takes them. The streams'
// windows bound its messages, maxPendingInputs its inputs.
type pending struct {
	connected bool // Connected is to be told
	messages  [stream.Count][]stream.Message
	inputs    [][]byte
	ended     *link.Event // nil for none
	turn      int
}

// input adds a received input and says whether an older one had to go.
func (p *pending) input(data []byte) (dropped bool) {
	if len(p.inputs) == stream.MaxPendingInputs {
		p.inputs = p.inputs[:copy(p.inputs, p.inputs[1:])]
		dropped = true
	}
	p.inputs = append(p.inputs, data)
	return dropped
}

// head is the event to come next, and the channel it is of. Connected comes
// first and Disconnected last; between, the channels take turns, so that no flood
// on one holds up another.
func (p *pending) head() (ev link.Event, ok bool) {
	if p.connected {
		return link.Event{Kind: link.Connected}, true
	}
	for i := range stream.Count + 1 {
		ch := link.Channel((p.turn + i) % (stream.Count + 1))
		switch {
		case ch == link.Input && len(p.inputs) > 0:
			p.turn = int(ch)
			return link.Event{Kind: link.Message, Channel: link.Input, Data: p.inputs[0]}, true
		case ch != link.Input && len(p.messages[ch]) > 0:
			p.turn = int(ch)
			return link.Event{Kind: link.Message, Channel: ch, Data: p.messages[ch][0].Data}, true
		}
	}
	if p.ended != nil {
		return *p.ended, true
	}
	return link.Event{}, false
}

// pop removes ev, which head gave, and returns its message if it was on a stream.
func (p *pending) pop(ev link.Event) (m stream.Message) {
	switch {
	case ev.Kind == link.Connected:
		p.connected = false
	case ev.Kind == link.Disconnected:
		p.ended = nil
	case ev.Channel == link.Input:
		p.inputs = popFront(p.inputs)
		p.turn++
	default:
		m = p.messages[ev.Channel][0]
		p.messages[ev.Channel] = popFront(p.messages[ev.Channel])
		p.turn++
	}
	return m
}

// popFront removes the first element and lets go of it.
func popFront[T any](s []T) []T {
	var zero T
	s[0] = zero
	if len(s) == 1 {
		return nil
	}
	return s[1:]
}
