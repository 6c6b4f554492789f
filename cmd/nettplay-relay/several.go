package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/nettplay/nettplay/internal/relay/cluster"
	"github.com/nettplay/nettplay/internal/relay/service"
)

// addresses are one text or several.
type addresses []string

func (a *addresses) UnmarshalTOML(v any) error {
	switch v := v.(type) {
	case string:
		return a.set(v)
	case []any:
		*a = addresses{}
		for _, one := range v {
			text, ok := one.(string)
			if !ok {
				return errors.New("the addresses of NATS are texts")
			}
			*a = append(*a, text)
		}
		return nil
	}
	return errors.New("the addresses of NATS are one text or a list of them")
}

// set takes a list with commas.
func (a *addresses) set(text string) error {
	*a = slices.DeleteFunc(strings.Split(text, ","), func(one string) bool { return one == "" })
	return nil
}

// fullService is the number of NATS nodes that keep copies, where there are as many.
const fullService = 3

// copies is on how many nodes the leases are kept.
func (c config) copies() int {
	if len(c.NATS) >= fullService || len(c.Node.Routes) >= fullService-1 {
		return fullService
	}
	return 1
}

func (c config) validateService() error {
	for _, one := range c.NATS {
		u, err := url.Parse(one)
		if err != nil || u.Host == "" || u.Scheme != "nats" && u.Scheme != "tls" {
			return errors.New("an address of NATS begins with nats:// or tls://") // it may have a password, so it is not shown
		}
	}
	n := c.Node
	for _, at := range append([]string{n.Listen, n.Cluster}, n.Routes...) {
		if _, _, err := net.SplitHostPort(at); at != "" && err != nil {
			return fmt.Errorf("%q of [node] is no HOST:PORT", at)
		}
	}
	switch {
	case n.Name != "" && len(c.NATS) > 0:
		return errors.New("a relay uses the NATS of the setting nats, or that of [node]")
	case n.Name == "" && (n.Listen != "" || n.Cluster != ""):
		return errors.New("a NATS inside the program has a name")
	case (n.Listen != "" || n.Cluster != "") && n.Password == "":
		return errors.New("a NATS that others reach has a password")
	case (n.Cluster == "") != (len(n.Routes) == 0):
		return errors.New("several nodes want both cluster and routes")
	}
	return nil
}

// join makes a relay one of several, if that is wanted. leave ends what it has started.
func (c config) join(cfg *service.Config, stdout io.Writer) (leave func(), err error) {
	urls, leave := c.NATS, func() {}
	if n := c.Node; n.Name != "" {
		at, err := cluster.StartNode(n)
		if err != nil {
			return nil, err
		}
		urls, leave = addresses{at.URL}, at.Close
	}
	if len(urls) == 0 {
		return leave, nil
	}
	tell := func(state string) {
		fmt.Fprintf(stdout, "%s %s\n", time.Now().UTC().Format(time.RFC3339), state)
	}
	part := cluster.New(cluster.Config{URLs: urls, Name: c.Name, Copies: c.copies(), Tell: tell})
	cfg.Health = part.Health
	cfg.Join = func(ctx context.Context, s *service.Shared) { part.Run(ctx, s) }
	return leave, nil
}
