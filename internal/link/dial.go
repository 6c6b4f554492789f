package link

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"time"
)

const (
	greetEvery  = 200 * time.Millisecond // between repetitions of a knock or open
	maxTargets  = 4                      // addresses of one name that are tried, all at once
	answersRoom = 8
)

// dial is a Dial that waits for greetings.
type dial struct {
	nonce   uint64
	answers chan answer
}

type answer struct {
	greeting
	from netip.AddrPort
}

// Dial implements Link.
func (l *ENet) Dial(parent context.Context, addr string) (PeerID, error) {
	d, err := l.newDial()
	if err != nil {
		return 0, &DialError{addr, Aborted, err}
	}
	defer l.endDial(d)
	ctx, cancel := context.WithCancel(parent)
	defer cancel()
	defer context.AfterFunc(l.life, cancel)()

	p, why, err := l.dial(ctx, d, addr)
	switch {
	case err == nil:
		return p, nil
	case l.isClosing():
		return 0, &DialError{addr, Aborted, ErrClosed}
	case parent.Err() != nil:
		return 0, &DialError{addr, Aborted, parent.Err()}
	}
	return 0, &DialError{addr, why, err}
}

// dial does the work of Dial.
func (l *ENet) dial(ctx context.Context, d *dial, addr string) (PeerID, DialFailure, error) {
	a, why, err := l.reach(ctx, d, addr)
	if err != nil {
		return 0, why, err
	}
	s, err := l.dialled(a, d)
	if err != nil {
		return 0, Rejected, err
	}
	select {
	case <-s.ready:
	case <-ctx.Done():
		s.out.end("gave up connecting", true)
		s.poke()
		return 0, Aborted, ctx.Err()
	}
	r, failed := s.outcome()
	switch {
	case !failed:
		return s.id, 0, nil
	case r.By == ByTimeout, r.By == ByLoss: // the other side may give up first
		return 0, Unsteady, errors.New(r.Text)
	}
	return 0, Rejected, errors.New(r.Text)
}

// reach finds the address and lets the other side accept us, in the connect time-out. What
// comes after that has a time of its own (openingTime): somebody is there.
func (l *ENet) reach(parent context.Context, d *dial, addr string) (answer, DialFailure, error) {
	ctx, cancel := context.WithTimeout(parent, l.cfg.ConnectTimeout)
	defer cancel()
	targets, err := resolve(ctx, addr)
	if err != nil {
		return answer{}, Unresolved, err
	}
	a, why, err := l.knock(ctx, d, targets)
	if err != nil && ctx.Err() != nil {
		return answer{}, why, fmt.Errorf("within %v", l.cfg.ConnectTimeout)
	}
	return a, why, err
}

func (l *ENet) newDial() (*dial, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, ErrClosed
	}
	d := &dial{nonce: random(), answers: make(chan answer, answersRoom)}
	l.dials[d.nonce] = d
	l.dialing.Add(1)
	return d, nil
}

func (l *ENet) endDial(d *dial) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.dials, d.nonce)
	l.dialing.Done()
}

// answered brings a greeting to the Dial that waits for it.
func (l *ENet) answered(g greeting, from netip.AddrPort) {
	l.mu.RLock()
	d := l.dials[g.nonce]
	l.mu.RUnlock()
	if d == nil {
		return
	}
	select {
	case d.answers <- answer{g, from}:
	default: // a repetition
	}
}

// resolve finds the addresses of "host:port".
func resolve(ctx context.Context, addr string) ([]netip.AddrPort, error) {
	host, service, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("want HOST:PORT: %w", err)
	}
	port, err := strconv.ParseUint(service, 10, 16)
	if err != nil || port == 0 {
		return nil, fmt.Errorf("port %q is not a number in 1..65535", service)
	}
	if host == "" {
		return nil, errors.New("want HOST:PORT: no host")
	}
	if ip, err := netip.ParseAddr(host); err == nil && !ip.Unmap().Is4() {
		return nil, errors.New("an IPv6 address: only IPv4 is spoken yet")
	}
	ips, err := net.DefaultResolver.LookupNetIP(ctx, "ip4", host)
	if err != nil {
		return nil, err
	}
	var out []netip.AddrPort
	for _, ip := range ips {
		t := netip.AddrPortFrom(ip.Unmap(), uint16(port))
		if len(out) < maxTargets && !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	if len(out) == 0 {
		return nil, errors.New("the name has no IPv4 address")
	}
	return out, nil
}

// knock goes through the greetings with the first of targets to answer, until it
// accepts or refuses, or the system says of all of them that nobody is there.
func (l *ENet) knock(ctx context.Context, d *dial, targets []netip.AddrPort) (answer, DialFailure, error) {
	probing, stop := context.WithCancel(ctx)
	defer stop()
	absent := l.probeAll(probing, targets)
	repeat := time.NewTicker(greetEvery)
	defer repeat.Stop()
	say := greeting{kind: kindKnock, version: wireVersion, nonce: d.nonce}
	to := targets
	for missing := 0; ; {
		if err := l.sayTo(say, to); err != nil {
			return answer{}, Unreachable, err
		}
		select {
		case <-ctx.Done():
			if say.kind == kindOpen {
				return answer{}, Unsteady, ctx.Err()
			}
			return answer{}, NoAnswer, ctx.Err()
		case a := <-absent:
			if missing++; missing == len(targets) && say.kind == kindKnock {
				return answer{}, a.why, a.err
			}
			continue
		case <-repeat.C:
			continue
		case a := <-d.answers:
			if !slices.Contains(to, a.from) {
				continue
			}
			switch {
			case a.kind == kindRefuse:
				return a, Rejected, a.refused()
			case a.version != wireVersion:
			case a.kind == kindChallenge:
				say.kind, say.cookie, to = kindOpen, a.cookie, []netip.AddrPort{a.from}
			case a.kind == kindAccept && say.kind == kindOpen:
				return a, 0, nil
			}
		}
	}
}

// refused is what a refusal says, in words.
func (g greeting) refused() error {
	code := g.code
	if g.version != wireVersion {
		code = refuseVersion
	}
	if w := words(g.words, MaxReason); w != "" {
		return fmt.Errorf("%s: %s", code, w)
	}
	return errors.New(code.String())
}

// sayTo sends g to all of to. It fails when the system lets none of it out.
func (l *ENet) sayTo(g greeting, to []netip.AddrPort) (err error) {
	b := g.append(nil)
	failed := 0
	for _, t := range to {
		if _, e := l.conn.WriteToUDPAddrPort(b, t); e != nil {
			err = e
			failed++
		}
	}
	if failed < len(to) {
		return nil
	}
	return err
}

// dialled begins the session that a accepts.
func (l *ENet) dialled(a answer, d *dial) (*session, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.byWire[wireKey{a.from, a.session}] != nil {
		return nil, errors.New("it accepted with the number of another connection")
	}
	if l.held >= 2*l.cfg.MaxPeers {
		return nil, fmt.Errorf("there are %d connections already", l.held)
	}
	s := l.add(a.session, d.nonce, a.from, true, nil)
	if s == nil {
		return nil, ErrClosed
	}
	return s, nil
}
