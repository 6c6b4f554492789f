package session

import (
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/link"
)

// All wait until the furthest machine has heard; who has left delays nobody.
func TestStagger(t *testing.T) {
	const ms = time.Millisecond
	players := []room.Player{
		{Machine: 0, Present: true},
		{Machine: 1, Present: true, Beat: room.Beat{Ping: 40 * ms}},
		{Machine: 2, Present: true, Beat: room.Beat{Ping: 200 * ms}},
		{Machine: 3, Beat: room.Beat{Ping: 900 * ms}},
	}
	for _, c := range []struct {
		me   int
		own  time.Duration
		want time.Duration
	}{
		{0, 0, 100 * ms},
		{1, 40 * ms, 80 * ms},
		{1, 60 * ms, 70 * ms}, // its own line knows better
		{2, 200 * ms, 0},
		{2, 300 * ms, 0},
	} {
		if got := stagger(players, c.me, c.own); got != c.want {
			t.Errorf("machine %d with a round trip of %v waits %v, want %v", c.me, c.own, got, c.want)
		}
	}
	if got := stagger(nil, 0, 0); got != 0 {
		t.Errorf("alone: %v", got)
	}
}

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

// A machine is as slow as its frames since the last look were, and a game that begins tells nothing
// of the one before.
func TestSlowness(t *testing.T) {
	s := slowness{all: 1000, late: 900}
	if s.measure(new(game.Durations)); s != (slowness{}) {
		t.Errorf("%+v of no frames", s)
	}
	s = slowness{share: 0.5}
	if s.measure(new(game.Durations)); s.share != 0 {
		t.Errorf("%+v while nothing runs", s)
	}
}
