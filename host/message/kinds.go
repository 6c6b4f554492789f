package message

import (
	"fmt"
	"reflect"

	"github.com/nettplay/nettplay/internal/wire"
)

// Message is sent by one machine to another. Each type of message has one row in kinds.
type Message interface{ Fields(c *wire.Coder) }

// Kind is the number of a type of message, its first byte on the wire.
type Kind uint8

// entry is a type of message: its name, and how it comes to life.
type entry struct {
	name  string
	blank func() Message
}

// kinds has every type of message by its number, which is part of the protocol. Above each
// stands who sends it, C for a client and H for the game host, and its fields; message.go
// explains them.
var kinds = map[Kind]entry{
	// C: magic [4]byte "nett", protocol int 1..65535, program text 40
	//    | nonce [32]byte
	1: row[Hello]("hello"),
	// H: magic, protocol, program, code int 0..255, sentence text 600, hint text 600
	//    | used core if the code is 4
	2: row[Refused]("refused"),
	// H: protocol, program, room text 72, locked bool, nonce [32]byte, salt [16]byte
	3: row[Challenge]("challenge"),
	// C: nickname text 72, firmware, core, bios list 8 bios, own bool, game if own,
	//    local players, public key [32]byte, addresses, proof [32]byte
	4: row[Join]("join"),
	// H: machine 0..15, seat 0..15, proof [32]byte, secret [16]byte, neighbours bool, listed bool,
	//    relays list 3 text 64, room
	5: row[Welcome]("welcome"),
	// H: room
	6: row[Room]("room"),
	// H: list 16 (machine int 0..15, ping time, jitter time,
	//    loss int 0..1000, repeated int 0..600, way text 200, depth, own delay, paths, up progress, down progress), agreed frame
	7: row[Heartbeat]("heartbeat"),
	// C: revision int, ready bool, problem text 600, cause, missing list 16 [32]byte,
	//    near list 16 (of [32]byte, game), up progress, down progress, depth int 0..13, own delay int 0..4, paths
	8: row[Status]("status"),
	// C: own bool, game if own
	9: row[Game]("game"),
	// C: text 600
	10: row[Chat]("chat"),
	// H: seat ds.Seat -1..15 (-1: the room itself), name text 72, text 600
	11: row[ChatLine]("chat line"),
	// H: round int, settings, list 16 seat
	12: row[Prepare]("prepare"),
	// C: round, hashes
	13: row[Installed]("installed"),
	// C: round, cause, why text 600
	14: row[Failed]("failed"),
	// H: round, cause, why text 600, machines list 16 int 0..15
	15: row[StartFailed]("start failed"),
	// H: round, horizon frame int 0..2^40, list 64 decision
	16: row[Begin]("begin"),
	// H: round, number 0..4095, decision
	17: row[Decision]("decision"),
	// C: round, frame, short hashes
	18: row[Hashes]("hashes"),
	// C: round, frame, hashes, stats
	19: row[Finished]("finished"),
	// H: round, outcome int 1..3, why text 600, desync if outcome 2, list 16 result
	20: row[Ended]("ended"),
	// C: why text 200
	21: row[Leave]("leave"),
	// H: reason int 1..3, why text 600
	22: row[Closed]("closed"),
	// C: round, pause bool
	23: row[Pause]("pause"),
	// C: round, why text 600
	24: row[ResyncRequest]("resync request"),
	// C: round, number 1..4096, hashes
	25: row[Remade]("remade"),
	// C: machine int 0..15, round, decisions int 0..4096, digest [32]byte, promised frame,
	//    signature [64]byte
	26: row[Reconnect]("reconnect"),
	// H: signature [64]byte, room; then the decisions that it lacks
	27: row[Reconnected]("reconnected"),
	// H: round, frame, commit bool
	28: row[SaveOrder]("save order"),
	// C: round, frame, committed bool, why text 600
	29: row[SaveAnswer]("save answer"),
	// C: round, list 16 (seat, inputs int 0..7200, late int 0..7200, need, recent need,
	//    newest need, middle need, spread of needs int 0..128)
	30: row[Arrivals]("arrivals"),
	// C: round, seat
	31: row[SwitchOn]("switch on"),
	// C: machine, round, epoch int, host lost bool, signature [64]byte; from member to member
	40: row[PeerStatus]("peer status"),
	// C: round, epoch, decisions int 1..4096, digest [32]byte, vote; from member to member
	41: row[Candidacy]("candidacy"),
	// C: round, epoch, vote, promised frame, first int 0..4096, list 64 decision,
	//    frame, commit bool, inputs, signature [64]byte; from member to member
	42: row[Vote]("vote"),
	// H: round, machine, epoch, machines with it int 0..15, list 16 vote, list 64 handover
	43: row[LeaderProof]("leader proof"),
	// H: handover, promised frame, inputs, why text 200
	44: row[Handover]("handover"),
	// H: handover; its signature is zero for all but the one that it names
	45: row[Successor]("successor"),
	// H: round, desync
	50: row[DesyncFound]("desync found"),
	// C: round, seat, frame, list 1024 (ram, sram, video, air [4]byte each)
	51: row[Rerun]("rerun"),
	// C: local players
	60: row[LocalPlayers]("local players"),
	// H: round, settings, list 16 seat; then all decisions
	61: row[LateJoin]("late join"),
	// H: list 64 (key [32]byte, nickname text 72); to players
	62: row[Banned]("banned"),
	// C: nickname text 72, core, list 8 bios, proof [32]byte; instead of join
	70: row[Spectate]("spectate"),
	// H: spectator int 0..15, proof [32]byte, room; instead of welcome
	71: row[Admitted]("admitted"),
}

// numbers has the number of every type of message.
var numbers = map[reflect.Type]Kind{}

func init() {
	for k, e := range kinds {
		numbers[reflect.TypeOf(e.blank())] = k
	}
}

// row is the entry of a type of message.
func row[M any, P interface {
	*M
	Message
}](name string,
) entry {
	return entry{name, func() Message { return P(new(M)) }}
}

// KindOf returns the number of a message; 0 if it is none of this protocol.
func KindOf(m Message) Kind { return numbers[reflect.TypeOf(m)] }

// Public tells whether spectators are told a message, too.
func Public(m Message) bool {
	switch m.(type) {
	case *Room, *Heartbeat, *ChatLine:
		return true
	}
	return false
}

// String is the kind's name.
func (k Kind) String() string {
	if e, ok := kinds[k]; ok {
		return e.name
	}
	return fmt.Sprintf("message of kind %d", uint8(k))
}
