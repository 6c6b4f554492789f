package emucore

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/air"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// TestRollbackBenchTogether is the part of "make rollbackbench" for two consoles on one air. It
// judges nothing. Times are real ones, since the consoles run beside each other: they are worth
// something only where nothing else runs.
func TestRollbackBenchTogether(t *testing.T) {
	runs, _ := strconv.Atoi(os.Getenv("NETTPLAY_ROLLBACKBENCH"))
	if runs == 0 {
		t.Skip("NETTPLAY_ROLLBACKBENCH is the number of corrections of each depth")
	}
	fmt.Println("Two consoles on the air: real time in ms, median and p99. Back n: to the frame n before, n + 1 frames and snapshots.")
	fmt.Println("Stands: of 100 frames' ends, so many at which both stand without a stop. Give-ups: of the game host, in 100 frames, without and with a stop before each.")
	fmt.Println("| core | ROM | way | frame | with a stop | snapshot | frame after it | return | back 1 | 2 | 3 | 4 | 8 | fits | stands | give-ups |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|")
	play := func(name string, g *radioGame) {
		t.Run(name, func(t *testing.T) {
			eachWay(t, func(t *testing.T, way SnapshotWay) { benchTogether(t, name+" | "+way.String(), g, runs) })
		})
	}
	play("test core | radio", pocketGame(t, 2, 0, "radio", "mac"))
	if os.Getenv("NETTPLAY_TEST_CORE") == "" {
		return
	}
	for _, jit := range []string{"enabled", "disabled"} {
		for _, rom := range []string{"multiplay.nds", "broadcast.nds"} {
			g := realGame(t, rom, 2, 0)
			g.options = map[string]string{"melonds_jit_enable": jit}
			play(fmt.Sprintf("%s, JIT %s | %s", g.core.Name, jit, rom), g)
		}
	}
}

func timed(t testing.TB, run func() error) time.Duration {
	t.Helper()
	start := time.Now()
	must.Succeed(t, run())
	return time.Since(start)
}

func benchTogether(t *testing.T, name string, g *radioGame, runs int) {
	r := g.openStopping(t, true)
	must.Succeed(t, errors.Join(r.run(200)...))
	frame, before := r.unstopped(runs)
	plain := r.status().Consoles[0].HostGiveUps - before
	var stopped, snapshot, after, back times
	for range runs {
		stopped = append(stopped, timed(t, r.next))
	}
	cut := r.status().Consoles[0].HostGiveUps - before - plain
	for range runs {
		snapshot = append(snapshot, timed(t, r.snapshot))
		after = append(after, timed(t, r.next))
	}
	for range runs {
		back = append(back, timed(t, func() error { return r.back(r.frame - 1) }))
		must.Succeed(t, r.goOn(2))
	}
	fmt.Printf("| %s | %v | %v | %v | %v | %v |", name, frame, stopped, snapshot, after, back)
	fits := 0
	for _, depth := range benchDepths {
		var all times
		for range runs {
			must.Succeed(t, r.goOn(depth))
			all = append(all, timed(t, func() error {
				return errors.Join(r.back(r.frame-depth), r.goOn(depth+1))
			}))
		}
		text := all.String()
		fmt.Printf(" %s |", text)
		if all.at(99) <= ds.FrameTime(1) {
			fits = int(depth)
		}
	}
	per := func(n uint64) float64 { return float64(n) * 100 / float64(runs) }
	fmt.Printf(" %d | %d | %.0f, %.0f |\n", fits, r.stands(100), per(plain), per(cut))
}

// unstopped plays frames without a stop between them, each console as fast as it can, and
// returns the first one's times, with the count of give-ups before.
func (r *stoppingRoom) unstopped(frames int) (took times, before uint64) {
	r.t.Helper()
	before = r.status().Consoles[0].HostGiveUps
	to := r.frame + int64(frames)
	must.Succeed(r.t, errors.Join(r.air.Resume(), r.air.StopAt(to)))
	must.Succeed(r.t, r.each(func(seat int, c *Console) error {
		for f := c.Frame(); f < to; f++ {
			start := time.Now()
			if _, err := c.Step(r.game.keys(ds.Seat(seat), f)); err != nil {
				return err
			}
			if seat == 0 {
				took = append(took, time.Since(start))
			}
		}
		return nil
	}))
	r.frame = to
	return took, before
}

// next runs a frame after a stop, with the game's own inputs.
func (r *stoppingRoom) next() error {
	return r.step([]Input{r.game.keys(0, r.frame), r.game.keys(1, r.frame)}, nil)
}

// goOn runs frames as a game does that corrects itself: each is asked for in one message with the snapshot before it, and only the
// newest has a picture.
func (r *stoppingRoom) goOn(frames int64) error {
	for last := r.frame + frames - 1; r.frame <= last; {
		place := r.place(r.frame)
		var err error
		if r.saved[place], err = r.air.Save(); err != nil {
			return err
		}
		if err := r.advance(func(seat int, c *Console) error {
			run := c.AdvanceFrom
			if r.frame == last {
				run = c.StepFrom
			}
			_, err := run(place, r.game.keys(ds.Seat(seat), r.frame))
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}

// stands plays frames of which the next one is opened when nobody can go on, and counts the
// ends at which all stood, so that there could have been a snapshot without a stop.
func (r *stoppingRoom) stands(frames int64) (n int) {
	r.t.Helper()
	to := r.frame + frames
	must.Succeed(r.t, errors.Join(r.air.Open(r.frame+1), r.air.Resume(), r.air.StopAt(to)))
	var all sync.WaitGroup
	var err error
	all.Go(func() {
		err = r.each(func(seat int, c *Console) error { return r.game.playTo(c, ds.Seat(seat), to) })
	})
	for f := r.frame + 1; f < to; f++ {
		for !r.nobodyGoesOn(f) {
			runtime.Gosched()
		}
		if _, err := r.air.Snapshot(f); err == nil {
			n++
		} else if !errors.Is(err, air.ErrNotStopped) {
			r.t.Error(err)
		}
		must.Succeed(r.t, r.air.Open(f+1))
	}
	must.Succeed(r.t, r.air.Open(to+1))
	all.Wait()
	must.Succeed(r.t, err)
	r.frame = to
	return n
}

// nobodyGoesOn reports whether all stand, before a frame that is not open or for one that does.
func (r *stoppingRoom) nobodyGoesOn(frame int64) bool {
	st := r.status()
	return !slices.ContainsFunc(st.Consoles[:len(r.on)], func(c air.Console) bool { return !c.Stopped && (c.OnAir || c.Frame < frame) })
}
