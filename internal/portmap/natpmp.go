package portmap

import (
	"bufio"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"slices"
	"strings"
	"time"

	natpmp "github.com/jackpal/go-nat-pmp"
)

// natPMP is a router that speaks NAT-PMP (RFC 6886).
type natPMP struct{ client *natpmp.Client }

func findNATPMP(context.Context) router {
	gateway := routerOf4()
	if gateway == nil {
		return nil
	}
	return natPMP{natpmp.NewClientWithTimeout(gateway, findTime/2)}
}

// defaultGateway reads the router's address out of Linux' table of routes: lines with
// interface, destination, gateway, ..., addresses in hexadecimal digits of this machine's
// byte order.
func defaultGateway(table io.Reader) net.IP {
	for lines := bufio.NewScanner(table); lines.Scan(); {
		f := strings.Fields(lines.Text())
		if len(f) < 3 || f[1] != "00000000" {
			continue
		}
		b, err := hex.DecodeString(f[2])
		if err != nil || len(b) != 4 {
			continue
		}
		slices.Reverse(b) // x86 and ARM are little endian
		if ip := net.IP(b); !ip.IsUnspecified() {
			return ip
		}
	}
	return nil
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
