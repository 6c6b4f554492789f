package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// Rooms and times of `make relaycluster`, and of the tests in passing.
const (
	manyRooms, fewRooms = 200, 4
	loneRooms           = 4 // that one relay has and the others hear of
	childArgs           = "NETTPLAY_RELAY_CHILD"

	playsWithin  = 3 * time.Second  // after a relay died
	listedWithin = 10 * time.Second // the same
)

// TestMain is the program itself in processes that a test can kill.
func TestMain(m *testing.M) {
	if path := os.Getenv(childArgs); path != "" {
		ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
		defer stop()
		if err := run(ctx, []string{"--config", path}, io.Discard, os.Stderr); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// process is a relay that can be killed.
type process struct {
	*exec.Cmd
	name, status string
}

// spawn starts a relay with settings beside those of every one here.
func spawn(t *testing.T, settings string, sibling bool) *process {
	p := &process{name: freePort(), status: freePort()}
	text := fmt.Sprintf("listen = %q\nstatus = %q\nwebsocket = {listen = \"\"}\nlimits = {per_host = 10000, rooms = 10000, host_rate = 1000000000}\n", p.name, p.status)
	if sibling {
		text += fmt.Sprintf("name = %q\n", p.name)
	}
	path := filepath.Join(t.TempDir(), "relay.toml")
	must.Succeed(t, os.WriteFile(path, []byte(text+settings), 0o600))
	p.Cmd = exec.Command(os.Args[0])
	p.Env = append(os.Environ(), childArgs+"="+path)
	p.Stderr = os.Stderr
	must.Succeed(t, p.Start())
	t.Cleanup(p.kill)
	return p
}

func (p *process) kill() {
	_ = p.Process.Kill()
	_ = p.Wait()
}

// says reports whether /healthz ends with a line.
func (p *process) says(line string) func() bool {
	return func() bool {
		r, err := http.Get("http://" + p.status + "/healthz")
		if err != nil {
			return false
		}
		defer r.Body.Close()
		b, _ := io.ReadAll(io.LimitReader(r.Body, 1<<10))
		return strings.HasSuffix(string(b), "\n"+line+"\n")
	}
}

func await(t *testing.T, what string, is func() bool) {
	t.Helper()
	for late := time.Now().Add(time.Minute); !is(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(late) {
			t.Fatal("it never comes to pass: " + what)
		}
	}
}

// ports are free ones.
func ports(t *testing.T, n int) (list []string) {
	for range n {
		list = append(list, freePort())
	}
	return list
}

// node are the settings of one of several nodes.
func nodeSettings(name, listen, at string, routes []string) string {
	return fmt.Sprintf("[node]\nname = %q\nlisten = %q\ncluster = %q\nroutes = [\"%s\"]\npassword = \"secret\"\n", name, listen, at, strings.Join(routes, "\", \""))
}

// TestARelayIsKilled: three relays with a node of NATS in each; one is killed while rooms play.
func TestARelayIsKilled(t *testing.T) {
	routes := ports(t, 3)
	var list []*process
	for i, at := range routes {
		list = append(list, spawn(t, nodeSettings(fmt.Sprint("node", i), "", at, routes), true))
	}
	watchDeath(t, list, 3, list[0])
}

// TestANodeIsKilled: three relays beside three nodes of NATS; a node is killed.
func TestANodeIsKilled(t *testing.T) {
	if os.Getenv("NETTPLAY_RELAYCLUSTER") == "" {
		t.Skip("only by make relaycluster")
	}
	routes, listens := ports(t, 3), ports(t, 3)
	var nodes, list []*process
	for i, at := range routes {
		nodes = append(nodes, spawn(t, nodeSettings(fmt.Sprint("node", i), listens[i], at, routes), false))
	}
	urls := "nats = [\"nats://nettplay:secret@" + strings.Join(listens, "\", \"nats://nettplay:secret@") + "\"]\n"
	for range 3 {
		list = append(list, spawn(t, urls, true))
	}
	watchDeath(t, list, 6, nodes[0])
}

// TestARelayEndsInGoodOrder: all play on through the other one before the first has ended, which it does by itself
// when nobody plays through it.
func TestARelayEndsInGoodOrder(t *testing.T) {
	at := freePort()
	one := spawn(t, fmt.Sprintf("[node]\nname = \"one\"\nlisten = %q\npassword = \"secret\"\n", at), true)
	two := spawn(t, "drain = \"1h\"\nnats = \"nats://nettplay:secret@"+at+"\"\n", true)
	names := []string{one.name, two.name}
	for _, p := range []*process{one, two} {
		await(t, p.name+" is one of several", p.says("one of 2 relays"))
	}
	c := newCrowd(t, fewRooms, 0, names)
	await(t, "all play, and could by each relay", func() bool { return c.ready(len(names)) })
	must.Succeed(t, two.Process.Signal(syscall.SIGTERM))
	ended := make(chan error, 1)
	go func() { ended <- two.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		t.Fatal("it does not end while nobody needs it")
	}
	for _, p := range c.players[:2*fewRooms] {
		p.mu.Lock()
		if _, by := relay.MailboxOf(p.set.Current()); p.client.Name(by) != one.name {
			t.Errorf("a player goes by %s", p.client.Name(by))
		}
		p.mu.Unlock()
	}
	ends := time.Now()
	await(t, "all play on", func() bool { return c.playSince(ends) })
}

// watchDeath has rooms play through relays, kills one process, and looks how that is for the
// players, and for those who look for rooms.
func watchDeath(t *testing.T, relays []*process, heard int, victim *process) {
	rooms, measured := fewRooms, os.Getenv("NETTPLAY_RELAYCLUSTER") != ""
	if measured {
		rooms = manyRooms
	}
	for _, p := range relays {
		await(t, p.name+" is one of several", p.says(fmt.Sprintf("one of %d relays", heard)))
	}
	var names []string
	for _, p := range relays {
		names = append(names, p.name)
	}
	c := newCrowd(t, rooms, loneRooms, names)
	await(t, "all play, and could by each relay", func() bool { return c.ready(len(relays)) })
	await(t, "all rooms are listed by each relay", func() bool { return c.listed(names) })
	var before []time.Duration
	if c.gaps(); measured {
		time.Sleep(10 * time.Second)
		before = c.gaps()
	}
	killed := time.Now()
	victim.kill()
	var alive []string
	for _, p := range relays {
		if p != victim {
			alive = append(alive, p.name)
		}
	}
	if !measured {
		await(t, "all play on", func() bool { return c.playSince(killed.Add(time.Second)) })
		await(t, "all rooms are listed by those that live", func() bool { return c.listed(alive) })
		return
	}
	missing := killed
	for time.Since(killed) < listedWithin+2*time.Second {
		if !c.listed(alive) {
			missing = time.Now()
		}
		time.Sleep(20 * time.Millisecond)
	}
	after := c.gaps()
	p99 := func(list []time.Duration) time.Duration { return list[len(list)*99/100].Round(time.Millisecond) }
	t.Logf("%d rooms; the longest gap of a room: before p99 %v, max %v; after the death p99 %v, max %v", rooms,
		p99(before), before[len(before)-1].Round(time.Millisecond), p99(after), after[len(after)-1].Round(time.Millisecond))
	t.Logf("all %d rooms are listed, each once, by each relay that lives since %v after the death", len(c.keys), missing.Sub(killed).Round(time.Millisecond))
	if worst := after[len(after)-1]; worst > playsWithin {
		t.Errorf("a room stood still for %v", worst)
	}
	if missing.Sub(killed) > listedWithin {
		t.Error("not all rooms are listed again")
	}
}
