package udp

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"net"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/seal"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// enemy is a relay that does to datagrams whatever it can.
type enemy struct {
	conn   *net.UDPConn
	rand   *rand.Rand
	others seal.Secret // of a room that it has invented
	kept   []kept
	done   map[string]int // how often it did what
	next   int            // of its deeds
	read   bool           // it has seen words that nobody may
}

// secretWords is in all that the friend says.
const secretWords = "nobody may read this"

// kept is a datagram that it has carried.
type kept struct {
	bytes []byte
	to    netip.AddrPort
}

const (
	heldBy  = 0xD2 // the relay's datagrams that it changes: package relay has the codec
	brought = 0xD5
)

// serve carries datagrams as a relay does, until its socket is closed.
func (e *enemy) serve() {
	s, began, b := relay.NewServer(relay.Limits{}), time.Now(), make([]byte, relay.MaxDatagram)
	for {
		n, from, err := e.conn.ReadFromUDPAddrPort(b)
		if err != nil {
			return
		}
		e.read = e.read || bytes.Contains(b[:n], []byte(secretWords))
		out, to := s.Receive(b[:n], netip.AddrPortFrom(from.Addr().Unmap(), from.Port()), time.Since(began))
		switch {
		case len(out) == 0:
		case out[0] == brought:
			e.kept = append(e.kept, kept{bytes.Clone(out), to})
			e.attack(bytes.Clone(out), to)
		case out[0] == heldBy: // "I see you" where nobody is
			copy(out[len(out)-18:], netip.MustParseAddr("::ffff:127.0.0.9").AsSlice())
			fallthrough
		default:
			e.send(out, to)
		}
	}
}

func (e *enemy) send(b []byte, to netip.AddrPort) { _, _ = e.conn.WriteToUDPAddrPort(b, to) }

// deeds are what it does to every third datagram, in turn.
var deeds = []string{"dropped", "held back", "doubled", "changed", "cut", "mixed", "replayed", "sent back", "invited"}

// attack does one of its deeds to a datagram on its way.
func (e *enemy) attack(b []byte, to netip.AddrPort) {
	old := e.kept[e.rand.IntN(len(e.kept))]
	body := b[relay.HeaderSize:]
	did := "carried"
	if e.rand.IntN(3) == 0 {
		did = deeds[e.next%len(deeds)]
		e.next++
	}
	e.done[did]++
	switch did {
	case "dropped":
		return
	case "held back":
		time.AfterFunc(time.Duration(e.rand.IntN(80))*time.Millisecond, func() { e.send(b, to) })
		return
	case "doubled":
		e.send(b, to)
	case "changed":
		body[e.rand.IntN(len(body))] ^= byte(1 << e.rand.IntN(8))
	case "cut":
		b = b[:relay.HeaderSize+1+e.rand.IntN(len(body))]
	case "mixed": // the end of one in another
		n := min(len(body), len(old.bytes)-relay.HeaderSize) / 2
		copy(body[len(body)-n:], old.bytes[len(old.bytes)-n:])
	case "replayed":
		e.send(old.bytes, old.to)
	case "sent back": // in the name of the receiver, to the sender of another one
		e.send(b, old.to)
	case "invited": // it knows mailboxes, and would come in
		l := &room{greeter: seal.NewGreeter(e.others)}
		e.send(append(slices.Clone(b[:relay.HeaderSize]), l.tagged(greeting{kind: kindKnock, version: wireVersion, nonce: e.rand.Uint64()})...), to)
	}
	e.send(b, to)
}

// TestRelayOfAnEnemy: it can delay and drop, and nothing else. The players' words arrive whole,
// once, in order and unread, nobody else comes into the room, and a whole session that it has kept lets
// nobody in later.
func TestRelayOfAnEnemy(t *testing.T) {
	t.Parallel()
	conn, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	must.Succeed(t, err)
	e := &enemy{conn: conn, rand: rand.New(rand.NewPCG(7, 7)), others: seal.NewSecret(), done: map[string]int{}}
	over := make(chan struct{})
	go func() { defer close(over); e.serve() }()
	end := func() { _ = conn.Close(); <-over }
	t.Cleanup(end)
	secret := seal.NewSecret()
	host, friend := listenIn(t, secret), listenIn(t, secret)
	box := secret.Mailbox(host.Key())
	host.SetMailbox(box, []string{conn.LocalAddr().String()})
	target := link.Target(host.Key(), relay.Place(conn.LocalAddr().String(), box))
	tries := 0
	dial := func() link.PeerID {
		for ; ; tries++ { // it may drop too much
			p, err := friend.Dial(t.Context(), target)
			if err == nil {
				return p
			}
			if tries == 5 {
				t.Fatal(err)
			}
		}
	}
	p := dial()
	const most = 400
	heard := uint32(0)
	for said := uint32(0); heard < most; {
		if said < most && said < heard+50 {
			said++
			must.Succeed(t, friend.Send(p, link.Control, binary.BigEndian.AppendUint32([]byte(secretWords), said)))
		}
		select {
		case ev := <-host.Events():
			switch {
			case ev.Key != friend.Key():
				t.Fatalf("somebody else is in the room: %+v", ev)
			case ev.Kind == link.Message:
				if heard++; string(ev.Data) != string(binary.BigEndian.AppendUint32([]byte(secretWords), heard)) {
					t.Fatalf("%x comes as the %dth", ev.Data, heard)
				}
			case ev.Kind == link.Disconnected && heard > 0:
				t.Fatalf("the friend is gone: %v", ev.Reason)
			}
		case ev := <-friend.Events():
			if ev.Kind != link.Disconnected || ev.Peer != p {
				continue
			}
			if tries++; heard > 0 || tries > 5 {
				t.Fatalf("the game host is gone after %d words: %v", heard, ev.Reason)
			}
			p, said = dial(), 0
		case <-time.After(time.Millisecond):
		}
	}
	friend.Disconnect(p, "over")
	for ev := range host.Events() {
		if ev.Kind == link.Disconnected {
			break
		}
	}
	end()
	for _, k := range e.kept { // all of it again, to the host itself
		host.route(packetOf(k.bytes[relay.HeaderSize:]), k.to, time.Now())
	}
	select {
	case ev := <-host.Events():
		t.Errorf("a session that was kept is taken: %+v", ev)
	case <-time.After(100 * time.Millisecond):
	}
	if e.read {
		t.Error("it has read what was said")
	}
	for _, deed := range deeds {
		if e.done[deed] == 0 {
			t.Errorf("nothing was %s of %d datagrams: the test shows little", deed, len(e.kept))
		}
	}
}

func packetOf(b []byte) *packet {
	p := new(packet)
	p.n = copy(p.buf[:], b)
	return p
}
