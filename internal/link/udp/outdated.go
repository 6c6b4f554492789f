package udp

import (
	"errors"
	"net/netip"
	"time"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/seal"
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
