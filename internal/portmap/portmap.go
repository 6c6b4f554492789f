package portmap

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
)

// Mapping is a port of the router that leads to this machine.
type Mapping struct {
	Outside netip.AddrPort // as the router says; not always the internet's view
	By      string         // "UPnP" or "NAT-PMP"; for a pinhole "PCP" or "UPnP"
}

// Behind reports whether the router's own address is not the internet's: it is behind another
// router, the provider's or a second one of the player's.
func (m Mapping) Behind() bool {
	a := m.Outside.Addr()
	return ds.IsLocal(a) || shared.Contains(a)
}

// known reports whether a router can mean an address that it states: its own, of the internet's or
// of a network behind another router, or this machine's of IPv6. Its statements go into
// invitations, from where many machines send to them.
func known(at netip.AddrPort) bool {
	a := at.Addr().Unmap()
	if a.Is4() {
		return at.Port() != 0 && a.IsGlobalUnicast() && !thisNetwork.Contains(a) && !reserved.Contains(a)
	}
	return at.Port() != 0 && global6.Contains(a)
}

// Of IPv4 the first and the last addresses are nobody's; of IPv6 only one block is given out.
var (
	thisNetwork = netip.MustParsePrefix("0.0.0.0/8")
	reserved    = netip.MustParsePrefix("240.0.0.0/4")
	global6     = netip.MustParsePrefix("2000::/3")
)

// shared are addresses that providers give to many customers at once (RFC 6598).
var shared = netip.MustParsePrefix("100.64.0.0/10")

// ErrNone says that no router here forwards ports by itself.
var ErrNone = errors.New("no router here forwards ports by itself")

const (
	lease    = 20 * time.Minute
	renew    = lease / 2
	soon     = 5 * time.Second // after a failure, and twice as long after each further one
	again    = time.Minute     // at most
	findTime = 4 * time.Second // to find a router
	askTime  = 4 * time.Second // for one that was found, to answer
	giveBack = 2 * time.Second
)

// router is one that was found.
type router interface {
	add(ctx context.Context, port int, lease time.Duration) (Mapping, error)
	remove(ctx context.Context, m Mapping, port int) error
}

// finder looks for a router until ctx ends; nil for none.
type finder func(ctx context.Context) router

// Keep has the router forward a UDP port until ctx ends, and gives it back then. changed is
// called, on Keep's goroutine, with each new mapping and with why there is none.
func Keep(ctx context.Context, port int, changed func(Mapping, error)) {
	k := keeper{find: []finder{findNATPMP, findUPnP}, port: port, changed: changed}
	k.run(ctx)
}

// KeepPinhole has the router's firewall let in what comes over IPv6 to a UDP port, as Keep
// does over IPv4.
func KeepPinhole(ctx context.Context, port int, changed func(Mapping, error)) {
	k := keeper{find: []finder{findPCP, findFirewall}, port: port, changed: changed}
	k.run(ctx)
}

type keeper struct {
	find    []finder
	port    int
	changed func(Mapping, error)

	router router // nil while none is known
	now    Mapping
	why    string // there is none
	told   bool
}

func (k *keeper) run(ctx context.Context) {
	failed := soon
	for ctx.Err() == nil {
		wait := renew
		if err := k.try(ctx); err != nil {
			wait, failed = failed, min(2*failed, again)
		} else {
			failed = soon
		}
		select {
		case <-ctx.Done():
		case <-time.After(wait):
		}
	}
	if k.router != nil && k.now.Outside.IsValid() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), giveBack)
		defer cancel()
		_ = k.router.remove(ctx, k.now, k.port)
	}
}

// try asks for the mapping, first of the router that gave it before.
func (k *keeper) try(ctx context.Context) error {
	if k.router != nil {
		if m, err := k.add(ctx, k.router); err == nil {
			k.tell(m, nil)
			return nil
		}
	}
	r, m, err := k.search(ctx)
	if ctx.Err() != nil && err != nil {
		return err
	}
	k.router = r
	k.tell(m, err)
	return err
}

// search looks for all kinds of routers at the same time, and asks one after another to forward
// the port until one does. It never asks two: they may be one box with one list of forwarded
// ports, where what is given back by one protocol is gone for the other as well.
func (k *keeper) search(ctx context.Context) (router, Mapping, error) {
	finding, cancel := context.WithTimeout(ctx, findTime)
	defer cancel()
	var found []chan router
	for _, find := range k.find {
		c := make(chan router, 1)
		found = append(found, c)
		go func() { c <- find(finding) }()
	}
	why := ErrNone
	for _, c := range found {
		r := <-c
		if r == nil {
			continue
		}
		m, err := k.add(ctx, r)
		switch {
		case err == nil:
			return r, m, nil
		case !errors.Is(err, ErrNone):
			why = err
		}
	}
	return nil, Mapping{}, why
}

// add has a router forward the port. A mapping of an address that cannot be is given back.
func (k *keeper) add(ctx context.Context, r router) (Mapping, error) {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	m, err := r.add(ctx, k.port, lease)
	if err == nil && !known(m.Outside) {
		_ = r.remove(ctx, m, k.port)
		return Mapping{}, fmt.Errorf("the router says by %s that its address is %v, which nobody has", m.By, m.Outside)
	}
	return m, err
}

func (k *keeper) tell(m Mapping, err error) {
	why := ""
	if err != nil {
		why = err.Error()
	}
	if k.told && m == k.now && why == k.why {
		return
	}
	k.now, k.why, k.told = m, why, true
	k.changed(m, err)
}
