package udp

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/link"
)

// A room with all the machines it can have.
func TestManyPeers(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		const clients = 15
		var wg sync.WaitGroup
		t.Cleanup(wg.Wait) // after their links are closed, so that a failure ends them
		host := w.listen(t, "host")
		addr := w.address("host")
		for i := range clients {
			client := w.listen(t, fmt.Sprint("client", i))
			wg.Go(func() {
				p, err := client.Dial(t.Context(), addr)
				if err != nil {
					t.Error(err)
					return
				}
				for n := range 20 {
					if err := sendPatiently(client, p, link.Control, []byte{byte(i), byte(n)}); err != nil {
						t.Error(err)
					}
				}
				for ev := range client.Events() {
					if ev.Kind == link.Message && string(ev.Data) == "enough" {
						return
					}
				}
			})
		}
		got := map[link.PeerID]byte{}
		who := map[link.PeerID]byte{}
		for left := clients * 20; left > 0; {
			ev := next(t, host)
			if ev.Kind != link.Message {
				host.Vouch(ev.Peer)
				continue
			}
			if first, ok := who[ev.Peer]; ok && first != ev.Data[0] || ev.Data[1] != got[ev.Peer] {
				t.Fatalf("%d from %d, after %d from %d", ev.Data[1], ev.Data[0], got[ev.Peer], first)
			}
			who[ev.Peer] = ev.Data[0]
			got[ev.Peer]++
			left--
		}
		for p := range who {
			send(t, host, p, link.Control, "enough")
		}
	})
}

func TestStats(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		host, client, toClient, toHost := pair(t, w)
		go func() {
			for range client.Events() {
			}
		}()
		for range 100 {
			_ = host.Send(toClient, link.Input, make([]byte, 100))
			time.Sleep(20 * time.Millisecond)
		}
		for _, x := range []struct {
			l link.Link
			p link.PeerID
		}{{host, toClient}, {client, toHost}} {
			s, ok := x.l.Stats(x.p)
			if !ok || s.RTT < 0 || s.SentDatagrams == 0 || s.ReceivedDatagrams == 0 || s.Sent == 0 || s.Received == 0 {
				t.Fatalf("%+v, %v", s, ok)
			}
			if s.Silent > 2*time.Second || s.ControlBacklog != 0 || s.BulkBacklog != 0 {
				t.Fatalf("%+v", s)
			}
		}
		if _, ok := host.Stats(1 << 60); ok {
			t.Fatal("stats of nobody")
		}
		if err := host.Send(1<<60, link.Control, nil); !errors.Is(err, link.ErrUnknownPeer) {
			t.Fatalf("send to nobody: %v", err)
		}
	})
}

// The figures of a bad line are near what the line is.
func TestStatsOfBadLine(t *testing.T) {
	t.Parallel()
	for _, w := range worlds {
		if !w.bad {
			continue
		}
		t.Run(w.name, func(t *testing.T) {
			w.run(t, func(t *testing.T, w world) {
				host, client, toClient, toHost := pair(t, w)
				go func() {
					for range client.Events() {
					}
				}()
				for range 300 {
					_ = host.Send(toClient, link.Input, make([]byte, 100))
					time.Sleep(20 * time.Millisecond)
				}
				s, _ := host.Stats(toClient)
				// 2 x 40 +- 20 ms, 5 % loss hidden in part by 2 % copies
				if s.MinRTT < 40*time.Millisecond || s.RTT < 50*time.Millisecond || s.Jitter == 0 || s.Loss < 0.005 || s.Loss > 0.2 {
					t.Fatalf("%+v", s)
				}
				if c, _ := client.Stats(toHost); c.LossIn < 0.005 || c.LossIn > 0.2 {
					t.Fatalf("%+v", c)
				}
			})
		})
	}
}
