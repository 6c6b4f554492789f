package relay

import (
	"context"
	"crypto/sha256"
	_ "embed" // the page
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"time"
)

// The page of a relay to which invitations lead that look like other links of the web,
// for chats that make nothing else clickable:
//
//	https://relay.example.org/join#1AbC...
//
// Browsers send nothing that stands behind the #, so no server sees the invitation. The page's script
// makes the link of it that desktops open in nettplay, and the text to copy. The page loads nothing,
// and its headers allow nothing but its own style and script.

// JoinPath is where relays have the page.
const JoinPath = "/join"

//go:embed joinpage.html
var joinHTML string

// The parts of the page that its headers name, and what tells it from others.
const (
	styleTag, styleEnd   = "<style>", "</style>"
	scriptTag, scriptEnd = "<script>", "</script>"
	joinMark             = `<meta name="generator" content="nettplay-relay">`
)

// joinPatience is the time that a request for the page may take.
const joinPatience = 10 * time.Second

// JoinPage serves the page at JoinPath, and nothing elsewhere. It is meant for a listener that also has connections
// that last: it bounds the time of its own.
func JoinPage() http.Handler { return joinPage(joinPatience) }

func joinPage(within time.Duration) http.Handler {
	policy := fmt.Sprintf("default-src 'none'; style-src %s; script-src %s; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
		hashOf(styleTag, styleEnd), hashOf(scriptTag, scriptEnd))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		in := http.NewResponseController(w)
		_ = in.SetReadDeadline(time.Now().Add(within)) // of a body that is not wanted; only a test's writer has no deadlines
		_ = in.SetWriteDeadline(time.Now().Add(within))
		h := w.Header()
		h.Set("Connection", "close") // nothing else is to be had here
		switch {
		case r.URL.Path != JoinPath:
			http.NotFound(w, r)
			return
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			h.Set("Allow", "GET, HEAD")
			http.Error(w, "this is a page to read", http.StatusMethodNotAllowed)
			return
		}
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("Content-Length", strconv.Itoa(len(joinHTML)))
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "public, max-age=3600")
		if r.Method == http.MethodGet {
			_, _ = io.WriteString(w, joinHTML)
		}
	})
}

// hashOf names a part of the page, as a content security policy does.
func hashOf(tag, end string) string {
	_, rest, _ := strings.Cut(joinHTML, tag)
	part, _, _ := strings.Cut(rest, end)
	sum := sha256.Sum256([]byte(part))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// JoinHost is the name of a relay, "host:port", without its port: the page is at the web's own port. named tells
// whether it is a name. A number has no certificate that browsers trust.
func JoinHost(relay string) (host string, named bool) {
	host, _, err := net.SplitHostPort(relay)
	_, number := netip.ParseAddr(host)
	return host, err == nil && host != "" && number != nil
}

// ServesJoinPage reports whether the page is at a host, by https and with a certificate that this computer
// trusts. client is nil but in tests.
func ServesJoinPage(ctx context.Context, client *http.Client, host string) bool {
	ctx, cancel := context.WithTimeout(ctx, joinPatience)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://"+host+JoinPath, http.NoBody)
	if err != nil {
		return false
	}
	if client == nil {
		// A proxy of the user's own counts as everywhere on the web. Nothing is kept open.
		client = &http.Client{Transport: &http.Transport{Proxy: http.ProxyFromEnvironment, DisableKeepAlives: true}}
	}
	once := *client
	once.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	answer, err := once.Do(r)
	if err != nil {
		return false
	}
	defer answer.Body.Close()
	b, err := io.ReadAll(io.LimitReader(answer.Body, 64<<10))
	return err == nil && answer.StatusCode == http.StatusOK && strings.Contains(string(b), joinMark)
}
