package portmap

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"time"

	natpmp "github.com/jackpal/go-nat-pmp"
)

// natPMP is a router that speaks NAT-PMP (RFC 6886).
type natPMP struct {
	client  *natpmp.Client
	outside int // the port that it gave, 0 for none: another machine may have had ours
}

func findNATPMP(context.Context) router {
	gateway := gateway4()
	if !gateway.IsValid() {
		return nil
	}
	return &natPMP{client: natpmp.NewClientWithTimeout(gateway.AsSlice(), findTime/2)}
}

// add asks for the outside port that is ours already, if there is one: asked for another, some routers forward both, and the
// one that friends know of is no longer renewed (findings/miniupnpd-two-ports-for-one.sh).
func (n *natPMP) add(ctx context.Context, port int, lease time.Duration) (Mapping, error) {
	want := cmp.Or(n.outside, port)
	m, err := within(ctx, func() (m Mapping, err error) {
		outside, err := n.client.GetExternalAddress()
		if err != nil {
			return m, natPMPNone(err)
		}
		got, err := n.client.AddPortMapping("udp", port, want, int(lease/time.Second))
		if err != nil {
			err = fmt.Errorf("ask the router by NAT-PMP to forward UDP port %d: %w", port, err)
			if strings.Contains(err.Error(), natPMPResult) {
				return m, refused{err}
			}
			return m, err
		}
		at := netip.AddrPortFrom(netip.AddrFrom4(outside.ExternalIPAddress), got.MappedExternalPort)
		return Mapping{Outside: at, By: "NAT-PMP"}, nil
	})
	if err == nil {
		n.outside = int(m.Outside.Port())
	}
	return m, err
}

// natPMPResult is in the library's errors when a router refuses. Its errors have no types.
const natPMPResult = "Non-zero result code "

// natPMPNone is why a router does not say its address. By 3 it has none, also when its own is not
// of the internet.
func natPMPNone(err error) error {
	if strings.Contains(err.Error(), natPMPResult+"3") {
		return ErrBehind
	}
	return errors.Join(ErrNone, err)
}

func (n *natPMP) remove(ctx context.Context, port int) error {
	_, err := within(ctx, func() (Mapping, error) {
		_, err := n.client.AddPortMapping("udp", port, 0, 0)
		return Mapping{}, err
	})
	return err
}

// within gives up waiting when ctx ends; the library's own time limit ends the call.
func within(ctx context.Context, do func() (Mapping, error)) (Mapping, error) {
	type result struct {
		m   Mapping
		err error
	}
	done := make(chan result, 1)
	go func() {
		m, err := do()
		done <- result{m, err}
	}()
	select {
	case r := <-done:
		return r.m, r.err
	case <-ctx.Done():
		return Mapping{}, ctx.Err()
	}
}
