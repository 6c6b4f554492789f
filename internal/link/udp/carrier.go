package udp

// #include <enet/enet.h>
import "C"

import (
	"fmt"
	"math"
	"math/rand/v2"
	"net"
	"reflect"
	"sync"

	"github.com/codecat/go-enet"
)

// carrier is the ENet connection of a session: it carries the datagrams of package conn to the far side's ENet, as
// unsequenced packets, of which ENet repeats and holds back none. ENet's host sits on a loopback port, and one socket
// connected to it stands for the far side. Loopback hands a datagram over within the system call that sends it, so whoever
// holds the session writes, lets ENet work, and reads what ENet sent, without waiting and without a wake-up: the socket is
// none of Go's, whose poller would be woken for each datagram.
//
// Other programs on this machine can reach the ENet host's port. ENet ignores what does not come from the address of a
// peer, and service turns away a new peer that is not ours.
type carrier struct {
	host   enet.Host
	port   uint16 // of the socket
	socket socket
	peer   enet.Peer // nil before the connection is up
	queued int       // bytes that ENet has and has not sent
}

const (
	enetPeers    = 4 // ours, and some for others who are turned away
	enetChannels = 1
	enetMTU      = 1400 // ENet's own: it puts packets into one datagram up to it

	// enetAround is what ENet puts around an unsequenced packet: header and command.
	enetAround = 2 + 8
)

// initialize is called once for the process; ENet wants it, and on Unix it does
// nothing that could fail or would have to be undone.
var initialize = sync.OnceFunc(enet.Initialize)

// newCarrier makes a carrier. One of them dials.
func newCarrier(dials bool) (*carrier, error) {
	initialize()
	port, host, err := newHost()
	if err != nil {
		return nil, err
	}
	c := &carrier{host: host, socket: noSocket}
	if c.socket, c.port, err = openSocket(port); err == nil && dials {
		_, err = host.Connect(enet.NewAddress("127.0.0.1", c.port), enetChannels, 0)
	}
	if err != nil {
		c.close()
		return nil, fmt.Errorf("open a loopback socket: %w", err)
	}
	return c, nil
}

// newHost makes an ENet host on a free loopback port. ENet cannot tell which port
// it was given, so it is told one that was free just now.
func newHost() (port int, host enet.Host, err error) {
	for range 16 {
		if port, err = freePort(firstHost, beyondHost); err != nil {
			return 0, nil, fmt.Errorf("find a free loopback port: %w", err)
		}
		host, err = enet.NewHost(enet.NewAddress("127.0.0.1", uint16(port)), enetPeers, enetChannels, 0, 0)
		if err == nil {
			return port, host, nil
		}
	}
	return 0, nil, fmt.Errorf("start enet on loopback: %w", err)
}

// Ports below those that systems give to programs that ask for any: from 32768 on, or higher. Those of
// carriers are above the room's usual one. Callers get others: a session that begins meanwhile, in
// whichever program, would take them from under their noses.
const (
	firstFree, beyondFree = 10000, 20000
	firstHost, beyondHost = 22000, 32768
)

// FreePort is a UDP port of the loopback that nobody uses now, for a caller that has to name one.
// It is none that the system, or a session, might take before it is used.
func FreePort() (port int, err error) { return freePort(firstFree, beyondFree) }

func freePort(first, beyond int) (port int, err error) {
	for range 100 {
		port = first + rand.IntN(beyond-first)
		if err = bindable(port); err == nil {
			return port, nil
		}
	}
	return 0, err
}

// bindable tells whether a port of the loopback is free.
func bindable(port int) error {
	c, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1), Port: port})
	if err != nil {
		return err
	}
	return c.Close()
}

// feed gives ENet a datagram as if it came from the far side. When ENet's socket
// is full it is lost, like any datagram.
func (c *carrier) feed(b []byte) { c.socket.write(b) }

// drain reads a datagram of ENet's into b, and returns its length; 0 when there is none.
func (c *carrier) drain(b []byte) int { return c.socket.read(b) }

// close frees the host with all it holds, and the socket.
func (c *carrier) close() {
	c.host.Destroy()
	c.socket.close()
}

// send gives ENet a packet, which it copies. It cannot refuse one on a connection that is up.
func (c *carrier) send(b []byte) {
	packet, err := enet.NewPacket(b, enet.PacketFlagUnsequenced)
	if err != nil {
		return // out of memory in C: lost, like what the network loses
	}
	_ = c.peer.SendPacket(packet, 0)
	c.queued += len(b) + enetAround
}

// service lets ENet work, until so many packets have come, or it has nothing more to say. It tells whether the connection
// has ended.
func (c *carrier) service(packets int, take func(packet []byte)) (ended bool) {
	c.queued = 0
	for n := 0; n == 0 || n != packets; {
		ev := c.host.Service(0)
		switch ev.GetType() {
		case enet.EventNone:
			return ended
		case enet.EventConnect:
			p := ev.GetPeer()
			if c.peer != nil || p.GetAddress().GetPort() != c.port {
				p.DisconnectNow(0) // another program on this machine
				continue
			}
			c.peer = p
			settle(p)
		case enet.EventDisconnect:
			if c.peer == nil || ev.GetPeer() == c.peer {
				c.peer, ended = nil, true
			}
		case enet.EventReceive:
			packet := ev.GetPacket()
			data := packet.GetData()
			packet.Destroy()
			if n++; ev.GetPeer() == c.peer {
				take(data)
			}
		}
	}
	return ended
}

// flush lets ENet send what it was given, by a function of its own that go-enet lacks. It asks for nothing that has come.
func (c *carrier) flush() {
	c.queued = 0
	C.enet_host_flush((*C.ENetHost)(reflect.ValueOf(c.host).Elem().FieldByName("cHost").UnsafePointer()))
}

// The settings of each connection, by functions of ENet's that go-enet lacks. Its packet throttle would drop unreliable packets
// for good when round trips grow (findings/enet-throttle-stays.sh): a deceleration of 0 keeps it from that, on both sides.
// Pings are ours, and so is the decision that a peer is gone: ENet pings hardly ever, and gives nothing up.
const (
	throttleInterval     = 5000 // ms, as ENet's own
	throttleAcceleration = 2
	throttleDeceleration = 0
	enetNever            = math.MaxInt32 // ms
)

func settle(p enet.Peer) {
	peer := (*C.ENetPeer)(reflect.ValueOf(p).FieldByName("cPeer").UnsafePointer())
	C.enet_peer_throttle_configure(peer, throttleInterval, throttleAcceleration, throttleDeceleration)
	C.enet_peer_ping_interval(peer, enetNever)
	C.enet_peer_timeout(peer, enetNever, enetNever, enetNever)
}
