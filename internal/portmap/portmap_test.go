package portmap

import (
	"context"
	"errors"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// fakeRouter forwards ports, unless it is told to fail or to forget.
type fakeRouter struct {
	mu      sync.Mutex
	name    string
	outside netip.AddrPort
	fails   error
	log     []string
}

func (r *fakeRouter) add(_ context.Context, port int, lease time.Duration) (Mapping, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.fails != nil {
		return Mapping{}, r.fails
	}
	r.log = append(r.log, "add")
	return Mapping{Outside: r.outside, By: r.name}, nil
}

func (r *fakeRouter) remove(context.Context, int) error {
	r.log = append(r.log, "remove")
	return nil
}

// becomes another router from now on.
func (r *fakeRouter) becomes(outside string, fails error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.outside, r.fails = netip.MustParseAddrPort(outside), fails
}

func (r *fakeRouter) find(context.Context) router { return r }

func noRouter(context.Context) router { return nil }

// keep runs a keeper in a bubble and returns what it told.
func keep(t *testing.T, k *keeper, during func()) (told []string) {
	t.Helper()
	k.changed = func(m Mapping, err error) {
		if err != nil {
			told = append(told, err.Error())
		} else {
			told = append(told, m.Outside.String()+" by "+m.By)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { k.run(ctx); close(done) }()
	synctest.Wait()
	during()
	cancel()
	<-done
	return told
}

func TestKeepRenewsAndGivesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &fakeRouter{name: "UPnP", outside: netip.MustParseAddrPort("203.0.113.7:21204")}
		k := &keeper{find: []finder{noRouter, r.find}, port: 21204}
		told := keep(t, k, func() { time.Sleep(lease) })
		if !slices.Equal(told, []string{"203.0.113.7:21204 by UPnP"}) {
			t.Errorf("told %q", told)
		}
		if got := strings.Join(r.log, " "); got != "add add add remove" && got != "add add remove" {
			t.Errorf("the router was asked to %s", got)
		}
	})
}

func TestKeepTellsChangesAndFailures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &fakeRouter{name: "NAT-PMP", outside: netip.MustParseAddrPort("203.0.113.7:21204")}
		k := &keeper{find: []finder{r.find}, port: 21204}
		told := keep(t, k, func() {
			r.becomes("203.0.113.8:21204", nil) // the provider gave another address
			time.Sleep(renew + time.Second)
			r.becomes("203.0.113.8:21204", errors.New("not allowed"))
			time.Sleep(renew + time.Second)
			r.becomes("203.0.113.8:21204", nil) // it is asked again soon
			time.Sleep(again + time.Second)
		})
		want := []string{"203.0.113.7:21204 by NAT-PMP", "203.0.113.8:21204 by NAT-PMP", "not allowed", "203.0.113.8:21204 by NAT-PMP"}
		if !slices.Equal(told, want) {
			t.Errorf("told %q", told)
		}
	})
}

// A router that says that it has started anew, or has another address, is asked soon, and not for each time that it says so.
func TestKeepAsksWhenTheRouterStartsAnew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		anew := make(chan struct{}, 1)
		r := &fakeRouter{name: "NAT-PMP", outside: netip.MustParseAddrPort("203.0.113.7:21204")}
		k := &keeper{find: []finder{r.find}, port: 21204, anew: anew}
		told := keep(t, k, func() {
			r.becomes("203.0.113.8:21204", nil)
			for range 450 {
				select {
				case anew <- struct{}{}:
				default:
				}
				time.Sleep(settle / 100)
			}
		})
		if want := []string{"203.0.113.7:21204 by NAT-PMP", "203.0.113.8:21204 by NAT-PMP"}; !slices.Equal(told, want) {
			t.Errorf("told %q", told)
		}
		if got := strings.Join(r.log, " "); got != "add add add add add remove" { // at the start, and each time that it has settled
			t.Errorf("the router was asked to %s", got)
		}
	})
}

// Where this machine sends from another address than the one that a router lets in, that one is given back, and the router is searched anew.
func TestKeepFollowsTheAddress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		before, after := netip.MustParseAddr("2001:db8::1"), netip.MustParseAddr("2001:db8:1::1")
		var moved atomic.Bool
		now := func() netip.Addr {
			if moved.Load() {
				return after
			}
			return before
		}
		var routers []*fakeRouter
		k := &keeper{port: 21204, find: []finder{func(context.Context) router {
			r := &fakeRouter{name: "PCP", outside: netip.AddrPortFrom(now(), 21204)}
			routers = append(routers, r)
			return forAddress{r, now(), now}
		}}}
		told := keep(t, k, func() {
			time.Sleep(renew + time.Second)
			moved.Store(true)
			time.Sleep(look + time.Second)
		})
		if want := []string{"[2001:db8::1]:21204 by PCP", "[2001:db8:1::1]:21204 by PCP"}; !slices.Equal(told, want) {
			t.Errorf("told %q", told)
		}
		if len(routers) != 2 || strings.Join(routers[0].log, " ") != "add add remove" || strings.Join(routers[1].log, " ") != "add remove" {
			t.Errorf("the routers were asked to %v", routers)
		}
	})
}

// An address that nobody can have, or that is another machine's in the local network, comes into
// no invitation, and the port is given back.
func TestAddressThatCannotBe(t *testing.T) {
	for _, at := range []string{
		"0.0.0.0:21204", "0.1.2.3:21204", "127.0.0.1:21204", "169.254.1.1:21204", "224.0.0.1:21204", "240.0.0.1:21204", "255.255.255.255:21204", "203.0.113.7:0",
		"[::]:21204", "[::1]:21204", "[fe80::1]:21204", "[ff02::1]:21204", "[fd00::1]:21204", "[100::1]:21204", "[::ffff:0.0.0.0]:21204", "[2001:db8::7%eth0]:21204",
	} {
		synctest.Test(t, func(t *testing.T) {
			r := &fakeRouter{name: "UPnP", outside: netip.MustParseAddrPort(at)}
			told := keep(t, &keeper{find: []finder{r.find}, port: 21204}, func() { r.becomes("203.0.113.7:21204", nil); time.Sleep(again + time.Second) })
			if len(told) != 2 || !strings.Contains(told[0], "not one that a machine can have") || told[1] != "203.0.113.7:21204 by UPnP" {
				t.Errorf("%s: told %q", at, told)
			}
			if !slices.Equal(r.log, []string{"add", "remove", "add", "remove"}) {
				t.Errorf("%s: the router is asked to %q", at, r.log)
			}
		})
	}
	for _, at := range []string{"203.0.113.7:1", "192.168.1.2:1", "100.64.3.4:1", "[2001:db8::7]:1"} {
		if !known(netip.MustParseAddrPort(at)) {
			t.Errorf("%s is refused", at)
		}
	}
}

func TestNoRouter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		told := keep(t, &keeper{find: []finder{noRouter, noRouter}}, func() {})
		if !slices.Equal(told, []string{ErrNone.Error()}) {
			t.Errorf("told %q", told)
		}
	})
}

// A router that takes its time, to be found and then to answer, is waited for; one that did not
// answer is asked again in seconds, while the friends are still there.
func TestSlowRouter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &fakeRouter{name: "UPnP", outside: netip.MustParseAddrPort("203.0.113.7:21204")}
		slow := slowRouter{r, askTime - time.Second}
		find := func(context.Context) router { time.Sleep(findTime - time.Second); return slow }
		told := keep(t, &keeper{find: []finder{find}, port: 21204}, func() { time.Sleep(findTime + askTime) })
		if !slices.Equal(told, []string{"203.0.113.7:21204 by UPnP"}) {
			t.Errorf("told %q", told)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		r := &fakeRouter{name: "UPnP", outside: netip.MustParseAddrPort("203.0.113.7:21204"), fails: ErrNone}
		told := keep(t, &keeper{find: []finder{r.find}, port: 21204}, func() {
			time.Sleep(soon - time.Second)
			r.becomes("203.0.113.7:21204", nil)
			time.Sleep(2 * time.Second)
		})
		if !slices.Equal(told, []string{ErrNone.Error(), "203.0.113.7:21204 by UPnP"}) {
			t.Errorf("told %q", told)
		}
	})
}

// slowRouter takes its time.
type slowRouter struct {
	*fakeRouter
	takes time.Duration
}

func (r slowRouter) add(ctx context.Context, port int, lease time.Duration) (Mapping, error) {
	select {
	case <-time.After(r.takes):
		return r.fakeRouter.add(ctx, port, lease)
	case <-ctx.Done():
		return Mapping{}, ctx.Err()
	}
}

// box is one router that speaks several protocols and has one list of ports for all of them.
type box struct{ open bool }

func (b *box) add(context.Context, int, time.Duration) (Mapping, error) {
	b.open = true
	return Mapping{Outside: netip.MustParseAddrPort("203.0.113.7:1")}, nil
}

func (b *box) remove(context.Context, int) error {
	b.open = false
	return nil
}

func TestRouterOfTwoProtocolsStaysOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &box{}
		find := func(after time.Duration) finder {
			return func(context.Context) router { time.Sleep(after); return b }
		}
		keep(t, &keeper{find: []finder{find(0), find(time.Second)}}, func() {
			time.Sleep(2 * time.Second)
			if !b.open {
				t.Error("it is closed while friends are to come in")
			}
		})
		if b.open {
			t.Error("it is open afterwards")
		}
	})
}

func TestBehindAnotherRouter(t *testing.T) {
	for at, want := range map[string]bool{
		"203.0.113.7:1": false, "192.168.1.2:1": true, "100.64.3.4:1": true, "100.128.0.1:1": false, "10.0.0.1:1": true,
	} {
		if got := (Mapping{Outside: netip.MustParseAddrPort(at)}).Behind(); got != want {
			t.Errorf("%s is behind another router: %v", at, got)
		}
	}
}
