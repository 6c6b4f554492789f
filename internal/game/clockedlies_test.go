package game

import (
	"fmt"
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/mirror"
)

// held are samples, or stamped inputs, with a button held.
func held(n int, keys inputdelay.Keys) (list []inputdelay.Input) {
	for range n {
		list = append(list, inputdelay.Input{Keys: keys})
	}
	return list
}

// lie has a machine receive a datagram that another one makes up.
func (w *world) lie(from, to int, change func(d *mirror.Datagram)) error {
	d := mirror.Datagram{Machine: from, Round: 1, Frames: []mirror.MachineFrame{{Machine: from, Frame: w.machines[from].g.Slowest()}}}
	change(&d)
	return w.machines[to].g.Receive(w.Time(), from, d.Append(nil))
}

// A game client that lies is told apart from one with a bad line.
func TestClockedLyingClient(t *testing.T) {
	for name, lie := range map[string]func(g *Game, d *mirror.Datagram){
		"": func(g *Game, d *mirror.Datagram) {
			d.Windows = []mirror.Window{{Seat: 1, First: g.begun, Inputs: held(1, inputdelay.KeyA)}}
			d.Acks = []mirror.SeatFrame{{Seat: 2, Frame: g.seat(2).queue.Newest()}}
		},
		"another's sample": func(_ *Game, d *mirror.Datagram) {
			d.Windows = []mirror.Window{{Seat: 2, First: 4, Inputs: held(1, 0)}}
		},
		"a sample far away": func(_ *Game, d *mirror.Datagram) {
			d.Windows = []mirror.Window{{Seat: 1, First: 5000, Inputs: held(1, 0)}}
		},
		"the last sample too far away": func(g *Game, d *mirror.Datagram) {
			d.Windows = []mirror.Window{{Seat: 1, First: g.seat(1).stamper.Next() + inputdelay.Window - 10, Inputs: held(11, 0)}}
		},
		"an acknowledgement of what nobody has stamped": func(g *Game, d *mirror.Datagram) {
			d.Acks = []mirror.SeatFrame{{Seat: 1, Frame: g.seat(1).queue.Newest() + 1}}
		},
		"a frame that nobody may have played": func(g *Game, d *mirror.Datagram) { d.Frames[0].Frame = g.feed.horizon.Frame + 1 },
		"frames of another machine": func(_ *Game, d *mirror.Datagram) {
			d.Frames = append(d.Frames, mirror.MachineFrame{Machine: 2, Frame: 1})
		},
	} {
		w := newWorldOf(t, 2, 3, 4, true)
		w.run(500*time.Millisecond, nil)
		host := w.machines[0].g
		switch err := w.lie(1, 0, func(d *mirror.Datagram) { lie(host, d) }); {
		case name == "" && err != nil:
			t.Errorf("an honest datagram: %v", err)
		case name != "" && err == nil:
			t.Errorf("%s was taken", name)
		}
	}
}

// A game host that lies to one machine is told apart, too: what it has stamped stays, and a queue
// has an end.
func TestClockedLyingGameHost(t *testing.T) {
	for name, lie := range map[string]func(g *Game, d *mirror.Datagram){
		"": func(g *Game, d *mirror.Datagram) {
			in, _ := g.seat(2).queue.At(g.seat(2).queue.Newest())
			d.Windows = []mirror.Window{{Seat: 2, First: g.seat(2).queue.Newest(), Inputs: []inputdelay.Input{in}}}
		},
		"another input of a frame": func(g *Game, d *mirror.Datagram) {
			in, _ := g.seat(2).queue.At(g.seat(2).queue.Newest())
			in.Keys ^= inputdelay.KeyA
			d.Windows = []mirror.Window{{Seat: 2, First: g.seat(2).queue.Newest(), Inputs: []inputdelay.Input{in}}}
		},
		"another input of our own player": func(g *Game, d *mirror.Datagram) {
			in, _ := g.seat(1).queue.At(g.seat(1).queue.Newest())
			in.Keys ^= inputdelay.KeyA
			d.Windows = []mirror.Window{{Seat: 1, First: g.seat(1).queue.Newest(), Inputs: []inputdelay.Input{in}}}
		},
		"an input far away": func(g *Game, d *mirror.Datagram) {
			d.Windows = []mirror.Window{{Seat: 2, First: g.seat(2).queue.Oldest() + inputdelay.Window, Inputs: held(1, 0)}}
		},
		"an acknowledgement of what was not sampled": func(g *Game, d *mirror.Datagram) {
			d.Acks = []mirror.SeatFrame{{Seat: 1, Frame: g.begun}}
		},
	} {
		w := newWorldOf(t, 2, 3, 4, true)
		w.run(500*time.Millisecond, nil)
		client := w.machines[1].g
		unplayed := func(n ds.Seat) bool { _, is := client.seat(n).queue.At(client.seat(n).queue.Newest()); return is }
		for !unplayed(1) || !unplayed(2) {
			w.run(time.Millisecond, nil)
		}
		switch err := w.lie(0, 1, func(d *mirror.Datagram) { lie(client, d) }); {
		case name == "" && err != nil:
			t.Errorf("an honest datagram: %v", err)
		case name != "" && err == nil:
			t.Errorf("%s was taken", name)
		}
	}
}

// Samples far ahead of the clock, and other samples of frames that were sampled before, are what a
// lying game client may send without being told apart. They spoil its own presses and nobody's
// game: all others play the same, at full speed.
func TestClockedFlood(t *testing.T) {
	w := newWorldOf(t, 3, 3, 6, true)
	w.run(60*time.Second, func(ms int) {
		host := w.machines[0].g
		liar := host.seat(1)
		next := liar.stamper.Next()
		window := mirror.Window{Seat: 1, First: max(0, next-10), Inputs: held(30, inputdelay.Keys(1<<(ms%8)))}
		switch {
		case ms < 1000:
			return
		case ms == 1000: // from here on it only lies
			w.machines[1].gone, w.machines[1].buried = w.Time(), true
		case ms == 20_000:
			if n := float64(host.OwnFrames()); n < 19*ds.FrameRate {
				t.Errorf("the game host has played %.0f frames in 20 s", n)
			}
			w.decide(timeline.Decision{Kind: timeline.End})
		case ms%97 == 0: // all that there is room for
			window = mirror.Window{Seat: 1, First: next + inputdelay.Window - 200, Inputs: held(200, inputdelay.KeyX)}
		case ms%3 > 0:
			return
		}
		w.must(0, w.lie(1, 0, func(d *mirror.Datagram) {
			d.Frames[0].Frame = host.Slowest()
			for n := range ds.Seat(3) {
				d.Acks = append(d.Acks, mirror.SeatFrame{Seat: n, Frame: host.seat(n).queue.Newest()})
			}
			d.Windows = []mirror.Window{window}
		}))
		if got := liar.stamper.Newest(); got >= liar.stamper.Next()+inputdelay.Window {
			t.Fatalf("sample %d is kept at frame %d", got, next)
		}
	})
	w.check()
}

// Clocks that run a tenth too fast or too slow, of the game host or of a game client, lead to no
// difference. A game client's holds up nobody.
func TestClockedWrongClocks(t *testing.T) {
	for machine := range 2 {
		for _, fast := range []float64{-0.1, 0.1} {
			t.Run(fmt.Sprint(machine, " ", fast), func(t *testing.T) {
				w := newWorldOf(t, 4, 3, 6, true)
				w.steady = true
				w.drift = map[int]float64{machine: fast}
				w.run(60*time.Second, func(ms int) {
					if ms != 30_000 {
						return
					}
					want := 30.0 * ds.FrameRate
					if machine == 0 {
						want *= 1 + fast // it is everybody's
					}
					for i, m := range w.machines {
						if n := float64(m.g.OwnFrames()); n < 0.99*want || n > 1.01*want+20 {
							t.Errorf("machine %d has played %.0f frames, at full speed %.0f", i, n, want)
						}
					}
					w.decide(timeline.Decision{Kind: timeline.End})
				})
				w.check()
			})
		}
	}
}

// The game host's clock stops being everybody's when the game host dies, however wrong it was.
func TestClockedMigrationFromAWrongClock(t *testing.T) {
	for _, fast := range []float64{-0.1, 0.1} {
		w := newWorldOf(t, 6, 4, 6, true)
		w.set(leaky)
		w.drift = map[int]float64{0: fast, 3: -fast}
		w.run(60*time.Second, func(ms int) {
			switch ms {
			case 5000:
				w.elect(1)
			case 10_000:
				w.decide(timeline.Decision{Kind: timeline.End})
			}
		})
		w.check()
	}
}
