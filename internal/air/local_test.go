package air

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// talker is a console of this process: seat 0 sends and takes what is there, the others wait
// to hear of something, and answer with what they have heard.
type talker struct {
	*Local
	seat   ds.Seat
	closed chan struct{}
	heard  uint64
	rng    *rand.Rand // how long it takes for things; nothing may depend on that
}

func newTalker(a *Air, seat ds.Seat, seed uint64) *talker {
	c := &talker{seat: seat, closed: make(chan struct{}), rng: rand.New(rand.NewPCG(seed, uint64(seat)))}
	c.Local = a.Local(seat, func(let <-chan struct{}) bool {
		select {
		case <-let:
			c.dawdle()
			return true
		case <-c.closed:
			return false
		}
	})
	return c
}

func (c *talker) dawdle() { time.Sleep(time.Duration(c.rng.IntN(1000)) * time.Microsecond) }

// frame returns false where the console was closed.
func (c *talker) frame() bool {
	c.dawdle()
	if !c.Begin() {
		return false
	}
	say := func() bool { return c.Send(fmt.Append(nil, c.heard), Everyone) }
	hear := func(blocks bool) (goesOn bool) {
		for data := []byte{1}; data != nil; blocks = false {
			var from ds.Seat
			if from, data, goesOn = c.Poll(blocks); !goesOn {
				return false
			}
			h := fnv.New64a()
			fmt.Fprint(h, c.heard, from, data)
			c.heard = h.Sum64()
		}
		return true
	}
	if c.seat == 0 {
		return say() && hear(false) && c.End()
	}
	return hear(true) && say() && c.End()
}

// talk plays some frames; the console of seat gone is closed where it waits, after half of them.
func talk(t *testing.T, seed uint64, consoles, frames int, gone ds.Seat) (records []Record, heard []uint64) {
	a, err := New(Config{Skew: 1})
	must.Succeed(t, err)
	var list []*talker
	for seat := range ds.Seat(consoles) {
		must.Succeed(t, a.Plug(seat))
		list = append(list, newTalker(a, seat, seed))
	}
	must.Succeed(t, a.Resume())
	play := func(n int) {
		var all sync.WaitGroup
		for _, c := range list {
			all.Go(func() {
				for range n {
					if !c.frame() {
						return
					}
				}
			})
		}
		all.Wait()
	}
	stop := int64(frames / 2)
	must.Succeed(t, a.StopAt(stop))
	play(frames / 2)
	if _, err := a.Save(); err != nil {
		t.Fatal(err)
	}
	must.Succeed(t, a.Resume())
	if gone >= 0 { // it stands on the air while nobody else goes on, and is closed there
		c := list[gone]
		stood := make(chan bool)
		go func() { stood <- c.frame() }()
		synctest.Wait()
		time.Sleep(time.Second)
		close(c.closed)
		if <-stood {
			t.Error("a console that was closed goes on")
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		if c.Begin() {
			t.Error("a console that was closed begins a frame")
		}
		list = slices.Delete(list, int(gone), int(gone)+1)
	}
	play(frames - frames/2)
	records, lost, err := a.Trace()
	if err != nil || lost > 0 {
		t.Fatal(lost, err)
	}
	for _, c := range list {
		heard = append(heard, c.heard)
	}
	if err := a.Close(); err != nil {
		t.Error(err)
	}
	if list[0].Begin() {
		t.Error("it goes on without an air")
	}
	return records, heard
}

// Consoles of this process hear the same however long each takes, and are saved, stopped and
// closed like those of workers.
func TestLocals(t *testing.T) {
	for _, gone := range []ds.Seat{-1, 0, 2} {
		t.Run(fmt.Sprint("without ", gone), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				records, heard := talk(t, 1, 4, 30, gone)
				if len(records) < 40 || slices.Contains(heard, 0) || heard[0] == heard[1] {
					t.Fatalf("%d packets, heard %x", len(records), heard)
				}
				again, heardAgain := talk(t, 2, 4, 30, gone)
				if !slices.Equal(records, again) || !slices.Equal(heard, heardAgain) {
					t.Errorf("%d and %d packets, heard %x and %x", len(records), len(again), heard, heardAgain)
				}
			})
		})
	}
}
