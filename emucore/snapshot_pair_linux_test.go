package emucore

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"testing"

	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// A stopping room is consoles on one air that stop before each frame, where they can go back
// together.
type stoppingRoom struct {
	*radioRoom
	saved [rollbackDepth + 1][]byte // the air of each snapshot, by place
}

// openStopping opens a game, with snapshots or without.
func (g *radioGame) openStopping(t testing.TB, rollback bool) *stoppingRoom {
	t.Helper()
	other := *g
	other.rollback = rollback
	return &stoppingRoom{radioRoom: other.open(t)}
}

// each runs something for all consoles, beside each other.
func (r *stoppingRoom) each(run func(seat int, c *Console) error) error {
	errs := make([]error, len(r.on))
	var all sync.WaitGroup
	for seat, c := range r.on {
		all.Go(func() { errs[seat] = run(seat, c) })
	}
	all.Wait()
	return errors.Join(errs...)
}

// step runs a frame of each console. look, if there is one, sees it.
func (r *stoppingRoom) step(in []Input, look func(seat int, c *Console, f Frame) error) error {
	return r.advance(func(seat int, c *Console) error {
		f, err := c.Step(in[seat])
		if err == nil && look != nil {
			err = look(seat, c, f)
		}
		return err
	})
}

// advance has each console run a frame, up to the next stop.
func (r *stoppingRoom) advance(run func(seat int, c *Console) error) error {
	if err := errors.Join(r.air.Resume(), r.air.StopAt(r.frame+1)); err != nil {
		return err
	}
	err := r.each(run)
	r.frame++
	return err
}

func (r *stoppingRoom) place(frame int64) int { return int(frame % int64(len(r.saved))) }

// snapshot notes all as it stands.
func (r *stoppingRoom) snapshot() (err error) {
	place := r.place(r.frame)
	if err = r.each(func(_ int, c *Console) error { return c.snapshot(place) }); err != nil {
		return err
	}
	r.saved[place], err = r.air.Save()
	return err
}

// back returns to a frame of which there is a snapshot.
func (r *stoppingRoom) back(frame int64) error {
	place := r.place(frame)
	if err := r.each(func(_ int, c *Console) error { return c.Return(place) }); err != nil {
		return err
	}
	r.frame = frame
	return r.air.Restore(r.saved[place])
}

// A roomShot is all that players and another machine see of a frame.
type roomShot struct {
	consoles [2]shot
	chain    uint64 // of the packets up to it
	packets  uint64
}

// shoot runs a frame and reads its packets.
func (r *stoppingRoom) shoot(in []Input) (s roomShot) {
	r.t.Helper()
	must.Succeed(r.t, r.step(in, func(seat int, c *Console, f Frame) error {
		h, err := c.Hash()
		s.consoles[seat] = shot{f.Number, h, hashOf(soundOf(f))}
		return err
	}))
	r.drain()
	st := r.status()
	s.chain, s.packets = st.Chain, st.Packets
	return s
}

// guessing plays a script, and now and then goes up to four frames on with other inputs before
// it comes back.
func (r *stoppingRoom) guessing(script [][]Input, seed uint64) (list []roomShot) {
	r.t.Helper()
	rng := rand.New(rand.NewPCG(seed, 7))
	wrong := func() []Input {
		return []Input{{Keys: inputdelay.Keys(rng.IntN(1 << 12))}, {Keys: inputdelay.Keys(rng.IntN(1 << 12))}}
	}
	for _, in := range script {
		must.Succeed(r.t, r.snapshot())
		for rng.IntN(3) == 0 {
			from, packets := r.frame, len(r.trace)
			for range 1 + rng.IntN(rollbackDepth) {
				r.shoot(wrong())
				must.Succeed(r.t, r.snapshot())
			}
			if r.frame-from > rollbackDepth {
				r.t.Fatal("too far")
			}
			must.Succeed(r.t, r.back(from))
			r.trace = r.trace[:packets]
			must.Succeed(r.t, r.snapshot())
		}
		list = append(list, r.shoot(in))
	}
	return list
}

// exactTogether compares consoles on the air that went back again and again with consoles that
// never did: memory, picture, sound, save and packets of each frame. The first frames lead to
// where there is something to hear.
func exactTogether(t *testing.T, g *radioGame, first, frames int64) {
	t.Helper()
	checkLeaks(t)
	script := func(from, to int64) (list [][]Input) {
		for f := from; f < to; f++ {
			list = append(list, []Input{g.keys(0, f), g.keys(1, f)})
		}
		return list
	}
	play := func(rollback bool) (*stoppingRoom, []roomShot) {
		r := g.openStopping(t, rollback)
		for _, in := range script(0, first) {
			must.Succeed(t, r.step(in, nil))
			r.drain()
		}
		if rollback {
			return r, r.guessing(script(first, first+frames), g.seed)
		}
		var list []roomShot
		for _, in := range script(first, first+frames) {
			list = append(list, r.shoot(in))
		}
		return r, list
	}
	plain, want := play(false)
	r, got := play(true)
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("frame %d: %+v, without snapshots %+v", first+int64(i), got[i], want[i])
		}
	}
	if !slices.Equal(r.trace, plain.trace) {
		t.Errorf("%d packets, %d without snapshots, or others", len(r.trace), len(plain.trace))
	}
	st := plain.status()
	if heard := st.Packets - want[0].packets; heard < uint64(frames)/2 {
		t.Errorf("only %d packets", heard)
	}
	t.Logf("%d packets, %d give-ups of the host", st.Packets, st.Consoles[0].HostGiveUps)
}

// TestSnapshotsTogether: two consoles on the air that went back together are, frame by frame,
// those that never did, and so are their packets.
func TestSnapshotsTogether(t *testing.T) {
	eachWay(t, together)
}

func together(t *testing.T, _ SnapshotWay) {
	t.Run("test core", func(t *testing.T) {
		g := pocketGame(t, 2, 0, "radio", "mac", "radio_garbage", "enabled", "radio_payload", "32")
		g.seed = 3
		exactTogether(t, g, 20, 40)
	})
	frames := int64(60)
	if long() {
		frames = 400
	}
	if os.Getenv("NETTPLAY_TEST_CORE") == "" {
		return
	}
	for _, rom := range []string{"multiplay.nds", "broadcast.nds"} {
		for _, jit := range []string{"enabled", "disabled"} {
			t.Run(fmt.Sprint(rom, ", JIT ", jit), func(t *testing.T) {
				g := realGame(t, rom, 2, 0)
				g.options = map[string]string{"melonds_jit_enable": jit}
				g.seed = 3
				exactTogether(t, g, 180, frames)
			})
		}
	}
}
