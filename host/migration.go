package host

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/nettplay/nettplay/host/room"
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

// termBits is how many bits of an epoch count handovers within a term.
const termBits = 8

// maxTerms is how many terms members can be apart, at most: far more than there can be
// elections while they look for each other. Without it, who claims the last one there is
// would be the last who can stand.
const maxTerms = 1 << 12

// nextTerm is the first epoch of the term after that of an epoch; 0 when there is none.
func nextTerm(epoch uint32) uint32 { return (epoch>>termBits + 1) << termBits }

// believable tells whether somebody can know of an epoch when the game host that we know
// has another one. Who stands can have heard of one as far away from somebody else.
func believable(epoch, known uint32, stands int) bool {
	return epoch>>termBits <= known>>termBits+uint32(1+stands)*maxTerms
}

// mayHandOver tells whether there is an epoch for a successor in the present term.
func mayHandOver(epoch uint32) bool { return epoch&(1<<termBits-1) < maxHandovers }

// elects tells whether these votes make a game host.
func elects(v, votes room.MachineSet) bool { return 2*(votes&v).Count() > v.Count() }

// sustains tells whether a game host that hears these machines, itself included, may
// decide to go on without others.
func sustains(v, here room.MachineSet) bool { return 2*(here&v).Count() >= v.Count() }

// ballot is a vote: the signature of a machine.
type ballot struct {
	Machine int
	Sign    [64]byte
}

// handover is a game host's word on who comes after it.
type handover struct {
	From, To int
	Epoch    uint32 // of the one who comes
	Sign     [64]byte
}

// charter is what a machine knows of who is game host.
type leadership struct {
	room   [16]byte // the room's salt, which no two rooms share
	round  uint32   // the game that is played, 0 for none
	host   int
	epoch  uint32
	voters room.MachineSet
	keys   map[int][32]byte // by machine
}

var errStale = errors.New("it is not newer than the one we know")

// follow is the charter under the game host that a crown proves, or why it proves
// none.
func (c leadership) follow(m *leaderProofMsg) (leadership, error) {
	if m.Epoch <= c.epoch {
		return c, errStale
	}
	if m.Epoch>>termBits > c.epoch>>termBits {
		if err := c.elected(m); err != nil {
			return c, err
		}
	}
	for _, h := range m.Handovers {
		if h.Epoch <= c.epoch {
			continue // we know
		}
		if h.Epoch != c.epoch+1 || h.From != c.host || !mayHandOver(c.epoch) {
			return c, fmt.Errorf("machine %d hands over epoch %d, the game host is machine %d of epoch %d", h.From, h.Epoch, c.host, c.epoch)
		}
		if !verify(c.keys[h.From], c.handoverText(h.To, h.Epoch), h.Sign) {
			return c, fmt.Errorf("the handover to machine %d is not machine %d's", h.To, h.From)
		}
		c.host, c.epoch, c.voters = h.To, h.Epoch, c.voters.Without(h.From)
	}
	if c.host != m.Machine || c.epoch != m.Epoch {
		return c, fmt.Errorf("machine %d proves epoch %d of machine %d, and claims %d", m.Machine, c.epoch, c.host, m.Epoch)
	}
	return c, nil
}

// elected moves the charter to the elected game host of the crown's term.
func (c *leadership) elected(m *leaderProofMsg) error {
	winner, epoch := m.Machine, m.Epoch>>termBits<<termBits
	for _, h := range m.Handovers {
		if h.Epoch == epoch+1 {
			winner = h.From
		}
	}
	votes := room.MachineSet(0)
	for _, b := range m.Votes {
		if c.voters.Has(b.Machine) && verify(c.keys[b.Machine], c.voteText(winner, epoch), b.Sign) {
			votes = votes.With(b.Machine)
		}
	}
	if c.round == 0 || m.Round != c.round || !elects(c.voters, votes) {
		return fmt.Errorf("machine %d has %d votes of %d machines in game %d", winner, votes.Count(), c.voters.Count(), c.round)
	}
	c.host, c.epoch = winner, epoch
	return nil
}

// voteText is what a voter signs.
func (c leadership) voteText(machine int, epoch uint32) []byte {
	return c.text("nettplay vote 1", c.round, machine, epoch)
}

// handoverText is what a game host signs that leaves.
func (c leadership) handoverText(machine int, epoch uint32) []byte {
	return c.text("nettplay handover 1", 0, machine, epoch)
}

// bereftText is what a member signs of what it says on a line to another one.
func (c leadership) peerStatusText(m *peerStatusMsg) []byte {
	b := c.text("nettplay peer status 1", m.Round, m.Machine, m.Epoch)
	if m.HostLost {
		return append(b, 1)
	}
	return append(b, 0)
}

// tailText is what a voter signs of all that comes with its vote.
func (c leadership) tailText(m *voteMsg) []byte {
	unsigned := *m
	unsigned.Sign = [64]byte{}
	b, _ := encode(&unsigned) // what cannot be said is not sent either
	sum := sha256.Sum256(b)
	return append(c.text("nettplay voter 1", m.Round, m.Vote.Machine, m.Epoch), sum[:]...)
}

func (c leadership) text(label string, round uint32, machine int, epoch uint32) []byte {
	b := append([]byte(label), c.room[:]...)
	b = binary.LittleEndian.AppendUint32(b, round)
	b = append(b, byte(machine))
	return binary.LittleEndian.AppendUint32(b, epoch)
}

// newKey makes a machine's key for one stay in a room.
func newKey(random io.Reader) (ed25519.PrivateKey, error) {
	var seed [ed25519.SeedSize]byte
	if _, err := io.ReadFull(random, seed[:]); err != nil {
		return nil, fmt.Errorf("random numbers: %w", err)
	}
	return ed25519.NewKeyFromSeed(seed[:]), nil
}

func publicKey(k ed25519.PrivateKey) [32]byte {
	return [32]byte(k.Public().(ed25519.PublicKey))
}

func signature(k ed25519.PrivateKey, text []byte) [64]byte {
	return [64]byte(ed25519.Sign(k, text))
}

func verify(key [32]byte, text []byte, sign [64]byte) bool {
	return key != [32]byte{} && ed25519.Verify(key[:], text, sign[:])
}

// signed is what proves on a new line who we were; see auth.go.
func signed(label string, t [32]byte) []byte { return append([]byte(label), t[:]...) }

// reach is where a member can be reached, as far as is known.
func (m *member) reach() []string {
	if m.seen == "" || slices.Contains(m.addrs, m.seen) {
		return m.addrs
	}
	return append([]string{m.seen}, m.addrs...)
}
