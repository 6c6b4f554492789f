package lan

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"net"
	"net/netip"
	"sync"
	"time"

	"github.com/nettplay/nettplay/config"
)

// Port is the UDP port that beacons are sent to: the one after the usual port of
// rooms. It is the same for all rooms, or nobody would know where to listen.
const Port = config.DefaultPort + 1

// Interval is the time from one beacon of a room to the next.
const Interval = time.Second

// AnnounceConfig says where beacons go.
type AnnounceConfig struct {
	// To are the addresses that beacons are sent to; nil for all machines of all
	// networks that the machine is in, over IPv4 and IPv6, which are looked up
	// before each beacon: a cable may be plugged in later.
	To []netip.AddrPort
	// Every is the time between two beacons, 0 for Interval.
	Every time.Duration
}

// Announcer announces one room. All methods may be called from any goroutine.
type Announcer struct {
	cfg    AnnounceConfig
	conn   *net.UDPConn
	id     uint64
	wake   chan struct{} // the room has changed
	life   context.Context
	cancel context.CancelFunc
	joined sync.WaitGroup

	mu     sync.Mutex // guards beacon
	beacon Beacon
}

// Announce begins to announce a room, whose ID it makes up. It fails when no
// socket is to be had. A network that takes no beacon is passed over: the room
// can be joined by its address all the same.
func Announce(cfg AnnounceConfig, b Beacon) (*Announcer, error) {
	conn, err := net.ListenUDP("udp4", nil)
	if err != nil {
		return nil, fmt.Errorf("announcing the room on the local network: %w", err)
	}
	if cfg.Every <= 0 {
		cfg.Every = Interval
	}
	a := &Announcer{cfg: cfg, conn: conn, id: rand.Uint64(), wake: make(chan struct{}, 1)}
	a.life, a.cancel = context.WithCancel(context.Background())
	a.Set(b)
	a.joined.Go(a.run)
	return a, nil
}

// Set changes what is announced. It is sent at once; its ID does not count.
func (a *Announcer) Set(b Beacon) {
	a.mu.Lock()
	b.ID = a.id
	changed := a.beacon != b
	a.beacon = b
	a.mu.Unlock()
	if !changed {
		return
	}
	select {
	case a.wake <- struct{}{}:
	default:
	}
}

// Close tells the network that the room is gone, and ends the announcing. It may
// be called more than once; each call returns when nothing is sent any more.
func (a *Announcer) Close() {
	a.cancel()
	a.joined.Wait()
}

func (a *Announcer) run() {
	defer a.conn.Close()
	ticker := time.NewTicker(a.cfg.Every)
	defer ticker.Stop()
	for {
		a.send(false)
		select {
		case <-a.life.Done():
			a.send(true)
			return
		case <-a.wake:
		case <-ticker.C:
		}
	}
}

// send sends one beacon to each network.
func (a *Announcer) send(gone bool) {
	a.mu.Lock()
	b := a.beacon
	a.mu.Unlock()
	b.gone = gone
	datagram := b.Append(nil)
	to := a.cfg.To
	if to == nil {
		to = Broadcasts()
	}
	// A network may be down, or not allow it; the next beacon tries again.
	for _, addr := range to {
		_, _ = a.conn.WriteToUDPAddrPort(datagram, addr)
	}
	if a.cfg.To == nil {
		for _, card := range multicasting() {
			card.send(datagram)
		}
	}
}

// group are the machines of an IPv6 network that listen for beacons. It belongs to the networks of one card, and is
// nobody's by assignment (RFC 4291, 2.7: the flag T).
var group = netip.MustParseAddr("ff12::6e65:7474:706c:6179")

// sixCard is a network card with IPv6, and its address by which rooms on this machine are joined.
type sixCard struct {
	net.Interface
	addr netip.Addr
}

// multicasting are the cards on which beacons go out and come in over IPv6. An address that means the same on all
// machines goes before a link-local one, which is nothing without the name of the listener's own card.
func multicasting() (list []sixCard) {
	cards, _ := net.Interfaces()
	for _, i := range cards {
		const wanted = net.FlagUp | net.FlagRunning | net.FlagMulticast
		if i.Flags&wanted != wanted || i.Flags&net.FlagLoopback != 0 {
			continue
		}
		addrs, _ := i.Addrs()
		c := sixCard{Interface: i}
		for _, a := range addrs {
			p, err := netip.ParsePrefix(a.String())
			switch ip := p.Addr(); {
			case err != nil || !ip.Is6() || ip.Is4In6():
			case ip.IsPrivate(), ip.IsGlobalUnicast() && !c.addr.IsPrivate(), !c.addr.IsValid() && ip.IsLinkLocalUnicast():
				c.addr = ip // a neighbour at a private one comes in without an invitation
			}
		}
		if c.addr.IsLinkLocalUnicast() {
			c.addr = c.addr.WithZone(i.Name)
		}
		if c.addr.IsValid() {
			list = append(list, c)
		}
	}
	return list
}

// send sends a beacon from a card's address to all machines of its network.
func (c sixCard) send(datagram []byte) {
	conn, err := net.ListenUDP("udp6", net.UDPAddrFromAddrPort(netip.AddrPortFrom(c.addr, 0)))
	if err != nil {
		return // an address that is not checked yet, say
	}
	defer conn.Close()
	_, _ = conn.WriteToUDPAddrPort(datagram, netip.AddrPortFrom(group.WithZone(c.Name), Port))
}

// Broadcasts are the addresses that reach the beacon port on all machines of all
// IPv4 networks that this one is in, itself included.
func Broadcasts() []netip.AddrPort {
	list := []netip.AddrPort{netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 255, 255, 255}), Port)}
	interfaces, _ := net.Interfaces()
	for _, i := range interfaces {
		const wanted = net.FlagUp | net.FlagBroadcast
		if i.Flags&wanted != wanted || i.Flags&net.FlagLoopback != 0 {
			continue
		}
		addrs, _ := i.Addrs()
		for _, a := range addrs {
			if n, ok := a.(*net.IPNet); ok {
				if b, ok := broadcast(n); ok {
					list = append(list, netip.AddrPortFrom(b, Port))
				}
			}
		}
	}
	return list
}

// broadcast is the address of all machines of an IPv4 network. One of two
// machines or a single one has none.
func broadcast(n *net.IPNet) (netip.Addr, bool) {
	ip, ones := n.IP.To4(), 0
	if ones, _ = n.Mask.Size(); ip == nil || ones == 0 || ones > 30 {
		return netip.Addr{}, false
	}
	host := ^uint32(0) >> ones
	var b [4]byte
	binary.BigEndian.PutUint32(b[:], binary.BigEndian.Uint32(ip)|host)
	return netip.AddrFrom4(b), true
}
