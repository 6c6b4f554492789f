package session

import (
	"testing"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/internal/link"
)

// flooded is a link on which messages never end.
type flooded struct{ link.Link }

func (flooded) Events() <-chan link.Event {
	always := make(chan link.Event, 1)
	always <- link.Event{Kind: link.Message, Peer: 99, Channel: link.Input}
	return always
}

// still is a room in which nothing happens.
type still struct{ member }

func (still) Events() []event.Event { return nil }

// Messages without end hold up neither the consoles' outcomes, nor finished jobs, nor the
// player.
func TestAFloodHoldsUpNothing(t *testing.T) {
	s := bare(still{})
	s.cfg.Link, s.peer = flooded{}, 1
	called, wanted := false, false
	s.calls <- func() { called = true }
	s.commands.add(func() { wanted = true })
	if !s.drain() || !called {
		t.Error("a job that is done waits for the end of the messages")
	}
	if s.attend(nil); !wanted {
		t.Error("the player waits for the end of the messages")
	}
}
