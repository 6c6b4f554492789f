package udp

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"syscall"
	"time"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/seal"
	"github.com/nettplay/nettplay/internal/sockets"
)

// Somebody with an invitation to an earlier room of a machine knows that machine's key, and another secret than its
// room's. No knock of theirs is answered, nor would a handshake tell: the secret comes into it with the last message. So
// a dial whose knocks are not answered asks whether the secret is still right. Only the machine itself can say no, and
// says so only if the secret is another one: what the line loses leads to no such answer.

// elsewhere is for how long the other addresses of a machine may still bring an answer once one says that the room's
// secret is another one: its owner may run two programs.
const elsewhere = time.Second

// meant notes which machine is dialled.
func (l *Link) meant(d *dial, key seal.Public) {
	if key.IsZero() {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	d.greeter = key.Greeter()
}

// isOutdated reports whether the secret is known to be another one, and nothing else is to be expected.
func (d *dial) isOutdated(now time.Time) bool {
	return !d.outdated.IsZero() && now.Sub(d.outdated) >= elsewhere && !d.challenged()
}

// kindOf is how a dial fails that was refused.
func kindOf(refusal error) link.DialFailure {
	if errors.Is(refusal, errOutdated) {
		return link.Outdated
	}
	return link.Rejected
}

// still is the question of a dial.
func still(nonce uint64, room *seal.Greeter) greeting {
	g := greeting{kind: kindStill, version: wireVersion, nonce: nonce}
	g.tag = [seal.TagSize]byte(room.Append(g.append(nil)[:greetHeader])[greetHeader:])
	return g
}

// askStill asks all addresses that have not answered. Relays are not asked: there a room is found by its secret.
func (l *Link) askStill(d *dial) {
	if d.greeter == nil {
		return
	}
	b := d.greeter.Append(still(d.nonce, l.room().greeter).append(nil))
	for _, to := range d.to {
		if to.refusal == nil && to.cookie == nil && !relay.IsRelayed(to.addr) {
			_ = l.write(b, to.addr)
		}
	}
}

// outdated acts on the question, and on its answer: greetings without the tag of a room of ours.
func (l *Link) outdated(b []byte, from netip.AddrPort) {
	if len(b) < seal.TagSize {
		return
	}
	g, err := decodeGreeting(b[:len(b)-seal.TagSize])
	if err != nil || g.version != wireVersion {
		return
	}
	switch g.kind {
	case kindStill:
		if _, ok := l.greeter.Check(b); !ok {
			return
		}
		for _, r := range *l.rooms.Load() {
			if _, ok := r.greeter.Check(append(g.append(nil)[:greetHeader:greetHeader], g.tag[:]...)); ok {
				return // its knock brings it in
			}
		}
		no := greeting{kind: kindRefuse, version: wireVersion, nonce: g.nonce, code: refuseSecret}
		_ = l.write(l.greeter.Append(no.append(nil)), from)
	case kindRefuse:
		l.mu.RLock()
		d := l.dials[g.nonce]
		known := d != nil && d.greeter != nil
		if known {
			_, known = d.greeter.Check(b)
		}
		l.mu.RUnlock()
		if known && g.code == refuseSecret {
			l.answered(g, from)
		}
	}
}

// A room that is reached by a relay alone is found there by its secret, so nobody can say that it is another one. But the
// relay says that nobody has the mailbox, to each knock.

// errNoRoom is the failure of a dial whose relays say so.
var errNoRoom = errors.New("the room is closed, or the invitation outdated")

// comes is for how long a game host may take to have its mailbox, at the beginning of a room or after its relay was gone.
const comes = 1200 * time.Millisecond

// isAway reports whether the relay of an address has said for a while that nobody is there.
func (g *greeted) isAway(now time.Time) bool {
	return !g.unheld.IsZero() && now.Sub(g.unheld) >= comes
}

// away counts the addresses where that is so.
func (d *dial) away(now time.Time) (n int) {
	for i := range d.to {
		if d.to[i].isAway(now) {
			n++
		}
	}
	return n
}

// absentWithin is the longest wait for an answer.
const absentWithin = 2 * time.Second

// Absent implements Link.
func (l *Link) Absent(ctx context.Context, addr string) bool {
	to, err := netip.ParseAddrPort(addr)
	if err != nil {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, absentWithin)
	defer cancel()
	defer context.AfterFunc(l.life, cancel)()
	absent := make(chan link.DialError, 1)
	l.start(&l.dialing, func() {
		defer cancel()
		l.probe(ctx, to, absent)
	})
	<-ctx.Done()
	return len(absent) > 0 && (<-absent).Why == link.Refused
}

const probeEvery = 500 * time.Millisecond

// probeAll finds out soon whether the system knows of nobody there. The link's own socket speaks
// with many and so never hears of ICMP errors; a connected one does. Each probe
// knocks, and listens only for errors.
func (l *Link) probeAll(ctx context.Context, targets []netip.AddrPort) <-chan link.DialError {
	absent := make(chan link.DialError, len(targets))
	for _, t := range targets {
		if !relay.IsRelayed(t) { // the relay does not know
			l.start(&l.dialing, func() { l.probe(ctx, t, absent) })
		}
	}
	return absent
}

func (l *Link) probe(ctx context.Context, to netip.AddrPort, absent chan<- link.DialError) {
	local := &net.UDPAddr{IP: l.conn.LocalAddr().(*net.UDPAddr).IP}
	if local.IP.IsUnspecified() {
		local = nil // it need not be of the address's family
	}
	conn, err := net.DialUDP("udp", local, net.UDPAddrFromAddrPort(to))
	if err != nil {
		return // sending shows it, too
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	hearErrors(conn)
	knock := l.room().tagged(greeting{kind: kindKnock, version: wireVersion, nonce: random()})
	for ctx.Err() == nil {
		_, err := conn.Write(knock)
		if err == nil {
			_ = conn.SetReadDeadline(time.Now().Add(probeEvery))
			_, err = conn.Read(make([]byte, maxDatagram))
		}
		switch {
		case err == nil:
			return // somebody is there
		case sockets.Refused(err):
			absent <- link.DialError{Why: link.Refused, Err: syscall.ECONNREFUSED}
			return
		case sockets.Unreachable(err):
			absent <- link.DialError{Why: link.Unreachable, Err: err}
			return
		}
	}
}
