package membership

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/wire"
)

// Each game host of a room has an epoch, which rises from one game host to the next. A
// machine follows the game host of the highest epoch that it knows, and never again one of
// a lower epoch. A room gets its next game host in one of three ways:
//
//   - Handover: the game host names the next one, for its own epoch plus one, and stops.
//   - Standing handover: the game host has named its successor while all was well, and is lost.
//     The successor takes the room over, and never the game: each machine ends that for itself
//     before it follows.
//   - Election: machines that have lost the game host elect one of themselves, for the
//     first epoch of a new term. Each machine votes at most once per term, and follows no
//     game host of an earlier term than the last in which it voted for another machine, unless
//     that one says that it follows a game host itself without having won. The winner needs the votes of more than half of the voters: the machines that began the
//     running game, without those that left it in good order.
//
// A term has one elected game host, and each game host hands a game over once: so no game ever has
// two of the same epoch. A room can, when it falls apart in the lobby, since a standing handover
// asks nobody: there nothing can be contradicted, and a game host that is alone goes back to the
// other one when they hear each other again ([Leadership.Yields]). A game host of a lower epoch may not know yet that another one exists. It
// does no harm: a game goes on only with the inputs of all its players, and a game host may
// continue without a disconnected player only while it hears at least half of the voters,
// itself included. Two game hosts with half each cannot both continue: the later one was
// elected with a vote from the earlier one's half, and that voter no longer follows the
// earlier one.
//
// Late joiners are no voters, and lost machines still are: so all machines count the same
// voters without having to agree on them first.

// MaxLead is by how many frames a machine can have been promised more than another one
// that knows the same game host. The one who knows less plays no further than the
// inputs it has, at most a delay beyond the game host's own console then; the game host
// waits for it when it is 16 frames behind; its slowest console is at most that twice
// and a delay behind its own; and a longer delay moves the horizon.
const MaxLead = 3 * (ds.MaxBehind + ds.MaxDelay + timeline.HorizonSpare)

// TermBits is the number of an epoch's bits that count handovers within a term.
const TermBits = 8

// maxTerms is the greatest distance of two members in terms: far more than the elections that can
// happen while they look for each other. Without this bound a machine that claims the last term there
// is would be the last possible candidate.
const maxTerms = 1 << 12

// NextTerm is the first epoch of the term after that of an epoch; 0 when there is none.
func NextTerm(epoch uint32) uint32 { return (epoch>>TermBits + 1) << TermBits }

// Believable reports whether a peer can know of an epoch when we know of another one. A
// candidate may have heard of one from a third machine: pass 1 as candidates for it, else 0.
func Believable(epoch, known uint32, candidates int) bool {
	return epoch>>TermBits <= known>>TermBits+uint32(1+candidates)*maxTerms
}

// MayHandOver reports whether there is an epoch for a successor in the present term.
func MayHandOver(epoch uint32) bool { return epoch&(1<<TermBits-1) < message.MaxHandovers }

// Elects reports whether these votes of the voters v elect a game host.
func Elects(v, votes room.MachineSet) bool { return 2*(votes&v).Count() > v.Count() }

// Sustains reports whether a game host that hears these of the voters v, itself included, may
// decide to continue without others.
func Sustains(v, here room.MachineSet) bool { return 2*(here&v).Count() >= v.Count() }

// Leadership is a machine's knowledge of the game host, and of those who may elect the next.
type Leadership struct {
	Room    [16]byte // the room's salt, which no two rooms share
	Round   uint32   // the game that is played, 0 for none
	Host    int
	Epoch   uint32
	Voters  room.MachineSet
	Serial  uint32        // of the game host's newest standing handover that is known
	Players []room.Player // whose keys are used alone; nobody changes them
}

// Yields tells whether a game host that has nobody with it goes to another one of its room that it
// hears again: to one with whom others are, and of two who are alone to the earlier one.
func (c Leadership) Yields(m *message.LeaderProof) bool {
	return m.With > 0 || m.Epoch < c.Epoch || m.Epoch == c.Epoch && m.Machine < c.Host
}

// Stands tells whether what a proof shows beyond what we know rests on a standing handover.
func (c Leadership) Stands(m *message.LeaderProof) bool {
	return slices.ContainsFunc(m.Handovers, func(h message.SignedHandover) bool { return h.Epoch > c.Epoch && h.Standing() })
}

// Key is the public key of a machine in the room, zero if it has none.
func (c Leadership) Key(machine int) (key [32]byte) {
	for i := range c.Players {
		if p := &c.Players[i]; p.Machine == machine {
			key = p.Sign
		}
	}
	return key
}

var errStale = errors.New("it is not newer than the one we know")

// Follow returns the leadership that a proof establishes, or an error that tells why it
// proves nothing. The receiver does not change.
func (c Leadership) Follow(m *message.LeaderProof) (Leadership, error) {
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
		if !Verify(c.Key(h.From), c.HandoverText(h), h.Sign) {
			return c, fmt.Errorf("the handover to machine %d is not machine %d's", h.To, h.From)
		}
		if h.Standing() && (h.Serial < c.Serial || h.To == h.From) {
			return c, fmt.Errorf("machine %d has named another successor than machine %d since", h.From, h.To)
		}
		c.Host, c.Epoch, c.Voters, c.Serial = h.To, h.Epoch, c.Voters.Without(h.From), 0
	}
	if c.Host != m.Machine || c.Epoch != m.Epoch {
		return c, fmt.Errorf("machine %d proves epoch %d of machine %d, and claims %d", m.Machine, c.Epoch, c.Host, m.Epoch)
	}
	return c, nil
}

// elected moves the leadership to the elected game host of the proof's term.
func (c *Leadership) elected(m *message.LeaderProof) error {
	winner, epoch := m.Machine, m.Epoch>>TermBits<<TermBits
	for _, h := range m.Handovers {
		if h.Epoch == epoch+1 {
			winner = h.From
		}
	}
	votes := room.MachineSet(0)
	for _, b := range m.Votes {
		if c.Voters.Has(b.Machine) && Verify(c.Key(b.Machine), c.VoteText(winner, epoch), b.Sign) {
			votes = votes.With(b.Machine)
		}
	}
	if c.Round == 0 || m.Round != c.Round || !Elects(c.Voters, votes) {
		return fmt.Errorf("machine %d has %d votes of %d machines in game %d", winner, votes.Count(), c.Voters.Count(), c.Round)
	}
	c.Host, c.Epoch, c.Serial = winner, epoch, 0
	return nil
}

// VoteText is the text that a voter signs.
func (c Leadership) VoteText(machine int, epoch uint32) []byte {
	return c.text("nettplay vote 1", c.Round, machine, epoch)
}

// HandoverText is the text that a game host signs to hand over.
func (c Leadership) HandoverText(h message.SignedHandover) []byte {
	return c.text("nettplay handover 2", h.Serial, h.To, h.Epoch)
}

// PeerStatusText is the text that a member signs of its status.
func (c Leadership) PeerStatusText(m *message.PeerStatus) []byte {
	b := c.text("nettplay peer status 1", m.Round, m.Machine, m.Epoch)
	if m.HostLost {
		return append(b, 1)
	}
	return append(b, 0)
}

// TailText is the text that a voter signs of everything that comes with its vote.
func (c Leadership) TailText(m *message.Vote) []byte {
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
