package emucore

import (
	"strings"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
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
