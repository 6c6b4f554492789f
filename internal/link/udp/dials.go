package udp

import (
	"bytes"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"time"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/seal"
)

// dial is a Dial that waits for greetings.
type dial struct {
	nonce   uint64
	answers chan answer

	// ---- its goroutine's own
	to       []greeted
	shake    *seal.Handshake
	first    []byte    // message of the handshake
	outdated time.Time // when it was first heard that the room's secret is another one

	greeter *seal.Greeter // of the machine's key, nil where that is not known; it does not change once d is known
}

type answer struct {
	greeting
	from   netip.AddrPort
	unheld bool // no greeting: a relay says that nobody has the mailbox there
}

func (l *Link) newDial() (*dial, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, link.ErrClosed
	}
	d := &dial{nonce: random(), answers: make(chan answer, 8)}
	l.dials[d.nonce] = d
	l.dialing.Add(1)
	return d, nil
}

func (l *Link) endDial(d *dial) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.dials, d.nonce)
	l.dialing.Done()
}

// answered brings a greeting to the Dial that waits for it.
func (l *Link) answered(g greeting, from netip.AddrPort) {
	g.noise = bytes.Clone(g.noise) // the packet is used again
	l.mu.RLock()
	defer l.mu.RUnlock()
	if d := l.dials[g.nonce]; d != nil {
		select {
		case d.answers <- answer{greeting: g, from: from}:
		default: // a repetition
		}
	}
}

// punched takes a datagram that a machine sent to open its router. Its address is worth a
// knock: the router may have given it another port than any that is known.
func (l *Link) punched(g greeting, from netip.AddrPort) {
	l.tellDials(answer{greeting: g, from: from})
}

// tellDials brings to all dials what may be for any of them, and comes again if it is lost.
func (l *Link) tellDials(a answer) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	for _, d := range l.dials {
		select {
		case d.answers <- a:
		default:
		}
	}
}

// greeted is one address of a dialled machine.
type greeted struct {
	addr    netip.AddrPort
	cookie  *[cookieSize]byte // nil before its challenge
	given   time.Time         // when it came
	refusal error             // nil unless it refused
	forged  int               // accepts that were none
	unheld  time.Time         // when its relay first said that nobody has the mailbox
}

// opens reports whether the address can be asked to open a session: its cookie is one that lives on until
// that arrives. Where strangers are many, a dial outlives its first cookie.
func (g *greeted) opens() bool { return g.cookie != nil && time.Since(g.given) < seal.CookieLife/2 }

// startHandshake begins the handshake. All addresses get the same first message.
func (d *dial) startHandshake(key seal.Private, room seal.Secret, want seal.Public) (err error) {
	if d.shake, err = seal.Dial(key, room, want, agreed(d.nonce)); err != nil {
		return err
	}
	d.first, err = d.shake.Write(nil, nil)
	return err
}

// challenged reports whether somebody has answered.
func (d *dial) challenged() bool {
	return slices.ContainsFunc(d.to, func(g greeted) bool { return g.cookie != nil })
}

// refused counts the addresses that refused, and returns the last one's refusal.
func (d *dial) refused() (n int, last error) {
	for _, to := range d.to {
		if to.refusal != nil {
			n, last = n+1, to.refusal
		}
	}
	return n, last
}

// errOutdated is the refusal of a machine whose room has another secret.
var errOutdated = errors.New(refuseSecret.String())

// whyNot returns the reason of a refusal, in words.
func (g greeting) whyNot() error {
	code := g.code
	if code == refuseSecret && g.version == wireVersion {
		return errOutdated
	}
	if g.version != wireVersion {
		code = refuseVersion
	}
	if w := link.Words(g.words, link.MaxReason); w != "" {
		return fmt.Errorf("%s: %s", code, w)
	}
	return errors.New(code.String())
}
