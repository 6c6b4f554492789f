package udp

import (
	"encoding/binary"
	"errors"

	"github.com/nettplay/nettplay/internal/link/stream"
)

// An ENet 1.3 datagram is a header and commands, all big endian (Debian's
// enet/protocol.h):
//
//	header   flags and peer:2, and when flag 8000 is set sentTime:2
//	         bit 15 sentTime follows, bit 14 compressed, bits 13-12 session
//	         number, bits 11-0 peer; FFF: none yet
//	command  code:1 (bits 7 acknowledge, 6 unsequenced, 3-0 the command)
//	         channel:1 sequence:2, and then by command what enetSize counts

const (
	enetAcknowledge   = 1
	enetConnect       = 2
	enetVerify        = 3
	enetDisconnect    = 4
	enetPing          = 5
	enetReliable      = 6
	enetUnsequenced   = 9
	enetBandwidth     = 10
	enetThrottle      = 11
	enetCommandMask   = 0x0F
	enetNoPeer        = 0x0FFF
	enetCompressed    = 0x4000
	enetSentTime      = 0x8000
	enetPeerAndNumber = 0x3FFF
	enetOwnChannel    = 0xFF // of ENet itself
	enetInputHeader   = 4 + 8
)

// ENet channels. Control and Input share the main carrier, Bulk has its own.
const (
	enetControl  = 0
	enetInput    = 1
	enetBulk     = 2
	enetChannels = 3
)

// enetSize is the size of each command that two links exchange, 0 for the
// others: fragments (a message is never longer than a datagram here, and their
// reassembly in C trusts 32 MiB to a stranger), plain unreliable packets, and
// throttle settings, which only we give to our own ENet.
var enetSize = [16]int{
	enetAcknowledge: 8,
	enetConnect:     48,
	enetVerify:      44,
	enetDisconnect:  8,
	enetPing:        4,
	enetReliable:    6,
	enetUnsequenced: 8,
	enetBandwidth:   12,
}

var (
	errENetLength  = errors.New("enet datagram: length does not fit its commands")
	errENetFlags   = errors.New("enet datagram: compressed")
	errENetCommand = errors.New("enet datagram: command that a link never sends")
	errENetConnect = errors.New("enet datagram: connect command with other than our settings")
	errENetChannel = errors.New("enet datagram: data on a channel that is not of this carrier")
)

// inspection is the result of guardCarrier.
type inspection struct {
	peer    uint16   // number of our peer with the session bits, as it must be sent back to ENet
	connect bool     // opens a carrier
	acks    []uint16 // numbers, by ENet, of data packets that are acknowledged
}

// guardCarrier checks a datagram that came from the network, byte by byte, before
// ENet's C code may read it. bulk says which carrier it claims to be for. Numbers
// of acknowledged packets are added to acks.
func guardCarrier(b []byte, bulk bool, acks []uint16) (inspection, error) {
	in := inspection{acks: acks}
	if len(b) < 2 || len(b) > stream.CarrierMTU {
		return in, errENetLength
	}
	head := binary.BigEndian.Uint16(b)
	in.peer = head & enetPeerAndNumber
	if head&enetCompressed != 0 {
		return in, errENetFlags
	}
	rest := b[2:]
	if head&enetSentTime != 0 {
		if len(rest) < 2 {
			return in, errENetLength
		}
		rest = rest[2:]
	}
	if head&enetNoPeer == enetNoPeer {
		in.connect = true
		return in, guardConnect(rest)
	}
	for len(rest) > 0 {
		n, err := guardCommand(rest, bulk)
		if err != nil {
			return in, err
		}
		if rest[0]&enetCommandMask == enetAcknowledge && rest[1] != enetOwnChannel {
			in.acks = append(in.acks, binary.BigEndian.Uint16(rest[4:]))
		}
		rest = rest[n:]
	}
	return in, nil
}

// guardCommand checks the first command of b and says how long it is.
func guardCommand(b []byte, bulk bool) (int, error) {
	code := b[0] & enetCommandMask
	size := enetSize[code]
	if size == 0 || code == enetConnect {
		return 0, errENetCommand
	}
	if len(b) < size {
		return 0, errENetLength
	}
	switch code {
	case enetReliable, enetUnsequenced:
		if !rightChannel(code, b[1], bulk) {
			return 0, errENetChannel
		}
		size += int(binary.BigEndian.Uint16(b[size-2:]))
		if len(b) < size {
			return 0, errENetLength
		}
	case enetVerify:
		if !ourConnect(b) {
			return 0, errENetConnect
		}
	case enetBandwidth: // ENet repeats that there is no limit whenever a carrier comes or goes
		if binary.BigEndian.Uint64(b[4:]) != 0 {
			return 0, errENetConnect
		}
	}
	return size, nil
}

// idleSize is the most bytes that a datagram of ENet's own takes together with others.
const idleSize = 100

// isIdle reports whether a datagram of our own ENet has nothing but acknowledgements and pings,
// which may wait a moment.
func isIdle(b []byte) bool {
	if len(b) < 4 || len(b) > idleSize || binary.BigEndian.Uint16(b)&enetNoPeer == enetNoPeer {
		return false
	}
	rest := b[2:]
	if binary.BigEndian.Uint16(b)&enetSentTime != 0 {
		rest = rest[2:]
	}
	for len(rest) > 0 {
		code := rest[0] & enetCommandMask
		if size := enetSize[code]; code != enetAcknowledge && code != enetPing || len(rest) < size {
			return false
		}
		rest = rest[enetSize[code]:]
	}
	return true
}

// rightChannel reports whether data may come on a channel. Repaired segments come
// unsequenced.
func rightChannel(code, channel byte, bulk bool) bool {
	switch channel {
	case enetControl:
		return !bulk
	case enetInput:
		return !bulk && code == enetUnsequenced
	case enetBulk:
		return bulk
	}
	return false
}

// guardConnect checks the one command of a datagram that opens a carrier.
func guardConnect(b []byte) error {
	if len(b) != enetSize[enetConnect] {
		return errENetLength
	}
	if b[0]&enetCommandMask != enetConnect || !ourConnect(b) {
		return errENetConnect
	}
	return nil
}

// ourConnect looks at the settings in a connect or verify command:
//
//	command:4 peer:2 numbers:2 mtu:4 window:4 channels:4 in:4 out:4
//	throttle interval:4 acceleration:4 deceleration:4 connection:4 [data:4]
func ourConnect(b []byte) bool {
	mtu := binary.BigEndian.Uint32(b[8:])
	channels := binary.BigEndian.Uint32(b[16:])
	bandwidth := binary.BigEndian.Uint64(b[20:])
	return mtu == stream.CarrierMTU && channels == enetChannels && bandwidth == 0 && b[1] == enetOwnChannel
}

// ownConnect writes stream.CarrierMTU into a connect command of our own ENet, and says
// which number ENet gave the carrier and what it was opened with. It leaves other
// datagrams alone.
func ownConnect(b []byte) (number uint16, data uint32, ok bool) {
	if len(b) != 4+enetSize[enetConnect] || binary.BigEndian.Uint16(b)&enetNoPeer != enetNoPeer ||
		b[4]&enetCommandMask != enetConnect {
		return 0, 0, false
	}
	command := b[4:]
	binary.BigEndian.PutUint32(command[8:], stream.CarrierMTU)
	return binary.BigEndian.Uint16(command[4:]), binary.BigEndian.Uint32(command[44:]), true
}

// throttleOff is a datagram for our own ENet, as if its peer had sent it, that
// stops it from dropping unreliable packets when round trips vary. ENet has a
// command to set this (a deceleration of 0 never throttles), go-enet has not. It
// asks for no acknowledgement, so the far side never hears of it.
func throttleOff(peer uint16) [18]byte {
	var b [18]byte
	binary.BigEndian.PutUint16(b[:], peer)
	b[2], b[3] = enetThrottle, enetOwnChannel
	binary.BigEndian.PutUint32(b[6:], 5000)
	binary.BigEndian.PutUint32(b[10:], 32)
	binary.BigEndian.PutUint32(b[14:], 0)
	return b
}
