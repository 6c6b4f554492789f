package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// trouble is what happens to two friends amid play.
type trouble struct {
	name         string
	host, friend string // kinds of their routers
	relays       int
	before       string // the counters of the paths by which they play then
	happens      func(l *pairLab)
	path         string // the path at the end; "" for any
}

const otherRelayAt = inside + ":21207"

var troubles = []trouble{
	{"the game host's mapping is lost", "UPnP", "port-restricted", 1, "direct", func(l *pairLab) {
		l.kill("miniupnpd")
		for _, chain := range []string{"miniupnpd", "prerouting_miniupnpd", "postrouting_miniupnpd"} {
			l.in(l.machine("ra"), "nft", "flush", "chain", "inet", "filter", chain)
		}
		l.forget("ra")
	}, "relay"},
	{"the game host's router forgets", "port-restricted", "port-restricted", 1, "direct", func(l *pairLab) { l.forget("ra") }, ""},
	{"the friend's router forgets", "full cone", "symmetric", 0, "direct", func(l *pairLab) { l.forget("rb") }, "direct"},
	{"the game host's address changes", "full cone", "full cone", 0, "direct", func(l *pairLab) { l.readdress("ra", "45.80.1.") }, "direct"},
	{"the game host's address changes, a relay is there", "port-restricted", "port-restricted", 1, "direct", func(l *pairLab) { l.readdress("ra", "45.80.1.") }, ""},
	{"the friend's address changes", "full cone", "symmetric", 0, "direct", func(l *pairLab) { l.readdress("rb", "45.80.2.") }, "direct"},
	{"the relay is killed, another is there", "symmetric", "symmetric", 2, "one other", func(l *pairLab) {
		at := relayAt
		if l.counted("other") > l.counted("one") {
			at = otherRelayAt
		}
		l.kill("--listen", at)
	}, "relay"},
	{"the direct path is cut", "UPnP", "UPnP", 1, "direct", func(l *pairLab) {
		l.in(l.core, "nft", "insert rule inet count pass ip saddr 45.80.2.0/24 ip daddr 45.80.1.0/24 drop")
		l.in(l.core, "nft", "insert rule inet count pass ip saddr 45.80.1.0/24 ip daddr 45.80.2.0/24 drop")
	}, "relay"},
}

// TestLabTroublesAmidPlay: whatever a router, an address or a relay does while two real programs
// play, the game goes on by another path, and the consoles are equal. It logs for how long play
// stood still.
func TestLabTroublesAmidPlay(t *testing.T) {
	programs := labPrograms(t)
	for _, x := range troubles {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			a, b := kindOf(x.host), kindOf(x.friend)
			l := newPairLab(t, programs, a, b, x.relays > 0)
			if x.relays > 1 {
				l.relay(programs, otherRelayAt)
				l.relays = []string{otherRelayAt}
			}
			l.frames = "900"
			l.count()
			l.amid = func(host, friend *labProgram) {
				l.untilPlayed(x.before, host, friend)
				x.happens(l)
			}
			o := l.meet(a, b, x.relays > 0, true)
			if o.Path == "" || x.path != "" && o.Path != x.path {
				t.Errorf("they end by the path %q, want %q: %+v", o.Path, x.path, o)
			}
			t.Logf("%s: %s; play stood still: game host %s, friend %s", x.name, o.Path, l.stalls("host"), l.stalls("friend"))
		})
	}
}

// count counts what the friend's home sends: directly, and to relays.
func (l *pairLab) count() {
	l.write("count.nft", `table inet count {
	counter direct { }
	counter one { }
	counter other { }
	chain pass { type filter hook forward priority 0; ip saddr 45.80.2.0/24 ip daddr 45.80.1.0/24 meta l4proto udp counter name direct; }
	chain in { type filter hook input priority 0; ip saddr 45.80.2.0/24 udp dport 21205 counter name one; ip saddr 45.80.2.0/24 udp dport 21207 counter name other; }
}
`)
	l.in(l.core, "nft", "-f", l.dir+"/count.nft")
}

var packets = regexp.MustCompile(`packets (\d+)`)

// counted is what was counted by some counters.
func (l *pairLab) counted(names string) (sum int) {
	for _, name := range strings.Fields(names) {
		n, err := strconv.Atoi(packets.FindStringSubmatch(l.in(l.core, "nft", "list", "counter", "inet", "count", name))[1])
		must.Succeed(l.t, err)
		sum += n
	}
	return sum
}

// untilPlayed waits until some seconds of a game have gone by a path.
func (l *pairLab) untilPlayed(path string, programs ...*labProgram) {
	from := -1
	for deadline := time.Now().Add(pairWait); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		for _, p := range programs {
			if p.ended() {
				l.t.Fatalf("the game is over before enough went by the path %q:\n%s", path, p.says())
			}
		}
		switch now := l.counted(path); {
		case from < 0 && strings.Contains(strings.Join(strings.Fields(programs[0].says()), " "), "the game begins"):
			from = now
		case from >= 0 && now > from+180:
			return
		}
	}
	l.t.Fatalf("nothing goes by the path %q:\n%s", path, programs[0].says())
}

// kill kills the program that was started with such arguments.
func (l *natLab) kill(arguments ...string) {
	for _, c := range l.running {
		if !slices.ContainsFunc(arguments, func(x string) bool { return !slices.Contains(c.Args, x) }) {
			_ = c.Process.Kill()
		}
	}
}

// forget has a router forget all connections.
func (l *pairLab) forget(router string) {
	failed := make(chan error)
	go func() {
		runtime.LockOSThread() // for good: the thread ends with this goroutine
		failed <- forgetAll(l.machine(router))
	}()
	if err := <-failed; err != nil {
		l.t.Fatalf("%s does not forget: %v", router, err)
	}
}

// forgetAll moves this thread to a machine, and empties the kernel's list of connections there.
func forgetAll(machine string) error {
	there, err := os.Open("/run/netns/" + machine)
	if err != nil {
		return err
	}
	defer there.Close()
	if err := unix.Setns(int(there.Fd()), unix.CLONE_NEWNET); err != nil {
		return err
	}
	conn, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW|unix.SOCK_CLOEXEC, unix.NETLINK_NETFILTER)
	if err != nil {
		return err
	}
	defer unix.Close(conn)
	const conntrack, remove = 1, 2 // of all connections, as no one is named
	m := make([]byte, unix.NLMSG_HDRLEN+4)
	binary.NativeEndian.PutUint32(m, uint32(len(m)))
	binary.NativeEndian.PutUint16(m[4:], conntrack<<8|remove)
	binary.NativeEndian.PutUint16(m[6:], unix.NLM_F_REQUEST|unix.NLM_F_ACK)
	if err := unix.Sendto(conn, m, 0, &unix.SockaddrNetlink{Family: unix.AF_NETLINK}); err != nil {
		return err
	}
	answer := make([]byte, 4096)
	if n, _, err := unix.Recvfrom(conn, answer, 0); err != nil || n < unix.NLMSG_HDRLEN+4 {
		return fmt.Errorf("an answer of %d bytes: %w", n, err)
	}
	if code := int32(binary.NativeEndian.Uint32(answer[unix.NLMSG_HDRLEN:])); code != 0 {
		return syscall.Errno(-code)
	}
	return nil
}

// readdress gives a router another address outside, of a network.
func (l *pairLab) readdress(router, network string) {
	r := l.machine(router)
	l.in(r, "ip", "addr", "del", network+"2/24", "dev", l.core)
	l.forget(router)
	l.in(r, "ip", "addr", "add", network+"3/24", "dev", l.core)
	l.in(r, "ip", "route", "add", "default", "via", network+"1")
}

// stalls is for how long a program's own console stood still, from its report.
func (l *pairLab) stalls(name string) string {
	b, err := os.ReadFile(l.report(name))
	if err != nil {
		return err.Error()
	}
	var r struct {
		Stalls struct {
			Count int
			MS    float64
		}
	}
	if err := json.Unmarshal(b, &r); err != nil {
		return err.Error()
	}
	return strconv.Itoa(r.Stalls.Count) + " times, " + time.Duration(r.Stalls.MS*float64(time.Millisecond)).String() + " in all"
}
