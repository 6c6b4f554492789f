package udp

import (
	"bytes"
	"encoding/binary"
	"testing"
	"time"

	"github.com/codecat/go-enet"

	"github.com/nettplay/nettplay/internal/link/stream"
	"github.com/nettplay/nettplay/internal/must"
)

// captured are datagrams that two ENet hosts exchange in a while.
func captured(t testing.TB, while time.Duration) (all map[string][]byte) {
	t.Helper()
	a, b := testHop(t), testHop(t)
	all = map[string][]byte{}
	if _, err := a.host.Connect(a.main.addr, enetChannels, 0); err != nil {
		t.Fatal(err)
	}
	var peers []enet.Peer
	for range 40 {
		carry(t, a, b, &peers, all)
		carry(t, b, a, &peers, all)
		if len(peers) == 2 {
			break
		}
	}
	if len(peers) != 2 {
		t.Fatal("two hops did not connect")
	}
	for i, send := range []struct {
		channel uint8
		flags   enet.PacketFlags
	}{{enetControl, enet.PacketFlagReliable}, {enetInput, enet.PacketFlagUnsequenced}, {enetControl, enet.PacketFlagUnsequenced}} {
		p, err := enet.NewPacket(bytes.Repeat([]byte{byte(i)}, 20), send.flags)
		must.Succeed(t, err)
		_ = peers[0].SendPacket(p, send.channel)
	}
	for start := time.Now(); time.Since(start) < while; {
		carry(t, a, b, &peers, all)
		carry(t, b, a, &peers, all)
	}
	return all
}

func testHop(t testing.TB) *hop {
	t.Helper()
	h, err := newHop()
	must.Succeed(t, err)
	t.Cleanup(h.close)
	return h
}

// carry lets ENet of from work and brings what it sends to to.
func carry(t testing.TB, from, to *hop, peers *[]enet.Peer, all map[string][]byte) {
	t.Helper()
	for {
		ev := from.host.Service(0)
		if ev.GetType() == enet.EventNone {
			break
		}
		if ev.GetType() == enet.EventConnect {
			*peers = append(*peers, ev.GetPeer())
		}
		if ev.GetType() == enet.EventReceive {
			ev.GetPacket().Destroy()
		}
	}
	time.Sleep(time.Millisecond)
	for b := from.main.drain(); b != nil; b = from.main.drain() {
		b = bytes.Clone(b[headRoom:])
		ownConnect(b)
		if _, err := guardCarrier(b, false, nil); err != nil {
			t.Fatalf("ENet sent %x: %v", b, err)
		}
		all[string(b)] = b
		to.main.feed(b)
	}
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
			n, err := guardCommand(rest, false)
			must.Succeed(t, err)
			rest = rest[n:]
		}
	}
	for _, c := range []byte{enetConnect, enetVerify, enetAcknowledge, enetReliable, enetUnsequenced, enetBandwidth} {
		if !seen[c] {
			t.Errorf("ENet never sent command %d", c)
		}
	}
}

func TestGuardStopsTheRest(t *testing.T) {
	head := []byte{0x80, 0x00, 0, 0} // peer 0, with a time
	data := func(code, channel byte, size, have int) []byte {
		b := append(bytes.Clone(head), code, channel, 0, 1)
		if code&enetCommandMask == enetUnsequenced {
			b = append(b, 0, 1)
		}
		b = binary.BigEndian.AppendUint16(b, uint16(size))
		return append(b, make([]byte, have)...)
	}
	connect := make([]byte, 48)
	connect[0], connect[1] = enetConnect|0x80, enetOwnChannel
	binary.BigEndian.PutUint32(connect[8:], stream.CarrierMTU)
	binary.BigEndian.PutUint32(connect[16:], enetChannels)
	open := append([]byte{0x8F, 0xFF, 0, 0}, connect...)
	if in, err := guardCarrier(open, true, nil); err != nil || !in.connect {
		t.Fatalf("a good connect: %v", err)
	}
	bent := func(at int, v byte) []byte {
		b := bytes.Clone(open)
		b[4+at] = v
		return b
	}
	for name, x := range map[string]struct {
		b    []byte
		bulk bool
		want error
	}{
		"nothing":                     {nil, false, errENetLength},
		"half a header":               {[]byte{0x80}, false, errENetLength},
		"half a time":                 {head[:3], false, errENetLength},
		"too long":                    {make([]byte, stream.CarrierMTU+1), false, errENetLength},
		"compressed":                  {[]byte{0x40, 0, 5, 0xFF, 0, 1}, false, errENetFlags},
		"command 0":                   {append(bytes.Clone(head), 0, 0, 0, 0), false, errENetCommand},
		"command 13":                  {append(bytes.Clone(head), 13, 0, 0, 0), false, errENetCommand},
		"unreliable":                  {append(bytes.Clone(head), 7, 0, 0, 0, 0, 0, 0, 0), false, errENetCommand},
		"fragment":                    {append(append(bytes.Clone(head), 8, 0), make([]byte, 22)...), false, errENetCommand},
		"unreliable fragment":         {append(append(bytes.Clone(head), 12, 0), make([]byte, 22)...), false, errENetCommand},
		"throttle":                    {append(append(bytes.Clone(head), enetThrottle, 255), make([]byte, 14)...), false, errENetCommand},
		"connect to a peer":           {append(bytes.Clone(head), connect...), false, errENetCommand},
		"half a ping":                 {append(bytes.Clone(head), enetPing, 255, 0), false, errENetLength},
		"half an acknowledgement":     {append(bytes.Clone(head), enetAcknowledge, 255, 0, 0, 0, 0, 0), false, errENetLength},
		"data beyond the end":         {data(enetReliable, enetControl, 21, 20), false, errENetLength},
		"huge data":                   {data(enetUnsequenced, enetInput, 65535, 20), false, errENetLength},
		"bulk on main":                {data(enetReliable, enetBulk, 1, 1), false, errENetChannel},
		"control on a lane":           {data(enetReliable, enetControl, 1, 1), true, errENetChannel},
		"input on a lane":             {data(enetUnsequenced, enetInput, 1, 1), true, errENetChannel},
		"reliable input":              {data(enetReliable, enetInput, 1, 1), false, errENetChannel},
		"a channel that is not":       {data(enetReliable, 3, 1, 1), false, errENetChannel},
		"a bandwidth":                 {append(bytes.Clone(head), enetBandwidth, 255, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0), false, errENetConnect},
		"connect with more":           {append(bytes.Clone(open), 0), true, errENetLength},
		"connect cut":                 {open[:51], true, errENetLength},
		"connect with a large mtu":    {bent(10, 0xFF), true, errENetConnect},
		"connect with 255 channels":   {bent(19, 0xFF), true, errENetConnect},
		"connect with a bandwidth":    {bent(20, 1), true, errENetConnect},
		"connect on a data channel":   {bent(1, 0), true, errENetConnect},
		"another command to no peer":  {[]byte{0x0F, 0xFF, enetPing, 255, 0, 0}, false, errENetLength},
		"a ping, then half a command": {append(bytes.Clone(head), enetPing, 255, 0, 0, enetPing), false, errENetLength},
	} {
		if _, err := guardCarrier(x.b, x.bulk, nil); err != x.want {
			t.Errorf("%s: got %v, want %v", name, err, x.want)
		}
	}
}

func TestThrottleOffIsWhatENetWants(t *testing.T) {
	want := []byte{
		0x10, 0x05, 11, 255, 0, 0,
		0, 0, 0x13, 0x88, 0, 0, 0, 32, 0, 0, 0, 0,
	}
	if got := throttleOff(0x1005); !bytes.Equal(got[:], want) {
		t.Errorf("got %x, want %x", got, want)
	}
}

// Datagrams that the guard lets pass must not harm ENet: a live host is fed with it,
// and still accepts connections.
func FuzzGuard(f *testing.F) {
	for _, b := range captured(f, 50*time.Millisecond) {
		f.Add(b, false)
		f.Add(b, true)
	}
	h := testHop(f)
	f.Fuzz(func(t *testing.T, b []byte, bulk bool) {
		in, err := guardCarrier(b, bulk, nil)
		if err != nil {
			return
		}
		if len(in.acks) > len(b)/8 {
			t.Fatalf("%d acknowledgements in %d bytes", len(in.acks), len(b))
		}
		for _, side := range []*side{&h.main, &h.bulk} {
			side.feed(b)
			off := throttleOff(in.peer)
			side.feed(off[:])
		}
		for {
			ev := h.host.Service(0)
			if ev.GetType() == enet.EventNone {
				break
			}
			if ev.GetType() == enet.EventReceive {
				if n := len(ev.GetPacket().GetData()); n > stream.CarrierMTU {
					t.Fatalf("a packet of %d bytes", n)
				}
				ev.GetPacket().Destroy()
			}
		}
		for h.main.drain() != nil || h.bulk.drain() != nil {
		}
	})
}
