package udp

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"
	"sync"
	"time"
)

// A STUN server (RFC 8489) says which address a datagram came from, as the network outside
// sees it. It must be asked from the socket that is to be reached, so it is asked here.
//
//	request   0001 length:2=0 2112A442 id:12
//	answer    0101 length:2   2112A442 id:12 (type:2 length:2 value padding)*
const (
	stunRequest = 0x0001
	stunSuccess = 0x0101
	stunMagic   = 0x2112A442
	stunHeader  = 20
	stunMapped  = 0x0020 // XOR-MAPPED-ADDRESS: 0 family:1 port:2 address:4|16, both masked

	stunEvery  = 500 * time.Millisecond
	stunWithin = 3 * time.Second
	stunNext   = 300 * time.Millisecond // until the next server is asked as well
)

type stunID [12]byte

// errSilent is a server that was asked and says nothing.
var errSilent = errors.New("no answer")

// Outside asks STUN servers, each "host:port", at which address machines elsewhere see this
// link: the first, and the next ones as long as none answers. It takes up to 3 s. Where all of
// them are silent, Dials that hear nothing say so: see [link.Deaf].
func (l *Link) Outside(parent context.Context, servers ...string) (netip.AddrPort, error) {
	var asking sync.WaitGroup
	defer asking.Wait()
	ctx, cancel := context.WithTimeout(parent, stunWithin)
	defer cancel()
	defer context.AfterFunc(l.life, cancel)()
	said, failed := make(chan netip.AddrPort, len(servers)), make(chan error, len(servers))
	for i, server := range servers {
		asking.Go(func() {
			pause(ctx, time.Duration(i)*stunNext)
			at, err := l.outside(ctx, server)
			if err != nil {
				failed <- fmt.Errorf("ask the STUN server %s: %w", server, err)
				return
			}
			said <- at
		})
	}
	var errs []error
	for range servers {
		select {
		case at := <-said:
			return at, nil
		case err := <-failed:
			errs = append(errs, err)
		}
	}
	err := errors.Join(errs...)
	l.unanswered.Store(errors.Is(err, errSilent) && parent.Err() == nil)
	return netip.AddrPort{}, err
}

// Deaf reports whether servers elsewhere were asked, and nothing at all has come from there.
func (l *Link) Deaf() bool { return l.unanswered.Load() && !l.elsewhere.Load() }

func (l *Link) outside(ctx context.Context, server string) (netip.AddrPort, error) {
	to, err := resolveOne(ctx, server)
	if err != nil {
		return netip.AddrPort{}, err
	}
	var id stunID
	_, _ = rand.Read(id[:])
	answers := make(chan netip.AddrPort, 1)
	l.stuns.Store(id, answers)
	defer l.stuns.Delete(id)
	repeat := time.NewTicker(stunEvery)
	defer repeat.Stop()
	for {
		for _, t := range to[:min(len(to), maxTargets)] {
			_, err = l.conn.WriteToUDPAddrPort(stunAsk(id), t)
		}
		select {
		case at := <-answers:
			return at, nil
		case <-repeat.C:
		case <-ctx.Done():
			if err == nil {
				err = errSilent
			}
			return netip.AddrPort{}, err
		}
	}
}

func stunAsk(id stunID) []byte {
	b := binary.BigEndian.AppendUint16(nil, stunRequest)
	b = binary.BigEndian.AppendUint16(b, 0)
	return append(binary.BigEndian.AppendUint32(b, stunMagic), id[:]...)
}

// isSTUN tells a STUN message from ours, whose first byte is larger.
func isSTUN(b []byte) bool {
	return len(b) >= stunHeader && b[0] < 0x40 && binary.BigEndian.Uint32(b[4:]) == stunMagic
}

// stunned takes an answer, if somebody waits for it.
func (l *Link) stunned(b []byte) {
	waiting, known := l.stuns.Load(stunID(b[8:stunHeader]))
	at, ok := stunAddress(b)
	if !known || !ok {
		return
	}
	select {
	case waiting.(chan netip.AddrPort) <- at:
	default:
	}
}

// stunAddress reads the address out of an answer.
func stunAddress(b []byte) (at netip.AddrPort, ok bool) {
	if !isSTUN(b) || binary.BigEndian.Uint16(b) != stunSuccess || int(binary.BigEndian.Uint16(b[2:])) != len(b)-stunHeader {
		return at, false
	}
	mask := bytes.Clone(b[4:stunHeader])
	for b = b[stunHeader:]; len(b) >= 4; {
		kind, size := binary.BigEndian.Uint16(b), int(binary.BigEndian.Uint16(b[2:]))
		padded := 4 + (size+3)&^3
		if len(b) < padded {
			return at, false
		}
		if kind == stunMapped {
			return unmask(b[4:4+size], mask)
		}
		b = b[padded:]
	}
	return at, false
}

// unmask reads an address, which must be one that a machine can have.
func unmask(v, mask []byte) (at netip.AddrPort, ok bool) {
	if len(v) != 8 && len(v) != 20 || v[1] != map[int]byte{8: 1, 20: 2}[len(v)] {
		return at, false
	}
	ip := make([]byte, len(v)-4)
	subtle.XORBytes(ip, v[4:], mask)
	addr, _ := netip.AddrFromSlice(ip)
	port := binary.BigEndian.Uint16(v[2:]) ^ uint16(stunMagic>>16)
	addr = addr.Unmap()
	return netip.AddrPortFrom(addr, port), port != 0 && (addr.IsGlobalUnicast() || addr.IsLoopback())
}

// punchFor is the time a hole is kept open for somebody who is about to knock.
const (
	punchFor   = 20 * time.Second
	punchEvery = 400 * time.Millisecond
)

// Punch lets a machine that knows the room's secret come in through this side's router: it
// sends to the machine's addresses for a while, so that the router takes what comes from
// there for answers. It returns when the time is over.
func (l *Link) Punch(ctx context.Context, to []netip.AddrPort) {
	ctx, cancel := context.WithTimeout(ctx, punchFor)
	defer cancel()
	defer context.AfterFunc(l.life, cancel)()
	repeat := time.NewTicker(punchEvery)
	defer repeat.Stop()
	hole := l.room().tagged(greeting{kind: kindGone, version: wireVersion}) // of no session: it means nothing
	for {
		for _, t := range to[:min(len(to), maxTargets)] {
			if t.Addr().IsGlobalUnicast() || t.Addr().IsLoopback() {
				_, _ = l.conn.WriteToUDPAddrPort(hole, t)
			}
		}
		select {
		case <-repeat.C:
		case <-ctx.Done():
			return
		}
	}
}
