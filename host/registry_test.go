package host

import (
	"testing"

	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
)

// The sender of a message without a row in registry would be expelled: so each message has
// a row, and each row says who acts on it.
func TestEveryMessageHasARow(t *testing.T) {
	for k, e := range registry {
		if k == 0 {
			t.Errorf("%v has a row and no number", e.typ)
		}
		acts := e.fromHost != nil || e.fromPeer != nil
		for _, take := range e.fromClient {
			acts = acts || take != nil
		}
		if !acts {
			t.Errorf("nobody acts on %v", k)
		}
	}
	if len(registry) != message.Kinds() {
		t.Errorf("%d types of messages, %d rows", message.Kinds(), len(registry))
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
		room.ListWords(nil):                               "",
		room.ListWords([]string{"a"}):                     "a",
		room.ListWords([]string{"a", "b", "c"}):           "a, b and c",
		room.Refusal{Sentence: "a"}.Error():               "a",
		room.Megabytes(20_000_000):                        "20.0 MB",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
