package udp

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/link"
)

func TestDisconnectDeliversWhatWasQueuedAndWhy(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		host, client, toClient, toHost := pair(t, w)
		big := pattern(3, link.MaxControl)
		send(t, client, toHost, link.Control, big)
		send(t, client, toHost, link.Bulk, "the last of bulk")
		client.Disconnect(toHost, "going\nhome \xff"+strings.Repeat("ä", 200))
		if err := client.Send(toHost, link.Control, nil); !errors.Is(err, link.ErrUnknownPeer) {
			t.Fatalf("send after disconnect: %v", err)
		}
		got := 0
		for got < 2 {
			ev := want(t, host, link.Message)
			if ev.Channel == link.Control && string(ev.Data) != big || ev.Channel == link.Bulk && string(ev.Data) != "the last of bulk" {
				t.Fatal("a message was damaged")
			}
			got++
		}
		said := "going home " // and as many letters as fit
		for _, x := range []struct {
			l  link.Link
			p  link.PeerID
			by link.By
		}{{client, toHost, link.ByLocal}, {host, toClient, link.ByRemote}} {
			ev := want(t, x.l, link.Disconnected)
			if ev.Peer != x.p || ev.Reason.By != x.by || !strings.HasPrefix(ev.Reason.Text, said) || len(ev.Reason.Text) > link.MaxReason {
				t.Fatalf("%+v", ev)
			}
			if _, ok := x.l.Stats(x.p); ok {
				t.Fatal("still known")
			}
		}
	})
}

// A host may turn somebody away at once. The dialer hears it, either from Dial or
// as the end of a connection, and Connected comes before anything else.
func TestTurnedAwayAtOnce(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		host, client := w.listen(t, "host"), w.listen(t, "client")
		for range 5 {
			dialled := make(chan error, 1)
			go func() {
				_, err := client.Dial(context.Background(), w.address("host"))
				dialled <- err
			}()
			ev := want(t, host, link.Connected)
			_ = host.Send(ev.Peer, link.Control, []byte("full"))
			_ = host.Send(ev.Peer, link.Bulk, []byte("full"))
			host.Disconnect(ev.Peer, "go away")
			if err := <-dialled; err != nil {
				if !isDialError(err, link.Rejected) {
					t.Fatalf("%v", err)
				}
			} else {
				want(t, client, link.Connected)
				for ev := next(t, client); ev.Kind != link.Disconnected; ev = next(t, client) {
					if string(ev.Data) != "full" {
						t.Fatalf("%+v", ev)
					}
				}
			}
			want(t, host, link.Disconnected)
		}
	})
}

func TestKilledPeerTimesOut(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		host, _, toClient, _ := pair(t, w)
		killed := time.Now()
		w.kill("client")
		ev := want(t, host, link.Disconnected)
		if ev.Peer != toClient || ev.Reason.By != link.ByTimeout {
			t.Fatalf("%+v", ev)
		}
		if d := time.Since(killed); d < w.silence()-time.Second {
			t.Fatalf("given up after %v already", d)
		}
	})
}

// When nothing reaches one side any more, it gives the connection up and says so: the
// other side is told that nobody has ended it on purpose.
func TestOneSideGivesUp(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		host, client, toClient, toHost := pair(t, w)
		w.deafen(t)
		if ev := want(t, client, link.Disconnected); ev.Peer != toHost || ev.Reason.By != link.ByTimeout {
			t.Fatalf("%+v", ev)
		}
		if ev := want(t, host, link.Disconnected); ev.Peer != toClient || ev.Reason.By != link.ByLoss || ev.Reason.Text == "" {
			t.Fatalf("%+v", ev)
		}
	})
}

// A program that was killed and started again on the same port is a new peer,
// and the old one ends, before the new one comes.
func TestRestartOnSameAddress(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		host, _, toOld, _ := pair(t, w)
		w.kill("client")
		client := w.listen(t, "client")
		toHost := dialOK(t, client, w.address("host"))
		if ev := want(t, host, link.Disconnected); ev.Peer != toOld || ev.Reason.By != link.ByLoss || ev.Reason.Text == "" {
			t.Fatalf("%+v", ev)
		}
		ev := want(t, host, link.Connected)
		if ev.Peer == toOld {
			t.Fatal("the same PeerID")
		}
		want(t, client, link.Connected)
		send(t, client, toHost, link.Control, "I am back")
		wantMessage(t, host, link.Control, "I am back")
		send(t, host, ev.Peer, link.Control, "welcome")
		wantMessage(t, client, link.Control, "welcome")
		if err := host.Send(toOld, link.Control, nil); !errors.Is(err, link.ErrUnknownPeer) {
			t.Fatalf("send to the old one: %v", err)
		}
	})
}

// A machine that comes back from another address does not wait for its old
// connection to time out, which ends by itself, in time and without harm.
func TestReturnFromAnotherAddress(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		host, _, toOld, _ := pair(t, w)
		client := w.listen(t, "client elsewhere")
		w.kill("client")
		toHost := dialOK(t, client, w.address("host"))
		want(t, client, link.Connected)
		toNew := want(t, host, link.Connected).Peer
		if _, ok := host.Stats(toOld); !ok || toNew == toOld {
			t.Fatalf("the old connection, %d, did not live beside the new one, %d", toOld, toNew)
		}
		send(t, host, toNew, link.Control, "welcome back")
		wantMessage(t, client, link.Control, "welcome back")
		if ev := want(t, host, link.Disconnected); ev.Peer != toOld || ev.Reason.By != link.ByTimeout {
			t.Fatalf("%+v", ev)
		}
		send(t, client, toHost, link.Bulk, "still here")
		wantMessage(t, host, link.Bulk, "still here")
	})
}

// The dialled side was killed and started again: the dialer hears that it is
// forgotten, and can dial anew, long before the silence is over.
func TestDialledSideRestarts(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		_, client, _, toHost := pair(t, w)
		w.kill("host")
		host := w.listen(t, "host")
		if ev := want(t, client, link.Disconnected); ev.Peer != toHost || ev.Reason.By != link.ByLoss {
			t.Fatalf("%+v", ev)
		}
		again := dialOK(t, client, w.address("host"))
		if again == toHost {
			t.Fatal("the same PeerID")
		}
		want(t, client, link.Connected)
		want(t, host, link.Connected)
		send(t, client, again, link.Control, "hello again")
		wantMessage(t, host, link.Control, "hello again")
	})
}

// A blackout that is shorter than the silence costs time only.
func TestBlackoutIsSurvived(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		host, client, toClient, toHost := pair(t, w)
		w.blackout(w.silence() * 3 / 4)
		big := pattern(5, link.MaxBulk)
		for i := range 20 {
			send(t, client, toHost, link.Control, fmt.Sprint(i))
			send(t, host, toClient, link.Control, fmt.Sprint(i))
			send(t, client, toHost, link.Bulk, big)
		}
		for i, bulk := 0, 0; i < 20 || bulk < 20; {
			ev := want(t, host, link.Message)
			if ev.Channel == link.Bulk {
				if bulk++; string(ev.Data) != big {
					t.Fatal("a message was damaged")
				}
				continue
			}
			if string(ev.Data) != fmt.Sprint(i) {
				t.Fatalf("got %q, want %d", ev.Data, i)
			}
			i++
		}
		for i := range 20 {
			wantMessage(t, client, link.Control, fmt.Sprint(i))
		}
		// Input works, too, and soon.
		deadline := time.Now().Add(testPatience)
		for time.Now().Before(deadline) {
			_ = client.Send(toHost, link.Input, []byte("x"))
			select {
			case ev := <-host.Events():
				if ev.Kind == link.Message && ev.Channel == link.Input {
					return
				}
				t.Fatalf("%+v", ev)
			case <-time.After(50 * time.Millisecond):
			}
		}
		t.Fatal("no input came through after the blackout")
	})
}

// A blackout that is longer ends the connection on both sides.
func TestLongBlackoutEndsBoth(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		host, client, _, _ := pair(t, w)
		w.blackout(w.silence() * 2)
		for _, l := range []link.Link{host, client} {
			if ev := want(t, l, link.Disconnected); ev.Reason.By != link.ByTimeout {
				t.Fatalf("%+v", ev)
			}
		}
	})
}

func TestCloseSaysGoodbye(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		host, client, toClient, toHost := pair(t, w)
		send(t, client, toHost, link.Control, "one more thing")
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() { _ = client.Close() })
		}
		wg.Wait()
		wantMessage(t, host, link.Control, "one more thing")
		if ev := want(t, host, link.Disconnected); ev.Peer != toClient || ev.Reason.By != link.ByRemote || ev.Reason.Text != "closed" {
			t.Fatalf("%+v", ev)
		}
		for range client.Events() { // ends
		}
		if err := client.Send(toHost, link.Control, nil); !errors.Is(err, link.ErrClosed) {
			t.Fatalf("send after close: %v", err)
		}
		if _, err := client.Dial(context.Background(), w.address("host")); !isDialError(err, link.Aborted) {
			t.Fatalf("dial after close: %v", err)
		}
		client.Disconnect(toHost, "")
		if _, ok := client.Stats(toHost); ok {
			t.Fatal("stats after close")
		}
	})
}

func isDialError(err error, why link.DialFailure) bool {
	var d *link.DialError
	return errors.As(err, &d) && d.Why == why
}

func TestDialFailures(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		host, client, _, _ := pair(t, w)
		if _, err := client.Dial(context.Background(), client.Addr()); !isDialError(err, link.Rejected) {
			t.Fatalf("dial oneself: %v", err)
		}
		ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
		defer cancel()
		w.blackout(time.Minute)
		if _, err := client.Dial(ctx, w.address("host")); !isDialError(err, link.Aborted) || !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("dial with a context that ends: %v", err)
		}
		failed := make(chan error)
		go func() {
			_, err := client.Dial(context.Background(), w.address("host"))
			failed <- err
		}()
		time.Sleep(10 * time.Millisecond)
		_ = client.Close()
		if err := <-failed; !isDialError(err, link.Aborted) || !errors.Is(err, link.ErrClosed) {
			t.Fatalf("close while dialling: %v", err)
		}
		_ = host
	})
}

func TestDialWithoutAnswer(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		w.listen(t, "host")
		client := w.listen(t, "client")
		addr := w.address("host")
		w.blackout(time.Minute)
		start := time.Now()
		if _, err := client.Dial(context.Background(), addr); !isDialError(err, link.NoAnswer) {
			t.Fatalf("dial into the dark: %v", err)
		}
		if d := time.Since(start); d < 4*time.Second {
			t.Fatalf("given up after %v", d)
		}
	})
}

// Everything at once from many goroutines, for the race detector.
func TestAbuse(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		host := w.listen(t, "host")
		addr := w.address("host")
		var wg sync.WaitGroup
		wg.Go(func() {
			for ev := range host.Events() {
				if ev.Kind == link.Message && ev.Channel != link.Input {
					_ = host.Send(ev.Peer, ev.Channel, ev.Data)
				}
				if ev.Kind == link.Message && len(ev.Data) == 77 {
					host.Disconnect(ev.Peer, "77")
				}
			}
		})
		var clients sync.WaitGroup
		for i := range 4 {
			client := w.listen(t, fmt.Sprint("client", i))
			wg.Go(func() {
				for range client.Events() {
				}
			})
			clients.Go(func() {
				for round := range 5 {
					p, err := client.Dial(context.Background(), addr)
					if err != nil {
						continue
					}
					var senders sync.WaitGroup
					for ch := range link.Channel(3) {
						senders.Go(func() {
							for n := range 60 {
								_ = client.Send(p, ch, make([]byte, n*17%1200))
								client.Stats(p)
								time.Sleep(time.Millisecond)
							}
						})
					}
					if round%2 == 0 {
						client.Disconnect(p, "early")
					}
					senders.Wait()
					_ = client.Send(p, link.Control, make([]byte, 77))
				}
				_ = client.Close()
			})
		}
		clients.Wait()
		_ = host.Close()
		wg.Wait()
	})
}
