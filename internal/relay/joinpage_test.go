package relay

import (
	"bufio"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// TestJoinPage: it is the same for everybody, its headers allow its own style and script and nothing else, and it
// asks for nothing from elsewhere.
func TestJoinPage(t *testing.T) {
	server := httptest.NewServer(JoinPage())
	defer server.Close()
	r, err := http.Get(server.URL + JoinPath + "?utm_source=chat")
	must.Succeed(t, err)
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	must.Succeed(t, err)
	body := string(b)
	if r.StatusCode != http.StatusOK || r.Header.Get("Content-Type") != "text/html; charset=utf-8" || len(body) > 16<<10 {
		t.Errorf("%s, %q, %d bytes", r.Status, r.Header.Get("Content-Type"), len(body))
	}
	for name, want := range map[string]string{
		"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
		"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin", "Set-Cookie": "",
	} {
		if got := r.Header.Get(name); got != want {
			t.Errorf("%s is %q", name, got)
		}
	}
	policy := map[string]string{}
	for part := range strings.SplitSeq(r.Header.Get("Content-Security-Policy"), ";") {
		name, what, _ := strings.Cut(strings.TrimSpace(part), " ")
		policy[name] = what
	}
	for name, want := range map[string]string{
		"default-src": "'none'", "base-uri": "'none'", "form-action": "'none'", "frame-ancestors": "'none'",
		"style-src": hashed(t, body, "style"), "script-src": hashed(t, body, "script"),
	} {
		if policy[name] != want {
			t.Errorf("the policy has %s %q, want %q", name, policy[name], want)
		}
	}
	if len(policy) != 6 {
		t.Errorf("the policy is %q", policy)
	}
	if found := regexp.MustCompile(`(?i)\s(src|style|on[a-z]+)=|url\(|@import|<(link|img|iframe|form|base)\b|https?://[^"]*`).FindAllString(body, -1); len(found) != 1 || found[0] != "https://github.com/nettplay/nettplay" {
		t.Errorf("the page has %q", found)
	}
}

// hashed is the only element of a kind, as a policy names it.
func hashed(t *testing.T, body, kind string) string {
	t.Helper()
	all := regexp.MustCompile(`(?s)<`+kind+`>(.*?)</`+kind+`>`).FindAllStringSubmatch(body, -1)
	if len(all) != 1 || strings.Count(body, "<"+kind) != 1 {
		t.Fatalf("there are %d of %s", len(all), kind)
	}
	sum := sha256.Sum256([]byte(all[0][1]))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// TestJoinPageAlone: there is one page, to be read.
func TestJoinPageAlone(t *testing.T) {
	for request, want := range map[string]int{
		"HEAD /join": http.StatusOK, "POST /join": http.StatusMethodNotAllowed, "DELETE /join": http.StatusMethodNotAllowed,
		"GET /": http.StatusNotFound, "GET /join/": http.StatusNotFound, "GET /joint": http.StatusNotFound, "GET /../join": http.StatusNotFound,
	} {
		method, path, _ := strings.Cut(request, " ")
		w := httptest.NewRecorder()
		JoinPage().ServeHTTP(w, httptest.NewRequest(method, path, http.NoBody))
		if w.Code != want || method == http.MethodHead && w.Body.Len() > 0 {
			t.Errorf("%s: %d, %d bytes", request, w.Code, w.Body.Len())
		}
	}
}

// TestSlowOnesAreCut: a request whose body does not come ends, wherever it went.
func TestSlowOnesAreCut(t *testing.T) {
	server := httptest.NewServer(joinPage(50 * time.Millisecond))
	defer server.Close()
	for _, path := range []string{JoinPath, "/"} {
		c, err := net.Dial("tcp", server.Listener.Addr().String())
		must.Succeed(t, err)
		defer c.Close()
		_, err = fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n", path)
		must.Succeed(t, err)
		must.Succeed(t, c.SetDeadline(time.Now().Add(20*time.Second)))
		if _, err := io.ReadAll(bufio.NewReader(c)); err != nil {
			t.Errorf("%s: the connection stays: %v", path, err)
		}
	}
}

// TestServesJoinPage: only a page of a relay counts, by https with a certificate that is trusted, and at the very place.
func TestServesJoinPage(t *testing.T) {
	at := func(h http.HandlerFunc) *httptest.Server {
		s := httptest.NewTLSServer(h)
		t.Cleanup(s.Close)
		return s
	}
	host := func(s *httptest.Server) string { return s.Listener.Addr().String() }
	good := at(JoinPage().ServeHTTP)
	if !ServesJoinPage(t.Context(), good.Client(), host(good)) {
		t.Error("a relay's page does not count")
	}
	if ServesJoinPage(t.Context(), nil, host(good)) {
		t.Error("a certificate that nobody trusts counts")
	}
	for name, s := range map[string]*httptest.Server{
		"another site": at(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "welcome") }),
		"no page": at(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprint(w, joinHTML)
		}),
		"elsewhere": at(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://"+host(good)+JoinPath, http.StatusFound)
		}),
		"late": at(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, strings.Repeat(" ", 64<<10)+joinHTML) }),
	} {
		if ServesJoinPage(t.Context(), s.Client(), host(s)) {
			t.Errorf("%s counts", name)
		}
	}
	plain := httptest.NewServer(JoinPage())
	defer plain.Close()
	if ServesJoinPage(t.Context(), good.Client(), plain.Listener.Addr().String()) {
		t.Error("a page without encryption counts")
	}
}

// TestJoinHost: only a name has a certificate that browsers trust.
func TestJoinHost(t *testing.T) {
	for relay, want := range map[string]string{"relay.example.org:21206": "relay.example.org", "192.0.2.1:21206": "", "[2001:db8::5]:21206": "", ":21206": "", "relay": ""} {
		if host, named := JoinHost(relay); named != (want != "") || named && host != want {
			t.Errorf("%s: %q, %v", relay, host, named)
		}
	}
}
