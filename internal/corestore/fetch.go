package corestore

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/phrase"
)

// maxRedirects is the limit of a server's redirects: GitHub does it once.
const maxRedirects = 4

// A transfer is one request, with its answer.
type transfer struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	idle   func()
	what   string
	host   string
	answer *http.Response
	timer  *time.Timer
	wait   time.Duration
}

// send sends a request to a source and takes the head of its answer. The caller closes the
// transfer.
func (c *Client) send(ctx context.Context, what, method string, s Source, address string, header http.Header) (_ *transfer, err error) {
	host := hostOf(address)
	if err := c.belongs(s, address); err != nil {
		return nil, netFailure(ctx, what, host, err)
	}
	ctx, stop := context.WithTimeoutCause(ctx, maxTransfer, errSlow)
	ctx, cancel := context.WithCancelCause(ctx)
	t := &transfer{ctx: ctx, cancel: cancel, what: what, host: host, wait: c.Patience}
	t.timer = time.AfterFunc(c.Patience, func() { cancel(errSilent) })
	defer func() {
		if err != nil {
			t.close()
		}
	}()
	transport := &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		TLSClientConfig:        &tls.Config{RootCAs: c.Roots, MinVersion: tls.VersionTLS12},
		MaxResponseHeaderBytes: 64 << 10,
		DisableKeepAlives:      true,
	}
	t.idle = func() {
		transport.CloseIdleConnections()
		stop()
	}
	client := &http.Client{Transport: transport, CheckRedirect: func(r *http.Request, via []*http.Request) error {
		if len(via) > maxRedirects {
			return &Failure{Reason: Redirected, Why: "the server sends on and on"}
		}
		t.timer.Reset(c.Patience)
		return c.belongs(s, r.URL.String())
	}}
	r, err := http.NewRequestWithContext(ctx, method, address, http.NoBody)
	if err != nil {
		return nil, netFailure(ctx, what, host, err)
	}
	r.Header = header
	r.Header.Set("User-Agent", c.Agent)
	if t.answer, err = client.Do(r); err != nil {
		return nil, netFailure(ctx, what, host, err)
	}
	t.timer.Stop()
	t.timer = time.AfterFunc(c.Patience, func() { cancel(errStalled) })
	t.timer.Stop()
	return t, c.refusal(t)
}

// close ends the transfer.
func (t *transfer) close() {
	t.timer.Stop()
	t.cancel(nil)
	if t.answer != nil {
		t.answer.Body.Close()
	}
	t.idle()
}

// Read reads the answer's body. Each read may take as long as the client is patient.
func (t *transfer) Read(b []byte) (int, error) {
	t.timer.Reset(t.wait)
	n, err := t.answer.Body.Read(b)
	t.timer.Stop()
	// A server may end its answer in good order when it hears that we end the connection.
	if err == nil || errors.Is(err, io.EOF) && t.ctx.Err() == nil {
		return n, err
	}
	if errors.Is(err, io.ErrUnexpectedEOF) && t.ctx.Err() == nil {
		return n, &Failure{Reason: CutOff, Host: t.host, What: t.what, Why: t.host + " ended the connection too early", Err: err}
	}
	failed := netFailure(t.ctx, t.what, t.host, err)
	if f, ok := errors.AsType[*Failure](failed); ok && f.Reason == Unreachable {
		f.Reason, f.Why = CutOff, "the connection with "+t.host+" broke: "+innermost(err)
	}
	return n, failed
}

// belongs says whether an address is one of a source's, by TLS.
func (c *Client) belongs(s Source, address string) error {
	u, err := url.Parse(address)
	home := hostOf(c.Platform.fill(s.Address))
	switch {
	case err != nil:
		return &Failure{Reason: Redirected, Why: "the source names an invalid address", Err: err}
	case u.Scheme != "https":
		return &Failure{Reason: Redirected, Why: fmt.Sprintf("the source sends to %s without TLS, where anybody on the way could change what comes", u.Host)}
	case u.User != nil, u.Host != home && !slices.Contains(c.companions[home], u.Host):
		return &Failure{Reason: Redirected, Why: fmt.Sprintf("the source sends to %s, which does not belong to %s", u.Host, home)}
	}
	return nil
}

// refusal returns the error of an answer that is no success, nil for a success.
func (c *Client) refusal(t *transfer) error {
	a := t.answer
	if a.StatusCode == http.StatusOK {
		return nil
	}
	f := &Failure{Reason: Refused, Host: t.host, What: t.what, Why: fmt.Sprintf("%s answers %d %s", t.host, a.StatusCode, http.StatusText(a.StatusCode))}
	if a.StatusCode == http.StatusTooManyRequests || a.StatusCode == http.StatusForbidden && a.Header.Get("X-RateLimit-Remaining") == "0" {
		f.Reason, f.Why = Limited, t.host+" answers no more questions from this address for now"
		if wait := c.retryAfter(a.Header); wait > 0 {
			f.Why = fmt.Sprintf("%s answers no more questions from this address for %d min", t.host, wait/time.Minute)
		}
	}
	return f
}

// retryAfter returns the time that a server wants to be left alone, in whole minutes; 0 where it does not say.
func (c *Client) retryAfter(h http.Header) time.Duration {
	wait := time.Duration(0)
	if n, err := strconv.Atoi(h.Get("Retry-After")); err == nil {
		wait = time.Duration(min(max(n, 0), 86400)) * time.Second
	} else if n, err := strconv.ParseInt(h.Get("X-RateLimit-Reset"), 10, 64); err == nil {
		wait = min(time.Unix(n, 0).Sub(c.now()), 24*time.Hour)
	}
	if wait <= 0 {
		return 0
	}
	return (wait + time.Minute - 1).Truncate(time.Minute)
}

// load gets a list of at most limit bytes.
func (c *Client) load(ctx context.Context, what string, s Source, address string, limit int64) ([]byte, error) {
	t, err := c.send(ctx, what, http.MethodGet, s, address, http.Header{"Accept": {"application/vnd.github+json, text/plain;q=0.9, */*;q=0.1"}})
	if err != nil {
		return nil, err
	}
	defer t.close()
	text, err := io.ReadAll(io.LimitReader(t, limit+1))
	if err != nil {
		return nil, netFailure(t.ctx, what, t.host, err)
	}
	if int64(len(text)) > limit {
		return nil, &Failure{Reason: TooLarge, Host: t.host, What: what, Why: fmt.Sprintf("the list is larger than %s", amount(limit))}
	}
	return text, nil
}

// size asks for the size of an offer's archive; 0 where the server does not say.
func (c *Client) size(ctx context.Context, what string, o Offer) (int64, error) {
	t, err := c.send(ctx, what, http.MethodHead, o.Source, o.URL, plain())
	if err != nil {
		return 0, err
	}
	defer t.close()
	if t.answer.ContentLength > MaxArchive {
		return 0, tooLarge(what, t.host, t.answer.ContentLength)
	}
	return max(t.answer.ContentLength, 0), nil
}

// plain asks for a file as it is, so that its size means something.
func plain() http.Header { return http.Header{"Accept-Encoding": {"identity"}} }

func tooLarge(what, host string, size int64) error {
	return &Failure{Reason: TooLarge, Host: host, What: what, Why: fmt.Sprintf("the archive has %s, more than the %s that are allowed", amount(size), amount(MaxArchive))}
}

// amount is a number of bytes for people.
func amount(n int64) string {
	if n < 1e6 {
		return fmt.Sprintf("%.1f KB", float64(n)/1e3)
	}
	return phrase.Megabytes(n)
}

// maxOffers is the limit of offers of all sources.
const maxOffers = 1000

// A Client asks sources and gets cores. Its fields are not changed once it is used; its
// methods may be called on any goroutine, also at the same time.
type Client struct {
	Sources  []Source
	Store    *Store
	Platform Platform
	Agent    string         // what servers are told: "nettplay/1.2.0"
	Roots    *x509.CertPool // certificates to trust instead of the system's, for tests; nil: the system's
	// Patience is the time that a server may take to answer, and send nothing amid an answer.
	Patience time.Duration

	// companions are further hosts that belong to a source's.
	companions map[string][]string
	// probe looks at a library and runs it in a worker.
	probe func(ctx context.Context, path string) (emucore.Core, error)
	now   func() time.Time
}

// companions are the hosts on which a source's lists and archives lie beside its own.
// GitHub answers with its API's host, has the archives at another, and redirects from there
// to its storage.
var companions = map[string][]string{
	"api.github.com": {"github.com", "objects.githubusercontent.com", "release-assets.githubusercontent.com"},
}

// NewClient returns a client of the settings' sources for this machine. Version is this
// program's.
func NewClient(cfg config.Core, store *Store, version string) (*Client, error) {
	c := &Client{
		Store: store, Agent: "nettplay/" + version, Patience: 20 * time.Second,
		Platform:   Platform{OS: runtime.GOOS, Arch: runtime.GOARCH},
		companions: companions, probe: emucore.OpenCore, now: time.Now,
	}
	for _, text := range cfg.Sources {
		s, err := config.ParseCoreSource(text)
		if err != nil {
			return nil, err
		}
		c.Sources = append(c.Sources, s)
	}
	return c, nil
}

// List asks all sources what DS cores they have for this machine. Cores with local wireless
// come first, then it goes by name, and of each name by build, the newest first. Each source that fails
// gives an error, a [*Failure] unless ctx has ended; the offers of the others count all the same.
func (c *Client) List(ctx context.Context) (offers []Offer, problems []error) {
	if at := c.Platform; !at.supported() {
		why := fmt.Sprintf("no source has cores for %s on %s", at.OS, at.Arch)
		return nil, []error{&Failure{Reason: Unsupported, What: "looking for cores to get", Why: why}}
	}
	found, errs := make([][]Offer, len(c.Sources)), make([]error, len(c.Sources))
	var all sync.WaitGroup
	for i, s := range c.Sources {
		all.Go(func() { found[i], errs[i] = c.ask(ctx, s) })
	}
	all.Wait()
	offers = slices.Concat(found...)
	sortOffers(offers)
	return offers[:min(len(offers), maxOffers)], slices.DeleteFunc(errs, func(err error) bool { return err == nil })
}

// ask gets and decodes the list of one source.
func (c *Client) ask(ctx context.Context, s Source) ([]Offer, error) {
	address, limit := c.Platform.fill(s.Address), int64(maxReleases)
	what := "asking " + sourceLabel(Source{Kind: s.Kind, Address: address})
	decode := func(text []byte) ([]Offer, error) { return decodeReleases(s, c.Platform, text) }
	query := address + "?per_page=30"
	if s.Kind == config.LibretroIndex {
		folder := strings.TrimSuffix(address, "/") + "/"
		limit, query = maxIndex, folder+indexName
		decode = func(text []byte) ([]Offer, error) { return decodeIndex(s, folder, text) }
	}
	text, err := c.load(ctx, what, s, query, limit)
	if err != nil {
		return nil, err
	}
	offers, err := decode(text)
	if err != nil {
		why := err.Error()
		if isPage(text) {
			why = "a web page came instead of a list of cores"
		}
		return nil, &Failure{Reason: NotAList, Host: hostOf(query), What: what, Why: why, Err: err}
	}
	return offers, nil
}

// isPage reports whether a text begins as HTML does.
func isPage(text []byte) bool {
	return strings.HasPrefix(strings.TrimSpace(string(text[:min(len(text), 512)])), "<")
}

// Ask returns the offer with the size of its archive, which a player is shown before they are asked.
// It asks the server only where the source did not tell, and fetches nothing. Where the
// server does not tell either the size stays 0.
func (c *Client) Ask(ctx context.Context, o Offer) (Offer, error) {
	if o.Size > 0 {
		return o, nil
	}
	size, err := c.size(ctx, fmt.Sprintf("asking %s for the size of %s", o.Host(), o.Label()), o)
	o.Size = size
	return o, err
}
