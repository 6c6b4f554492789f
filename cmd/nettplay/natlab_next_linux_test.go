package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/nettplay/nettplay/internal/testing/must"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// TestLabNextHostIsMet: the game host's program is killed amid play. The two others, each behind a
// router that lets nobody in, meet by the way that they have kept, and play to the end.
func TestLabNextHostIsMet(t *testing.T) {
	programs := labPrograms(t)
	for _, x := range []struct{ clients, path string }{{"port-restricted", "direct"}, {"symmetric", "relay"}} {
		t.Run(x.clients, func(t *testing.T) {
			t.Parallel()
			l := newInternet(t, programs, true, "a", "ra", "b", "rb", "d", "rd")
			l.home("a", 1, kindOf("full cone"))
			l.home("b", 2, kindOf(x.clients))
			l.home("d", 3, kindOf(x.clients))
			l.write("host.toml", fmt.Sprintf("[net]\nstun = [%q]\nforward = false\n", stunAt))
			l.frames = "900"
			l.count()
			host, friends := l.three()
			l.untilPlayed("direct", host, friends[0], friends[1])
			l.kill("host", "--headless")
			for i, p := range friends {
				if err := p.over(); err != nil {
					t.Fatalf("friend %d: %v\n%s", i+1, err, p.says())
				}
			}
			_ = host.over()
			one, two := l.consoles("friend1"), l.consoles("friend2")
			if diff := gocmp.Diff(one, two); diff != "" || len(one) != 3 {
				t.Errorf("the consoles differ:\n%s", diff)
			}
			way, words := pathOf(t, l.report("friend1"))
			if other, _ := pathOf(t, l.report("friend2")); way != x.path && other != x.path {
				t.Errorf("they play on by the path %q, want %q: %s", way, x.path, words)
			}
			t.Logf("%s: %s; play stood still: %s, and %s", x.clients, way, l.stalls("friend1"), l.stalls("friend2"))
		})
	}
}

// three has a game host and two friends meet.
func (l *pairLab) three() (host *labProgram, friends []*labProgram) {
	paths, err := romstest.WriteFiles(l.dir, romstest.ROM{Name: "save.nds", Data: romstest.Save})
	must.Succeed(l.t, err)
	host = l.program(l.machine("a"), "host", l.exe, "host", "--config", l.dir+"/host.toml", "--headless", "--players", "3",
		"--frames", l.frames, "--relay", relayAt, "--report", l.report("host"), paths[0])
	invitation := l.invitation(host, kindOf("full cone"), true)
	for i, x := range []string{"b", "d"} {
		name := fmt.Sprint("friend", i+1)
		p := l.program(l.machine(x), name, l.exe, "join", "--config", l.dir+"/friend.toml", "--headless", "--rom", paths[0],
			"--frames", l.frames, "--report", l.report(name), invitation)
		friends = append(friends, p)
		for deadline := time.Now().Add(pairWait); !strings.Contains(host.says(), fmt.Sprintf("%d of 3 seats taken", i+2)); time.Sleep(20 * time.Millisecond) {
			if p.ended() || time.Now().After(deadline) {
				l.t.Fatalf("%s does not come in:\n%s", name, p.says())
			}
		}
	}
	return host, friends
}

// consoles are all seats of a report.
func (l *pairLab) consoles(name string) (list []any) {
	b := must.Read(l.t, l.report(name))
	var r struct{ Seats []any }
	must.Succeed(l.t, json.Unmarshal(b, &r))
	return r.Seats
}
