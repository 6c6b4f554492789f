package netbench

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"sync"
	"time"

	"github.com/codecat/go-enet"

	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/diagnostics"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/link/udp"
	"github.com/nettplay/nettplay/internal/testing/badline"
	"github.com/nettplay/nettplay/mirror"
)

// afterFrames is the number of frames for which machines say again what others may not have.
const afterFrames = 60

// floorTimeout is the time that bare ENet may take to connect.
const floorTimeout = 30 * time.Second

// Floor plays a case's inputs by bare ENet: machines in a star, which send each other all inputs
// that are not acknowledged once a frame, unsequenced, in the program's own encoding, and nothing
// else: no room, no seal, no consoles. Their frames are due at the same moments by one clock.
func Floor(ctx context.Context, c Case, delay int, seed uint64, frames int64) (Traffic, []diagnostics.FrameTimes, error) {
	f := &floor{c: c, delay: delay, frames: frames}
	defer f.close()
	err := f.open(seed)
	if err == nil {
		err = f.connect(ctx)
	}
	if err != nil {
		return Traffic{}, nil, fmt.Errorf("bare ENet: %w", err)
	}
	for m, r := range f.relays {
		r.Reseed(lineSeed(seed, m+1))
	}
	before := count(f.relays)
	f.start = time.Now().Add(50 * time.Millisecond)
	var wg sync.WaitGroup
	for _, p := range f.peers {
		wg.Go(func() { p.play(ctx) })
	}
	wg.Wait()
	traffic := count(f.relays).since(before, time.Since(f.start))
	list := make([]diagnostics.FrameTimes, 0, len(f.peers))
	for _, p := range f.peers {
		list = append(list, p.times.Times())
	}
	return traffic, list, ctx.Err()
}

type floor struct {
	c      Case
	delay  int
	frames int64
	start  time.Time // when frame 0 is due
	relays []*badline.Relay
	peers  []*floorMachine
}

// floorMachine is one machine. After connect it belongs to the goroutine of play.
type floorMachine struct {
	*floor
	number int
	host   enet.Host
	to     map[int]enet.Peer // by machine
	out    *mirror.Host
	in     map[int]*mirror.Client
	queues []*inputdelay.Queue
	script *inputdelay.Script
	times  *diagnostics.FrameRecorder
	shown  []int64 // frames done by seat
	got    mirror.Datagram
}

// open makes the machines and their lines.
func (f *floor) open(seed uint64) error {
	enetReady()
	port, err := udp.FreePort()
	if err != nil {
		return err
	}
	for m := range f.c.Machines {
		p, err := f.machine(m, port)
		if err != nil {
			return err
		}
		f.peers = append(f.peers, p)
		if m == 0 {
			continue
		}
		relay, err := relay(f.c.line(m), port, lineSeed(seed, m))
		if err != nil {
			return err
		}
		f.relays = append(f.relays, relay)
	}
	return nil
}

var enetReady = sync.OnceFunc(enet.Initialize)

func (f *floor) machine(m, port int) (*floorMachine, error) {
	p := &floorMachine{
		floor: f, number: m, to: map[int]enet.Peer{}, out: mirror.NewHost(), in: map[int]*mirror.Client{},
		script: inputdelay.RandomScript(uint64(m)+1, f.frames), times: new(diagnostics.FrameRecorder), shown: make([]int64, f.c.Machines),
	}
	var at enet.Address
	if m == 0 {
		at = enet.NewAddress("127.0.0.1", uint16(port))
	}
	host, err := enet.NewHost(at, uint64(f.c.Machines), 1, 0, 0)
	if err != nil {
		return nil, err
	}
	p.host = host
	for s := range f.c.Machines {
		q, err := inputdelay.NewQueue(0, f.delay)
		if err != nil {
			return nil, err
		}
		p.queues = append(p.queues, q)
		if s == m || m == 0 {
			p.out.AddSeat(ds.Seat(s), int64(f.delay))
		}
	}
	for other := range f.c.Machines {
		if other != m && (m == 0 || other == 0) {
			p.in[other] = mirror.NewClient(other, f.seats(other, m))
			p.out.AddClient(other, f.seats(m, other))
		}
	}
	return p, nil
}

// seats are those whose inputs a machine sends another one: its own, and the game host all but the other's.
func (f *floor) seats(from, to int) (list []ds.Seat) {
	for s := range f.c.Machines {
		if from == 0 && s != to || from > 0 && s == from {
			list = append(list, ds.Seat(s))
		}
	}
	return list
}

// connect connects all to the game host.
func (f *floor) connect(ctx context.Context) error {
	host := f.peers[0]
	for m, p := range f.peers[1:] {
		addr, err := netip.ParseAddrPort(f.relays[m].Addr())
		if err != nil {
			return err
		}
		peer, err := p.host.Connect(enet.NewAddress("127.0.0.1", addr.Port()), 1, uint32(p.number))
		if err != nil {
			return err
		}
		p.to[0] = peer
		joined := false
		for end := time.Now().Add(floorTimeout); !joined || len(host.to) < p.number; {
			if ctx.Err() != nil || time.Now().After(end) {
				return errors.Join(errors.New("no connection"), ctx.Err())
			}
			if ev := p.host.Service(1); ev.GetType() == enet.EventConnect {
				joined = true
			}
			if ev := host.host.Service(1); ev.GetType() == enet.EventConnect {
				host.to[int(ev.GetData())] = ev.GetPeer()
			}
		}
	}
	return nil
}

// play plays all frames. Consoles take no time.
func (p *floorMachine) play(ctx context.Context) {
	for frame := int64(0); frame < p.frames && ctx.Err() == nil; frame++ {
		due := p.start.Add(ds.FrameTime(frame))
		p.until(due)
		now := time.Now()
		p.times.Begun(frame, due, now, p.delay)
		_, _, _ = p.queues[p.number].Push(frame, p.script.At(frame))
		p.offer(ds.Seat(p.number))
		p.send(frame)
		p.shown[p.number] = frame + 1
		p.times.Shown(ds.Seat(p.number), frame, now)
		p.queues[p.number].Forget(frame)
		p.runOthers(now)
	}
	for n := int64(1); n <= afterFrames && ctx.Err() == nil; n++ { // the others may have to hear more
		p.until(p.start.Add(ds.FrameTime(p.frames + n)))
		p.send(p.frames)
	}
}

// look is the time between a machine's looks for what has come. A wait inside of ENet would hold up the
// lines, which are goroutines of this process.
const look = 500 * time.Microsecond

// until takes what comes until a time.
func (p *floorMachine) until(end time.Time) {
	for {
		p.drain()
		wait := time.Until(end)
		if wait <= 0 {
			return
		}
		time.Sleep(min(wait, look))
	}
}

// drain takes all that is here, and has ENet send what waits.
func (p *floorMachine) drain() {
	for {
		ev := p.host.Service(0)
		if ev.GetType() != enet.EventReceive {
			return
		}
		packet := ev.GetPacket()
		p.take(packet.GetData(), time.Now())
		packet.Destroy()
	}
}

// offer hands what is new of a seat to those who are sent it. When they have not acknowledged
// eight seconds of inputs, the rest waits.
func (p *floorMachine) offer(seat ds.Seat) {
	for {
		frame, ok := p.out.Next(seat)
		in, here := p.queues[seat].At(frame)
		if !ok || !here || p.out.Put(seat, frame, in) != nil {
			return
		}
	}
}

// send sends the frame's datagrams.
func (p *floorMachine) send(frame int64) {
	for m := range p.c.Machines {
		peer := p.to[m]
		if peer == nil {
			continue
		}
		d := mirror.Datagram{Machine: p.number, Round: 1, Frames: []mirror.MachineFrame{{Machine: p.number, Frame: frame}}}
		for _, s := range p.seats(m, p.number) {
			d.Acks = append(d.Acks, mirror.SeatFrame{Seat: s, Frame: p.queues[s].Newest()})
		}
		d.Windows = p.out.Windows(m, d.Budget())
		_ = peer.SendBytes(d.Append(nil), 0, enet.PacketFlagUnsequenced) // the next one carries it all again
	}
	p.drain()
}

// take takes a datagram.
func (p *floorMachine) take(b []byte, now time.Time) {
	if p.got.Decode(b) != nil {
		return
	}
	from := p.got.Machine
	client := p.in[from]
	if client == nil || p.out.Ack(from, p.got.Acks) != nil {
		return
	}
	fresh, err := client.Receive(p.got, func(s ds.Seat) *inputdelay.Queue { return p.queues[s] })
	if err != nil {
		return
	}
	for _, f := range fresh {
		p.times.Arrived(f.Seat, f.Frame, now)
		if p.number == 0 {
			p.offer(f.Seat)
		}
	}
	p.runOthers(now)
}

// runOthers runs the others' consoles as far as their inputs are here.
func (p *floorMachine) runOthers(now time.Time) {
	for s, q := range p.queues {
		for s != p.number && p.shown[s] < p.shown[p.number] {
			if _, ok := q.At(p.shown[s]); !ok {
				break
			}
			p.times.Shown(ds.Seat(s), p.shown[s], now)
			p.shown[s]++
			q.Forget(p.shown[s])
		}
	}
}

// close ends all of it.
func (f *floor) close() {
	for _, p := range f.peers {
		p.host.Destroy()
	}
	for _, r := range f.relays {
		r.Close()
	}
}
