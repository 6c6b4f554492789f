package savestate

import (
	"fmt"

	"github.com/nettplay/nettplay/internal/wire"
)

// The messages of an exchange, version 2. Numbers are big-endian. The first byte
// is the kind. Package host finds out, when they meet, that both sides speak this
// version.
//
//	manifest  51 round:4 manifest                     I offer this console; see manifest_codec.go
//	want      52 tag:4 part:73 offset:4               send me this part from there on; parts are
//	                                                  as in manifests
//	chunk     53 tag:4 offset:4 bytes                 here
//	refuse    55 tag:4 why:1                          I do not offer what you want, 1: any more
//	stop      56 tag:4                                send no more of it
//	trial     59 manifest                             I offer a state that the build of a core on the
//	                                                  machine of the manifest's seat has made
//
// The side that wants a part numbers the request with a tag that is higher than all before
// on this connection; both directions count for themselves.
//
// Offsets count packed bytes. Chunks of a part come in order and without gaps.
// All need a reliable, ordered channel.

const (
	kindManifest = 0x51
	kindWant     = 0x52
	kindChunk    = 0x53
	kindRefuse   = 0x55
	kindStop     = 0x56
	kindTrial    = 0x59
)

// MaxChunk is the most bytes of a part in one message.
const MaxChunk = 8 << 10

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
	bytes  []byte // 1 to MaxChunk; aliases the message
}

func (m *chunk) code(c *wire.Coder) {
	wire.Big(c, "tag", &m.tag, 4)
	wire.Big(c, "offset", &m.offset, 4)
	c.Rest("bytes", &m.bytes, 1, MaxChunk)
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
