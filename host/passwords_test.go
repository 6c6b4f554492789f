package host

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/client"
	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/membership"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/must"
)

func TestPasswordLetsIn(t *testing.T) {
	s := newSim(t, func(c *Config) { c.Password, c.Iterations = "swordfish", 0 })
	s.join(func(c *client.Config) { c.Password, c.Iterations = "swordfish", 0 })
	s.alike()
	key, err := membership.PasswordKey("swordfish", [16]byte{1}, membership.Iterations)
	s.must(err)
	if want := "3fbe23"; hex.EncodeToString(key[:3]) != want {
		t.Errorf("the key begins with %x, want %s: older programs make another", key[:3], want)
	}
}

// A password that a room does not ask for keeps nobody out: the player is told, and is in.
func TestUnaskedPassword(t *testing.T) {
	s := newSim(t, watched(1))
	given := func(c *client.Config) { c.Password = "catfish" }
	for _, c := range []*simClient{s.join(given), s.watch(given)} {
		if c.Phase() != room.PhaseLobby {
			t.Fatalf("not let in: %v", c.seen)
		}
		told := func(e event.Event) bool {
			l, ok := e.(event.ChatLine)
			return ok && strings.Contains(l.Text, "no password")
		}
		if !slices.ContainsFunc(c.seen, told) {
			t.Errorf("the player is not told: %v", c.seen)
		}
	}
	s.alike()
}

// Players behind one router may all join, if they know the password.
func TestRightPasswordsAreNotCounted(t *testing.T) {
	s := newSim(t, func(c *Config) { c.Password = "swordfish" })
	for range 8 {
		c := s.connect(func(c *client.Config) { c.Password = "swordfish" })
		s.host.Disconnected(s.now, c.id, "")
		s.host.Connected(s.now, c.id, "10.6.6.6:7000")
		s.pump()
		if c.Phase() != room.PhaseLobby {
			t.Fatalf("not let in: %v", c.seen)
		}
	}
}

// The proofs are what their description says; made by another implementation.
func TestProofVectors(t *testing.T) {
	key := make([]byte, 32)
	for i := range key {
		key[i] = byte(i)
	}
	sent := membership.Transcript([]byte("hello"), []byte("challenge"), append([]byte("join"), make([]byte, membership.ProofSize)...), membership.ProofSize)
	for label, want := range map[string]string{
		membership.LabelClient: "b92091bf37853fededdccc41e90a163106f4b48cfa8f0ee4982f2698cb160ba6",
		membership.LabelHost:   "9cc3e96059c1d0de2b4b30a1800bdedf818dd7e666c42d592a3813a914901b2c",
	} {
		if got := membership.Proof(key, label, sent); hex.EncodeToString(got[:]) != want {
			t.Errorf("%s: %x, want %s", label, got, want)
		}
	}
}

// The password goes over the connection in no form that a second try could use.
func TestPasswordIsNotSentAndProofsAreFresh(t *testing.T) {
	s := newSim(t, func(c *Config) { c.Password = "swordfish" })
	proofs := map[[32]byte]bool{}
	for range 2 {
		c := s.connect(func(c *client.Config) { c.Password, c.Nickname, c.Firmware = "swordfish", "Bob", testFirmware(9) })
		s.host.Receive(s.now, c.id, c.Outgoing()[0].Data)
		for _, o := range s.host.Outgoing() {
			c.deliver(o)
		}
		for _, o := range c.Outgoing() {
			if strings.Contains(string(o.Data), "swordfish") {
				t.Fatal("the password was sent")
			}
			m, err := message.Decode(o.Data)
			must.Succeed(t, err)
			if join, ok := m.(*message.Join); ok {
				proofs[join.Proof] = true
			}
		}
		c.vanish()
	}
	if len(proofs) != 2 || proofs[[32]byte{}] {
		t.Errorf("two joins gave the proofs %v", proofs)
	}
}

// A join that was overheard is of no use to someone else.
func TestReplayedJoinIsRefused(t *testing.T) {
	s := newSim(t, func(c *Config) { c.Password = "swordfish" })
	c := s.connect(func(c *client.Config) { c.Password = "swordfish" })
	hello := c.Outgoing()[0].Data
	s.host.Receive(s.now, c.id, hello)
	for _, o := range s.host.Outgoing() {
		c.deliver(o)
	}
	join := c.Outgoing()[0].Data
	c.vanish()

	s.host.Connected(s.now, 99, "")
	s.host.Receive(s.now, 99, hello)
	s.host.Receive(s.now, 99, join)
	if f := want[event.JoinFailed](t, "the game host", s.host.Events()); f.Code != room.CodePassword || len(s.host.Roster()) != 1 {
		t.Errorf("a repeated join was answered with %+v", f)
	}
}

// A room that only pretends to know the password does not get the player.
func TestFalseRoomIsFoundOut(t *testing.T) {
	s := newSim(t, func(c *Config) { c.Password = "swordfish" })
	c := s.connect(func(c *client.Config) { c.Password = "catfish" })
	hello := c.Outgoing()[0].Data
	s.host.Receive(s.now, c.id, hello)
	for _, o := range s.host.Outgoing() {
		c.deliver(o)
	}
	b, err := message.Encode(&message.Welcome{Machine: 1, Seat: 1, Proof: [32]byte{1}, Room: s.host.Room()})
	s.must(err)
	c.Receive(s.now, c.id, b)
	r := want[event.Refused](t, "the client", c.Events())
	says(t, "the client", r.Error(), "without knowing it", "check the address")
	if r.Code != room.CodePassword || c.Phase() != room.PhaseClosed {
		t.Errorf("code %d in phase %v", r.Code, c.Phase())
	}
}

// Passwords are tried slowly, those of one address, or of a relay, one after the other: so
// somebody who has the right one comes in although another behind it does not stop guessing.
func TestGuessingPasswordsIsSlow(t *testing.T) {
	for name, addr := range map[string]func(n int) string{
		"address": func(n int) string { return fmt.Sprintf("10.0.0.1:%d", n) }, "relay": mailbox,
	} {
		t.Run(name, func(t *testing.T) { guessPasswords(t, addr) })
	}
}

func guessPasswords(t *testing.T, addr func(n int) string) {
	s := newSim(t, func(c *Config) { c.Password = "swordfish" })
	try := func(id ds.PeerID, addr string) {
		s.host.Connected(s.now, id, addr)
		hello, _ := message.Encode(&message.Hello{Speaker: room.Speaker{Protocol: message.Protocol, Program: "1.0"}, Nonce: [32]byte{byte(id)}})
		s.host.Receive(s.now, id, hello)
		join, _ := message.Encode(&message.Join{Nickname: "Mallory", Core: testCore, Firmware: testFirmware(50)})
		s.host.Receive(s.now, id, join)
		s.pump()
	}
	guesses := 0
	guess := func() { // as fast as the door lets in, which is few at a time
		for ; len(s.host.peers) < 7 && guesses < 1000; guesses++ {
			try(ds.PeerID(1000+guesses), addr(1000+guesses))
		}
	}
	guess()
	if n := count[event.JoinFailed](s.seen); n != 5 {
		t.Errorf("%d guesses are answered at once, want 5", n)
	}
	try(500, "10.7.7.7:1")
	if f := want[event.JoinFailed](t, "the game host", s.seen); f.Addr != "10.7.7.7" || f.Code != room.CodePassword {
		t.Errorf("another address is answered %+v", f)
	}
	bob := s.connectFrom(addr(0), func(c *client.Config) { c.Password = "swordfish" })
	s.pump()
	for range 100 {
		s.wait(100 * time.Millisecond)
		guess()
	}
	if bob.Phase() != room.PhaseLobby {
		t.Errorf("Bob is not in the room: %+v", bob.seen)
	}
	before := count[event.JoinFailed](s.seen)
	for range 100 {
		s.wait(100 * time.Millisecond)
		guess()
	}
	if n := count[event.JoinFailed](s.seen) - before; n < 9 || n > 11 {
		t.Errorf("%d guesses in 10 s", n)
	}
}
