package message

import (
	"fmt"
	"reflect"

	"github.com/nettplay/nettplay/host/migration"
	"github.com/nettplay/nettplay/internal/wire"
)

// Message is what one machine says to another. Each type of message has one row in kinds.
type Message interface{ Fields(c *wire.Coder) }

// Kind is the number of a type of message, its first byte on the wire.
type Kind uint8

// entry is a type of message: its name, and how it comes to life.
type entry struct {
	name  string
	blank func() Message
}

// kinds has every type of message by its number, which is part of the protocol.
var kinds = map[Kind]entry{
	1:  row[Hello]("hello"),
	2:  row[Refused]("refused"),
	3:  row[Challenge]("challenge"),
	4:  row[Join]("join"),
	5:  row[Welcome]("welcome"),
	6:  row[Room]("room"),
	7:  row[Pulse]("pulse"),
	8:  row[Status]("status"),
	9:  row[Game]("game"),
	10: row[Chat]("chat"),
	11: row[ChatLine]("chat line"),
	12: row[Prepare]("prepare"),
	13: row[Installed]("installed"),
	14: row[Failed]("failed"),
	15: row[StartFailed]("start failed"),
	16: row[Begin]("begin"),
	17: row[Decision]("decision"),
	18: row[Hashes]("hashes"),
	19: row[Finished]("finished"),
	20: row[Ended]("ended"),
	21: row[Leave]("leave"),
	22: row[Closed]("closed"),
	23: row[Pause]("pause"),
	24: row[ResyncRequest]("resync request"),
	25: row[Repaired]("repaired"),
	26: row[Reconnect]("reconnect"),
	27: row[Reconnected]("reconnected"),
	28: row[Commit]("commit"),
	29: row[Committed]("committed"),
	40: row[migration.PeerStatusMsg]("peer status"),
	41: row[migration.CandidacyMsg]("candidacy"),
	42: row[migration.VoteMsg]("vote"),
	43: row[migration.ProofMsg]("leader proof"),
	44: row[migration.HandoverMsg]("handover"),
	50: row[DesyncFound]("desync found"),
	51: row[Rerun]("rerun"),
	60: row[LocalPlayers]("local players"),
	61: row[LateJoin]("late join"),
	70: row[Spectate]("spectate"),
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

// Kinds returns how many types of messages there are.
func Kinds() int { return len(kinds) }

// String is the kind's name.
func (k Kind) String() string {
	if e, ok := kinds[k]; ok {
		return e.name
	}
	return fmt.Sprintf("message of kind %d", uint8(k))
}
