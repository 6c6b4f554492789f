package main

import (
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/nettplay/nettplay/internal/testing/must"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// onlineWithin is how long it may take from Play online to the first frame.
const onlineWithin = 10 * time.Second

// TestLabWithoutUDP: neither home lets a datagram of UDP out. One player opens a room that everybody may find,
// the other has nothing but the relay's name and finds it. They play through the relay by WebSocket, are told so and
// what it costs, and have equal consoles.
func TestLabWithoutUDP(t *testing.T) {
	blocked := kindOf("UDP blocked")
	l := newPairLab(t, labPrograms(t), blocked, blocked, true)
	paths, err := romstest.WriteFiles(l.dir, romstest.ROM{Name: "save.nds", Data: romstest.Save})
	must.Succeed(t, err)
	says := func(p *labProgram, words string) {
		t.Helper()
		for late := time.Now().Add(pairWait); !strings.Contains(strings.Join(strings.Fields(p.says()), " "), words); time.Sleep(20 * time.Millisecond) {
			if time.Now().After(late) || p.ended() {
				t.Fatalf("nobody says %q:\n%s", words, p.says())
			}
		}
	}
	arguments := func(command, name string, more ...string) []string {
		list := []string{l.exe, command, paths[0], "--config", l.dir + "/" + name + ".toml", "--headless", "--relay", relayAt, "--frames", pairFrames, "--report", l.report(name)}
		return append(list, more...)
	}
	host := l.program(l.machine("a"), "host", arguments("host", "host", "--open", "--players", "2")...)
	says(host, "by WebSocket because this network blocks UDP. A lost packet holds up the others there, so choose a higher delay.")
	says(host, "Everybody can find the room now, at the relay "+relayAt)
	began := time.Now()
	friend := l.program(l.machine("b"), "friend", arguments("match", "friend")...)
	says(friend, "Joining")
	found := time.Since(began)
	says(friend, "2 of 2 seats taken")
	in := time.Since(began)
	says(friend, "the game begins")
	plays := time.Since(began)
	for _, p := range []*labProgram{friend, host} {
		if err := p.over(); err != nil {
			t.Fatalf("%v\n%s", err, p.says())
		}
	}
	if diff := gocmp.Diff(seats(t, l.report("host")), seats(t, l.report("friend"))); diff != "" {
		t.Errorf("the consoles differ:\n%s", diff)
	}
	for _, name := range []string{"host", "friend"} {
		if way, words := pathOf(t, l.report(name)); way != "WebSocket" || !strings.Contains(words, "holds up the others for") {
			t.Errorf("%s plays by %q: %s", name, way, words)
		}
	}
	_, words := pathOf(t, l.report("friend"))
	t.Logf("from Play online: one command; the room found after %.1f s, in its lobby after %.1f s, playing after %.1f s; %s", found.Seconds(), in.Seconds(), plays.Seconds(), words)
	if plays > onlineWithin {
		t.Errorf("that took %v", plays)
	}
	if out := l.in(l.machine("ra"), "nft", "list", "ruleset"); !strings.Contains(out, "l4proto udp drop") {
		t.Errorf("UDP was not blocked:\n%s", out)
	}
	l.list(relayAt)
}

// list looks at the open rooms from the friend's home: the one that was there is gone.
func (l *pairLab) list(relay string) {
	l.t.Helper()
	p := l.program(l.machine("b"), "list", l.exe, "online", "--config", l.dir+"/friend.toml", "--relay", relay)
	if err := p.over(); err != nil || !strings.Contains(p.says(), "No room is open.") {
		l.t.Errorf("%v; afterwards the list is:\n%s", err, p.says())
	}
}
