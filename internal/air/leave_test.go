package air

import (
	"slices"
	"sync"
	"testing"

	"github.com/nettplay/nettplay/internal/ds"
)

// TestLeave: a console answers its own polls for as long as nobody can send it
// anything, and no client of its could pass time beside it, and not once more.
func TestLeave(t *testing.T) {
	type says struct{ host, behind, ahead int }
	free := says{noHost, 0, unknown}
	for name, test := range map[string]struct {
		host, client says // what seats 0 and 1 say of themselves
		at           event
		packet       bool // seat 0 sends one before it polls
		plain        bool
		leave        int // of seat 0 at its first poll
	}{
		"nobody follows":       {host: free, client: free, at: evBlock, leave: longest - 1},
		"awaits replies":       {host: free, client: says{0, 0, 0}, at: evHostBlock, leave: longest - 1},
		"somebody polls":       {host: free, client: free, at: evPoll},
		"wants time soon":      {host: free, client: says{0, 0, 0}, at: evBlock},
		"wants time":           {host: free, client: says{0, 3, 0}, at: evBlock, leave: 3},
		"its time is known":    {host: says{noHost, 0, 2}, client: says{0, 3, 0}, at: evBlock, leave: 1},
		"its time is over":     {host: says{noHost, 0, 0}, client: says{0, 30, 0}, at: evBlock},
		"nothing is known":     {host: free, client: says{0, 255, 0}, at: evBlock, leave: longest - 1},
		"runs on":              {host: says{noHost, 0, 7}, client: says{0, 0, 0}, at: evBlock, packet: true, leave: 6},
		"replies":              {host: free, client: says{0, 0, 0}, at: evBlock, packet: true},
		"runs on for another":  {host: says{noHost, 0, 7}, client: says{2, 0, 0}, at: evBlock, packet: true},
		"heard it by chance":   {host: says{noHost, 0, 7}, client: says{0, 0, 0}, at: evPoll, packet: true},
		"is no host":           {host: says{3, 0, 7}, client: says{0, 0, 0}, at: evBlock, packet: true},
		"without grants":       {host: says{noHost, 0, 7}, client: says{0, 0, 0}, at: evBlock, packet: true, plain: true},
		"without grants, idle": {host: free, client: free, at: evBlock, plain: true},
	} {
		t.Run(name, func(t *testing.T) {
			r := newReal(t, Config{Plain: test.plain})
			defer r.close()
			for i := range 2 {
				r.plug(ds.Seat(i))
			}
			r.must(r.air.Resume())
			r.follow(0, test.host.host, test.host.behind, test.host.ahead)
			r.follow(1, test.client.host, test.client.behind, test.client.ahead)
			if test.packet {
				r.event(0, evPoll)
				r.event(1, test.at)
				r.answered(0)
				r.put(0, []byte("ack"), everyone)
				if test.at == evPoll {
					r.event(1, evPoll)
				}
			} else {
				r.event(1, test.at)
			}
			r.event(0, evPoll)
			if a, ok := r.answered(0); !ok || a.answer != none || a.leave != test.leave {
				t.Errorf("%+v, %v", a, ok)
			}
		})
	}
}

// TestLeaveGrant: polls that a host has answered itself count for its client, which
// is granted time at the same one as without them.
func TestLeaveGrant(t *testing.T) {
	r := newReal(t, Config{})
	defer r.close()
	for i := range 2 {
		r.plug(ds.Seat(i))
	}
	r.must(r.air.Resume())
	r.follow(0, noHost, 0, unknown)
	r.follow(1, 0, 3, 0)
	r.event(1, evBlock)
	r.event(0, evPoll)
	a, _ := r.answered(0)
	r.passed(0, a.leave)
	if _, ok := r.answered(1); ok {
		t.Fatal("granted too early")
	}
	r.event(0, evPoll)
	if a, ok := r.answered(1); !ok || a.grant != grantMax-1 {
		t.Errorf("at poll %d: %+v, %v", idleMin+3, a, ok)
	}
}

// TestLeaveSpent: what is left ends with a packet sent, a blocking poll and the
// frame, and until then nobody is asked.
func TestLeaveSpent(t *testing.T) {
	r := newReal(t, Config{})
	defer r.close()
	r.plug(0)
	r.must(r.air.Resume())
	rad := r.radios[0]
	rounds := func() uint64 {
		st, err := r.air.Status()
		r.must(err)
		return st.Rounds
	}
	polled := func(what string, want uint64, polls int) {
		t.Helper()
		before := rounds()
		for range polls {
			if a, _ := rad.poll(evPoll); a != none {
				t.Fatalf("%s: answer %d", what, a)
			}
		}
		if n := rounds() - before; n != want {
			t.Errorf("%s: %d polls took %d rounds, not %d", what, polls, n, want)
		}
	}
	rad.begin()
	polled("at first", 1, 30)
	rad.send([]byte("x"), everyone)
	polled("after a packet", 1, 30)
	rad.poll(evBlock)
	polled("after a blocking poll that it gave up", 0, 30) // it is muted
	rad.end()
	rad.begin()
	polled("in a new frame", 0, 30)
	rad.end()
	r.must(r.air.StopAt(3))
	rad.begin()
	polled("before a stop", 0, 1)
	rad.end()
	r.must(r.air.Resume())
	rad.begin()
	polled("after a stop", 0, 3)
}

// TestLeaveBehind: a client that is frames behind its host goes on as soon as it
// comes to the end of its frame, so its host stands and sees to it.
func TestLeaveBehind(t *testing.T) {
	r := newReal(t, Config{Skew: 1})
	defer r.close()
	for i := range 2 {
		r.plug(ds.Seat(i))
	}
	r.must(r.air.Resume())
	r.event(0, evPoll)
	r.event(1, evBlock)
	r.event(0, evEnd) // it goes on: the client may want something of its next frame
	r.follow(0, noHost, 0, 7)
	r.follow(1, 0, 0, 0)
	r.put(0, []byte("ack"), everyone)
	r.event(0, evPoll)
	if a, ok := r.answered(1); !ok || a.answer != packet {
		t.Fatalf("client: %+v, %v", a, ok)
	}
	if a, ok := r.answered(0); !ok || a.answer != none || a.leave != 0 {
		t.Errorf("host: %+v, %v", a, ok)
	}
}

// TestLeaveAtStop: what consoles have said of their time lasts over the ends of
// frames, and not over a stop, where it may be another console that goes on.
func TestLeaveAtStop(t *testing.T) {
	for _, stop := range []bool{false, true} {
		r := newReal(t, Config{Skew: 1})
		for i := range 2 {
			r.plug(ds.Seat(i))
		}
		r.must(r.air.Resume())
		if stop {
			r.must(r.air.StopAt(1))
		}
		r.follow(0, noHost, 0, 7)
		r.follow(1, 0, 9, 1)
		r.event(0, evPoll)
		r.event(1, evBlock)
		r.put(0, []byte("x"), 1)
		r.event(0, evPoll)
		r.event(1, evEnd)
		r.event(0, evEnd)
		want := 6
		if stop {
			want = 0
			r.must(r.air.Resume())
		}
		if a, ok := r.answered(0); !ok || a.leave != want {
			t.Errorf("stop %v: %+v, %v", stop, a, ok)
		}
		r.close()
	}
}

// TestStride: on a silent air consoles stand at one of many polls, until somebody
// has sent a packet; a game host at all of them.
func TestStride(t *testing.T) {
	r := newReal(t, Config{Skew: 1})
	defer r.close()
	for i := range 3 {
		r.plug(ds.Seat(i))
	}
	r.must(r.air.Resume())
	for i := range 3 {
		r.follow(i, noHost, 0, unknown)
	}
	poll := func(want int) {
		t.Helper()
		for i := range 3 {
			r.event(ds.Seat(i), evPoll)
		}
		for i := range 3 {
			if a, ok := r.answered(ds.Seat(i)); !ok || a.answer == packet || a.stride != want {
				t.Fatalf("seat %d: %+v, %v, not stride %d", i, a, ok, want)
			}
		}
	}
	frame := func(want int) {
		t.Helper()
		poll(want)
		for i := range 3 {
			r.event(ds.Seat(i), evEnd)
		}
		for i := range 3 {
			r.answered(ds.Seat(i))
		}
	}
	for range 1 + silence {
		frame(1) // there was a stop
	}
	frame(strideMax)
	r.put(1, []byte("x"), 2)
	for i := range 3 {
		r.event(ds.Seat(i), evPoll)
	}
	if a, _ := r.answered(2); a.answer != packet {
		t.Fatalf("it hears nothing: %+v", a)
	}
	for i := range 3 {
		r.answered(ds.Seat(i))
	}
	for range 1 + silence {
		frame(1)
	}
	frame(strideMax)
	r.follow(2, 0, 0, 0)
	for i := range 3 {
		r.event(ds.Seat(i), evPoll)
	}
	for i, want := range []int{1, strideMax, strideMax} {
		if a, _ := r.answered(ds.Seat(i)); a.stride != want {
			t.Errorf("seat %d, of which 2 follows 0: %+v", i, a)
		}
	}
}

// TestStrideStops: those are the polls with certain numbers in the frame, whatever
// else is answered there, and from a packet on all.
func TestStrideStops(t *testing.T) {
	const frames, polls, sent = 8, 33, 13
	r := newReal(t, Config{Skew: 1})
	defer r.close()
	for i := range 2 {
		r.plug(ds.Seat(i))
	}
	r.must(r.air.Resume())
	heard := make([][]int, 2)
	rounds := make([]uint64, frames)
	var all sync.WaitGroup
	for i := range 2 {
		all.Go(func() {
			rad := r.radios[i]
			for f := range frames {
				rad.begin()
				for n := range polls {
					if f == frames-1 && i == 0 && n == sent {
						rad.send([]byte("x"), everyone)
					}
					if a, _ := rad.poll(evPoll); a == packet {
						heard[i] = append(heard[i], f, n)
					}
				}
				if st, err := r.air.Status(); err == nil && i == 0 {
					rounds[f] = st.Rounds
				}
				rad.end()
			}
		})
	}
	all.Wait()
	// A sender stands at all polls after it: the other one hears it at the first of
	// its own that is not before.
	if want := []int{frames - 1, (sent + strideMax - 1) / strideMax * strideMax}; !slices.Equal(heard[1], want) || heard[0] != nil {
		t.Errorf("heard at %v, not %v", heard, want)
	}
	if busy, silent := rounds[1]-rounds[0], rounds[5]-rounds[4]; busy < polls || silent > polls/strideMax+3 {
		t.Errorf("%d decisions in a frame, %d in a silent one", busy, silent)
	}
}

// TestGrant: a client that is blocked may give up by itself while its host is
// idle, for as many times as are safe, and not one more.
func TestGrant(t *testing.T) {
	for _, test := range []struct {
		host, behind int
		polls        int // of seat 0 that come before the grant; 0: none ever does
		at           event
		plain        bool
	}{
		{0, 0, 2, evBlock, false},
		{0, 3, 5, evBlock, false},
		{0, 255, 0, evBlock, false},
		{2, 0, 0, evBlock, false},
		{1, 0, 0, evBlock, false},
		{noHost, 0, 0, evBlock, false},
		{1 << 20, 0, 0, evBlock, false},
		{0, 0, 0, evHostBlock, false},
		{0, 0, 0, evBlock, true},
	} {
		r := newReal(t, Config{Plain: test.plain})
		for i := range 2 {
			r.plug(ds.Seat(i))
		}
		t.Cleanup(r.close)
		r.must(r.air.Resume())
		r.follow(1, test.host, test.behind, 0)
		r.event(1, test.at)
		for poll := 1; poll <= 20; poll++ {
			r.event(0, evPoll)
			if a, ok := r.answered(0); !ok || a.answer != none {
				t.Fatalf("%+v: poll %d: %+v, %v", test, poll, a, ok)
			}
			a, ok := r.answered(1)
			if ok != (poll == test.polls) || ok && (a.answer != gaveUp || a.grant != grantMax-1 || a.mute) {
				t.Errorf("%+v: at poll %d it is granted %+v, %v", test, poll, a, ok)
			}
			if ok {
				break
			}
		}
	}
}

// TestGrantSpent: what is left of a grant is taken back by a packet and by the
// end of the frame, and not by a poll that does not block.
func TestGrantSpent(t *testing.T) {
	for _, test := range []struct {
		name string
		then func(r *real, rad *radio, beside func(host func()))
		left bool
	}{
		{"poll", func(_ *real, rad *radio, beside func(host func())) {
			beside(func() {})
			rad.poll(evPoll)
		}, true},
		{"packet", func(r *real, rad *radio, beside func(host func())) {
			r.put(0, []byte("x"), everyone)
			beside(func() {})
			rad.poll(evPoll)
		}, false},
		{"frame", func(r *real, rad *radio, beside func(host func())) {
			rad.end()
			beside(func() { r.radios[0].end(); r.radios[0].begin() })
			rad.begin()
		}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := newReal(t, Config{})
			for i := range 2 {
				r.plug(ds.Seat(i))
			}
			t.Cleanup(r.close)
			r.must(r.air.Resume())
			host, client := r.radios[0], r.radios[1]
			host.begin()
			client.follow(0, 0, 0)
			client.begin()
			idle := make(chan bool)
			go func() {
				host.poll(evPoll)
				host.poll(evPoll)
				close(idle)
			}()
			for range 10 {
				if a, _ := client.poll(evBlock); a != gaveUp {
					t.Fatalf("answer %d", a)
				}
			}
			<-idle
			var all sync.WaitGroup
			defer all.Wait() // before its memory goes
			test.then(r, client, func(first func()) {
				all.Go(func() { first(); host.poll(evPoll) })
			})
			own := 0
			for client.r.grant > 0 {
				client.poll(evBlock)
				own++
			}
			if want := grantMax - 10; test.left && own != want || !test.left && own != 0 {
				t.Errorf("%d give-ups are left", own)
			}
			r.must(r.air.Dead(0)) // its poll has nobody to wait for
			r.must(r.air.Dead(1))
		})
	}
}
