package main

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// Some computers let no container have more open files than this process, or have a kernel that the usual runtime does not
// know.
const modest = `[containers]
default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]
[engine]
runtime = "runc"
`

// TestContainer: the lines about containers in docs/relay.md build an image without a registry, start a relay in it that
// answers, and end it in good order.
func TestContainer(t *testing.T) {
	if os.Getenv("NETTPLAY_CONTAINER") == "" {
		t.Skip("SKIPPED: needs podman; run make container")
	}
	if _, err := exec.LookPath("podman"); err != nil {
		t.Skipf("SKIPPED: here can be no container: %v", err)
	}
	bin, name := t.TempDir(), fmt.Sprintf("nettplay-test-%d", os.Getpid())
	build := exec.Command("go", "build", "-o", bin, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	conf := filepath.Join(t.TempDir(), "containers.conf")
	must.Succeed(t, os.WriteFile(conf, []byte(modest), 0o600))
	env := os.Environ()
	podman := func(args ...string) (string, error) {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		c := exec.CommandContext(ctx, "podman", args...)
		c.Dir, c.Env = filepath.Join("..", ".."), env
		out, err := c.CombinedOutput()
		return string(out), err
	}
	t.Cleanup(func() {
		_, _ = podman("rm", "-f", name)
		_, _ = podman("rmi", "-f", name)
	})
	at := freePort()
	lines := regexp.MustCompile(`(?m)^podman (\w+) (.*)$`).FindAllStringSubmatch(string(must.Read(t, filepath.Join("..", "..", "docs", "relay.md"))), -1)
	did := map[string]string{}
	for _, line := range lines {
		args := []string{line[1]}
		for word := range strings.FieldsSeq(line[2]) {
			switch word {
			case "nettplay-relay", "relay":
				word = name
			case "bin":
				word = bin
			}
			args = append(args, word)
		}
		if line[1] == "run" {
			args = append(args, "--listen", at)
		}
		out, err := podman(args...)
		if err != nil && line[1] == "run" {
			t.Logf("as it comes: %s", out)
			_, _ = podman("rm", "-f", name)
			env = append(env, "CONTAINERS_CONF="+conf)
			out, err = podman(args...)
		}
		if err != nil {
			t.Fatalf("podman %s: %v\n%s", args, err, out)
		}
		if did[line[1]] = out; line[1] == "run" {
			answered(t, at)
		}
	}
	for _, want := range []string{"build", "run", "logs", "stop"} {
		if _, ok := did[want]; !ok {
			t.Errorf("docs/relay.md does not say how to %s", want)
		}
	}
	if !strings.Contains(did["logs"], "carrying datagrams on UDP "+at) {
		t.Errorf("it says %q", did["logs"])
	}
	if out, err := podman("logs", name); err != nil || !strings.Contains(out, "carried 0 datagrams") {
		t.Errorf("at its end it says %q, %v", out, err)
	}
}

// answered waits until a relay gives a machine a mailbox.
func answered(t *testing.T, at string) {
	t.Helper()
	to := netip.MustParseAddrPort(at)
	conn, err := net.DialUDP("udp4", nil, net.UDPAddrFromAddrPort(to))
	must.Succeed(t, err)
	defer conn.Close()
	client := relay.NewClient(relay.Mailbox{1}, func(string) relay.Owner { return relay.Owner{1} })
	client.Use("relay")
	client.Resolved(1, []netip.AddrPort{to})
	b := make([]byte, relay.MaxDatagram)
	for late := time.Now().Add(20 * time.Second); !client.Status()[0].Held; {
		if time.Now().After(late) {
			t.Fatal("the relay does not answer")
		}
		list, _ := client.Due(time.Now())
		for _, d := range list {
			_, _ = conn.Write(d.Bytes)
		}
		_ = conn.SetReadDeadline(time.Now().Add(100 * time.Millisecond))
		n, err := conn.Read(b)
		if err != nil {
			time.Sleep(20 * time.Millisecond)
			continue
		}
		if _, _, answer := client.Unwrap(b[:n], to, time.Now()); answer != nil {
			_, _ = conn.Write(answer)
		}
	}
}
