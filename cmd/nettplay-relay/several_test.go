package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// TestNATSInTheProgram: two relays share over a NATS that is inside the first one, and say so.
func TestNATSInTheProgram(t *testing.T) {
	at, status := freePort(), freePort()
	path := filepath.Join(t.TempDir(), "relay.toml")
	text := fmt.Sprintf("name = \"one.example:1\"\nstatus = %q\n[node]\nname = \"one\"\nlisten = %q\npassword = \"secret\"\n", status, at)
	must.Succeed(t, os.WriteFile(path, []byte(text), 0o600))
	one := start(t, "--config", path)
	go func() {
		for one.Scan() { // whoever says something waits for somebody to read it
		}
	}()
	out := start(t, "--name", "two.example:1", "--nats", "nats://nettplay:secret@"+at)
	for !strings.HasSuffix(out.Text(), "one of 2 relays") {
		if !out.Scan() {
			t.Fatalf("the last word is %q", out.Text())
		}
		if strings.Contains(out.Text(), "secret") {
			t.Errorf("the password is shown: %s", out.Text())
		}
	}
	for late := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		r, err := http.Get("http://" + status + "/healthz")
		must.Succeed(t, err)
		b, _ := io.ReadAll(r.Body)
		_ = r.Body.Close()
		if string(b) == "ok\none of 2 relays\n" {
			return
		}
		if time.Now().After(late) {
			t.Fatalf("/healthz says %q", b)
		}
	}
}

// start runs a relay until the test ends, and returns the lines that it says.
func start(t *testing.T, args ...string) *bufio.Scanner {
	ctx, cancel := context.WithCancel(context.Background())
	out, in := io.Pipe()
	over, at := make(chan struct{}), freePort()
	go func() {
		defer close(over)
		if err := run(ctx, append([]string{"--listen", at}, args...), in, in); err != nil {
			t.Error(err)
		}
		_ = in.Close()
	}()
	t.Cleanup(func() {
		cancel()
		_, _ = io.Copy(io.Discard, out)
		<-over
	})
	lines := bufio.NewScanner(out)
	for lines.Scan() && !strings.HasPrefix(lines.Text(), "taking WebSockets") {
	}
	return lines
}

// freePort is an address for a relay, or for what it starts. The port is not one that the system gives
// to those who ask for any: WebSockets come at the number that UDP has, which somebody else may have got.
func freePort() string {
	for {
		l, err := net.Listen("tcp", fmt.Sprint("127.0.0.1:", 16384+rand.IntN(16000)))
		if err == nil {
			defer l.Close()
			return l.Addr().String()
		}
	}
}
