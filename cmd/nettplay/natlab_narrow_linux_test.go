package main

import (
	"fmt"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// TestLabNarrowPathsOfThree: all paths carry 1,280 bytes. Two of three players lose the way between them amid play, and
// go on through the third.
func TestLabNarrowPathsOfThree(t *testing.T) {
	programs := labPrograms(t)
	l := newInternet(t, programs, true, "a", "ra", "b", "rb", "d", "rd")
	cone := kindOf("full cone")
	cone.narrow = true
	for i, x := range []string{"a", "b", "d"} {
		l.home(x, i+1, cone)
	}
	l.write("host.toml", fmt.Sprintf("[net]\nstun = [%q]\nforward = false\n", stunAt))
	l.frames = "900"
	l.count()
	l.write("cut.nft", `table inet cut {
	chain pass { type filter hook forward priority 0; ip saddr 45.80.3.0/24 ip daddr 45.80.1.0/24 drop; ip saddr 45.80.1.0/24 ip daddr 45.80.3.0/24 drop; }
}
`)
	host, friends := l.three()
	l.untilPlayed("direct", host, friends[0], friends[1])
	l.in(l.core, "nft", "-f", l.dir+"/cut.nft")
	l.kill("--listen", relayAt)
	for i, p := range append(friends, host) {
		if err := p.over(); err != nil {
			t.Fatalf("program %d: %v\n%s", i+1, err, p.says())
		}
	}
	if _, words := pathOf(t, l.report("friend2")); !strings.Contains(words, "through ") || strings.Contains(words, "the relay") {
		t.Errorf("they do not play through the third player: %s", words)
	}
	for _, x := range []string{"friend1", "friend2"} {
		if diff := gocmp.Diff(seats(t, l.report("host")), seats(t, l.report(x))); diff != "" {
			t.Errorf("the consoles differ:\n%s", diff)
		}
	}
}
