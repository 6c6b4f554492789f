package air

import (
	"sync"
	"testing"

	"github.com/nettplay/nettplay/internal/ds"
)

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
