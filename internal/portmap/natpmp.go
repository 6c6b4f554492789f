package portmap

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"time"

	natpmp "github.com/jackpal/go-nat-pmp"
)

// natPMP is a router that speaks NAT-PMP (RFC 6886).
type natPMP struct{ client *natpmp.Client }

func findNATPMP(context.Context) router {
	gateway := routerOf("/proc/net/route", 1<<16, route4)
	if !gateway.IsValid() {
		return nil
	}
	return natPMP{natpmp.NewClientWithTimeout(gateway.AsSlice(), findTime/2)}
}

// route4 reads the router's address in a line of Linux' table of IPv4: interface, destination,
// gateway, ..., addresses in hexadecimal digits of this machine's byte order.
func route4(f []string) (a netip.Addr) {
	if len(f) < 3 || f[1] != "00000000" {
		return a
	}
	b, err := hex.DecodeString(f[2])
	if err != nil || len(b) != 4 {
		return a
	}
	slices.Reverse(b) // x86 and ARM are little endian
	return netip.AddrFrom4([4]byte(b))
}

func (n natPMP) add(ctx context.Context, port int, lease time.Duration) (Mapping, error) {
	return within(ctx, func() (m Mapping, err error) {
		outside, err := n.client.GetExternalAddress()
		if err != nil {
			return m, errors.Join(ErrNone, err)
		}
		got, err := n.client.AddPortMapping("udp", port, port, int(lease/time.Second))
		if err != nil {
			return m, fmt.Errorf("ask the router by NAT-PMP to forward UDP port %d: %w", port, err)
		}
		at := netip.AddrPortFrom(netip.AddrFrom4(outside.ExternalIPAddress), got.MappedExternalPort)
		return Mapping{Outside: at, By: "NAT-PMP"}, nil
	})
}

func (n natPMP) remove(ctx context.Context, _ Mapping, port int) error {
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
