package corestore

import (
	"context"
	"crypto/x509"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
)

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
