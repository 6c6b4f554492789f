package udp

import (
	"bytes"
	"encoding/binary"
	"net"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// captured are datagrams that two carriers exchange in a while.
func captured(t testing.TB, while time.Duration) (all map[string][]byte) {
	t.Helper()
	a, b := testCarrier(t, true), testCarrier(t, false)
	all = map[string][]byte{}
	packets := 0
	pass := func(from, to *carrier) {
		from.service(0, func([]byte) { packets++ })
		time.Sleep(time.Millisecond)
		buf := make([]byte, 2048)
		for n := from.drain(buf); n > 0; n = from.drain(buf) {
			d := bytes.Clone(buf[:n])
			if _, err := guard(d, to == b); err != nil {
				t.Fatalf("ENet sent %x: %v", d, err)
			}
			all[string(d)] = d
			to.feed(d)
		}
	}
	for start := time.Now(); time.Since(start) < while || a.peer == nil || b.peer == nil || packets == 0; {
		if time.Since(start) > testPatience {
			t.Fatal("two carriers did not connect")
		}
		if a.peer != nil {
			a.send(bytes.Repeat([]byte{7}, 20))
		}
		pass(a, b)
		pass(b, a)
	}
	return all
}

func testCarrier(t testing.TB, dials bool) *carrier {
	t.Helper()
	c, err := newCarrier(dials)
	must.Succeed(t, err)
	t.Cleanup(c.close)
	return c
}

func TestGuardLetsENetPass(t *testing.T) {
	seen := map[byte]bool{}
	for _, b := range captured(t, 1500*time.Millisecond) { // it speaks of bandwidths once a second
		rest := b[2:]
		if b[0]&0x80 != 0 {
			rest = b[4:]
		}
		for len(rest) > 0 {
			seen[rest[0]&enetCommandMask] = true
			if rest[0]&enetCommandMask == enetConnect {
				break
			}
			n, err := guardCommand(rest)
			must.Succeed(t, err)
			rest = rest[n:]
		}
	}
	for _, c := range []byte{enetConnect, enetVerify, enetAcknowledge, enetUnsequenced, enetBandwidth, enetThrottle} {
		if !seen[c] {
			t.Errorf("ENet never sent command %d", c)
		}
	}
}

func TestGuardStopsTheRest(t *testing.T) {
	head := []byte{0x80, 0x00, 0, 0} // peer 0, with a time
	data := func(size, have int) []byte {
		b := binary.BigEndian.AppendUint16(append(bytes.Clone(head), enetUnsequenced, 0, 0, 1, 0, 1), uint16(size))
		return append(b, make([]byte, have)...)
	}
	connect := make([]byte, 48)
	connect[0], connect[1] = enetConnect|0x80, enetOwnChannel
	binary.BigEndian.PutUint32(connect[8:], enetMTU)
	binary.BigEndian.PutUint32(connect[16:], enetChannels)
	open := append([]byte{0x8F, 0xFF, 0, 0}, connect...)
	if _, err := guard(open, true); err != nil {
		t.Fatalf("a good connect: %v", err)
	}
	bent := func(at int, v byte) []byte {
		b := bytes.Clone(open)
		b[4+at] = v
		return b
	}
	throttle := append(bytes.Clone(head), enetThrottle, 255, 0, 0, 0, 0, 0x13, 0x88, 0, 0, 0, 2, 0, 0, 0, 1)
	for name, x := range map[string]struct {
		b    []byte
		want error
	}{
		"nothing":                     {nil, errENetLength},
		"half a header":               {[]byte{0x80}, errENetLength},
		"half a time":                 {head[:3], errENetLength},
		"too long":                    {make([]byte, enetMTU+1), errENetLength},
		"compressed":                  {[]byte{0x40, 0, 5, 0xFF, 0, 1}, errENetFlags},
		"command 0":                   {append(bytes.Clone(head), 0, 0, 0, 0), errENetCommand},
		"command 13":                  {append(bytes.Clone(head), 13, 0, 0, 0), errENetCommand},
		"disconnect":                  {append(bytes.Clone(head), 4, 255, 0, 0, 0, 0, 0, 0), errENetCommand},
		"reliable":                    {append(bytes.Clone(head), 6, 0, 0, 0, 0, 1, 0), errENetCommand},
		"unreliable":                  {append(bytes.Clone(head), 7, 0, 0, 0, 0, 0, 0, 0), errENetCommand},
		"fragment":                    {append(append(bytes.Clone(head), 8, 0), make([]byte, 22)...), errENetCommand},
		"unreliable fragment":         {append(append(bytes.Clone(head), 12, 0), make([]byte, 22)...), errENetCommand},
		"a throttle":                  {throttle, errENetSettings},
		"connect to a peer":           {append(bytes.Clone(head), connect...), errENetCommand},
		"half a ping":                 {append(bytes.Clone(head), enetPing, 255, 0), errENetLength},
		"half an acknowledgement":     {append(bytes.Clone(head), enetAcknowledge, 255, 0, 0, 0, 0, 0), errENetLength},
		"data beyond the end":         {data(21, 20), errENetLength},
		"huge data":                   {data(65535, 20), errENetLength},
		"a bandwidth":                 {append(bytes.Clone(head), enetBandwidth, 255, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0), errENetSettings},
		"connect with more":           {append(bytes.Clone(open), 0), errENetLength},
		"connect cut":                 {open[:51], errENetLength},
		"connect with a large mtu":    {bent(10, 0xFF), errENetSettings},
		"connect with 255 channels":   {bent(19, 0xFF), errENetSettings},
		"connect with a bandwidth":    {bent(20, 1), errENetSettings},
		"connect on a data channel":   {bent(1, 0), errENetSettings},
		"another command to no peer":  {[]byte{0x0F, 0xFF, enetPing, 255, 0, 0}, errENetLength},
		"a ping, then half a command": {append(bytes.Clone(head), enetPing, 255, 0, 0, enetPing), errENetLength},
	} {
		if _, err := guard(x.b, true); err != x.want {
			t.Errorf("%s: got %v, want %v", name, err, x.want)
		}
	}
	if _, err := guard(open, false); err != errENetCommand {
		t.Error("who was dialled opens the connection")
	}
}

// Unsequenced packets all go, however the round trip changes: ENet's throttle is off on both sides.
func TestENetThrottlesNothing(t *testing.T) {
	a, b := testCarrier(t, true), testCarrier(t, false)
	type late struct {
		to *carrier
		d  []byte
		at time.Time
	}
	var line []late
	var got [2]int
	sent := 0
	delay, buf := 5*time.Millisecond, make([]byte, 2048)
	var last time.Time
	for start := time.Now(); time.Since(start) < 3*time.Second; time.Sleep(time.Millisecond) {
		now := time.Now()
		if now.Sub(start) > time.Second {
			delay = 60 * time.Millisecond
		}
		if a.peer != nil && b.peer != nil && now.Sub(last) > 5*time.Millisecond && now.Sub(start) < 2800*time.Millisecond {
			a.send([]byte("input"))
			b.send([]byte("input"))
			sent++
			last = now
		}
		for i, x := range []*carrier{a, b} {
			x.service(0, func([]byte) { got[i]++ })
			for n := x.drain(buf); n > 0; n = x.drain(buf) {
				line = append(line, late{[]*carrier{b, a}[i], bytes.Clone(buf[:n]), now.Add(delay)})
			}
		}
		for len(line) > 0 && now.After(line[0].at) {
			line[0].to.feed(line[0].d)
			line = line[1:]
		}
	}
	if sent < 100 || got[0] < sent-1 || got[1] < sent-1 { // one that overtakes the end of the handshake is lost
		t.Errorf("of %d packets in each direction %v arrived", sent, got)
	}
}

// Datagrams that the guard lets pass must not harm ENet: a live host is fed with it,
// and still works.
func FuzzGuard(f *testing.F) {
	for _, b := range captured(f, 50*time.Millisecond) {
		f.Add(b, false)
		f.Add(b, true)
	}
	c := testCarrier(f, false)
	buf := make([]byte, 2048)
	f.Fuzz(func(t *testing.T, b []byte, accepts bool) {
		packets, err := guard(b, accepts)
		if packets > len(b)/8 {
			t.Fatalf("%d packets in %d bytes", packets, len(b))
		}
		if err != nil {
			return
		}
		c.feed(b)
		c.service(0, func(packet []byte) {
			if len(packet) > enetMTU {
				t.Fatalf("a packet of %d bytes", len(packet))
			}
		})
		for c.drain(buf) > 0 {
		}
	})
}

// TestFreePort: the port is free, and none that the system itself gives away, or a session takes.
func TestFreePort(t *testing.T) {
	for range 50 {
		port, err := FreePort()
		must.Succeed(t, err)
		if port < 1024 || port >= firstHost {
			t.Fatalf("port %d may be given to another program", port)
		}
		taken, host, err := newHost()
		must.Succeed(t, err)
		host.Destroy()
		if taken < firstHost || taken >= 32768 {
			t.Fatalf("a session takes port %d, which may be somebody else's", taken)
		}
		c, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1), Port: port})
		must.Succeed(t, err)
		if bindable(port) == nil {
			t.Errorf("port %d counts as free while it is in use", port)
		}
		c.Close()
	}
}
