package relay

import (
	"net/netip"
	"testing"
	"time"
)

// sixMachines are a game host and five players, all of whom are relayed.
func sixMachines(w *world) (list []netip.AddrPort) {
	for i := range 6 {
		at := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 3, 0, byte(i)}), 1)
		w.join(Mailbox{6, byte(i)}, at)
		list = append(list, at)
	}
	w.pass(time.Second)
	return list
}

// TestARoomOfSixIsCarried: with the inputs of all, each in a datagram of its own, beside a state on its way to a
// late joiner, the bounds that hold without a setting drop nothing.
func TestARoomOfSixIsCarried(t *testing.T) {
	w := newWorld(t, Limits{})
	six := sixMachines(w)
	const stateBytes, chunk = 1 << 20, 1200 // of a state a second
	state := string(make([]byte, chunk))
	for range 60 * 3 {
		for i := 1; i < 6; i++ {
			w.send(six[i], Mailbox{6, 0}.At(1), string(make([]byte, 100)))
			for range 6 {
				w.send(six[0], Mailbox{6, byte(i)}.At(1), string(make([]byte, 100)))
			}
		}
		for range stateBytes / chunk / 60 {
			w.send(six[0], Mailbox{6, 5}.At(1), state)
		}
		w.now += time.Second / 60
	}
	if f := w.server.Figures(); f.Refused+f.Crowded > 0 {
		t.Errorf("%d and %d are dropped of %d", f.Refused, f.Crowded, f.Carried)
	}
}

// TestAPairHasARate: in bytes and in datagrams; what one machine sends to others is not held up by it, nor is what
// comes back.
func TestAPairHasARate(t *testing.T) {
	for name, x := range map[string]struct {
		limits Limits
		size   int
		most   int
	}{
		"bytes":     {Limits{PairRate: 20_000}, 1000 - HeaderSize, 20},
		"datagrams": {Limits{PairDatagrams: 50}, 10, 50},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, x.limits)
			six := sixMachines(w)
			came := func(from int, to byte) (n int) {
				for range 200 {
					if got, _ := w.send(six[from], Mailbox{6, to}.At(1), string(make([]byte, x.size))); got != "" {
						n++
					}
				}
				return n
			}
			if n := came(1, 0); n != x.most {
				t.Errorf("%d of 200 come at once, not %d", n, x.most)
			}
			if f := w.server.Figures(); f.Crowded != int64(200-x.most) || f.Refused != 0 {
				t.Errorf("%+v", f)
			}
			if there, back := came(1, 2), came(0, 1); there != x.most || back != x.most {
				t.Errorf("%d come elsewhere and %d back, not %d", there, back, x.most)
			}
			if w.now += time.Second; came(1, 0) != x.most {
				t.Error("a second later it has no other rate")
			}
		})
	}
}

// TestSmallDatagramsCostTheirRate: whoever sends empty ones sends no more of them than of middling ones.
func TestSmallDatagramsCostTheirRate(t *testing.T) {
	w := newWorld(t, Limits{Rate: 100 * leastCost})
	w.join(kidBox, kidAddr)
	w.pass(10 * time.Second)
	answered := 0
	for range 1000 {
		if out, _ := w.server.Receive(message{kind: kindPost, mailbox: hostBox, body: []byte{1}}.append(nil), kidAddr, w.now); out != nil {
			answered++
		}
	}
	if answered > 100 || answered < 90 {
		t.Errorf("%d are answered", answered)
	}
}

// TestPairsAreBounded: a machine that sends to ever more others has no more pairs than a room has machines, until some
// of them are silent.
func TestPairsAreBounded(t *testing.T) {
	w := newWorld(t, Limits{PerHost: 200})
	w.join(kidBox, kidAddr)
	for i := range 2 * maxPeers {
		w.join(Mailbox{7, byte(i)}, netip.AddrPortFrom(hostAddr.Addr(), uint16(100+i)))
	}
	w.pass(time.Second)
	carried := func() (n int) {
		for i := range 2 * maxPeers {
			if got, _ := w.send(kidAddr, Mailbox{7, byte(i)}.At(1), "hello"); got != "" {
				n++
			}
		}
		return n
	}
	if n := carried(); n != maxPeers || len(w.server.boxes[kidBox].peers) != maxPeers {
		t.Errorf("%d others are sent to at once, %d are kept", n, len(w.server.boxes[kidBox].peers))
	}
	if w.now += time.Second; carried() != maxPeers || len(w.server.boxes[kidBox].peers) != maxPeers {
		t.Errorf("afterwards %d are kept", len(w.server.boxes[kidBox].peers))
	}
}
