package udp

import (
	"context"
	"fmt"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/seal"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// crowd has one stranger after another go through the greetings and say nothing then, from
// each of these addresses, until the test is over or stop is called.
func crowd(t *testing.T, host *Link, addrs ...string) (stop func()) {
	t.Helper()
	over := make(chan struct{})
	var wg sync.WaitGroup
	for _, addr := range addrs {
		wg.Go(func() {
			for nonce := uint64(1); ; nonce++ {
				s := newStranger(t, addr, host)
				if challenge, ok := s.ask(greeting{kind: kindKnock, version: wireVersion, nonce: nonce}, 50*time.Millisecond); ok {
					s.ask(opening1(t, nonce, challenge.cookie), 20*time.Millisecond)
				}
				select {
				case <-over:
					return
				case <-time.After(2 * time.Millisecond):
				}
			}
		})
	}
	stop = sync.OnceFunc(func() { close(over); wg.Wait() })
	t.Cleanup(stop)
	return stop
}

// strangersAt counts the strangers' sessions from an address.
func (l *Link) strangersAt(addr string) (n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, _, strangers := l.countSessions(netip.AddrPort{}, time.Now())
	for _, s := range strangers {
		if s.address().Addr().String() == addr {
			n++
		}
	}
	return n
}

// vouching reads a link's events, and vouches for all who greet.
func vouching(l *Link) {
	go func() {
		for ev := range l.Events() {
			if ev.Kind == link.Message {
				l.Vouch(ev.Peer)
				_ = l.Send(ev.Peer, link.Control, []byte("welcome"))
			}
		}
	}()
}

// comeIn dials and greets, and returns when it is welcome.
func comeIn(t *testing.T, l *Link, addr string) {
	t.Helper()
	p := dialOK(t, l, addr)
	send(t, l, p, link.Control, "hello")
	for {
		if ev := next(t, l); ev.Peer == p && ev.Kind == link.Message {
			return
		}
	}
}

// While somebody at one address opens sessions without end, all the others of the largest
// room come in: fifteen players and sixteen spectators, behind one address.
func TestOneStrangerClosesNoDoor(t *testing.T) {
	must.HaveLinux(t, "a second address of the loopback, from which Wine does not answer")
	t.Parallel()
	host := listenENet(t, Config{ConnectTimeout: testPatience})
	vouching(host)
	crowd(t, host, "127.0.0.2")
	waitFor(t, "the strangers", func() bool { return host.strangersAt("127.0.0.2") == strangersPerHost })
	var wg sync.WaitGroup
	for range 31 {
		l := listenENet(t, Config{ConnectTimeout: testPatience})
		wg.Go(func() { comeIn(t, l, host.Addr()) })
	}
	wg.Wait()
	if n := host.strangersAt("127.0.0.2"); n > strangersPerHost {
		t.Errorf("%d strangers' sessions from one address", n)
	}
}

// A member whose connection broke comes back from its socket, although strangers behind the
// same address take every place there is for it.
func TestMembersReturnThroughACrowd(t *testing.T) {
	t.Parallel()
	host := listenENet(t, Config{ConnectTimeout: time.Minute})
	vouching(host)
	member := listenENet(t, Config{})
	comeIn(t, member, host.Addr())
	crowd(t, host, "127.0.0.1")
	waitFor(t, "the crowd", func() bool { return host.strangersAt("127.0.0.1") == strangersPerHost })
	for range 3 {
		at := netip.MustParseAddrPort(member.Addr())
		member.abort()
		waitFor(t, "the port", func() (free bool) {
			l, err := Listen(Config{Bind: "127.0.0.1", Port: int(at.Port())})
			if err == nil {
				member = l
				t.Cleanup(func() { l.Close() })
			}
			return err == nil
		})
		comeIn(t, member, host.Addr())
	}
}

// Strangers from many addresses leave no place to those who come later, but for so long.
func TestStrangersGiveWay(t *testing.T) {
	must.HaveLinux(t, "a second address of the loopback, from which Wine does not answer")
	t.Parallel()
	host := listenENet(t, Config{ConnectTimeout: time.Minute})
	vouching(host)
	for i := range strangersMost {
		if _, ok := newStranger(t, fmt.Sprintf("127.0.3.%d", i/2+1), host).enter(1); !ok {
			t.Fatal("a stranger is not let in")
		}
	}
	friend := listenENet(t, Config{})
	comeIn(t, friend, host.Addr())
	waitFor(t, "one to give way", func() bool { return host.sessionCount() == strangersMost })
	if n := host.strangersAt("127.0.3.1"); n != 1 {
		t.Errorf("%d of the oldest strangers are left, want 1 of 2", n)
	}
}

// A dial for which there is no place until its first cookie is too old gets another one, and comes in.
func TestDialOutlivesItsCookie(t *testing.T) {
	t.Parallel()
	host := listenENet(t, Config{ConnectTimeout: seal.CookieLife + 2*time.Second})
	vouching(host)
	for i := range strangersPerHost {
		if _, ok := newStranger(t, "127.0.0.1", host).enter(uint64(i)); !ok {
			t.Fatal("a stranger is not let in")
		}
	}
	friend := listenENet(t, Config{ConnectTimeout: testPatience})
	comeIn(t, friend, host.Addr())
}

// The owner of a network of IPv6 addresses is answered no more often than that of one address.
func TestLimitsAreByNetwork(t *testing.T) {
	d := newDoor()
	answered := 0
	for i := range 12_000 {
		from := netip.AddrPortFrom(netip.MustParseAddr(fmt.Sprintf("2001:db8::%x", i)), 1)
		if d.mayAsk(from, time.Duration(i)*time.Second/12_000) {
			answered++
		}
	}
	if answered > 301 {
		t.Errorf("%d of 12,000 are answered", answered)
	}
}

// The answers that one address asks for are not those of another.
func TestLimitsAreByAddress(t *testing.T) {
	d := newDoor()
	flood, honest := netip.MustParseAddrPort("10.0.0.1:1"), netip.MustParseAddrPort("10.0.0.2:2")
	answered := 0
	for i := range 12_000 {
		at := time.Duration(i) * time.Second / 12_000
		if d.mayAsk(flood, at) {
			answered++
		}
		if i%2400 == 0 && !d.mayAsk(honest, at) {
			t.Errorf("another address is not answered after %v", at)
		}
	}
	if answered > 301 {
		t.Errorf("%d of 12,000 are answered", answered)
	}
}

// most is how much a limit lets through at once.
func (l *limit) most() float64 { return float64(l.often.all.Burst()) + float64(l.seldom.all.Burst()) }

// Of 10,000 greetings a second from one address or from 256, so many are looked at that the others of a room do not
// notice; whoever knocks, opens and finishes once in between, from elsewhere, is looked at within two seconds,
// and gets a session.
func TestFloodsKeepNobodyOut(t *testing.T) {
	for _, addrs := range []int{1, 256} {
		d := newDoor()
		const rate, seconds = 10_000, 30
		looked, let, waited, slow := 0, 0, 0, 0
		n, steps := 0, 0 // of the one who dials
		network := netip.MustParseAddr("10.0.0.0").As4()
		for i := range rate * seconds {
			at := time.Duration(i) * time.Second / rate
			network[3] = byte(i % addrs)
			if from := netip.AddrPortFrom(netip.AddrFrom4(network), 1); d.mayAsk(from, at) {
				looked++
				if ok, _ := d.mayEnter(from, at); ok {
					let++
				}
			}
			if at < seconds/3*time.Second || i%int(greetEvery*rate/time.Second) > 0 {
				continue
			}
			dialer := netip.AddrPortFrom(netip.AddrFrom4([4]byte{192, 168, 0, byte(n)}), 1)
			ok := d.mayAsk(dialer, at)
			if steps == 1 && ok { // open
				ok, _ = d.mayEnter(dialer, at)
			}
			waited++
			if ok {
				steps++
			}
			late := waited > int(2*time.Second/greetEvery)
			if late { // one in a thousand shares all buckets with others
				slow++
			}
			if steps == 3 || late {
				n, steps, waited = n+1, 0, 0
			}
		}
		if looked > 4500*seconds || let > 60*seconds {
			t.Errorf("from %d addresses %d are looked at, and %d get a session, in %d s", addrs, looked, let, seconds)
		}
		if n < 20 || slow > 2 {
			t.Errorf("beside %d addresses %d of %d do not come in within two seconds", addrs, slow, n)
		}
	}
}

// Answers that nobody waits for cost what questions do, and are counted with them; those to a dial are not, however many
// of the others come from there.
func TestAnswersOfStrangersAreCounted(t *testing.T) {
	must.HaveLinux(t, "a second address of the loopback, from which Wine does not answer")
	t.Parallel()
	for _, k := range []kind{kindChallenge, kindAccept, kindRefuse, kindGone} {
		host := listenENet(t, Config{ConnectTimeout: testPatience})
		s := newStranger(t, "127.0.0.3", host)
		if _, ok := s.ask(greeting{kind: kindKnock, version: wireVersion, nonce: 1}, testPatience); !ok {
			t.Fatal("a stranger is not heard")
		}
		noise := map[kind]int{kindAccept: seal.Overhead2}[k]
		unasked := s.room.tagged(greeting{kind: k, version: wireVersion, nonce: 77, noise: make([]byte, noise)})
		counted := false
		for i := uint64(2); !counted && i < 32; i++ { // so few questions are answered, and no more datagrams than a socket holds
			for range 100 {
				s.say(unasked)
			}
			_, ok := s.ask(greeting{kind: kindKnock, version: wireVersion, nonce: i}, time.Second)
			counted = !ok
		}
		if !counted {
			t.Errorf("%#x: answers that nobody waits for are not counted", byte(k))
		}
		friend := listenENet(t, Config{Bind: "127.0.0.3"})
		for range 1000 {
			s.say(unasked)
		}
		if p, err := host.Dial(t.Context(), friend.Addr()); err != nil {
			t.Errorf("%#x: %v, %v", byte(k), p, err)
		}
	}
}

// A stranger whose last message never fits is given up after a few of them, and all that the
// handshake is computed with runs elsewhere than where the socket is read.
func TestForgedLastMessagesAreFew(t *testing.T) {
	t.Parallel()
	host := listenENet(t, Config{ConnectTimeout: testPatience})
	s := newStranger(t, "127.0.0.1", host)
	session, ok := s.enter(1)
	if !ok {
		t.Fatal("a stranger is not let in")
	}
	finish := greeting{kind: kindFinish, version: wireVersion, nonce: session, noise: make([]byte, seal.Overhead3)}
	other := newStranger(t, "127.0.0.2", host)
	for range 3 * failuresMost { // of another address they do not count
		other.say(everybody.tagged(finish))
	}
	time.Sleep(100 * time.Millisecond)
	if host.sessionCount() != 1 {
		t.Fatal("another address ends somebody's handshake")
	}
	for range failuresMost - 1 {
		s.say(everybody.tagged(finish))
	}
	time.Sleep(100 * time.Millisecond)
	if host.sessionCount() != 1 {
		t.Fatal("it is given up at once")
	}
	waitFor(t, "the stranger to be given up", func() bool {
		s.say(everybody.tagged(finish))
		return host.sessionCount() == 0
	})
}

func TestFullLinkSaysSo(t *testing.T) {
	host := listenENet(t, Config{MaxPeers: 1})
	dialOK(t, listenENet(t, Config{}), host.Addr())
	first := want(t, host, link.Connected).Peer
	host.Vouch(first)
	late := listenENet(t, Config{})
	_, err := late.Dial(context.Background(), host.Addr())
	if !isDialError(err, link.Rejected) || !strings.Contains(err.Error(), "no more connections") {
		t.Fatalf("%v", err)
	}
	host.Disconnect(first, "make room")
	want(t, host, link.Disconnected)
	dialOK(t, late, host.Addr())
}
