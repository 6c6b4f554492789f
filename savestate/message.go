package savestate

import (
	"encoding/binary"
	"errors"
	"fmt"
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
)

const (
	chunkHeader = 1 + 4 + 4 + 4
	ackEntry    = 4 * 4
	maxAcks     = 64 // in a message

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

// want asks for a part.
type want struct {
	tag    uint32
	part   Part
	offset int64
}

func (w want) append(b []byte) []byte {
	b = binary.BigEndian.AppendUint32(append(b, kindWant), w.tag)
	b = appendPart(b, w.part)
	return binary.BigEndian.AppendUint32(b, uint32(w.offset))
}

func readWant(r *reader) (w want, err error) {
	w.tag = r.u32("tag")
	w.part = readPart(r)
	w.offset = int64(r.u32("offset"))
	return w, r.end()
}

// chunk is a piece of a part.
type chunk struct {
	tag    uint32
	offset int64
	clock  uint32
	bytes  []byte // aliases the message
}

func (c chunk) append(b []byte) []byte {
	b = binary.BigEndian.AppendUint32(append(b, kindChunk), c.tag)
	b = binary.BigEndian.AppendUint32(b, uint32(c.offset))
	b = binary.BigEndian.AppendUint32(b, c.clock)
	return append(b, c.bytes...)
}

func readChunk(r *reader) (c chunk, err error) {
	c.tag, c.offset, c.clock = r.u32("tag"), int64(r.u32("offset")), r.u32("clock")
	c.bytes, r.b = r.b, nil
	if n := len(c.bytes); r.err == nil && (n < 1 || n > MaxChunk) {
		return c, fmt.Errorf("bytes: %d of them, not 1 to %d", n, MaxChunk)
	}
	return c, r.end()
}

// ack says how far a part has come.
type ack struct {
	tag         uint32
	offset      int64
	echo, clock uint32
}

func (a ack) append(b []byte) []byte {
	b = binary.BigEndian.AppendUint32(b, a.tag)
	b = binary.BigEndian.AppendUint32(b, uint32(a.offset))
	b = binary.BigEndian.AppendUint32(b, a.echo)
	return binary.BigEndian.AppendUint32(b, a.clock)
}

func readAcks(r *reader) (acks []ack, err error) {
	if n := len(r.b) / ackEntry; n < 1 || n > maxAcks {
		return nil, fmt.Errorf("%d entries, not 1 to %d", n, maxAcks)
	}
	for r.err == nil && len(r.b) > 0 {
		acks = append(acks, ack{r.u32("tag"), int64(r.u32("offset")), r.u32("echo"), r.u32("clock")})
	}
	return acks, r.end()
}

func refuseMessage(tag uint32, why byte) []byte {
	return append(binary.BigEndian.AppendUint32([]byte{kindRefuse}, tag), why)
}

func offerMessage(round uint32, m Manifest) []byte {
	return m.Append(binary.BigEndian.AppendUint32([]byte{kindManifest}, round))
}

func stopMessage(tag uint32) []byte {
	return binary.BigEndian.AppendUint32([]byte{kindStop}, tag)
}

func probeMessage(clock uint32) []byte {
	return binary.BigEndian.AppendUint32([]byte{kindProbe}, clock)
}

func echoMessage(echo, clock uint32) []byte {
	return binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32([]byte{kindEcho}, echo), clock)
}

// IsProbe tells messages of [Exchange.Probes] from others that share their
// channel, by the first byte.
func IsProbe(message []byte) bool {
	return len(message) > 0 && (message[0] == kindProbe || message[0] == kindEcho)
}

var errEmpty = errors.New("empty message")

// messageName is for errors.
func messageName(kind byte) string {
	names := [...]string{"manifest", "want", "chunk", "ack", "refuse", "stop", "probe", "echo"}
	if kind < kindManifest || kind > kindEcho {
		return fmt.Sprintf("message %#x", kind)
	}
	return names[kind-kindManifest]
}
