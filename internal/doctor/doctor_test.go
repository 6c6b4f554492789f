package doctor

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/corecheck"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/portmap"
	"github.com/nettplay/nettplay/internal/relay"
)

// fake is a console that takes its time.
type fake struct {
	took   time.Duration
	closed *int
}

func (c *fake) Step(emucore.Input) (emucore.Frame, error) {
	time.Sleep(c.took)
	return emucore.Frame{}, nil
}

func (c *fake) Close() error {
	*c.closed++
	return nil
}

// well are the probes of a machine on which all is well, and how many consoles were started
// and closed.
func well() (p Probes, started, closed *int) {
	started, closed = new(int), new(int)
	seen := netip.MustParseAddrPort("203.0.113.7:4000")
	return Probes{
		Core: func(context.Context) (emucore.Core, error) {
			return emucore.Core{Name: "melonDS DS", Version: "1", Wireless: true}, nil
		},
		Start: func(context.Context, emucore.Core, []ds.Option) (Console, error) {
			*started++
			return &fake{took: 5 * time.Millisecond, closed: closed}, nil
		},
		Check: func(context.Context, emucore.Core) (corecheck.Verdict, error) {
			return corecheck.Verdict{Results: [4]corecheck.Result{corecheck.Passed, corecheck.Passed, corecheck.Passed}}, nil
		},
		Sandbox: func() []emucore.Protection { return []emucore.Protection{{Against: "files"}} },
		Depth: func(_ context.Context, _ emucore.Core, consoles int, options []ds.Option) (int, error) {
			return max(9-2*consoles, 0), nil
		},
		Ways:  func() []emucore.SnapshotWay { return []emucore.SnapshotWay{emucore.SnapshotsSIGBUS} },
		Clock: func() time.Time { return time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC) },
		Sound: func() ([]string, error) { return []string{"Speakers"}, nil },
		Pads:  func() ([]string, error) { return nil, nil },
		Network: func(context.Context) Network {
			return Network{
				Own: []netip.AddrPort{netip.MustParseAddrPort("[2001:db8::1]:4000")}, Asked: true,
				Servers: []Server{{Name: "a", Seen: seen, RTT: 20 * time.Millisecond}, {Name: "b", Seen: seen}},
				Mapping: portmap.Mapping{Outside: seen, By: "UPnP"},
			}
		},
		Key: "7K3P-9QXM-D2FA",
	}, started, closed
}

// of returns the finding of a subject.
func of(t *testing.T, list []Finding, subject string) Finding {
	t.Helper()
	for _, f := range list {
		if f.Subject == subject {
			return f
		}
	}
	t.Fatalf("nothing is said of %s: %v", subject, list)
	return Finding{}
}

// TestAllIsWell: each subject is named once, in one line, and the consoles are closed.
func TestAllIsWell(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, started, closed := well()
		p.Peer = func(context.Context) (link.Stats, error) {
			return link.Stats{RTT: 40 * time.Millisecond, Jitter: 2 * time.Millisecond}, nil
		}
		told := 0
		list := Examine(t.Context(), p, func(Finding) { told++ })
		var subjects []string
		for _, f := range list {
			subjects = append(subjects, f.Subject)
			if f.Mark != Good || strings.Contains(f.String(), "\n") || f.Advice != "" {
				t.Errorf("%q, mark %d", f, f.Mark)
			}
		}
		if got := strings.Join(subjects, " "); got != "key core wireless speed jit alike rollback sandbox snapshots sound controllers router port IPv6 helping server server connection" {
			t.Errorf("found: %s", got)
		}
		if told != len(list) || len(Spoilers(list)) > 0 || *started == 0 || *started != *closed {
			t.Errorf("%d told of %d; %d consoles started, %d closed", told, len(list), *started, *closed)
		}
		if f := of(t, list, "connection"); !strings.Contains(f.Words, "40 ms") || !strings.Contains(f.Words, "An input delay of 4") {
			t.Errorf("%s", f)
		}
	})
}

// TestUntried: what nobody has seen work on a system is said, and spoils nothing.
func TestUntried(t *testing.T) {
	if list := judgeUntried(nil); list != nil {
		t.Errorf("found %v", list)
	}
	list := judgeUntried([]string{"sound", "sleep"})
	if len(list) != 1 || list[0].Mark != Fair || !strings.Contains(list[0].Words, "sound, sleep.") {
		t.Errorf("found %v", list)
	}
}

// TestNoNetworkAtAll: an examination ends when nothing answers, and says what works.
func TestNoNetworkAtAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, _, _ := well()
		p.Network = func(ctx context.Context) Network {
			<-ctx.Done()
			return Network{Asked: true, Refused: portmap.ErrNone, Servers: []Server{{Name: "a", Err: errors.New("no answer")}}}
		}
		p.Peer = func(ctx context.Context) (link.Stats, error) {
			<-ctx.Done()
			return link.Stats{}, &link.DialError{Why: link.NoAnswer, Addr: "203.0.113.7:1"}
		}
		began := time.Now()
		list := Examine(t.Context(), p, nil)
		if took := time.Since(began); took > time.Minute {
			t.Errorf("it took %v", took)
		}
		if f := of(t, list, "router"); f.Mark != Bad || !strings.Contains(f.Advice, "On your own network you can play") {
			t.Errorf("%s", f)
		}
		if f := of(t, list, "connection"); f.Mark != Bad || f.Advice == "" {
			t.Errorf("%s", f)
		}
	})
}

// TestWhatSpoilsPlay: each with its mark, and with what to do about it.
func TestWhatSpoilsPlay(t *testing.T) {
	a, b := netip.MustParseAddrPort("203.0.113.7:4000"), netip.MustParseAddrPort("203.0.113.7:4001")
	two := func(a, b netip.AddrPort) []Server { return []Server{{Seen: a}, {Seen: b}} }
	ms := time.Millisecond
	for _, tt := range []struct {
		f     Finding
		mark  Mark
		words string
	}{
		{judgeCore(emucore.Core{}, &emucore.NoCoreError{AptLine: "apt install x"}), Bad, "Install one: apt install x"},
		{judgeClock(time.Unix(0, 0).UTC())[0], Fair, "clock: This computer's clock says 1 January 1970. Set the"},
		{judgeWireless(emucore.Core{Name: "DeSmuME"}), Fair, "choose melonDS DS"},
		{judgeSpeed([]float64{200, 150, 120, 90}, nil), Good, "200 frames a second with 1 console, 150 with 2, 120 with 3, 90 with 4"},
		{judgeSpeed([]float64{200, 150, 70, 65}, nil), Fair, "little speed to spare"},
		{judgeSpeed([]float64{200, 110, 70, 50}, nil), Fair, "With more than 3 players"},
		{judgeSpeed([]float64{90, 59, 40, 30}, nil), Bad, "A game of two would be slow"},
		{judgeSpeed(nil, errors.New("the core crashed")), Bad, "did not run"},
		{judgeDepth([]int{9, 6, 3, 1}, nil, nil), Good, "hides up to 9 frames with 1 console, 6 with 2, 3 with 3 and 1 with 4; a frame is 17 ms."},
		{judgeDepth([]int{1, 0}, []int{9, 5, 2, 0}, nil), Good, "With the core's JIT it would be 5 with 2 consoles"},
		{judgeDepth([]int{0}, nil, nil), Good, "too slow for rollback"},
		{judgeDepth(nil, nil, errors.New("the core crashed")), Good, "could not be measured"},
		{judgeJIT([]float64{100}, []float64{140}, nil), Good, "140 frames a second with one console, 100 without it"},
		{judgeJIT([]float64{100}, []float64{110}, nil), Good, "gains little"},
		{judgeJIT([]float64{100}, nil, errors.New("the core crashed")), Good, "did not run"},
		{judgeSync(corecheck.Verdict{}, errors.New("no room for it")), Bad, "could not be tested. Close other programs and try again"},
		{judgeSync(corecheck.Verdict{Results: [4]corecheck.Result{corecheck.Failed}, Why: "It differs."}, nil), Bad, "It differs. Install another build"},
		{judgeSync(corecheck.Verdict{Results: [4]corecheck.Result{corecheck.Passed, corecheck.Passed, corecheck.Lacking}, Why: "No radio."}, nil), Fair, "No radio. Choose another core"},
		{judgeSync(corecheck.Verdict{Results: [4]corecheck.Result{corecheck.Passed, corecheck.Passed, corecheck.Passed}, Unlike: "It has no lid."}, nil), Fair, "It has no lid. Please report it"},
		{judgeSandbox([]emucore.Protection{{Text: "it can read all", Missing: "there is no Landlock"}}), Fair, "Use only cores from sources you trust"},
		{judgeSnapshots([]emucore.SnapshotWay{emucore.SnapshotsMprotect, emucore.SnapshotsAsync}), Good, "read-only memory and signals (any Linux)"},
		{judgeSnapshots(nil), Good, "waits for late inputs"},
		{judgeSound(nil, errors.New("no driver")), Fair, "until the sound server runs"},
		{judgePads([]string{"Pad"}, nil), Good, "Pad."},
		{judgePads(nil, errors.New("no driver")), Fair, "keyboard"},
		{judgeNAT(Network{}), Fair, "net.stun"},
		{judgeNAT(Network{Servers: two(a, a)}), Good, "one port for all"},
		{judgeNAT(Network{Servers: two(a, b)}), Fair, "The router is strict"},
		{judgeNAT(Network{Servers: two(a, a)[:1]}), Fair, "two answers are needed"},
		{judgeNAT(Network{Servers: two(a, a), Own: []netip.AddrPort{a}}), Good, "on the internet itself"},
		{judgeMapping(Network{}), Fair, "net.forward"},
		{judgeMapping(Network{Asked: true, Refused: portmap.ErrNone}), Fair, "switch on UPnP"},
		{judgeMapping(Network{Asked: true, Mapping: portmap.Mapping{Outside: netip.MustParseAddrPort("10.0.0.1:1"), By: "UPnP"}}), Fair, "behind another router"},
		{judgeMapping(Network{Asked: true, Refused: portmap.ErrBehind}), Fair, "behind another router"},
		{judgeIPv6(Network{Own: []netip.AddrPort{netip.MustParseAddrPort("[fd00::1]:1"), a}}), Fair, "no IPv6 address"},
		{judgeHelp(Network{Refused: portmap.ErrNone}), Good, "cannot meet at this computer"},
		{judgeHelp(Network{Mapping: portmap.Mapping{Outside: a, By: "UPnP"}}), Good, "net.help_friends"},
		{judgeHelp(Network{Servers: two(a, a), Own: []netip.AddrPort{a}}), Good, "net.help_friends"},
		{judgeHelp(Network{Helps: true, HelpAt: 21206, Refused: portmap.ErrNone}), Good, "no relay runs now"},
		{judgeHelp(Network{Helps: true, HelpAt: 21206, Helping: true, Refused: portmap.ErrNone}), Fair, "forward UDP port 21206"},
		{judgeHelp(Network{Helps: true, HelpAt: 21206, Helping: true, Mapping: portmap.Mapping{Outside: a, By: "UPnP"}}), Good, "runs, at UDP port 21206, and the internet reaches"},
		{judgeRelay(relay.Status{Relay: "r:1", Held: true, RTT: 31 * ms}), Good, "r:1 answers in 31 ms"},
		{judgeRelay(relay.Status{Relay: "r:1", Held: true, Tunnel: true, RTT: 31 * ms}), Fair, "by WebSocket only"},
		{judgeRelay(relay.Status{Relay: "r:1", Refused: "it is full"}), Fair, "it is full"},
		{judgeRelay(relay.Status{Relay: "r.invalid:1", Nowhere: true}), Fair, "no server has that name"},
		{judgeRelay(relay.Status{Relay: "r:1"}), Fair, "does not answer"},
		{judgeLine(link.Stats{RTT: 60 * ms, LossIn: 0.2}, nil), Bad, "Too much is lost"},
		{judgeLine(link.Stats{RTT: 600 * ms, Jitter: 30 * ms}, nil), Bad, "too late for most games"},
		{judgeLine(link.Stats{RTT: 60 * ms, Loss: 0.05}, nil), Fair, "A cable"},
	} {
		if tt.f.Mark != tt.mark || !strings.Contains(tt.f.String(), tt.words) {
			t.Errorf("%q has mark %d, want %d and %q", tt.f, tt.f.Mark, tt.mark, tt.words)
		}
	}
}

// TestRelayThatIsNotThere: a relay that is looked at alone gets one sentence, whatever it is.
func TestRelayThatIsNotThere(t *testing.T) {
	ctx, done := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer done()
	if f := ProbeRelay(ctx, "127.0.0.1", "127.0.0.1:1"); f.Mark != Fair || f.Words != "127.0.0.1:1 does not answer." {
		t.Errorf("got %+v", f)
	}
}

// TestNoRawErrors: what the system or the program said is for somebody who helps; a player reads a sentence,
// and no whole hash.
func TestNoRawErrors(t *testing.T) {
	raw := errors.New("dial udp [::1]:4000: connect: errno 111")
	dns := &net.DNSError{Err: "no such host", Name: "stun.invalid", Server: "127.0.0.53:53", IsNotFound: true}
	list := []Finding{
		judgeCore(emucore.Core{}, raw), judgeCore(emucore.Core{Name: "X", SHA256: [32]byte{0xab, 1, 2, 3, 4}}, nil), judgeSpeed(nil, raw), judgeJIT(nil, nil, raw),
		judgeSync(corecheck.Verdict{}, raw), judgeSound(nil, raw), judgePads(nil, raw), judgeMapping(Network{Asked: true, Refused: raw}),
		judgeLine(link.Stats{}, &link.DialError{Why: link.Unresolved, Addr: "a:1", Err: raw}),
	}
	list = append(list, judgeNetwork(Network{Err: raw})...)
	list = append(list, judgeNetwork(Network{Servers: []Server{{Name: "a:1", Err: raw}, {Name: "stun.invalid:1", Err: dns}}})...)
	details := 0
	for _, f := range list {
		if line := f.String(); strings.Contains(line, "errno") || strings.Contains(line, "lookup") || strings.Contains(line, "nil") || regexp.MustCompile("[0-9a-f]{12}").MatchString(line) {
			t.Errorf("%s", line)
		}
		if f.Detail != "" {
			details++
		}
	}
	if report := Report(list, true, 0); strings.Count(report, "errno 111") < 9 || !strings.Contains(report, "ab01020304") || details < 11 {
		t.Errorf("%d details in\n%s", details, report)
	}
}

// TestReport: the verdict comes first, then the findings by group.
func TestReport(t *testing.T) {
	list := []Finding{
		{Subject: "key", Group: Friends, Words: "Friends know you by X."},
		{Subject: "core", Words: "DeSmuME.", Detail: "all of it"},
		{Subject: "router", Group: TheNetwork, Words: "It is strict.", Advice: "Let another one host.", Mark: Fair},
		{Subject: "server", Group: TheNetwork, Words: "a does not answer.", Mark: Fair},
		{Subject: "server", Group: TheNetwork, Words: "b does not answer.", Mark: Fair},
		{Subject: "speed", Words: "Too slow for two.", Mark: Bad},
	}
	const want = `This would spoil play: speed.

This computer
  ok    core: DeSmuME.
        (all of it)
  bad   speed: Too slow for
        two.

Network
  note  router: It is strict.
        Let another one host.
  note  server: a does not
        answer.
  note  server: b does not
        answer.

Friends
  ok    key: Friends know you
        by X.
`
	if got := Report(list, true, 30); got != want {
		t.Errorf("got\n%s", got)
	}
	if m, words := Verdict(list[:5]); m != Fair || words != "You can play. Could be better: router, server." {
		t.Errorf("%v %q", m, words)
	}
	if m, words := Verdict(list[:2]); m != Good || words != "All is well: nothing here would spoil play." {
		t.Errorf("%v %q", m, words)
	}
}
