package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nettplay/nettplay/internal/testing/must"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// TestLabThirdFriendHelps: two homes whose routers give each connection another port meet through a third friend, whose router opens a
// port when it is asked. The third does not play, or plays too: then that machine speaks to its own relay without its router,
// which lets none of its machines in from inside. The game host's settings have the address; the invitation is all
// that the guests need. Afterwards the third friend's router is as before.
func TestLabThirdFriendHelps(t *testing.T) {
	if err := labCan(true); err != nil {
		t.Skipf("SKIPPED: here can be no lab of routers: %v", err)
	}
	for _, plays := range []bool{false, true} {
		if plays && os.Getenv(natLabVariable) == "" {
			continue // of the short lab, the helper is idle
		}
		t.Run(fmt.Sprintf("plays %v", plays), func(t *testing.T) {
			t.Parallel()
			exe, err := exec.LookPath("nettplay")
			must.Succeed(t, err)
			strict := kindOf("symmetric")
			l := newInternet(t, filepath.Dir(exe), false, "a", "ra", "b", "rb", "d", "rd")
			l.home("a", 1, strict)
			l.home("b", 2, strict)
			l.home("d", 3, kindOf("UPnP"))
			l.write("host.toml", fmt.Sprintf("[net]\nstun = [%q]\nforward = false\nrelays = [\"45.80.3.2:21206\"]\n", stunAt))
			l.write("helper.toml", fmt.Sprintf("[net]\nstun = [%q]\nhelp_friends = true\n", stunAt))
			paths, err := romstest.WriteFiles(l.dir, romstest.ROM{Name: "save.nds", Data: romstest.Save})
			must.Succeed(t, err)
			const address = `\n  (45\.80\.3\.2:\d+)\n`
			helper := l.program(l.machine("d"), "helper", exe, "help-friends", "--config", filepath.Join(l.dir, "helper.toml"))
			l.waitFor(helper, "your router lets them in")
			if at := l.waitFor(helper, address); at != "45.80.3.2:21206" {
				t.Fatalf("friends meet at %s", at)
			}
			play := func(home, name, command string, more ...string) *labProgram {
				args := []string{exe, command, "--headless", "--frames", "120", "--report", l.report(name)}
				return l.program(l.machine(home), name, append(args, more...)...)
			}
			players := "2"
			if plays { // in the same program
				players = "3"
				must.Succeed(t, l.interrupt(helper))
			}
			host := play("a", "host", "host", "--config", filepath.Join(l.dir, "host.toml"), "--players", players, paths[0])
			programs := []*labProgram{host}
			if plays {
				// The invitation is there before the relay is: the game host has its address from another day.
				invitation := l.waitFor(host, `nettplay://join/\w+`)
				programs = append(programs, play("d", "helper", "join", "--config", filepath.Join(l.dir, "helper.toml"), "--rom", paths[0], invitation))
			}
			l.waitFor(host, `the\s+relay\s+45\.80\.3\.2:21206\s+brings\s+them\s+in`)
			friend := play("b", "friend", "join", "--config", filepath.Join(l.dir, "friend.toml"), "--rom", paths[0], l.lastInvitation(host))
			programs = append(programs, friend)
			if !plays {
				l.waitFor(helper, `2 computers in 1 room now`)
			}
			late := time.After(pairWait)
			for _, p := range programs {
				select {
				case <-p.done:
				case <-late:
					for _, p := range programs {
						t.Logf("it still runs, or not:\n%s", p.says())
					}
					t.Fatal("they do not play")
				}
				if p.err != nil {
					t.Errorf("%v\n%s", p.err, p.says())
				}
			}
			if t.Failed() {
				t.FailNow()
			}
			for _, other := range []string{"friend", "helper"}[:len(programs)-1] {
				if diff := cmp.Diff(seats(t, l.report("host")), seats(t, l.report(other))); diff != "" {
					t.Errorf("the consoles of the game host and of %s differ:\n%s", other, diff)
				}
			}
			if !plays {
				if path, says := pathOf(t, l.report("friend")); path != "relay" || !strings.Contains(says, "45.80.3.2:21206") {
					t.Errorf("they played by %s: %s", path, says)
				}
				must.Succeed(t, l.interrupt(helper))
			}
			if rules := l.in(l.machine("rd"), "nft", "list", "chain", "inet", "filter", "prerouting_miniupnpd"); strings.Contains(rules, "dnat") {
				t.Errorf("the helper's router is left open:\n%s", rules)
			}
		})
	}
}

// waitFor waits until a program has said something, and returns the pattern's first group, or all of it.
func (l *natLab) waitFor(p *labProgram, pattern string) string {
	l.t.Helper()
	looked := regexp.MustCompile(pattern)
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		if found := looked.FindStringSubmatch(p.says()); found != nil {
			return found[len(found)-1]
		}
		if time.Now().After(deadline) || p.ended() {
			l.t.Fatalf("it does not say %q:\n%s", pattern, p.says())
		}
	}
}

func (l *natLab) lastInvitation(host *labProgram) string {
	list := regexp.MustCompile(`nettplay://join/\w+`).FindAllString(host.says(), -1)
	return list[len(list)-1]
}

// interrupt has a program end as by Ctrl-C, and waits until it has.
func (l *natLab) interrupt(p *labProgram) error {
	pid := p.cmd.Process.Pid
	return errors.Join(syscall.Kill(pid, syscall.SIGINT), p.over())
}
