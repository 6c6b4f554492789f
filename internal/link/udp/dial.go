package udp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"time"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/seal"
)

// Dial implements Link.
func (l *Link) Dial(ctx context.Context, addr string) (link.PeerID, error) {
	p, why, err := l.dial(ctx, addr)
	switch {
	case err == nil:
		return p, nil
	case l.isClosing():
		why, err = link.Aborted, link.ErrClosed
	case ctx.Err() != nil:
		why, err = link.Aborted, ctx.Err()
	}
	return 0, &link.DialError{Addr: link.Shown(addr), Why: why, Err: err}
}

// dial does the work of Dial.
func (l *Link) dial(ctx context.Context, addr string) (link.PeerID, link.DialFailure, error) {
	d, err := l.newDial()
	if err != nil {
		return 0, link.Aborted, err
	}
	defer l.endDial(d)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(l.life, cancel)()
	a, why, err := l.reach(ctx, d, addr)
	if err != nil {
		return 0, why, err
	}
	s, err := l.dialled(a, d)
	if err != nil {
		return 0, link.Rejected, err
	}
	select {
	case <-s.ready:
	case <-ctx.Done():
		s.leave("gave up connecting", true)
		return 0, link.Aborted, ctx.Err()
	}
	r := s.failure
	switch r.By {
	case 0:
		return s.id, 0, nil
	case link.ByTimeout, link.ByLoss: // the other side may give up first
		return 0, link.Unsteady, errors.New(r.Text)
	}
	return 0, link.Rejected, errors.New(r.Text)
}

// reach finds the address and lets the other side accept us, in the connect time-out. All
// that comes after that has a time of its own (openingTime): somebody is there.
func (l *Link) reach(parent context.Context, d *dial, addr string) (answer, link.DialFailure, error) {
	ctx, cancel := context.WithTimeout(parent, l.cfg.ConnectTimeout)
	defer cancel()
	key, addrs, invited, err := link.SplitTarget(addr)
	if err != nil {
		return answer{}, link.Unresolved, err
	}
	targets, err := l.resolve(ctx, addrs, invited)
	if err != nil {
		return answer{}, link.Unresolved, err
	}
	if err := d.startHandshake(l.cfg.Key, l.room().secret, key); err != nil {
		return answer{}, link.Aborted, err
	}
	l.meant(d, key)
	a, why, err := l.knock(ctx, d, targets)
	if errors.Is(err, context.DeadlineExceeded) {
		return answer{}, why, fmt.Errorf("within %v", l.cfg.ConnectTimeout)
	}
	return a, why, err
}

// forgedMost is how many accepts from one address are looked at that are none.
const forgedMost = 8

// holesMost is the limit of further addresses tried, at which a machine shows itself.
const holesMost = 4

// knock goes through the greetings with all addresses at once, until one accepts, or of
// each of them it is known that it refuses or that nobody is there. One refusal proves
// little: among the addresses of another network may be one that is ours at home.
func (l *Link) knock(ctx context.Context, d *dial, targets []netip.AddrPort) (answer, link.DialFailure, error) {
	probing, stop := context.WithCancel(ctx)
	defer stop()
	absent := l.probeAll(probing, targets)
	repeat := time.NewTicker(greetEvery)
	defer repeat.Stop()
	d.to = make([]greeted, len(targets))
	for i, t := range targets {
		d.to[i].addr = t
	}
	if err := l.sayTo(d); err != nil {
		return answer{}, link.Unreachable, err
	}
	for missing := 0; ; {
		select {
		case <-ctx.Done():
			_, refusal := d.refused()
			switch {
			case refusal != nil:
				return answer{}, kindOf(refusal), refusal
			case d.challenged():
				return answer{}, link.Unsteady, ctx.Err()
			case d.away(time.Now()) > 0: // one of its relays is enough when the time is over
				return answer{}, link.NoRoom, errNoRoom
			case l.Deaf():
				return answer{}, link.Deaf, ctx.Err()
			}
			return answer{}, link.NoAnswer, ctx.Err()
		case a := <-absent:
			missing++
			refused, refusal := d.refused()
			switch {
			case missing+refused < len(targets):
			case refusal != nil:
				return answer{}, kindOf(refusal), refusal
			case !d.challenged():
				return answer{}, a.Why, a.Err
			}
		case <-repeat.C:
			if d.isOutdated(time.Now()) {
				return answer{}, link.Outdated, errOutdated
			}
			if d.away(time.Now()) == len(d.to) && !d.challenged() {
				return answer{}, link.NoRoom, errNoRoom
			}
			_ = l.sayTo(d)
			l.askStill(d)
		case a := <-d.answers:
			if l.heard(d, a) {
				return a, 0, nil
			}
			if refused, refusal := d.refused(); refused > 0 && missing+refused >= len(targets) {
				return answer{}, kindOf(refusal), refusal
			}
		}
	}
}

// heard acts on an answer. It is done when the other side has accepted and proven its key.
func (l *Link) heard(d *dial, a answer) (done bool) {
	i := slices.IndexFunc(d.to, func(g greeted) bool { return g.addr == a.from })
	switch {
	case i < 0 && a.kind == kindGone && len(d.to) < maxTargets+holesMost:
		d.to = append(d.to, greeted{addr: a.from})
		_ = l.say(d, d.to[len(d.to)-1])
	case i < 0:
	case a.unheld:
		if d.to[i].unheld.IsZero() {
			d.to[i].unheld = time.Now()
		}
	case a.kind == kindRefuse:
		if d.to[i].refusal = a.whyNot(); errors.Is(d.to[i].refusal, errOutdated) && d.outdated.IsZero() {
			d.outdated = time.Now()
		}
	case a.version != wireVersion:
	case a.kind == kindChallenge && !d.to[i].opens():
		d.to[i].cookie, d.to[i].given = &a.cookie, time.Now()
		_ = l.say(d, d.to[i])
	case a.kind == kindAccept && d.to[i].cookie != nil && d.to[i].forged < forgedMost:
		_, err := d.shake.Read(a.noise)
		if err == nil {
			return true
		}
		if d.to[i].forged++; errors.Is(err, seal.ErrOtherKey) {
			d.to[i].refusal = seal.ErrOtherKey
		}
	}
	return false
}

// sayTo says what is next to all addresses. It fails when the system lets none of it out.
func (l *Link) sayTo(d *dial) (err error) {
	failed := 0
	for _, to := range d.to {
		if to.refusal != nil {
			continue
		}
		if e := l.say(d, to); e != nil {
			err = e
			failed++
		}
	}
	if failed < len(d.to) {
		return nil
	}
	return err
}

// say knocks, or opens where there was a challenge.
func (l *Link) say(d *dial, to greeted) error {
	g := greeting{kind: kindKnock, version: wireVersion, nonce: d.nonce}
	if to.opens() {
		g.kind, g.cookie, g.noise = kindOpen, *to.cookie, d.first
	}
	return l.write(l.room().tagged(g), to.addr)
}

// dialled begins the session that a accepts.
func (l *Link) dialled(a answer, d *dial) (*session, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, link.ErrClosed
	}
	if l.byWire[a.session] != nil {
		return nil, errors.New("it accepted with the number of another connection")
	}
	if l.held >= 2*l.cfg.MaxPeers {
		return nil, fmt.Errorf("there are %d connections already", l.held)
	}
	s := newSession(l, a.session, d.nonce, a.from, true)
	for _, to := range d.to {
		s.pairs.also(to.addr)
	}
	if err := s.sealing.dialled(l.room(), d.shake); err != nil {
		return nil, err
	}
	l.add(s)
	return s, nil
}

// resolve finds the addresses of a target. One that cannot be resolved does not matter
// while another can. invited tells whether they may bring a relay.
func (l *Link) resolve(ctx context.Context, addrs []string, invited bool) ([]netip.AddrPort, error) {
	var out []netip.AddrPort
	var errs []error
	for _, addr := range addrs {
		at, relayed, err := l.placeOf(addr, invited)
		list := []netip.AddrPort{at}
		if !relayed {
			list, err = resolveOne(ctx, addr)
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		out = unique(append(out, list...), maxTargets)
	}
	if len(out) == 0 {
		return nil, errors.Join(errs...)
	}
	return out, nil
}

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
