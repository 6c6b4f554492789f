package diagnostics

import (
	"bytes"
	"flag"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
)

func TestLogger(t *testing.T) {
	for _, c := range []struct {
		level string
		want  string // messages, one letter each
	}{
		{"", ""},
		{"error", "e"},
		{"warn", "we"},
		{"info", "iwe"},
		{"Debug", "diwe"},
	} {
		var out bytes.Buffer
		log, err := Logger(&out, c.level)
		must.Succeed(t, err)
		log.Debug("d")
		log.Info("i")
		log.Warn("w", "player", "Ann")
		log.Error("e")
		got := ""
		for line := range strings.Lines(out.String()) {
			_, rest, _ := strings.Cut(line, "msg=")
			got += rest[:1]
		}
		if got != c.want {
			t.Errorf("level %q: logged %q, want %q", c.level, got, c.want)
		}
		if c.level == "warn" && !strings.Contains(out.String(), "level=WARN msg=w player=Ann") {
			t.Errorf("a line reads %q", out.String())
		}
	}
	if _, err := Logger(io.Discard, "loud"); err == nil || !strings.Contains(err.Error(), `--log is "loud"`) {
		t.Errorf("an unknown level: %v", err)
	}
}

func TestProfileOnThisMachineOnly(t *testing.T) {
	for _, address := range []string{":6060", "0.0.0.0:0", "192.0.2.1:6060", "[::]:0", "example.com:6060", "localhost.example.com:1", "6060", "127.0.0.1", ""} {
		_, stop, err := Profile(address)
		if err == nil {
			stop()
			t.Errorf("%q was served", address)
			continue
		}
		if !strings.Contains(err.Error(), "--pprof "+address) || !strings.Contains(err.Error(), "127.0.0.1:6060") {
			t.Errorf("%q: the message does not help: %v", address, err)
		}
	}
	for _, address := range []string{"127.0.0.1:6060", "127.9.9.9:1", "[::1]:6060", "localhost:6060", "LOCALHOST:1", "[::ffff:127.0.0.1]:6060"} {
		if _, err := loopback(address); err != nil {
			t.Errorf("%q: %v", address, err)
		}
	}
}

func TestProfile(t *testing.T) {
	addr, stop, err := Profile("localhost:0")
	must.Succeed(t, err)
	defer func() {
		stop()
		if c, err := net.Dial("tcp", addr); err == nil {
			c.Close()
			t.Error("the server runs after stop")
		}
	}()
	url := "http://" + addr + "/debug/pprof/goroutine?debug=1"
	if status, body := get(t, url, ""); status != http.StatusOK || !strings.Contains(body, "goroutine profile") {
		t.Errorf("status %d, %q", status, body)
	}
	if status, _ := get(t, url, "evil.example:80"); status != http.StatusForbidden {
		t.Errorf("a request for another host got status %d", status)
	}
}

func TestFlags(t *testing.T) {
	var f Flags
	fs := flag.NewFlagSet("", flag.ContinueOnError)
	f.Register(fs.StringVar)
	must.Succeed(t, fs.Parse([]string{"-log", "info", "--pprof", "127.0.0.1:0"}))
	var out bytes.Buffer
	log, stop, err := f.Start(&out)
	must.Succeed(t, err)
	defer stop()
	if !log.Enabled(t.Context(), slog.LevelInfo) || log.Enabled(t.Context(), slog.LevelDebug) {
		t.Error("the logger has another level")
	}
	if !strings.Contains(out.String(), "/debug/pprof/") {
		t.Errorf("the address is not told: %q", out.String())
	}
	log, stop, err = Flags{}.Start(io.Discard)
	if err != nil || log == nil || stop == nil {
		t.Fatal(log, err)
	}
	stop()
	for _, bad := range []Flags{{Log: "x"}, {Pprof: "0.0.0.0:1"}} {
		if _, _, err := bad.Start(io.Discard); err == nil {
			t.Errorf("%+v was taken", bad)
		}
	}
}

func get(t *testing.T, url, host string) (status int, body string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	must.Succeed(t, err)
	r.Host = host
	resp, err := http.DefaultClient.Do(r)
	must.Succeed(t, err)
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	must.Succeed(t, err)
	return resp.StatusCode, string(b)
}
