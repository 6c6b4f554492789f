package portmap

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"time"

	"github.com/nettplay/nettplay/internal/sockets"
)

// With IPv6 this machine has an address of its own on the internet, but the router's firewall
// lets nobody in. PCP (RFC 6887) asks it for a pinhole: a mapping of the address to itself.
//
//	request  2 1 0:2 lifetime:4 client:16            nonce:12 17 0:3 inside:2 outside:2 address:16
//	answer   2 0x81 0 result:1 lifetime:4 epoch:4 0:12  nonce:12 17 0:3 inside:2 outside:2 address:16
//
// Addresses are those of IPv6; an answer may have more behind it.
const (
	pcpPort    = 5351
	pcpVersion = 2
	pcpMap     = 1
	pcpAnswer  = 0x80
	pcpSize    = 60
	pcpUDP     = 17
	pcpMost    = 1100 // bytes of an answer

	pcpFirst = 250 * time.Millisecond // until a request is repeated, then twice as long each time
)

type pcpNonce [12]byte

// pinhole is a router that speaks PCP over IPv6.
type pinhole struct {
	router *net.UDPAddr
	inside netip.Addr // this machine's address on the internet
	nonce  pcpNonce   // the mapping's name
}

// findPCP finds the router of IPv6, nil for none. It may not speak PCP.
func findPCP(ctx context.Context) router {
	gateway, inside := gateway6(), outwards6()
	if !gateway.IsValid() || !inside.IsValid() {
		return nil
	}
	p := &pinhole{router: net.UDPAddrFromAddrPort(netip.AddrPortFrom(gateway, pcpPort)), inside: inside}
	_, _ = rand.Read(p.nonce[:])
	return forAddress{p, inside, outwards6}
}

// outwards6 is the address that this machine uses on the internet of IPv6.
func outwards6() netip.Addr {
	if a := sockets.Address6(); a.IsGlobalUnicast() && !a.IsPrivate() {
		return a
	}
	return netip.Addr{}
}

func (p *pinhole) add(ctx context.Context, port int, lease time.Duration) (m Mapping, err error) {
	ctx, cancel := context.WithTimeout(ctx, findTime/2) // the router may speak UPnP instead
	defer cancel()
	outside, err := p.ask(ctx, port, lease)
	switch {
	case err != nil:
		return m, err
	case !outside.IsValid():
		return m, errors.New("the router answers by PCP with an invalid address")
	}
	return Mapping{Outside: outside, By: "PCP"}, nil
}

func (p *pinhole) remove(ctx context.Context, port int) error {
	_, err := p.ask(ctx, port, 0)
	if errors.As(err, new(refused)) { // miniupnpd no longer knows whose a renewed one is, and lets nobody close it; but it may end soon
		_, err = p.ask(ctx, port, time.Second)
	}
	return err
}

// ask sends a request until there is an answer to it.
func (p *pinhole) ask(ctx context.Context, port int, lease time.Duration) (at netip.AddrPort, err error) {
	conn, err := net.DialUDP("udp6", &net.UDPAddr{IP: p.inside.AsSlice()}, p.router)
	if err != nil {
		return at, errors.Join(ErrNone, err)
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	request, b := pcpRequest(p.inside, p.nonce, port, lease), make([]byte, pcpMost)
	for wait := pcpFirst; ; wait *= 2 {
		if _, err = conn.Write(request); err == nil {
			_ = conn.SetReadDeadline(time.Now().Add(wait))
			for err == nil {
				var n int
				if n, err = conn.Read(b); err != nil {
					break
				}
				if at, mine, refused := pcpParse(b[:n], p.nonce); mine {
					return at, refused
				}
			}
		}
		switch {
		case ctx.Err() != nil, sockets.Refused(err):
			return at, errors.Join(ErrNone, err)
		case !errors.Is(err, os.ErrDeadlineExceeded):
			return at, fmt.Errorf("ask the router by PCP to let UDP port %d in: %w", port, err)
		}
	}
}

func pcpRequest(inside netip.Addr, nonce pcpNonce, port int, lease time.Duration) []byte {
	client := inside.As16()
	b := []byte{pcpVersion, pcpMap, 0, 0}
	b = binary.BigEndian.AppendUint32(b, uint32(lease/time.Second))
	b = append(append(b, client[:]...), nonce[:]...)
	b = append(b, pcpUDP, 0, 0, 0)
	b = binary.BigEndian.AppendUint16(b, uint16(port))
	if lease == 0 { // given back: nothing is suggested
		return append(b, make([]byte, 2+16)...)
	}
	b = binary.BigEndian.AppendUint16(b, uint16(port))
	return append(b, client[:]...)
}

// pcpParse reads an answer. It is mine if it answers the request with that nonce. It may have
// no address, as when a pinhole is given back.
func pcpParse(b []byte, nonce pcpNonce) (at netip.AddrPort, mine bool, err error) {
	switch {
	case len(b) < pcpSize || b[1] != pcpAnswer|pcpMap || pcpNonce(b[24:36]) != nonce || b[36] != pcpUDP:
		return at, false, nil
	case b[3] == 1: // another version, in which the rest comes back as it was sent
		return at, true, ErrNone
	case b[0] != pcpVersion:
		return at, false, nil
	case b[3] != 0:
		return at, true, refused{fmt.Errorf("the router lets no port in by PCP: it answers %d", b[3])}
	}
	at = netip.AddrPortFrom(netip.AddrFrom16([16]byte(b[44:60])).Unmap(), binary.BigEndian.Uint16(b[42:]))
	if !known(at) {
		return netip.AddrPort{}, true, nil
	}
	return at, true, nil
}
