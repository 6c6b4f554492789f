//go:build unix

package adversary

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// flooderVariable makes this test binary a stranger who floods a machine with datagrams; it is
// a [flood] in JSON.
const flooderVariable = "NETTPLAY_TEST_FLOOD"

// flood is a flood of datagrams from one address.
type flood struct {
	Kind    string // of kinds
	From    string // an address of this machine; of several the first
	Addrs   int    // how many addresses; 0 for one
	To      string
	Rate    int           // datagrams a second; 0 for as many as possible
	Length  time.Duration // 0: until it is stopped
	Samples [][]byte      // datagrams that were overheard
}

// The kinds of floods.
const (
	noise    = "noise"    // random bytes
	greeting = "greeting" // what a dialer began with, once more
	replayed = "replayed" // what a player has sent, once more
	forged   = "forged"   // the same with other bytes, for the player's own session
	shakes   = "shakes"   // handshakes that are begun and end with what is none; needs no secret on one's own network
)

func TestMain(m *testing.M) {
	text := os.Getenv(flooderVariable)
	if text == "" {
		os.Exit(m.Run())
	}
	var f flood
	err := json.Unmarshal([]byte(text), &f)
	if err == nil {
		err = f.run()
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

// start starts a flood in a process of its own. stop ends it and returns how many datagrams it has
// sent a second.
func (f flood) start(t *testing.T) (stop func() float64) {
	t.Helper()
	text, err := json.Marshal(f)
	must.Succeed(t, err)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), flooderVariable+"="+string(text))
	in, err := cmd.StdinPipe()
	must.Succeed(t, err)
	out, err := cmd.StdoutPipe()
	must.Succeed(t, err)
	cmd.Stderr = os.Stderr
	must.Succeed(t, cmd.Start())
	lines := bufio.NewScanner(out)
	if !lines.Scan() || lines.Text() != "begins" {
		_ = cmd.Wait()
		t.Skipf("NO FLOOD, NOT TESTED: %s", lines.Text())
	}
	return func() (rate float64) {
		in.Close()
		for lines.Scan() {
			_, _ = fmt.Sscanf(lines.Text(), "%g", &rate)
		}
		if err := cmd.Wait(); err != nil {
			t.Errorf("the flood: %v", err)
		}
		return rate
	}
}

// batch is how many datagrams one system call sends.
const batch = 64

// source is one address from which a flood comes.
type source struct {
	raw syscall.RawConn
	*shaker
}

func (f flood) sources() (list []source, err error) {
	from := netip.MustParseAddr(f.From)
	for range max(1, f.Addrs) {
		conn, err := net.DialUDP("udp4", net.UDPAddrFromAddrPort(netip.AddrPortFrom(from, 0)), net.UDPAddrFromAddrPort(mustAddr(f.To)))
		if err != nil {
			return nil, err
		}
		raw, err := conn.SyscallConn()
		if err != nil {
			return nil, err
		}
		s := source{raw, nil}
		if f.Kind == shakes {
			s.shaker = newShaker(conn)
		}
		list, from = append(list, s), from.Next()
	}
	return list, nil
}

// run floods until standard input ends.
func (f flood) run() error {
	sources, err := f.sources()
	if err != nil {
		return err
	}
	fmt.Println("begins")
	stop := make(chan struct{})
	go func() {
		_, _ = os.Stdin.Read(make([]byte, 1)) // it ends with whoever started us
		close(stop)
	}()
	rng := rand.New(rand.NewPCG(1, 2))
	var vectors [batch]unix.Iovec
	var list [batch]struct {
		unix.Msghdr
		sent uint32
	}
	began, sent, n := time.Now(), 0, max(1, batch/len(sources))
	for turn := 0; ; turn++ {
		source := sources[turn%len(sources)]
		select {
		case <-stop:
			fmt.Println(float64(sent) / time.Since(began).Seconds())
			return nil
		default:
		}
		if f.Rate > 0 {
			if ahead := time.Duration(sent)*time.Second/time.Duration(f.Rate) - time.Since(began); ahead > 0 {
				time.Sleep(ahead)
			}
		}
		for i := range n {
			b := f.next(rng, source.shaker)
			vectors[i].Base, list[i].Iov = unsafe.SliceData(b), &vectors[i]
			vectors[i].SetLen(len(b))
			list[i].SetIovlen(1)
		}
		_ = source.raw.Write(func(fd uintptr) bool {
			done, _, errno := unix.Syscall6(unix.SYS_SENDMMSG, fd, uintptr(unsafe.Pointer(&list)), uintptr(n), 0, 0, 0)
			if errno == 0 {
				sent += int(done)
			}
			return true
		})
	}
}

// next is the next datagram.
func (f flood) next(rng *rand.Rand, s *shaker) []byte {
	if s != nil {
		return s.next(rng)
	}
	if f.Kind == noise {
		b := make([]byte, 1+rng.IntN(400))
		for i := range b {
			b[i] = byte(rng.Uint32())
		}
		return b
	}
	b := f.Samples[rng.IntN(len(f.Samples))]
	if f.Kind == forged {
		b = append([]byte(nil), b...)
		for at := sealedHead + rng.IntN(8); at < len(b); at += 1 + rng.IntN(16) {
			b[at] = byte(rng.Uint32())
		}
	}
	return b
}

// The beginning of what machines send, as far as somebody sees who overhears it: greetings have
// a first byte below sealedKind, and sealed datagrams name their session after it.
const (
	sealedKind = 0xB0
	sealedHead = 9
)

// overheard are samples for a kind of flood.
func overheard(kind string, all [][]byte) (list [][]byte) {
	for _, b := range all {
		if (b[0] < sealedKind) == (kind == greeting) {
			list = append(list, b)
		}
	}
	return list
}

// TestFlooder keeps the flooder honest: it sends what it says.
func TestFlooder(t *testing.T) {
	conn, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	must.Succeed(t, err)
	defer conn.Close()
	sample := []byte(strings.Repeat("\xB0", 40))
	stop := flood{Kind: forged, From: "127.0.0.2", To: conn.LocalAddr().String(), Rate: 1000, Samples: [][]byte{sample}}.start(t)
	b := make([]byte, 100)
	for range 100 {
		n, err := conn.Read(b)
		if err != nil || n != len(sample) || string(b[:sealedHead]) != string(sample[:sealedHead]) || string(b[:n]) == string(sample) {
			t.Fatalf("%d bytes %x, %v", n, b[:n], err)
		}
	}
	if rate := stop(); rate <= 0 {
		t.Errorf("it says %g datagrams a second", rate)
	}
}
