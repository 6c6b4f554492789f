package main

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"flag"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/relay/service"
	"github.com/nettplay/nettplay/internal/testing/must"
)

func TestProgramEndsInGoodOrder(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	out, in := io.Pipe()
	over := make(chan error, 1)
	go func() {
		over <- run(ctx, []string{"--listen", freePort()}, in, in)
		in.Close()
	}()
	first := make([]byte, 200)
	n, err := out.Read(first)
	if err != nil || !strings.HasPrefix(string(first[:n]), "carrying datagrams on UDP 127.0.0.1:") {
		t.Fatalf("%q, %v", first[:n], err)
	}
	cancel()
	rest, err := io.ReadAll(out)
	if err != nil || !strings.Contains(string(rest), "carried 0 datagrams") {
		t.Errorf("at the end: %q, %v", rest, err)
	}
	if err := <-over; err != nil {
		t.Error(err)
	}
}

// The manual page has every flag, with what holds without it.
func TestManualHasEveryFlag(t *testing.T) {
	var page, help bytes.Buffer
	must.Succeed(t, run(t.Context(), []string{"--manual"}, &page, &page))
	if err := run(t.Context(), []string{"--help"}, &help, &help); !errors.Is(err, flag.ErrHelp) {
		t.Fatal(err)
	}
	flags := 0
	for line := range strings.Lines(help.String()) {
		name, isFlag := strings.CutPrefix(line, "  --")
		if !isFlag {
			continue
		}
		flags++
		if name = strings.ReplaceAll(strings.Fields(name)[0], "-", `\-`); !strings.Contains(page.String(), `\fB\-\-`+name+`\fR`) {
			t.Errorf("the page lacks %s", name)
		}
	}
	if flags < 10 || !strings.Contains(page.String(), ".TH NETTPLAY\\-RELAY 1") || !strings.Contains(page.String(), "(default :21206)") {
		t.Errorf("%d flags in the help, and this page:\n%s", flags, &page)
	}
}

// TestNothingIsSaidOfPlayers: neither what the program says nor its figures have an address of those who use it, who come
// in, come in by WebSocket, ask too much, and send what is malformed.
func TestNothingIsSaidOfPlayers(t *testing.T) {
	const player = "127.0.0.77"
	at, status := freePort(), freePort()
	var said strings.Builder
	ctx, cancel := context.WithCancel(t.Context())
	over := make(chan error, 1)
	go func() {
		over <- run(ctx, []string{"--listen", at, "--status", status, "--rate", "2000", "--per-host", "1", "--drain", "0s"}, &said, &said)
	}()
	local := &net.UDPAddr{IP: net.ParseIP(player)}
	to, _ := net.ResolveUDPAddr("udp", at)
	conn, err := net.DialUDP("udp4", local, to)
	if err != nil {
		t.Skip(err)
	}
	defer conn.Close()
	client := relay.NewClient(relay.Mailbox{1}, func(string) relay.Owner { return relay.Owner{1} })
	client.Use("relay")
	client.Resolved(1, []netip.AddrPort{to.AddrPort()})
	b := make([]byte, relay.MaxDatagram)
	for !client.Status()[0].Held {
		list, wait := client.Due(time.Now())
		for _, d := range list {
			_, _ = conn.Write(d.Bytes)
		}
		_ = conn.SetReadDeadline(time.Now().Add(min(wait, 100*time.Millisecond)))
		if n, err := conn.Read(b); err == nil {
			if _, _, answer := client.Unwrap(b[:n], to.AddrPort(), time.Now()); answer != nil {
				_, _ = conn.Write(answer)
			}
		}
	}
	for range 30 {
		d, _ := client.Wrap(relay.Mailbox{2}.At(1), make([]byte, 1000))
		_, _ = conn.Write(d.Bytes)
		_, _ = conn.Write([]byte("nonsense"))
	}
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: local.IP}}
	web := &http.Client{Transport: &http.Transport{DialContext: dialer.DialContext, DisableKeepAlives: true}}
	for range 2 {
		if ws, _, err := websocket.Dial(t.Context(), "ws://"+at+relay.TunnelPath, &websocket.DialOptions{HTTPClient: web}); err == nil {
			defer ws.CloseNow()
		}
	}
	shows := func(page string) string {
		r, err := http.Get("http://" + status + page)
		must.Succeed(t, err)
		defer r.Body.Close()
		text, _ := io.ReadAll(r.Body)
		return string(text)
	}
	await(t, "all of it is counted", func() bool {
		text := shows("/metrics")
		return strings.Contains(text, "\nnettplay_relay_mailboxes 1\n") && strings.Contains(text, "\nnettplay_relay_tunnels 1\n") &&
			!strings.Contains(text, "malformed_datagrams_total 0\n") && !strings.Contains(text, "refused_datagrams_total 0\n")
	})
	if text := shows("/metrics") + shows("/healthz"); strings.Contains(text, player) {
		t.Errorf("it shows %s", text)
	}
	cancel()
	if err := <-over; err != nil || strings.Contains(said.String(), player) || !strings.Contains(said.String(), "beyond their sender's rate") {
		t.Errorf("%v; it said %q", err, said.String())
	}
}

func TestWrongFlagsAreSaid(t *testing.T) {
	for _, args := range [][]string{{"--machines", "0"}, {"--rate", "1"}, {"extra"}, {"--nonsense"}} {
		var b bytes.Buffer
		if err := run(t.Context(), args, &b, &b); !errors.Is(err, errUsage) || b.Len() == 0 {
			t.Errorf("%q: %v, says %q", args, err, b.String())
		}
	}
}

// TestSettingsFile: the one in packaging says what holds without a file, flags go before it, and
// a misspelt setting is not passed over, nor one that is there twice, in capital letters.
func TestSettingsFile(t *testing.T) {
	const packaged = "../../packaging/relay/nettplay-relay.toml"
	got, err := settings([]string{"--config", packaged}, io.Discard)
	if err != nil || !reflect.DeepEqual(got, defaults()) {
		t.Errorf("the packaged file says %+v, %v", got, err)
	}
	got, err = settings([]string{"--config", packaged, "--machines", "7"}, io.Discard)
	if err != nil || got.Limits.Mailboxes != 7 {
		t.Errorf("with a flag it is %+v, %v", got, err)
	}
	for _, text := range []string{
		"lissten = \":1\"", "drain = \"soon\"", "[limits]\nmachines = 0", "[websocket]\ntls_listen = \":0\"",
		"name = \"no port\"", "nats = [\"http://x\"]", "nats = 7", "[node]\nname = \"a\"\nroutes = [\"b:1\"]", "nats = \"nats://a\"\n[node]\nname = \"a\"",
		"drain = \"1s\"\nDrain = \"2s\"", "[limits]\nheard = 9\n[Limits]\nrooms = 9",
	} {
		path := filepath.Join(t.TempDir(), "relay.toml")
		must.Succeed(t, os.WriteFile(path, []byte(text), 0o600))
		if _, err := settings([]string{"--config", path}, io.Discard); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}

// TestWithACertificate: machines come in by an encrypted WebSocket, too, and browsers get the page of invitations.
func TestWithACertificate(t *testing.T) {
	cert, key := selfSigned(t)
	c := defaults()
	c.Listen, c.WebSocket.TLSListen, c.WebSocket.Certificate, c.WebSocket.Key = freePort(), "127.0.0.1:0", cert, key
	cfg, err := c.listen()
	must.Succeed(t, err)
	cfg.Drain = 0
	ctx, cancel := context.WithCancel(t.Context())
	over := make(chan error, 1)
	go func() { _, err := service.Run(ctx, cfg); over <- err }()
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	ws, _, err := websocket.Dial(t.Context(), "wss://"+cfg.Tunnels[1].Addr().String()+relay.TunnelPath, &websocket.DialOptions{HTTPClient: client})
	must.Succeed(t, err)
	_ = ws.CloseNow()
	if !relay.ServesJoinPage(t.Context(), client, cfg.Tunnels[1].Addr().String()) {
		t.Error("it has no page of invitations")
	}
	cancel()
	if err := <-over; err != nil {
		t.Error(err)
	}
	c.WebSocket.Key = cert
	if _, err := c.listen(); err == nil {
		t.Error("an invalid key is taken")
	}
}

// selfSigned writes a certificate and its key.
func selfSigned(t *testing.T) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must.Succeed(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour)}
	signed, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	must.Succeed(t, err)
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	must.Succeed(t, err)
	dir := t.TempDir()
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for path, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: signed}, key: {Type: "PRIVATE KEY", Bytes: secret}} {
		must.Succeed(t, os.WriteFile(path, pem.EncodeToMemory(block), 0o600))
	}
	return cert, key
}
