package corestore

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

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
