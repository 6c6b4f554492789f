package host

import (
	"strings"
	"testing"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/phrase"
)

// The sender of a message on which nobody acts would be expelled: so the game host or a client
// acts on each.
func TestEveryMessageHasARow(t *testing.T) {
	for _, b := range samples(t) {
		k := message.Kind(b[0])
		if _, ok := registry[k]; ok {
			continue
		}
		s := newSim(t, nil)
		c := s.join(nil)
		c.Receive(s.now, c.id, b)
		if lost, _ := last[event.RoomLost](c.Events()); strings.Contains(lost.Words, "to say") {
			t.Errorf("nobody acts on %v: %s", k, lost.Words)
		}
	}
	if _, ok := registry[0]; ok {
		t.Error("a message has a row and no number")
	}
}

func TestNamesOfThings(t *testing.T) {
	for got, want := range map[string]string{
		room.PhaseLobby.String():                          "lobby",
		room.Phase(99).String():                           "phase 99",
		timeline.Leave.String():                           "leave",
		timeline.Kind(99).String():                        "decision of kind 99",
		message.KindOf(new(message.StartFailed)).String(): "start failed",
		message.Kind(0).String():                          "message of kind 0",
		testCore.String():                                 "DeSmuME 0.9.11 (build c0de0000)",
		testROM.String():                                  "Kart (aabbccdd)",
		room.ROMID{}.String():                             "an unnamed game (00000000)",
		phrase.List(nil):                                  "",
		phrase.List([]string{"a"}):                        "a",
		phrase.List([]string{"a", "b", "c"}):              "a, b and c",
		room.Refusal{Sentence: "a"}.Error():               "a",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
