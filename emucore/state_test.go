package emucore

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// TestEveryInstanceGoesOnAlike: whoever loads a state, fresh or not, at the same
// time or later, goes on like everybody else who loads it.
func TestEveryInstanceGoesOnAlike(t *testing.T) { onCores(t, everyInstanceGoesOnAlike) }

func everyInstanceGoesOnAlike(t *testing.T, core Core) {
	owner := startCore(t, core, nil)
	play(t, owner, mash(5, 333), 333)
	s, err := owner.Save()
	must.Succeed(t, err)
	if s.Frame != 333 {
		t.Errorf("saved at frame %d", s.Frame)
	}
	consoles := []*Console{owner, startCore(t, core, nil), startCore(t, core, nil), startCore(t, core, nil)}
	play(t, consoles[2], mash(6, 50), 50) // has a life of its own
	ins := mash(7, 100)
	hashes := make([][]ds.Hash, len(consoles))
	var wg sync.WaitGroup
	for i, c := range consoles {
		wg.Go(func() {
			if err := c.Load(s); err != nil {
				t.Error(err)
				return
			}
			h, err := c.Hash()
			if err != nil || c.Frame() != 333 || c.Video().Width != 0 {
				t.Errorf("loaded: %v, frame %d, picture %d wide", err, c.Frame(), c.Video().Width)
			}
			hashes[i] = append([]ds.Hash{h}, play(t, c, ins, 20)...)
		})
	}
	wg.Wait()
	for i, h := range hashes {
		if len(h) != 1+len(ins)/20 || !slices.Equal(h, hashes[0]) {
			t.Errorf("instance %d went its own way:\n%v\n%v", i, h, hashes[0])
		}
	}
}

// TestALoadedStateIsTheConsole: a fresh console that loads a state has the memory
// and the save of the one that made it, and goes on with its pictures from the
// second frame on. (The first is drawn from what a state does not hold: DeSmuME's
// is another one.) A cartridge that has no save has none afterwards either.
func TestALoadedStateIsTheConsole(t *testing.T) { onCores(t, aLoadedStateIsTheConsole) }

func aLoadedStateIsTheConsole(t *testing.T, core Core) {
	a, b := startCore(t, core, nil), startCore(t, core, nil)
	play(t, a, mash(5, 150), 150)
	s, err := a.Save()
	must.Succeed(t, err)
	must.Succeed(t, b.Load(s))
	ins := mash(7, 100)
	want, got := play(t, a, ins, 1), play(t, b, ins, 1)
	for i := range want {
		if i == 0 {
			want[i].Video, got[i].Video = 0, 0
		}
		if want[i] != got[i] {
			t.Fatalf("%d frames after the state: %+v, and here %+v", i+1, want[i], got[i])
		}
	}
}

// TestSaveIsRepeatable: a state that is kept has no arbitrary bytes: two
// consoles that are equal, in two processes, give equal states.
func TestSaveIsRepeatable(t *testing.T) {
	core := needDesmume(t)
	save := func() State {
		c := startCore(t, core, nil)
		defer c.Close()
		play(t, c, mash(8, 100), 100)
		s, err := c.Save()
		must.Succeed(t, err)
		return s
	}
	a, b := save(), save()
	var differ []int
	for i := range a.Data {
		if a.Data[i] != b.Data[i] {
			differ = append(differ, i)
		}
	}
	if len(differ) > 0 {
		t.Errorf("%d bytes differ, the first is %d", len(differ), differ[0])
	}
}

// TestLidGoesWithTheState: a console saved with its lid shut opens it when the
// input says so, in a fresh process too.
func TestLidGoesWithTheState(t *testing.T) { onCores(t, lidGoesWithTheState) }

func lidGoesWithTheState(t *testing.T, core Core) {
	a := startCore(t, core, nil)
	stepWith(t, a, 0, 60)
	stepWith(t, a, inputdelay.Lid, 40)
	s, err := a.Save()
	must.Succeed(t, err)
	after := func(c *Console, keys inputdelay.Keys) ds.Hash {
		must.Succeed(t, c.Load(s))
		stepWith(t, c, keys, 80)
		h, err := c.Hash()
		must.Succeed(t, err)
		return h
	}
	if ProfileFor(core.Name).LidState == nil {
		if err := a.Load(s); !errors.Is(err, errEdges) { // shut here, open in a fresh console
			t.Error(err)
		}
	}
	b := startCore(t, core, nil)
	open := after(b, 0)
	if again := after(startCore(t, core, nil), 0); again != open {
		t.Errorf("opened: %v here, %v there", open, again)
	}
	shut := after(startCore(t, core, nil), inputdelay.Lid)
	if shut == open {
		t.Error("the lid stayed shut")
	}
	if again := after(b, inputdelay.Lid); again != shut { // it was open, so it may load
		t.Errorf("shut: fresh %v, used %v", shut, again)
	}
}

// TestLoadRefusesDamage: what is not a whole state of this core never reaches
// it, and the console goes on as if nothing had been tried.
func TestLoadRefusesDamage(t *testing.T) { onCores(t, loadRefusesDamage) }

func loadRefusesDamage(t *testing.T, core Core) {
	c, twin := startCore(t, core, nil), startCore(t, core, nil)
	stepWith(t, c, 0, 20)
	stepWith(t, twin, 0, 20)
	s, err := c.Save()
	must.Succeed(t, err)
	other, err := mustWorld(t).Save()
	must.Succeed(t, err)
	change := func(at int) State {
		d := slices.Clone(s.Data)
		d[at] ^= 1
		return State{s.Frame, d}
	}
	garbage := make([]byte, len(s.Data))
	_, _ = rand.NewChaCha8([32]byte{1}).Read(garbage)
	for name, bad := range map[string]State{
		"nothing":         {},
		"short":           {s.Frame, s.Data[:20]},
		"truncated":       {s.Frame, s.Data[:len(s.Data)-1]},
		"too long":        {s.Frame, append(slices.Clone(s.Data), 0)},
		"magic":           change(0),
		"version":         change(4),
		"frame":           change(8),
		"length":          change(16),
		"sum":             change(24),
		"first byte":      change(stateHeader),
		"in the middle":   change(len(s.Data) / 2),
		"last byte":       change(len(s.Data) - 1),
		"another frame":   {s.Frame + 1, s.Data},
		"another core":    other,
		"garbage":         {0, garbage},
		"sealed garbage":  sealed(0, garbage[:len(s.Data)-stateHeader]),
		"sealed zeros":    sealed(0, make([]byte, len(s.Data)-stateHeader)),
		"before frame 0":  sealed(-1, s.Data[stateHeader:]),
		"sealed but long": sealed(0, append(slices.Clone(s.Data[stateHeader:]), 0)),
	} {
		if err := c.Load(bad); !errors.Is(err, ErrBadState) {
			t.Errorf("%s: %v", name, err)
		}
	}
	ins := mash(9, 60)
	if a, b := play(t, c, ins, 20), play(t, twin, ins, 20); !slices.Equal(a, b) {
		t.Errorf("the console is not as it was:\n%v\n%v", a, b)
	}
}

// sealed makes a state of anything, as a liar would.
func sealed(frame int64, core []byte) State {
	d := append(make([]byte, stateHeader), core...)
	putStateHeader(d, frame, tuned{sent: 2, host: 3, behind: 4, ahead: 5}, false)
	return State{frame, d}
}

// TestLoadSurvivesLies: a state with a good header and made-up content ends in
// an error in time, and in nothing worse.
func TestLoadSurvivesLies(t *testing.T) { onCores(t, loadSurvivesLies) }

func loadSurvivesLies(t *testing.T, core Core) {
	c := startCore(t, core, nil)
	stepWith(t, c, 0, 20)
	good := stateOf(t, c)
	r := rand.New(rand.NewPCG(3, 4))
	for i := range 4 {
		bad := slices.Clone(good)
		for range 1 << (5 * i) {
			bad[r.IntN(len(bad))] = byte(r.Uint32())
		}
		checkLeaks(t)
		c := startCore(t, core, nil)
		err := c.Load(sealed(20, bad))
		for n := 0; n < 60 && err == nil; n++ {
			_, err = c.Step(Input{})
		}
		t.Log(i, err) // any of them, but here it is
		c.Close()
	}
}

// TestLoadRefusedByTheCore: a console whose core gave up half way does nothing
// more, until it is given a state it takes.
func TestLoadRefusedByTheCore(t *testing.T) {
	c := mustWorld(t)
	stepWith(t, c, 0, 3)
	good, err := c.Save()
	must.Succeed(t, err)
	bad := make([]byte, len(good.Data)-stateHeader)
	binary.LittleEndian.PutUint32(bad, 0xdead)
	if err := c.Load(sealed(3, bad)); err == nil || !strings.Contains(err.Error(), "refused the state") {
		t.Error(err)
	}
	if _, err := c.Step(Input{}); err != errUnknown {
		t.Error(err)
	}
	if _, err := c.Hash(); err != errUnknown {
		t.Error(err)
	}
	if _, err := c.Save(); err != errUnknown {
		t.Error(err)
	}
	if err := c.Load(State{}); !errors.Is(err, ErrBadState) {
		t.Error(err)
	}
	if _, err := c.Step(Input{}); err != errUnknown {
		t.Error(err)
	}
	if err := c.Load(good); err != nil {
		t.Error(err)
	}
	stepWith(t, c, 0, 3)
	var crash *CrashError
	binary.LittleEndian.PutUint32(bad, 0xc0de)
	if err := c.Load(sealed(3, bad)); !errors.As(err, &crash) || crash.Signal != "SIGABRT" {
		t.Error(err)
	}
}

func TestCoreWithoutStates(t *testing.T) {
	c := mustWorld(t, "do", "no states")
	if _, err := c.Save(); !errors.Is(err, ErrNoState) {
		t.Error(err)
	}
	if err := c.Load(State{}); !errors.Is(err, ErrNoState) {
		t.Error(err)
	}
	stepWith(t, c, 0, 3)
	if h, err := c.Hash(); err != nil || h.RAM == 0 {
		t.Error(h, err)
	}
	d := mustWorld(t, "do", "serialize fails")
	if _, err := d.Save(); err == nil || !strings.Contains(err.Error(), "could not save its state") {
		t.Error(err)
	}
	stepWith(t, d, 0, 3)
}

// TestStateFormat: states are files, so their form does not change by accident.
func TestStateFormat(t *testing.T) {
	want := "npst" + "\x02\x00\x00\x00" + "\x34\x12\x00\x00\x00\x00\x00\x00" + "\x05\x00\x00\x00\x00\x00\x00\x00" +
		string(binary.LittleEndian.AppendUint64(nil, xxh3.HashString("hello"))) + "\x02\x03\x04\x05\x00\x00\x00\x00" + "hello"
	if got := string(sealed(0x1234, []byte("hello")).Data); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// FuzzState: no bytes make the header's reader do anything but say no, and what
// it takes is what was put in.
func FuzzState(f *testing.F) {
	f.Add(int64(0), sealed(0, nil).Data)
	f.Add(int64(7), sealed(7, []byte("state")).Data)
	f.Add(int64(7), []byte("npst"))
	f.Fuzz(func(t *testing.T, frame int64, data []byte) {
		core, err := coreState(State{frame, data})
		if err != nil {
			if !errors.Is(err, ErrBadState) {
				t.Error(err)
			}
			return
		}
		if again := sealed(frame, core); !slices.Equal(again.Data, data) {
			t.Error("not the only form of this state")
		}
	})
}

// The main memory that is shown is the one that is hashed, and looking changes nothing.
func TestRAMIsWhatIsHashed(t *testing.T) { onCores(t, ramIsWhatIsHashed) }

func ramIsWhatIsHashed(t *testing.T, core Core) {
	c := startCore(t, core, nil)
	play(t, c, mash(3, 60), 60)
	before, err := c.Hash()
	must.Succeed(t, err)
	ram, err := c.RAM()
	if err != nil || len(ram) == 0 || hashOf(ram) != before.RAM {
		t.Errorf("%d bytes with another hash than %v, %v", len(ram), before, err)
	}
	if after, err := c.Hash(); err != nil || after != before {
		t.Errorf("after the look the hash is %v, %v, was %v", after, err, before)
	}
	c.Close()
	if _, err := c.RAM(); err == nil {
		t.Error("a closed console shows its memory")
	}
}

func TestLogOfAConsole(t *testing.T) {
	c := mustPocket(t, "spam_log", "3")
	for range 2 {
		if _, err := c.Step(Input{}); err != nil {
			t.Fatal(err)
		}
	}
	c.Close()
	if log := strings.Join(c.Log(), "\n"); !strings.Contains(log, "spam 3") {
		t.Errorf("the log is %q", log)
	}
}
