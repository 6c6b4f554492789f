package main

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
)

const packagedUnit = "../../packaging/relay/nettplay-relay.service"

// unitSays is what the systemd unit has for a key.
func unitSays(t *testing.T, key string) string {
	t.Helper()
	b := must.Read(t, packagedUnit)
	found := regexp.MustCompile(`(?m)^` + key + `=(.*)$`).FindStringSubmatch(string(b))
	if found == nil {
		t.Fatalf("the unit has no %s", key)
	}
	return found[1]
}

// TestStartedByTheUnit: the program reads its settings, and a certificate that they name, from the folder in which
// systemd puts what the unit hands over: read-only, and elsewhere at each start.
func TestStartedByTheUnit(t *testing.T) {
	given := t.TempDir() // %d of the unit, $CREDENTIALS_DIRECTORY of the program
	name, source, _ := strings.Cut(unitSays(t, "LoadCredential"), ":")
	if source != "/etc/nettplay-relay.toml" {
		t.Errorf("the settings come from %s", source)
	}
	cert, key := selfSigned(t)
	text := "listen = \"" + freePort() + "\"\nname = \"relay.example:1\"\n[websocket]\ntls_listen = \"127.0.0.1:0\"\ncertificate = \"cert.pem\"\nkey = \"key.pem\"\n"
	for file, b := range map[string][]byte{name: []byte(text), "cert.pem": must.Read(t, cert), "key.pem": must.Read(t, key)} {
		must.Succeed(t, os.WriteFile(filepath.Join(given, file), b, 0o400))
	}
	command := strings.Fields(strings.ReplaceAll(unitSays(t, "ExecStart"), "%d", "$CREDENTIALS_DIRECTORY"))
	t.Setenv("CREDENTIALS_DIRECTORY", given)
	t.Chdir("/") // where systemd starts it
	for i := range command {
		command[i] = os.ExpandEnv(command[i])
	}
	if filepath.Base(command[0]) != "nettplay-relay" {
		t.Errorf("the unit starts %s", command[0])
	}
	c, err := settings(command[1:], io.Discard)
	if err != nil || c.Name != "relay.example:1" {
		t.Fatalf("settings %+v, %v", c, err)
	}
	cfg, err := c.listen()
	if err != nil || len(cfg.Tunnels) != 2 {
		t.Fatalf("%d tunnels, %v", len(cfg.Tunnels), err)
	}
	closeAll(cfg)
	var out strings.Builder
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := run(ctx, command[1:], &out, &out); err != nil || !strings.Contains(out.String(), "carrying datagrams on UDP 127.0.0.1:") {
		t.Errorf("%v: %s", err, out.String())
	}
}

// TestUnitIsWellMade asks systemd.
func TestUnitIsWellMade(t *testing.T) {
	ask, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("SKIPPED: systemd-analyze is not here")
	}
	here, err := os.Executable()
	must.Succeed(t, err)
	unit := strings.ReplaceAll(string(must.Read(t, packagedUnit)), "/usr/local/bin/nettplay-relay", here)
	path := filepath.Join(t.TempDir(), "nettplay-relay.service")
	must.Succeed(t, os.WriteFile(path, []byte(unit), 0o600))
	out, err := exec.Command(ask, "verify", "--man=no", "--recursive-errors=no", path).CombinedOutput()
	if err != nil || len(out) > 0 {
		t.Errorf("%v: %s", err, out)
	}
}
