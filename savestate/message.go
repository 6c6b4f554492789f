package savestate

import (
	"fmt"

	"github.com/nettplay/nettplay/internal/wire"
)

// The messages of an exchange, version 1. Numbers are big-endian. The first byte
// is the kind. Package host finds out, when they meet, that both sides speak this
// version.
//
//	manifest  51 round:4 manifest                     I offer this console; see manifest_codec.go
//	want      52 tag:4 part:73 offset:4               send me this part from there on; parts are
//	                                                  as in manifests
//	chunk     53 tag:4 offset:4 clock:4 bytes         here; sent at clock
//	ack       54 (tag:4 offset:4 echo:4 clock:4)+     I have all bytes before offset since clock,
//	                                                  by the chunk you sent at echo
//	refuse    55 tag:4 why:1                          I do not offer what you want, 1: any more
//	stop      56 tag:4                                send no more of it
//	probe     57 clock:4                              sent at clock
//	echo      58 echo:4 clock:4                       your probe of echo came at clock
//	trial     59 manifest                             I offer a state that the build of a core on the
//	                                                  machine of the manifest's seat has made
//
// The side that wants a part numbers the request with a tag that is higher than all before
// on this connection; both directions count for themselves. A clock is in
// microseconds, starts anywhere and wraps around; each side has its own.
//
// Offsets count packed bytes. Chunks of a part come in order and without gaps.
// All but probe and echo need a reliable, ordered channel.

const (
	kindManifest = 0x51
	kindWant     = 0x52
	kindChunk    = 0x53
	kindAck      = 0x54
	kindRefuse   = 0x55
	kindStop     = 0x56
	kindProbe    = 0x57
	kindEcho     = 0x58
	kindTrial    = 0x59
)

const (
	chunkHeader = 1 + 4 + 4 + 4
	ackEntry    = 4 * 4
	maxAcks     = 64 // in a message

	// A chunk of one unit fits into one datagram of package link, with its header and
	// some bytes that its owner may put before it. Where the path carries less (link.PathBase), the link cuts it. Larger chunks cost less work at high
	// rates.
	chunkUnit = 1200
	maxUnits  = 6

	// MaxChunk is the most bytes of a part in one message.
	MaxChunk = maxUnits * chunkUnit
	// MaxProbe is the longest message of Probes, in bytes.
	MaxProbe = 1 + 4 + 4
)

// Why a want is refused.
const (
	refusedUnknown   = 0
	refusedWithdrawn = 1
)

// fields are those of a message, listed once for both directions.
type fields interface{ code(c *wire.Coder) }

// encode makes a message. A field out of its range ends it, so that the peer refuses it.
func encode(kind byte, f fields) []byte {
	c := wire.Writer([]byte{kind})
	f.code(c)
	return c.Bytes()
}

// usedTag tells a tag of the past, to which messages may still come, from one
// that never was.
func usedTag(tag, highest uint32) error {
	if tag == 0 || tag > highest {
		return fmt.Errorf("tag: %d was not used", tag)
	}
	return nil
}

// offer is a manifest with the round that it is for.
type offer struct {
	round    uint32
	manifest Manifest
}

func (o *offer) code(c *wire.Coder) {
	wire.Big(c, "round", &o.round, 4)
	o.manifest.code(c)
}

// trial is a manifest of no round.
type trial struct{ manifest Manifest }

func (s *trial) code(c *wire.Coder) { s.manifest.code(c) }

// want asks for a part.
type want struct {
	tag    uint32
	part   Part
	offset int64
}

func (w *want) code(c *wire.Coder) {
	wire.Big(c, "tag", &w.tag, 4)
	codePart(c, &w.part)
	wire.Big(c, "offset", &w.offset, 4)
}

// chunk is a piece of a part.
type chunk struct {
	tag    uint32
	offset int64
	clock  uint32
	bytes  []byte // 1 to MaxChunk; aliases the message
}

func (m *chunk) code(c *wire.Coder) {
	wire.Big(c, "tag", &m.tag, 4)
	wire.Big(c, "offset", &m.offset, 4)
	wire.Big(c, "clock", &m.clock, 4)
	c.Rest("bytes", &m.bytes, 1, MaxChunk)
}

// ack says how far a part has come.
type ack struct {
	tag         uint32
	offset      int64
	echo, clock uint32
}

// acks are 1 to maxAcks entries that fill a message.
type acks []ack

func (l *acks) code(c *wire.Coder) {
	n := len(*l)
	if c.Reading() {
		n = (len(c.Bytes()) + ackEntry - 1) / ackEntry
	}
	if n < 1 || n > maxAcks {
		c.Set(fmt.Errorf("%d entries, not 1 to %d", n, maxAcks))
		return
	}
	if c.Reading() {
		*l = make(acks, n)
	}
	for i := range *l {
		a := &(*l)[i]
		wire.Big(c, "tag", &a.tag, 4)
		wire.Big(c, "offset", &a.offset, 4)
		wire.Big(c, "echo", &a.echo, 4)
		wire.Big(c, "clock", &a.clock, 4)
	}
}

// refuse answers a want that is not served.
type refuse struct {
	tag uint32
	why uint8
}

func (m *refuse) code(c *wire.Coder) {
	wire.Big(c, "tag", &m.tag, 4)
	wire.Big(c, "why", &m.why, 1)
}

// stop ends a want.
type stop struct{ tag uint32 }

func (m *stop) code(c *wire.Coder) { wire.Big(c, "tag", &m.tag, 4) }

// probe asks for an echo.
type probe struct{ clock uint32 }

func (m *probe) code(c *wire.Coder) { wire.Big(c, "clock", &m.clock, 4) }

// echo answers a probe.
type echo struct{ echo, clock uint32 }

func (m *echo) code(c *wire.Coder) {
	wire.Big(c, "echo", &m.echo, 4)
	wire.Big(c, "clock", &m.clock, 4)
}

// IsProbe tells messages of [Exchange.Probes] from others that share their
// channel, by the first byte.
func IsProbe(message []byte) bool {
	return len(message) > 0 && (message[0] == kindProbe || message[0] == kindEcho)
}
