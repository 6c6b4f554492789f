package udp

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/link/conn"
	"github.com/nettplay/nettplay/internal/testing/memnet"
)

// reliable is the number of reliable channels.
const reliable = 2

func TestMessagesOfAllSizesArriveWhole(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		host, client, toClient, toHost := pair(t, w)
		for _, ch := range []link.Channel{link.Control, link.Bulk} {
			for _, n := range []int{0, 1, conn.MaxDatagram - 1, conn.MaxDatagram, conn.MaxDatagram + 1, 10_000, link.MaxMessage(ch)} {
				data := pattern(uint64(n), n)
				send(t, client, toHost, ch, data)
				wantMessage(t, host, ch, data)
				send(t, host, toClient, ch, data)
				wantMessage(t, client, ch, data)
			}
			if err := client.Send(toHost, ch, make([]byte, link.MaxMessage(ch)+1)); !errors.Is(err, link.ErrTooLarge) {
				t.Fatalf("too large on %s: %v", ch, err)
			}
		}
		if err := client.Send(toHost, link.Input, make([]byte, link.MaxInput+1)); !errors.Is(err, link.ErrTooLarge) {
			t.Fatalf("too large an input: %v", err)
		}
		if err := client.Send(toHost, link.Input+1, nil); !errors.Is(err, link.ErrBadChannel) {
			t.Fatalf("a channel that is not: %v", err)
		}
	})
}

func pattern(seed uint64, n int) string {
	var key [32]byte
	binary.BigEndian.PutUint64(key[:], seed)
	b := make([]byte, n)
	_, _ = rand.NewChaCha8(key).Read(b)
	return string(b)
}

// Both reliable channels, both directions, all at once, with the sender going on
// to write into what it sent.
func TestReliableChannelsKeepOrder(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		host, client, toClient, toHost := pair(t, w)
		const messages = 400
		var wg sync.WaitGroup
		defer wg.Wait()
		talk := func(l link.Link, p link.PeerID, seed uint64) {
			for ch := range link.Channel(reliable) {
				wg.Go(func() {
					r := rand.New(rand.NewPCG(seed, uint64(ch)))
					for i := range uint32(messages) {
						data := binary.BigEndian.AppendUint32(nil, i)
						data = append(data, pattern(seed, r.IntN(3*conn.MaxDatagram))...)
						data = append(data, sum(data)...)
						if err := sendPatiently(l, p, ch, data); err != nil {
							t.Error(err)
							return
						}
						clear(data)
					}
				})
			}
		}
		check := func(l link.Link) {
			var seen [reliable]uint32
			for seen != [reliable]uint32{messages, messages} {
				ev := want(t, l, link.Message)
				body, digest := ev.Data[:len(ev.Data)-32], ev.Data[len(ev.Data)-32:]
				if !bytes.Equal(digest, sum(body)) {
					t.Fatal("a message was damaged")
				}
				if n := binary.BigEndian.Uint32(body); n != seen[ev.Channel] {
					t.Fatalf("message %d on %s, want %d", n, ev.Channel, seen[ev.Channel])
				}
				seen[ev.Channel]++
			}
		}
		talk(host, toClient, 1)
		talk(client, toHost, 2)
		done := make(chan struct{})
		go func() { defer close(done); check(host) }()
		check(client)
		<-done
	})
}

func sum(b []byte) []byte {
	h := sha256.Sum256(b)
	return h[:]
}

// Inputs arrive at most once and unchanged; on a good line nearly all do.
func TestInputsArriveOnceOrNever(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		host, client, _, toHost := pair(t, w)
		const inputs = 200
		go func() {
			for i := range inputs {
				_ = client.Send(toHost, link.Input, []byte(pattern(uint64(i), link.MaxInput-i)))
				time.Sleep(4 * time.Millisecond)
			}
			_ = client.Send(toHost, link.Control, []byte("end"))
		}()
		seen := map[int]bool{}
		for ended := false; !ended; {
			ev := want(t, host, link.Message)
			if ended = ev.Channel == link.Control; ended {
				break
			}
			n := link.MaxInput - len(ev.Data)
			if seen[n] || string(ev.Data) != pattern(uint64(n), len(ev.Data)) {
				t.Fatalf("input %d came twice or was damaged", n)
			}
			seen[n] = true
		}
		if len(seen) < inputs*3/4 {
			t.Fatalf("only %d of %d inputs arrived", len(seen), inputs)
		}
	})
}

// A full Bulk channel holds up neither Control nor Input.
func TestBulkHoldsNothingUp(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		host, client, _, toHost := pair(t, w)
		chunk := make([]byte, link.MaxBulk)
		bulk := 0
		for client.Send(toHost, link.Bulk, chunk) == nil {
			bulk++
		}
		if bulk < 8 {
			t.Fatalf("only %d messages fit into the backlog", bulk)
		}
		send(t, client, toHost, link.Control, "now")
		for got := 0; ; {
			ev := want(t, host, link.Message)
			if ev.Channel == link.Control {
				break
			}
			if got++; got == bulk {
				t.Fatal("control came after all of bulk")
			}
		}
	})
}

// A consumer that does not read makes Send fail in the end, and nothing else:
// the connection outlives the silence, and then everything arrives.
func TestSlowConsumer(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		host, client, _, toHost := pair(t, w)
		var sent [reliable]uint32
		for ch, size := range []int{1000, 20_000} {
			for i := uint32(0); ; i++ {
				data := append(binary.BigEndian.AppendUint32(nil, i), make([]byte, size)...)
				err := client.Send(toHost, link.Channel(ch), data)
				if errors.Is(err, link.ErrBacklog) {
					break
				}
				if err != nil || i > 10_000 {
					t.Fatalf("message %d: %v", i, err)
				}
				sent[ch]++
			}
		}
		for range 500 {
			send(t, client, toHost, link.Input, "flood")
		}
		time.Sleep(w.silence() + time.Second)
		if s, ok := client.Stats(toHost); !ok || s.BulkBacklog == 0 || s.ControlBacklog == 0 {
			t.Fatalf("after a pause: %+v, %v", s, ok)
		}
		var got [reliable]uint32
		inputs := 0
		for got != sent {
			ev := want(t, host, link.Message)
			if ev.Channel == link.Input {
				inputs++
				continue
			}
			if n := binary.BigEndian.Uint32(ev.Data); n != got[ev.Channel] {
				t.Fatalf("message %d on %s, want %d", n, ev.Channel, got[ev.Channel])
			}
			got[ev.Channel]++
		}
		if inputs > conn.MaxPendingInputs+link.EventRoom+1 {
			t.Fatalf("%d inputs were kept", inputs)
		}
	})
}

// Outside of a bubble a network in memory is a network in real time.
func TestMemoryInRealTime(t *testing.T) {
	m := memnet.New(1, memnet.Impairment{Delay: 5 * time.Millisecond, Loss: 0.1})
	test := memoryWorld{m}
	host, client, _, toHost := pair(t, test)
	for i := range 50 {
		send(t, client, toHost, link.Control, fmt.Sprint(i))
	}
	for i := range 50 {
		wantMessage(t, host, link.Control, fmt.Sprint(i))
	}
}

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
				if s.RTT < 50*time.Millisecond || s.Jitter == 0 || s.Loss < 0.005 || s.Loss > 0.2 {
					t.Fatalf("%+v", s)
				}
				if c, _ := client.Stats(toHost); c.LossIn < 0.005 || c.LossIn > 0.2 {
					t.Fatalf("%+v", c)
				}
			})
		})
	}
}
