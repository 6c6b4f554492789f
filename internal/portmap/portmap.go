package portmap

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

const (
	lease    = 20 * time.Minute
	renew    = lease / 2
	soon     = 5 * time.Second // after a failure, and twice as long after each further one
	again    = time.Minute     // at most
	askTime  = 4 * time.Second // for one that was found, to answer
	giveBack = 2 * time.Second
	look     = 30 * time.Second // between two looks at whether this machine has another address
)

// finder looks for a router until ctx ends; nil for none.
type finder func(ctx context.Context) router

// Keep has the router forward a UDP port over IPv4, and its firewall let in what comes to that port over IPv6, until ctx ends,
// and has both taken back then. mapped is called with each new mapping of the former and with why there is none, pinhole with
// those of the latter, each on a goroutine of its own that has ended when Keep returns. A nil one is for what is not wanted.
func Keep(ctx context.Context, port int, mapped, pinhole func(Mapping, error)) {
	var jobs sync.WaitGroup
	var said []chan<- struct{}
	keep := func(changed func(Mapping, error), find ...finder) {
		if changed == nil {
			return
		}
		anew := make(chan struct{}, 1)
		said = append(said, anew)
		jobs.Go(func() { (&keeper{find: find, port: port, changed: changed, anew: anew}).run(ctx) })
	}
	keep(mapped, findNATPMP, findUPnP)
	keep(pinhole, findPCP, findFirewall)
	listen(ctx, said)
	jobs.Wait()
}

type keeper struct {
	find    []finder
	port    int
	changed func(Mapping, error)
	anew    <-chan struct{} // the router says that it has started anew, or has another address

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
		k.pause(ctx, wait)
	}
	if k.router != nil && k.now.Outside.IsValid() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), giveBack)
		defer cancel()
		_ = k.router.remove(ctx, k.port)
	}
}

// pause waits, unless there is a reason to ask the router now.
func (k *keeper) pause(ctx context.Context, wait time.Duration) {
	for due, anew := time.After(wait), k.anew; ; {
		select {
		case <-ctx.Done():
			return
		case <-due:
			return
		case <-anew:
			due, anew = time.After(settle), nil
		case <-time.After(look):
			if r, ok := k.router.(forAddress); ok && r.moved() {
				return
			}
		}
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
		case !errors.Is(err, ErrNone) && !errors.Is(why, ErrBehind):
			why = err
		}
	}
	return nil, Mapping{}, why
}

// add has a router forward the port. What it may have forwarded without use, or unknown to us, is given back.
func (k *keeper) add(ctx context.Context, r router) (Mapping, error) {
	asking, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	m, err := r.add(asking, k.port, lease)
	if err == nil && !known(m.Outside) {
		err = fmt.Errorf("the router says by %s that its address is %v, which is not one that a machine can have", m.By, m.Outside)
	}
	if err == nil || errors.Is(err, ErrNone) || errors.Is(err, ErrBehind) || errors.As(err, new(refused)) {
		return m, err
	}
	giving, cancel := context.WithTimeout(context.WithoutCancel(ctx), giveBack)
	defer cancel()
	_ = r.remove(giving, k.port)
	return Mapping{}, err
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
