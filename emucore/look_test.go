package emucore

import (
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/testing/testcore"
)

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

// A console in the background runs at the lowest priority, and is what it is elsewhere.
func TestBackground(t *testing.T) {
	start := func(background bool) *Console {
		cfg := worldConfig(t)
		cfg.Core, cfg.Background = opened(t, testcore.Path(t)), background
		return started(t, cfg)
	}
	front, back := start(false), start(true)
	for _, c := range []*Console{front, back} {
		nice, err := unix.Getpriority(unix.PRIO_PROCESS, c.proc.pid())
		if want := 20; c == back {
			want -= lowest // the system call counts from the other end
			if err != nil || nice != want {
				t.Errorf("priority %d in the background, want %d, %v", nice, want, err)
			}
		} else if err != nil || nice == 20-lowest {
			t.Errorf("priority %d in a game, %v", nice, err)
		}
	}
	if a, b := play(t, front, mash(1, 30), 30), play(t, back, mash(1, 30), 30); a[len(a)-1] != b[len(b)-1] {
		t.Errorf("%v and %v", a, b)
	}
}
