package migration

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/wire"
)

// Who is game host after the game host. Each game host of a room has an epoch, which
// rises from one to the next; a machine follows the game host of the highest epoch
// that it knows of and never one of a lower epoch again. There are two ways to a new
// one:
//
//   - The game host hands over: it names the next one, for its own epoch plus one,
//     and does nothing any more.
//   - Machines that do not hear the game host elect one of them, for an epoch that is
//     the first of a new term. Each votes at most once per term, and it takes the
//     votes of more than half of the machines that began the running game, those not
//     counted that left it in good order.
//
// Within a term there is one elected game host, and each hands over once: so no two
// ever have the same epoch. A game host of a lower epoch may not know yet that there
// is another. It cannot do harm: a game goes on only with the inputs of all that are
// in it, and a game host may decide to go on without someone whose line is gone only
// while it hears at least half of those machines, itself included. Of two game hosts
// that could, each with half, the later one would have been elected with the vote of
// someone who is in the earlier one's half; who, having voted, does not follow the
// earlier one any more.
//
// That those who joined later do not count, and that those who were lost still do, is
// on purpose: then all machines count the same ones, without having to agree first.

// TermBits is how many bits of an epoch count handovers within a term.
const TermBits = 8

// maxTerms is how many terms members can be apart, at most: far more than there can be
// elections while they look for each other. Without it, who claims the last one there is
// would be the last who can stand.
const maxTerms = 1 << 12

// NextTerm is the first epoch of the term after that of an epoch; 0 when there is none.
func NextTerm(epoch uint32) uint32 { return (epoch>>TermBits + 1) << TermBits }

// Believable tells whether somebody can know of an epoch when the game host that we know
// has another one. Who stands can have heard of one as far away from somebody else.
func Believable(epoch, known uint32, stands int) bool {
	return epoch>>TermBits <= known>>TermBits+uint32(1+stands)*maxTerms
}

// MayHandOver tells whether there is an epoch for a successor in the present term.
func MayHandOver(epoch uint32) bool { return epoch&(1<<TermBits-1) < maxHandovers }

// Elects tells whether these votes make a game host.
func Elects(v, votes room.MachineSet) bool { return 2*(votes&v).Count() > v.Count() }

// Sustains tells whether a game host that hears these machines, itself included, may
// decide to go on without others.
func Sustains(v, here room.MachineSet) bool { return 2*(here&v).Count() >= v.Count() }

// Leadership is what a machine knows of who is game host.
type Leadership struct {
	Room   [16]byte // the room's salt, which no two rooms share
	Round  uint32   // the game that is played, 0 for none
	Host   int
	Epoch  uint32
	Voters room.MachineSet
	Keys   map[int][32]byte // by machine
}

var errStale = errors.New("it is not newer than the one we know")

// Follow is the charter under the game host that a crown proves, or why it proves
// none.
func (c Leadership) Follow(m *ProofMsg) (Leadership, error) {
	if m.Epoch <= c.Epoch {
		return c, errStale
	}
	if m.Epoch>>TermBits > c.Epoch>>TermBits {
		if err := c.elected(m); err != nil {
			return c, err
		}
	}
	for _, h := range m.Handovers {
		if h.Epoch <= c.Epoch {
			continue // we know
		}
		if h.Epoch != c.Epoch+1 || h.From != c.Host || !MayHandOver(c.Epoch) {
			return c, fmt.Errorf("machine %d hands over epoch %d, the game host is machine %d of epoch %d", h.From, h.Epoch, c.Host, c.Epoch)
		}
		if !Verify(c.Keys[h.From], c.HandoverText(h.To, h.Epoch), h.Sign) {
			return c, fmt.Errorf("the handover to machine %d is not machine %d's", h.To, h.From)
		}
		c.Host, c.Epoch, c.Voters = h.To, h.Epoch, c.Voters.Without(h.From)
	}
	if c.Host != m.Machine || c.Epoch != m.Epoch {
		return c, fmt.Errorf("machine %d proves epoch %d of machine %d, and claims %d", m.Machine, c.Epoch, c.Host, m.Epoch)
	}
	return c, nil
}

// elected moves the charter to the elected game host of the crown's term.
func (c *Leadership) elected(m *ProofMsg) error {
	winner, epoch := m.Machine, m.Epoch>>TermBits<<TermBits
	for _, h := range m.Handovers {
		if h.Epoch == epoch+1 {
			winner = h.From
		}
	}
	votes := room.MachineSet(0)
	for _, b := range m.Votes {
		if c.Voters.Has(b.Machine) && Verify(c.Keys[b.Machine], c.VoteText(winner, epoch), b.Sign) {
			votes = votes.With(b.Machine)
		}
	}
	if c.Round == 0 || m.Round != c.Round || !Elects(c.Voters, votes) {
		return fmt.Errorf("machine %d has %d votes of %d machines in game %d", winner, votes.Count(), c.Voters.Count(), c.Round)
	}
	c.Host, c.Epoch = winner, epoch
	return nil
}

// VoteText is what a voter signs.
func (c Leadership) VoteText(machine int, epoch uint32) []byte {
	return c.text("nettplay vote 1", c.Round, machine, epoch)
}

// HandoverText is what a game host signs that leaves.
func (c Leadership) HandoverText(machine int, epoch uint32) []byte {
	return c.text("nettplay handover 1", 0, machine, epoch)
}

// PeerStatusText is what a member signs of what it says on a line to another one.
func (c Leadership) PeerStatusText(m *PeerStatusMsg) []byte {
	b := c.text("nettplay peer status 1", m.Round, m.Machine, m.Epoch)
	if m.HostLost {
		return append(b, 1)
	}
	return append(b, 0)
}

// TailText is what a voter signs of all that comes with its vote.
func (c Leadership) TailText(m *VoteMsg) []byte {
	unsigned := *m
	unsigned.Sign = [64]byte{}
	w := wire.Writer(nil)
	unsigned.Fields(w) // what cannot be said is not sent either
	sum := sha256.Sum256(w.Bytes())
	return append(c.text("nettplay voter 1", m.Round, m.Vote.Machine, m.Epoch), sum[:]...)
}

func (c Leadership) text(label string, round uint32, machine int, epoch uint32) []byte {
	b := append([]byte(label), c.Room[:]...)
	b = binary.LittleEndian.AppendUint32(b, round)
	b = append(b, byte(machine))
	return binary.LittleEndian.AppendUint32(b, epoch)
}

// Keys returns the public key of each machine.
func Keys(players []room.Player) map[int][32]byte {
	m := make(map[int][32]byte, len(players))
	for _, p := range players {
		m[p.Machine] = p.Sign
	}
	return m
}
