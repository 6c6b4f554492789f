package service

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/ipv4"
	"golang.org/x/sys/unix"

	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// The load that `make relaybench` puts on a relay.
const (
	loadRooms = 1000
	loadRate  = 60 // datagrams a second of each player
	loadSize  = 100
	loadSpan  = 10 * time.Second // of each measurement
	loadWarm  = 2 * time.Second
	loadChild = "NETTPLAY_LOAD_CHILD"
)

// TestLoad measures a relay with a thousand rooms of two players at 60 datagrams a second,
// beside a program that does nothing but pass datagrams on, in turns, each in a process of its
// own. The time that either adds includes the way there and back through the loopback. Where NETTPLAY_RELAYBENCH_OLD names
// the test program of another build ("go test -c"), that build's relay takes the echo's turns.
func TestLoad(t *testing.T) {
	if os.Getenv(loadChild) != "" {
		serveLoad(t, os.Getenv(loadChild))
		return
	}
	if os.Getenv("NETTPLAY_RELAYBENCH") == "" {
		t.Skip("only by make relaybench")
	}
	programs := []struct{ name, kind, exe string }{{"echo", "echo", os.Args[0]}, {"relay", "relay", os.Args[0]}}
	rounds := 2
	if old := os.Getenv("NETTPLAY_RELAYBENCH_OLD"); old != "" {
		programs[0].name, programs[0].kind, programs[0].exe = "old", "relay", old
		rounds = 6
	}
	var cpu [2][]float64
	for range rounds {
		for i, p := range programs {
			l := measureLoad(t, p.kind, p.exe)
			cpu[i] = append(cpu[i], l.each())
			t.Logf("%-6s %v", p.name, l)
		}
	}
	for i := range cpu {
		slices.Sort(cpu[i])
	}
	t.Logf("the medians of processor time for a datagram: %.2f of %s's", cpu[1][rounds/2]/cpu[0][rounds/2], programs[0].name)
}

// load is what a measurement found.
type load struct {
	sent, lost int64
	took       []time.Duration // sorted
	cpu        float64         // of a core, by the program in the middle
	perRoom    float64         // bytes of its memory
}

func (l load) String() string {
	at := func(share float64) time.Duration {
		return l.took[min(len(l.took)-1, int(float64(len(l.took))*share))]
	}
	return fmt.Sprintf("%d a second; p50 %v, p99 %v, p99.9 %v, longest %v; lost %d of %d; %.0f %% of a core, %.1f µs a datagram; %.1f KiB a room",
		l.sent*int64(time.Second)/int64(loadSpan), at(0.5), at(0.99), at(0.999), l.took[len(l.took)-1], l.lost, l.sent, 100*l.cpu, 1e6*l.each(), l.perRoom/1024)
}

// each is the seconds of a processor for a datagram: a busy machine sends fewer than it should.
func (l load) each() float64 { return l.cpu * loadSpan.Seconds() / float64(l.sent) }

// middle is a relay or an echo in another process.
type middle struct {
	*exec.Cmd
	at netip.AddrPort
}

func startMiddle(t *testing.T, kind, exe string) *middle {
	t.Helper()
	// Players are not on its machine: those who stand in for them leave it the processor.
	cmd := exec.Command("nice", "-n", "-15", exe, "-test.run", "^TestLoad$")
	cmd.Env = append(os.Environ(), loadChild+"="+kind)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	must.Succeed(t, err)
	must.Succeed(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	must.Succeed(t, err)
	return &middle{cmd, netip.MustParseAddrPort(strings.TrimSpace(line))}
}

// cpu is the time of processors that it has used so far.
func (m *middle) cpu(t *testing.T) time.Duration {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", m.Process.Pid))
	if err != nil {
		t.Skip(err)
	}
	fields := strings.Fields(string(b[strings.LastIndexByte(string(b), ')'):]))
	user, _ := strconv.Atoi(fields[12])
	system, _ := strconv.Atoi(fields[13])
	return time.Duration(user+system) * 10 * time.Millisecond
}

// memory is the bytes that it holds in memory.
func (m *middle) memory(t *testing.T) float64 {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", m.Process.Pid))
	if err != nil {
		t.Skip(err)
	}
	pages, _ := strconv.Atoi(strings.Fields(string(b))[1])
	return float64(pages * os.Getpagesize())
}

func measureLoad(t *testing.T, kind, exe string) (l load) {
	m := startMiddle(t, kind, exe)
	before := m.memory(t)
	p := newPlayers(t, m.at, loadRooms, kind == "relay")
	defer p.close()
	p.play(t, loadWarm)
	p.clear()
	cpu := m.cpu(t)
	l.sent = p.play(t, loadSpan)
	l.cpu = (m.cpu(t) - cpu).Seconds() / loadSpan.Seconds()
	time.Sleep(500 * time.Millisecond) // the last ones are under way
	l.took = p.all()
	l.lost = l.sent - int64(len(l.took))
	l.perRoom = (m.memory(t) - before) / loadRooms
	return l
}

// players are those of all rooms, each with a socket of its own. Two neighbours are a room.
// They are to cost little beside what they measure: the system notes when a datagram comes, so
// that they may read it later.
type players struct {
	conns []*net.UDPConn
	posts [][]byte
	since atomic.Int64 // Unix nanoseconds: what was sent before does not count
	over  atomic.Bool
	jobs  sync.WaitGroup
	mu    sync.Mutex // guards took
	took  []time.Duration
}

func newPlayers(t *testing.T, at netip.AddrPort, rooms int, relayed bool) *players {
	p := new(players)
	for i := range 2 * rooms {
		c := listen(t)
		me, other := relay.Mailbox{1, byte(i >> 8), byte(i)}, relay.Mailbox{1, byte(i >> 8), byte(i ^ 1)}
		b := make([]byte, loadSize+relay.HeaderSize)
		if relayed {
			b = post(enter(t, c, at, me), other)
		}
		control(t, c, func(fd int) error {
			return errors.Join(unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_TIMESTAMPNS, 1),
				unix.Connect(fd, &unix.SockaddrInet4{Port: int(at.Port()), Addr: at.Addr().As4()}))
		})
		p.conns, p.posts = append(p.conns, c), append(p.posts, b)
	}
	for i, b := range p.posts {
		if !relayed { // the echo passes on to the port that a datagram begins with
			binary.BigEndian.PutUint16(b, portOf(p.conns[i^1]).Port())
		}
	}
	p.jobs.Go(p.read)
	return p
}

// control calls do with the system's number of a socket.
func control(t *testing.T, c *net.UDPConn, do func(fd int) error) {
	t.Helper()
	raw, err := c.SyscallConn()
	if err == nil {
		err = errors.Join(raw.Control(func(fd uintptr) { err = do(int(fd)) }), err)
	}
	must.Succeed(t, err)
}

// read notes how long datagrams took, of every socket a few times a second. When each was sent
// is at its end.
func (p *players) read() {
	list := make([]ipv4.Message, atOnce)
	for i := range list {
		list[i] = ipv4.Message{Buffers: [][]byte{make([]byte, relay.MaxDatagram)}, OOB: make([]byte, 64)}
	}
	conns := make([]*ipv4.PacketConn, len(p.conns))
	for i, c := range p.conns {
		conns[i] = ipv4.NewPacketConn(c)
	}
	for !p.over.Load() {
		for i, c := range conns {
			n, _ := c.ReadBatch(list, unix.MSG_DONTWAIT)
			p.note(list[:max(n, 0)])
			if i%100 == 0 {
				time.Sleep(5 * time.Millisecond)
			}
		}
	}
}

func (p *players) note(list []ipv4.Message) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, m := range list {
		sent := int64(binary.BigEndian.Uint64(m.Buffers[0][m.N-8:]))
		came := m.OOB[unix.CmsgLen(0):m.NN] // seconds and nanoseconds
		at := int64(binary.NativeEndian.Uint64(came))*int64(time.Second) + int64(binary.NativeEndian.Uint64(came[8:]))
		if sent >= p.since.Load() {
			p.took = append(p.took, time.Duration(at-sent))
		}
	}
}

// play sends each player's datagrams evenly over time, and returns how many.
func (p *players) play(t *testing.T, span time.Duration) (sent int64) {
	fds := make([]int, len(p.conns))
	for i, c := range p.conns {
		control(t, c, func(fd int) error { fds[i] = fd; return nil })
	}
	start := time.Now()
	for time.Since(start) < span {
		due := int64(time.Since(start).Seconds() * float64(len(p.conns)*loadRate))
		for ; sent < due; sent++ {
			i := int(sent) % len(p.conns)
			b := p.posts[i]
			binary.BigEndian.PutUint64(b[len(b)-8:], uint64(time.Now().UnixNano()))
			_, _ = unix.Write(fds[i], b)
		}
		time.Sleep(200 * time.Microsecond)
	}
	return sent
}

func (p *players) clear() {
	p.since.Store(time.Now().UnixNano())
	p.mu.Lock()
	defer p.mu.Unlock()
	p.took = make([]time.Duration, 0, 2*loadRooms*loadRate*int(loadSpan/time.Second)+1000)
}

func (p *players) all() []time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	list := slices.Clone(p.took)
	slices.Sort(list)
	return list
}

func (p *players) close() {
	p.over.Store(true)
	p.jobs.Wait()
	for _, c := range p.conns {
		_ = c.Close()
	}
}

// serveLoad is the program in the middle.
func serveLoad(t *testing.T, kind string) {
	conn := listen(t)
	fmt.Println(conn.LocalAddr())
	if kind == "relay" {
		most := 2 * loadRooms
		_, err := Run(context.Background(), Config{UDP: conn, Limits: relay.Limits{PerHost: most, HostRate: 1 << 30}})
		t.Fatal(err)
	}
	_, _ = conn.SetReadBuffer(8<<20), conn.SetWriteBuffer(4<<20)
	if kind == "sink" {
		sink(conn)
	}
	b := make([]byte, relay.MaxDatagram)
	for {
		n, _, err := conn.ReadFromUDPAddrPort(b)
		must.Succeed(t, err)
		to := netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), binary.BigEndian.Uint16(b))
		_, _ = conn.WriteToUDPAddrPort(b[:n], to)
	}
}
