package emucore

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/air"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// report is a part of what the test core writes into its memory.
type report struct {
	rounds, lost, disagreed, garbled uint32
	role                             byte
	stage                            byte
	aid                              uint32
	shared                           uint64
}

func reportOf(t *testing.T, c *Console) report {
	t.Helper()
	b := pocketRAM(t, c)
	u32 := func(at int) uint32 { return binary.LittleEndian.Uint32(b[at:]) }
	return report{
		rounds: u32(0x40), lost: u32(0x44), disagreed: u32(0x48), garbled: u32(0x64),
		role: b[0x68], stage: b[0x69], aid: u32(0x70), shared: binary.LittleEndian.Uint64(b[0x28:]),
	}
}

// TestRadioCrash: a console that dies amid an exchange takes nobody with it, and
// what the others do is the same in every run.
func TestRadioCrash(t *testing.T) {
	for _, test := range []struct {
		seat ds.Seat
		at   string
		how  string
	}{{0, "command:20", "segv"}, {1, "reply:20", "_exit"}, {2, "wait:40", "abort"}, {1, "60", "exit"}} {
		t.Run(fmt.Sprint(test.seat, " ", test.at), func(t *testing.T) {
			checkLeaks(t)
			g := pocketGame(t, 3, 90, "radio", "mac")
			g.seats[int(test.seat)] = map[string]string{"testcore_fault": test.how, "testcore_fault_at": test.at}
			a, b := crashing(t, g, test.seat), crashing(t, g, test.seat)
			if err := a.differs(&b); err != nil {
				t.Error(err)
			}
		})
	}
}

// crashing plays a game in which a seat's console crashes.
func crashing(t *testing.T, g *radioGame, seat ds.Seat) (run radioRun) {
	t.Helper()
	r := g.open(t)
	defer r.close()
	for i, err := range r.run(g.frames) {
		var crash *CrashError
		if i == int(seat) && !errors.As(err, &crash) || i != int(seat) && err != nil {
			t.Fatalf("seat %d: %v", i, err)
		}
	}
	r.on[seat].Close()
	r.on[seat] = nil
	run.hashes, run.trace, run.chain = r.hashes(), r.trace, r.status().Chain
	if r.status().Consoles[seat].Plugged {
		t.Error("it is still in the room")
	}
	return run
}

// TestRadioKilled: somebody kills a worker at any time.
func TestRadioKilled(t *testing.T) {
	checkLeaks(t)
	for try := range 3 {
		g := pocketGame(t, 3, 600, "radio", "mac")
		g.air.Serial = try%2 == 1
		r := g.open(t)
		go func() {
			for {
				st, err := r.air.Status()
				if err != nil || st.Consoles[try].Frame > 20+int64(13*try) {
					break
				}
				time.Sleep(100 * time.Microsecond)
			}
			time.Sleep(time.Duration(rand.IntN(3000)) * time.Microsecond)
			kill(t, r.on[try])
		}()
		for i, err := range r.run(g.frames) {
			var crash *CrashError
			if i == try && (!errors.As(err, &crash) || crash.Signal != "SIGKILL") || i != try && err != nil {
				t.Errorf("seat %d: %v", i, err)
			}
		}
		r.close()
	}
}

// TestRadioHang: a console that hangs is told from those that wait for it.
func TestRadioHang(t *testing.T) {
	for _, serial := range []bool{false, true} {
		for _, how := range []string{"hang", "sleep"} {
			t.Run(fmt.Sprintf("%s,serial=%v", how, serial), func(t *testing.T) {
				checkLeaks(t)
				g := pocketGame(t, 3, 60, "radio", "mac")
				g.air.Serial = serial
				g.seats[1] = map[string]string{"testcore_fault": how, "testcore_fault_at": "reply:10"}
				r := g.open(t)
				for _, c := range r.on {
					c.limits = quick
				}
				errs := r.run(g.frames)
				var hang *HangError
				if errs[0] != nil || errs[2] != nil || !errors.As(errs[1], &hang) {
					t.Error(errs)
				}
			})
		}
	}
}

// TestRadioWaits: consoles that wait for one that gets no input are not hung,
// and Close ends their wait.
func TestRadioWaits(t *testing.T) {
	checkLeaks(t)
	g := pocketGame(t, 3, 1<<40, "radio", "mac")
	r := g.open(t)
	for _, c := range r.on {
		c.limits = quick
	}
	must.Succeed(t, r.air.Resume())
	errs := make(chan error)
	for i, c := range r.on[:2] {
		go func() { errs <- g.playTo(c, ds.Seat(i), 1<<40) }()
	}
	select {
	case err := <-errs:
		t.Fatal(err)
	case <-time.After(3 * quick.call):
	}
	r.on[0].Close()
	if err := <-errs; !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
	if err := g.playTo(r.on[2], 2, 30); err != nil { // the other one goes on with it
		t.Error(err)
	}
	r.on[1].Close()
	if err := <-errs; !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
}

// TestRadioCloses: a console whose radio goes off amid an exchange, and on again.
func TestRadioCloses(t *testing.T) {
	checkLeaks(t)
	for seat := range 2 {
		play := func() (run radioRun) {
			g := pocketGame(
				t, 3, 0, "radio", "mac", "only_mac", fmt.Sprint(seat),
				"radio_close_at", "60", "radio_close_for", "60", "radio_patience", "30",
			)
			r := g.open(t)
			defer r.close()
			must.Succeed(t, errors.Join(r.run(110)...))
			if c := r.status().Consoles[seat]; c.OnAir || c.Sent == 0 {
				t.Errorf("seat %d has closed its radio: %+v", seat, c)
			}
			must.Succeed(t, errors.Join(r.run(240)...))
			for i, c := range r.on[1:] {
				if p := reportOf(t, c); p.stage != 3 || p.shared != reportOf(t, r.on[1]).shared {
					t.Errorf("seat %d closed and came back; seat %d: %+v", seat, i+1, p)
				}
			}
			return radioRun{hashes: r.hashes(), trace: r.trace, chain: r.status().Chain}
		}
		a, b := play(), play()
		if err := a.differs(&b); err != nil {
			t.Errorf("seat %d: %v", seat, err)
		}
	}
}

// TestRadioState: a game taken in the middle of play goes on elsewhere as it
// would have gone on here.
func TestRadioState(t *testing.T) {
	checkLeaks(t)
	for _, at := range []int64{40, 101} {
		g := pocketGame(t, 3, 0, "radio", "mac", "radio_at_us", "16300", "radio_stagger", "3")
		r := g.open(t)
		must.Succeed(t, errors.Join(r.run(at)...))
		saved, err := r.air.Save()
		must.Succeed(t, err)
		var states []State
		for _, c := range r.on {
			s, err := c.Save()
			must.Succeed(t, err)
			states = append(states, s)
		}
		r.trace = nil
		want := goOn(t, r, at+60)
		for range 2 {
			got := goOn(t, g.installed(t, saved, states, at), at+60)
			if err := got.differs(&want); err != nil {
				t.Errorf("from frame %d: %v", at, err)
			}
		}
	}
}

func goOn(t *testing.T, r *radioRoom, to int64) radioRun {
	t.Helper()
	defer r.close()
	must.Succeed(t, errors.Join(r.run(to)...))
	if len(r.trace) == 0 {
		t.Error("nothing was sent")
	}
	return radioRun{hashes: r.hashes(), trace: r.trace, chain: r.status().Chain}
}

// installed is a room of new consoles on a new air, as they were saved.
func (g *radioGame) installed(t *testing.T, saved []byte, states []State, at int64) *radioRoom {
	t.Helper()
	a, err := air.New(g.air)
	must.Succeed(t, err)
	r := &radioRoom{t: t, game: g, air: a, on: make([]*Console, g.consoles), frame: at}
	t.Cleanup(r.close)
	for i := range r.on {
		if r.on[i], err = Start(t.Context(), g.config(a, ds.Seat(i))); err != nil {
			t.Fatal(err)
		}
		must.Succeed(t, r.on[i].Load(states[i]))
	}
	must.Succeed(t, a.Restore(saved))
	return r
}

// TestRadioSilentCore: a core without wireless keeps nobody waiting.
func TestRadioSilentCore(t *testing.T) {
	checkLeaks(t)
	g := pocketGame(t, 2, 60, "radio", "mac")
	r := g.open(t)
	cfg := worldConfig(t)
	cfg.Radio = &Radio{Air: r.air, Seat: 9}
	c, err := Start(t.Context(), cfg)
	must.Succeed(t, err)
	must.Succeed(t, r.air.Plug(9))
	r.on = append(r.on, c)
	must.Succeed(t, errors.Join(r.run(g.frames)...))
	if st := r.status().Consoles[9]; st.OnAir || st.Frame != g.frames || st.Sent > 0 {
		t.Errorf("%+v", st)
	}
}

// TestRadioDead: a worker's end is told to the air if it has ever been there.
func TestRadioDead(t *testing.T) {
	checkLeaks(t)
	g := pocketGame(t, 2, 3)
	r := g.open(t)
	spare, err := Start(t.Context(), g.config(r.air, 1))
	must.Succeed(t, err)
	spare.Close()
	if !r.status().Consoles[1].Plugged {
		t.Error("the end of a console that never made a step took another one's seat")
	}
	must.Succeed(t, errors.Join(r.run(g.frames)...))
	r.on[1].Close()
	if st := r.status(); st.Consoles[1].Plugged || !st.Consoles[0].Plugged {
		t.Errorf("%+v", st.Consoles[:2])
	}
	// One that is gone before its first step, too.
	kill(t, r.on[0])
	<-r.on[0].proc.done
	if _, err := r.on[0].Step(Input{}); err == nil || r.status().Consoles[0].Plugged {
		t.Error(err, "and the seat is still taken")
	}
}

// TestRadioPlace: a radio needs an air, and one of its seats.
func TestRadioPlace(t *testing.T) {
	a, err := air.New(air.Config{})
	must.Succeed(t, err)
	defer a.Close()
	for _, r := range []*Radio{{Seat: 1}, {Air: a, Seat: 16}, {Air: a, Seat: -1}} {
		if _, err := newAntenna(r); err == nil {
			t.Errorf("%+v was taken", r)
		}
	}
}
