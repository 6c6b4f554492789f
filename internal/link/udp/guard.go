package udp

import (
	"encoding/binary"
	"errors"
)

// An ENet 1.3 datagram is a header and commands, all big endian (Debian's
// enet/protocol.h):
//
//	header   flags and peer:2, and when flag 8000 is set sentTime:2
//	         bit 15 sentTime follows, bit 14 compressed, bits 13-12 session
//	         number, bits 11-0 peer; FFF: none yet
//	command  code:1 (bits 7 acknowledge, 6 unsequenced, 3-0 the command)
//	         channel:1 sequence:2, and then by command what enetSize counts
//
// The guard lets pass what two links of ours need: a connection that opens with our settings, its acknowledgements,
// and unsequenced packets that are whole. ENet's C code parses nothing else, and nothing of whom the seal does not know.

const (
	enetAcknowledge = 1
	enetConnect     = 2
	enetVerify      = 3
	enetPing        = 5
	enetUnsequenced = 9
	enetBandwidth   = 10
	enetThrottle    = 11
	enetCommandMask = 0x0F
	enetNoPeer      = 0x0FFF
	enetCompressed  = 0x4000
	enetSentTime    = 0x8000
	enetOwnChannel  = 0xFF // of ENet itself
)

// enetSize is the size of each command that two links exchange, 0 for the
// others: fragments (their reassembly in C trusts 32 MiB to a peer), reliable and plain unreliable packets, and
// the end of a connection, which is told in other words.
var enetSize = [16]int{
	enetAcknowledge: 8,
	enetConnect:     48,
	enetVerify:      44,
	enetPing:        4,
	enetUnsequenced: 8,
	enetBandwidth:   12,
	enetThrottle:    16,
}

var (
	errENetLength   = errors.New("enet datagram: length does not fit its commands")
	errENetFlags    = errors.New("enet datagram: compressed")
	errENetCommand  = errors.New("enet datagram: command that a link never sends")
	errENetSettings = errors.New("enet datagram: other settings than ours")
)

// guard checks a datagram that came from the network, byte by byte, before
// ENet's C code may read it, and counts the packets in it; 0 also where ENet has more to do than to take them. accepts says
// whether the other side may open the connection.
func guard(b []byte, accepts bool) (packets int, err error) {
	if len(b) < 2 || len(b) > enetMTU {
		return 0, errENetLength
	}
	head := binary.BigEndian.Uint16(b)
	if head&enetCompressed != 0 {
		return 0, errENetFlags
	}
	rest := b[2:]
	if head&enetSentTime != 0 {
		if len(rest) < 2 {
			return 0, errENetLength
		}
		rest = rest[2:]
	}
	if head&enetNoPeer == enetNoPeer { // it opens the connection
		switch {
		case len(rest) != enetSize[enetConnect]:
			return 0, errENetLength
		case !accepts || rest[0]&enetCommandMask != enetConnect:
			return 0, errENetCommand
		case !ourSettings(rest):
			return 0, errENetSettings
		}
		return 0, nil
	}
	others := false
	for len(rest) > 0 {
		n, err := guardCommand(rest)
		if err != nil {
			return 0, err
		}
		packets++
		others = others || rest[0]&enetCommandMask != enetUnsequenced
		rest = rest[n:]
	}
	if others {
		return 0, nil
	}
	return packets, nil
}

// guardCommand checks the first command of b and says how long it is.
func guardCommand(b []byte) (int, error) {
	code := b[0] & enetCommandMask
	size := enetSize[code]
	if size == 0 || code == enetConnect {
		return 0, errENetCommand
	}
	if len(b) < size {
		return 0, errENetLength
	}
	switch code {
	case enetUnsequenced:
		size += int(binary.BigEndian.Uint16(b[size-2:]))
		if len(b) < size {
			return 0, errENetLength
		}
	case enetVerify:
		if !ourSettings(b) {
			return 0, errENetSettings
		}
	case enetBandwidth: // ENet repeats that there is no limit when a connection comes
		if binary.BigEndian.Uint64(b[4:]) != 0 {
			return 0, errENetSettings
		}
	case enetThrottle:
		if binary.BigEndian.Uint32(b[4:]) != throttleInterval || binary.BigEndian.Uint32(b[8:]) != throttleAcceleration ||
			binary.BigEndian.Uint32(b[12:]) != throttleDeceleration {
			return 0, errENetSettings
		}
	}
	return size, nil
}

// ourSettings looks at those in a connect or verify command:
//
//	command:4 peer:2 numbers:2 mtu:4 window:4 channels:4 in:4 out:4
//	throttle interval:4 acceleration:4 deceleration:4 connection:4 [data:4]
func ourSettings(b []byte) bool {
	return b[1] == enetOwnChannel && binary.BigEndian.Uint32(b[8:]) == enetMTU &&
		binary.BigEndian.Uint32(b[16:]) == enetChannels && binary.BigEndian.Uint64(b[20:]) == 0
}
