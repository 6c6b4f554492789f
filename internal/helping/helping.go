// Package helping is the relay inside the program: whoever has a port that is open, or a router that opens one, lets
// friends meet whose routers keep them apart, for as long as the program is open.
//
// The relay is that of nettplay-relay, by UDP alone, with bounds for a home: few machines, a limit for what is carried, and no
// list of open rooms. Who is told its address, by the helper or in an invitation, finds it; nobody else has a list with it.
//
// The package promises:
//   - What the router gave is given back at the end, and who uses the relay is told before.
//   - Words about whether friends get through say how it is known, and where they do not, what to do.
//
// reached.go judges whether friends get through. Read next: internal/relay/service, the relay, and internal/launch, which puts its address into
// invitations.
package helping

import (
	"context"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/portmap"
	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/relay/service"
	"github.com/nettplay/nettplay/internal/sockets"
)

const (
	machines   = 64   // a friend's program holds one to three mailboxes
	perNetwork = 12   // some programs behind one router
	rate       = 1000 // KiB a second of one machine, and of one network: all of it may be used by one

	drain    = 1500 * time.Millisecond // for those who play to go elsewhere
	again    = 5 * time.Second         // after the port was not to be had
	settled  = 8 * time.Second         // routers have answered by then
	settle   = 700 * time.Millisecond  // after settings have changed
	tellAt   = time.Second
	lookAt   = 5 * time.Minute // between two looks at how others see this computer
	lookSoon = time.Minute     // the same while nobody answers
)

// State is how it is with the relay.
type State struct {
	On     bool
	Reach  Reach
	Words  string // whether friends get through, and what to do if not: sentences
	At     string // where friends reach it, HOST:PORT; "" while that is not known
	AtSix  string // the same over IPv6, "" where nobody is known to get through by that
	Meet   int    // machines that meet here now
	Rooms  int    // in so many rooms
	Bytes  int64  // carried since the start
	Failed bool   // the port is not to be had, as the words say
}

// Known reports whether friends are known to get through by the address.
func (s State) Known() bool { return s.Reach == Open && s.At != "" }

// Use says who uses it, a sentence without its full stop.
func (s State) Use() string {
	words := "nobody uses it now"
	if s.Meet > 0 {
		words = phrase.Count(s.Meet, "computer") + " in " + phrase.Count(s.Rooms, "room") + " now"
	}
	if s.Bytes > 0 {
		words += ", " + phrase.Megabytes(s.Bytes) + " carried"
	}
	return words
}

// Relay is the relay of this process, which runs while the settings say so. All methods may be called on any goroutine; those of
// a nil one are of one that never runs.
type Relay struct {
	ways ways
	tell func(State)
	life context.Context
	end  context.CancelFunc
	over chan struct{}

	mu    sync.Mutex // guards what follows
	want  settings
	valid context.Context    // until other settings are wanted
	stop  context.CancelFunc // of that
	known known
	last  State

	news chan struct{} // has one when there is something to look at
}

// settings are those of the player that matter here.
type settings struct {
	on      bool
	port    int
	bind    string
	forward bool
	upload  int    // KiB a second
	stun    string // with blanks between
}

// ways are those to the outside: routers and servers.
type ways struct {
	keep func(ctx context.Context, port int, mapped, pinhole func(portmap.Mapping, error))
	look func(ctx context.Context, bind string, servers []string) outside
	test func(ctx context.Context, bind, at string) bool
	own  func() []netip.Addr
}

// New makes a relay that does not run before Set says so. tell is told of each change, on several goroutines but one call at
// a time; it must neither wait nor ask the relay.
func New(tell func(State)) *Relay {
	return newRelay(ways{portmap.Keep, probeOutside, test, link.Local}, tell)
}

func newRelay(w ways, tell func(State)) *Relay {
	r := &Relay{ways: w, tell: tell, news: make(chan struct{}, 1), over: make(chan struct{})}
	r.life, r.end = context.WithCancel(context.Background())
	r.valid, r.stop = context.WithCancel(r.life)
	go func() {
		defer close(r.over)
		for r.life.Err() == nil {
			r.run()
		}
	}()
	return r
}

// Set has the relay run, or not, as the settings say. It returns at once: those who use it are told first where it ends.
func (r *Relay) Set(cfg config.Net) {
	want := settings{cfg.HelpFriends, cfg.HelpPort, cfg.Bind, cfg.Forward, cfg.HelpUpload, strings.Join(cfg.STUN, " ")}
	r.mu.Lock()
	same := want == r.want || !want.on && !r.want.on
	if r.want = want; !same {
		r.stop()
		r.valid, r.stop = context.WithCancel(r.life)
	}
	r.mu.Unlock()
	if !same {
		r.change(func(k *known) { *k = known{on: want.on, port: want.port, asks: want.forward, stun: want.stun != ""} })
	}
}

// Close ends it: those who use it are told, and the router is given back what it gave. It takes up to some seconds, and may be
// called twice.
func (r *Relay) Close() {
	if r == nil {
		return
	}
	r.end()
	<-r.over
}

// State is that of now.
func (r *Relay) State() State {
	if r == nil {
		return State{}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.last
}

// Settled waits until it is known whether friends get through, for a few seconds at most.
func (r *Relay) Settled(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, settled)
	defer cancel()
	for r.State().Reach == Asking && ctx.Err() == nil {
		pause(ctx, settled/100)
	}
}

// Here is where this machine itself speaks to a relay at an address: what leads back to this relay through the router goes to
// it at once, for many routers let no machine of theirs in that way.
func (r *Relay) Here(at netip.AddrPort) netip.AddrPort {
	if r == nil {
		return at
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.known.ours(at) {
		return at
	}
	if ip, err := netip.ParseAddr(r.want.bind); err == nil {
		return netip.AddrPortFrom(ip, uint16(r.want.port))
	}
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), uint16(r.want.port))
}

// Relays are those that invitations name on this machine: those of the settings, and its own where friends are known to
// get through.
func (r *Relay) Relays(settings []string) []string {
	if s := r.State(); s.Known() && !slices.Contains(settings, s.At) {
		return append(slices.Clone(settings), s.At)
	}
	return settings
}

// change changes what is known, and tells it.
func (r *Relay) change(what func(*known)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	what(&r.known)
	if now := r.known.state(); now != r.last {
		r.last = now
		r.tell(now)
	}
}

// during changes what is known, as long as the settings are those of then.
func (r *Relay) during(valid context.Context, what func(*known)) {
	r.change(func(k *known) {
		if valid.Err() == nil {
			what(k)
		}
	})
}

// run runs the relay until other settings are wanted: again and again where the port is not to be had, for another
// program may end.
func (r *Relay) run() {
	r.mu.Lock()
	want, valid := r.want, r.valid
	r.mu.Unlock()
	for want.on && valid.Err() == nil {
		conn, err := listen(want)
		if err == nil {
			r.during(valid, func(k *known) { k.failed = "" })
			err = r.serve(valid, want, conn)
		}
		if err != nil {
			r.during(valid, func(k *known) {
				*k = known{on: true, port: k.port, asks: k.asks, stun: k.stun, failed: why(err, k.port)}
			})
		}
		pause(valid, again)
	}
	<-valid.Done()
	pause(r.life, settle) // a number may still be typed
}

func listen(want settings) (*net.UDPConn, error) {
	conn, err := net.ListenPacket("udp", net.JoinHostPort(want.bind, strconv.Itoa(want.port)))
	if err != nil {
		return nil, err
	}
	return conn.(*net.UDPConn), nil
}

func why(err error, port int) string {
	if sockets.AddressInUse(err) {
		return "Another program has UDP port " + strconv.Itoa(port) + ". If that is another nettplay, your friends meet there. Otherwise choose another port for this, in the settings under Network (net.help_port)."
	}
	return "The relay does not run: " + err.Error() + "."
}

// serve runs the relay at a socket while the settings are valid. The ways to it are open until those who use it have been told of the end.
func (r *Relay) serve(valid context.Context, want settings, conn *net.UDPConn) error {
	life, end := context.WithCancel(context.Background())
	var jobs sync.WaitGroup
	defer jobs.Wait()
	defer end()
	own := r.ways.own()
	r.during(valid, func(k *known) { k.own = own })
	if want.forward {
		jobs.Go(func() {
			r.ways.keep(life, want.port, func(m portmap.Mapping, err error) {
				r.during(valid, func(k *known) { k.mapped, k.refused, k.asked = m, err, true })
				r.stir()
			}, func(m portmap.Mapping, _ error) { r.during(valid, func(k *known) { k.pinhole = m }) })
		})
	}
	jobs.Go(func() { r.probe(valid, want) })
	_, err := service.Run(valid, service.Config{
		UDP: conn, Drain: drain,
		Limits: relay.Limits{
			Mailboxes: machines, PerHost: perNetwork, Rate: rate << 10, HostRate: rate << 10,
			Total: want.upload << 10, Unlisted: true,
		},
		Join: func(ctx context.Context, s *service.Shared) { r.watch(ctx, valid, s) },
	})
	return err
}

// watch looks at who uses the relay.
func (r *Relay) watch(ctx, valid context.Context, s *service.Shared) {
	for ctx.Err() == nil {
		r.mu.Lock()
		far := r.known.far()
		r.mu.Unlock()
		meet, did := s.Meetings(far), s.Figures()
		r.during(valid, func(k *known) {
			k.meet, k.bytes = meet, did.Bytes
			k.came4, k.came6 = k.came4 || meet.Far4, k.came6 || meet.Far6
		})
		pause(ctx, tellAt)
	}
}

// probe asks now and then how others see this computer, and whether the router passes the port on where it does not say so.
func (r *Relay) probe(valid context.Context, want settings) {
	for valid.Err() == nil {
		seen, own := r.ways.look(valid, want.bind, strings.Fields(want.stun)), r.ways.own()
		r.during(valid, func(k *known) {
			if seen.addr != k.outside.addr { // it may be another network: nobody has come in there yet
				k.came4, k.came6 = false, false
			}
			k.outside, k.own, k.looked = seen, own, true
		})
		wait := lookAt
		if !seen.addr.IsValid() {
			wait = lookSoon
		}
		r.mu.Lock()
		at, unsure := r.known.untold()
		r.mu.Unlock()
		if unsure {
			passes := r.ways.test(valid, want.bind, at)
			r.during(valid, func(k *known) { k.passes = passes })
			if !passes {
				wait = lookSoon
			}
		}
		select {
		case <-time.After(wait):
		case <-r.news:
		case <-valid.Done():
		}
	}
}

// stir has the next look come now.
func (r *Relay) stir() {
	select {
	case r.news <- struct{}{}:
	default:
	}
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}
