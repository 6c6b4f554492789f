package host

import (
	"fmt"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/wire"
)

// Programs of different protocols tell each other so, and who has to update,
// whatever else of their messages has changed.
func TestOtherProtocols(t *testing.T) {
	raw := func(protocol uint16, program string, rest string) []byte {
		c := wire.Writer([]byte{byte(message.KindOf(new(message.Hello)))})
		c.Fixed("magic", []byte("nett"))
		(&room.Speaker{Protocol: protocol, Program: program}).Fields(c)
		return append(c.Bytes(), rest...)
	}
	for _, tt := range []struct {
		protocol uint16
		host     string
		client   string
	}{
		{message.Protocol + 1, "the game host must update to nettplay 9.9", "the game host must update to nettplay 9.9"},
		{message.Protocol + 300, "must update", "must update"},
	} {
		s := newSim(t, nil)
		s.host.Connected(s.now, 1, "10.0.0.1:1")
		s.host.Receive(s.now, 1, raw(tt.protocol, "9.9", "and whatever comes in times to come"))
		f := want[event.JoinFailed](t, "the game host", s.host.Events())
		says(t, "the game host", f.Words, fmt.Sprintf("protocol %d (nettplay 1.0)", message.Protocol), fmt.Sprintf("protocol %d", tt.protocol), tt.host)
		m, err := message.Decode(s.host.Outgoing()[0].Data)
		s.must(err)
		r := m.(*message.Refused)
		says(t, "the client", r.Error(), "your nettplay 9.9", tt.client)
		if r.Code != room.CodeProtocol {
			t.Errorf("code %d", r.Code)
		}
	}
	s := newSim(t, nil)
	s.host.Connected(s.now, 1, "10.0.0.1:1")
	s.host.Receive(s.now, 1, raw(4, "8.8", string(make([]byte, 32)))) // the build before this protocol
	f := want[event.JoinFailed](t, "the game host", s.host.Events())
	says(t, "the game host", f.Words, fmt.Sprintf("protocol %d (nettplay 1.0)", message.Protocol), "protocol 4", "must update to nettplay 1.0")
	m, err := message.Decode(s.host.Outgoing()[0].Data)
	s.must(err)
	says(t, "a client of the build before", m.(*message.Refused).Error(), "your nettplay 8.8 speaks protocol 4", "you must update to nettplay 1.0")

	c := s.connect(nil)
	w := wire.Writer([]byte{byte(message.KindOf(new(message.Challenge)))}) // a room of that build
	(&room.Speaker{Protocol: 4, Program: "8.8"}).Fields(w)
	w.Text("room name", new(string), room.MaxName)
	c.Receive(s.now, c.id, append(w.Bytes(), make([]byte, 49)...))
	refused := want[event.Refused](t, "the client", c.Events())
	says(t, "the client", refused.Error(), "the room speaks protocol 4 (nettplay 8.8)", "the game host must update")

	older := room.ProtocolRefusal(room.Speaker{Protocol: 3, Program: "3.1"}, room.Speaker{Protocol: 1, Program: "1.0"}, "")
	says(t, "an older client", older.Error(), "protocol 3 (nettplay 3.1)", "your nettplay 1.0 speaks protocol 1", "you must update to nettplay 3.1")
}

// A client of ours understands the refusal of a room of another version.
func TestRefusalByAnotherProtocol(t *testing.T) {
	s := newSim(t, nil)
	c := s.connect(nil)
	w := wire.Writer([]byte{byte(message.KindOf(new(message.Refused)))})
	w.Fixed("magic", []byte("nett"))
	(&room.Speaker{Protocol: message.Protocol + 1, Program: "9.0"}).Fields(w)
	b := append(w.Bytes(), byte(room.CodeProtocol), 4, 'S', 'a', 'i', 'd', 4, 'D', 'o', 'i', 't')
	c.Receive(s.now, c.id, append(b, "news of that version"...))
	if r := want[event.Refused](t, "the client", c.Events()); r.Sentence != "Said" || r.Hint != "Doit" || r.Code != room.CodeProtocol {
		t.Errorf("the client understood %+v", r)
	}
}

func TestNotNettplayAtAll(t *testing.T) {
	for _, msg := range []string{"", "\x00", "GET / HTTP/1.1\r\n\r\n", "\x01GET /", "\xff\xff"} {
		s := newSim(t, nil)
		s.host.Connected(s.now, 1, "10.0.0.1:1")
		s.host.Receive(s.now, 1, []byte(msg))
		f := want[event.JoinFailed](t, "the game host", s.host.Events())
		says(t, "the game host", f.Words, "someone at 10.0.0.1", "makes no sense")
		out := s.host.Outgoing()
		if f.Code != room.CodeMalformed || len(out) != 2 || out[1].CloseWhy == "" {
			t.Errorf("%q: code %d, answer %v", msg, f.Code, out)
		}

		c := s.connect(nil)
		c.Receive(s.now, c.id, []byte(msg))
		says(t, "the client", want[event.RoomLost](t, "the client", c.Events()).Words, "the game host's computer broke the rules")
	}
}

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
