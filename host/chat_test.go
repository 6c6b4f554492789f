package host

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/membership"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
)

func TestChat(t *testing.T) {
	s := lobby(t, 2, nil)
	s.must(s.clients[0].Chat(s.now, "  hi\x1b[2J  there\u202e\n"))
	s.pump()
	line := event.ChatLine{Seat: 1, Name: "Bob", Text: "hi[2J there"}
	for who, events := range map[string][]event.Event{"host": s.seen, "Bob": s.clients[0].seen, "Carol": s.clients[1].seen} {
		if got := want[event.ChatLine](t, who, events); got != line {
			t.Errorf("%s reads %+v", who, got)
		}
	}
	s.must(s.host.Chat(s.now, strings.Repeat("ü", room.MaxChat)))
	s.pump()
	if got := want[event.ChatLine](t, "Carol", s.clients[1].seen); len(got.Text) > room.MaxChat || got.Name != "Ann" {
		t.Errorf("Carol reads %d bytes of %s", len(got.Text), got.Name)
	}
	before := count[event.ChatLine](s.clients[1].seen)
	s.must(s.clients[0].Chat(s.now, " \t\x00"))
	s.pump()
	if got := count[event.ChatLine](s.clients[1].seen); got != before {
		t.Error("an empty line was passed on")
	}
}

func TestChatIsLimited(t *testing.T) {
	s := lobby(t, 2, nil)
	s.wait(10 * time.Second)
	said := 0
	for range 20 {
		if err := s.clients[0].Chat(s.now, "spam"); err == nil {
			said++
		} else if !errors.Is(err, membership.ErrTooFast) {
			t.Fatal(err)
		}
	}
	if said != membership.ClientChat {
		t.Errorf("%d lines at once", said)
	}
	s.pump()
	s.wait(3 * time.Second)
	s.must(s.clients[0].Chat(s.now, "again"))

	for range membership.ClientChat {
		s.must(s.host.Chat(s.now, "hush"))
	}
	if err := s.host.Chat(s.now, "hush"); !errors.Is(err, membership.ErrTooFast) {
		t.Errorf("the game host may talk without end: %v", err)
	}
	s.pump()

	// A client without manners: the game host does not pass it all on.
	heard := count[event.ChatLine](s.clients[1].seen)
	msg, err := message.Encode(&message.Chat{Text: "spam"})
	s.must(err)
	for range 60 {
		s.host.Receive(s.now, s.clients[0].id, msg)
	}
	s.pump()
	if n := count[event.ChatLine](s.clients[1].seen) - heard; n > membership.HostChat+1 {
		t.Errorf("%d lines were passed on at once", n)
	}
	if !chatted(s.clients[0].seen, "too fast") {
		t.Error("the one who chats too fast is not told")
	}
	if s.clients[0].Phase() != room.PhaseLobby {
		t.Error("chatting too fast costs the seat")
	}
}

func TestFloodCostsTheLine(t *testing.T) {
	for name, msg := range map[string]message.Message{
		"status": &message.Status{Status: room.Status{Revision: 1}}, "game": &message.Game{}, "old hashes": &message.Hashes{Round: 1},
	} {
		t.Run(name, func(t *testing.T) {
			s := playing(t, 2, nil)
			s.abort("enough")
			s.pump()
			b, err := message.Encode(msg)
			s.must(err)
			for range 1000 {
				s.host.Receive(s.now, s.clients[0].id, b)
			}
			s.pump()
			c := want[event.RoomClosed](t, "Bob", s.clients[0].seen)
			says(t, "Bob", c.Words, "your computer broke the rules", "more than anyone has to say")
			says(t, "the game host", want[event.PlayerLeft](t, "the game host", s.seen).Words, "Bob was dropped", "more than anyone has to say")
			if c.Reason != message.ClosedDropped || s.clients[1].Phase() != room.PhaseLobby {
				t.Errorf("reason %d; Carol is in phase %v", c.Reason, s.clients[1].Phase())
			}
			s.alike()
		})
	}
}

// The message that is one too many may also be wrong.
func TestFloodEndsWithNonsense(t *testing.T) {
	s := lobby(t, 2, nil)
	nonsense, err := message.Encode(&message.Hashes{Round: 99})
	s.must(err)
	bob := s.clients[0]
	for s.host.peer(bob.id).flood.Admit(s.host.clock.At(s.now), 0) {
		// until not one more is admitted
	}
	s.host.Receive(s.now, bob.id, nonsense)
	s.pump()
	if n := count[event.PlayerLeft](s.seen); n != 1 || bob.linked {
		t.Errorf("Bob left %d times, linked %v", n, bob.linked)
	}
	s.alike()
}

func TestFloodOfBytes(t *testing.T) {
	s := lobby(t, 1, nil)
	b, err := message.Encode(&message.Status{Status: room.Status{Problem: strings.Repeat("x", room.MaxSentence), Missing: make([][32]byte, 16)}})
	s.must(err)
	sent := 0
	for s.clients[0].Phase() == room.PhaseLobby && sent < 4<<20 {
		for range 10 {
			s.host.Receive(s.now, s.clients[0].id, b)
			sent += len(b)
		}
		s.wait(500 * time.Millisecond) // 20 messages a second, which alone would be in order
	}
	if sent >= 4<<20 {
		t.Error("a peer may send without end")
	}
}

// The room hears of one peer's changes at most ten times a second.
func TestTogglingIsNotAmplified(t *testing.T) {
	s := lobby(t, 2, nil)
	carol := s.clients[1]
	before := len(carol.told)
	for i := range 100 {
		b, err := message.Encode(&message.Status{Status: room.Status{Revision: s.host.Room().Revision, Ready: i%2 == 0}})
		s.must(err)
		s.host.Receive(s.now, s.clients[0].id, b)
		s.now = s.now.Add(10 * time.Millisecond)
		s.pump()
	}
	rooms := 0
	for _, m := range carol.told[before:] {
		if _, room := m.(*message.Room); room {
			rooms++
		}
	}
	if rooms < 8 || rooms > 11 {
		t.Errorf("in a second the room was told %d times", rooms)
	}
}
