package relaymodel

import (
	"flag"
	"math"
	"os"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
)

var update = flag.Bool("update", false, "write the page again")

const page = "../../../docs/relay-model.md"

// TestPage: the page says what is computed.
func TestPage(t *testing.T) {
	if *update {
		must.Succeed(t, os.WriteFile(page, []byte(Paper()), 0o644))
	}
	b, err := os.ReadFile(page)
	if err != nil || string(b) != Paper() {
		t.Errorf("%s is not what the model says, %v: cd internal/measuring && go test ./relaymodel -update", page, err)
	}
}

// TestByHand: one usage that was computed by hand, and Little's law.
func TestByHand(t *testing.T) {
	a, m := Usual(), Known()
	a.Sizes, a.Open, a.Friends = []float64{1}, 0.5, 2
	l := a.Load(m, Usage{Players: 4000, Relayed: 0.5, Relays: 3, Services: 1}, 4000)
	for what, is := range map[string][2]float64{
		"rooms": {l.Rooms, 2000}, "connections": {l.Connections, 1000}, "cores": {l.Cores, 0.44}, "gigabits": {l.Gigabits, 0.16},
		"mailboxes": {l.Mailboxes, 4000}, "entries": {l.Entries, 11000}, "writes": {l.Writes, 5500}, "begin and last": {l.Starts * a.MeanRoom() * 60, l.Rooms},
	} {
		if math.Abs(is[0]-is[1]) > 1e-6*is[1] {
			t.Errorf("%s: %v, not %v", what, is[0], is[1])
		}
	}
	sum := 0.0
	for _, share := range Usual().Sizes {
		sum += share
	}
	if math.Abs(sum-1) > 1e-9 {
		t.Errorf("the shares of sizes add up to %v", sum)
	}
}
