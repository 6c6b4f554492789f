package message

import (
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/wire"
)

// PeerStatus is the first message on a connection between two members.
type PeerStatus struct {
	Machine  int
	Round    uint32
	Epoch    uint32 // the highest that it knows of or voted in
	HostLost bool   // it does not hear the game host
	Sign     [64]byte
}

func (m *PeerStatus) Fields(c *wire.Coder) {
	room.MachineField(c, &m.Machine)
	room.RoundField(c, &m.Round)
	wire.Number(c, "epoch", &m.Epoch, 0, 1<<32-1)
	c.Bool("deaf", &m.HostLost)
	c.Fixed("signature", m.Sign[:])
}

// Candidacy asks for a vote. Vote is the candidate's own.
type Candidacy struct {
	Round     uint32
	Epoch     uint32
	Decisions int      // that it knows
	Digest    [32]byte // of them
	Vote      Ballot
}

func (m *Candidacy) Fields(c *wire.Coder) {
	room.RoundField(c, &m.Round)
	wire.Number(c, "epoch", &m.Epoch, 1, 1<<32-1)
	wire.Number(c, "decisions", &m.Decisions, 1, timeline.MaxDecisions)
	c.Fixed("digest", m.Digest[:])
	m.Vote.fields(c)
}

// Bounds of what comes with a vote or a handover.
const (
	MaxTail   = 64   // decisions that the other one lacks
	maxBundle = 32   // datagrams of inputs
	maxPacket = 1200 // bytes of each
)

func bundleField(c *wire.Coder, v *[][]byte) {
	wire.List(c, "inputs", v, maxBundle, func(c *wire.Coder, b *[]byte) {
		s := string(*b)
		if c.Raw("datagram", &s, maxPacket); c.Reading() {
			*b = []byte(s)
		}
	})
}

// SavePoint is the last order to a machine about saves: to write them as they are after so many frames,
// or to make those current.
type SavePoint struct {
	Frame  int64
	Commit bool
}

// Vote is a vote, with everything that the voter knows of the game and the candidate may
// not know.
type Vote struct {
	Round    uint32
	Epoch    uint32
	Vote     Ballot
	Promised int64 // the horizon up to which it may have played
	First    int   // number of the first of Decisions
	Tail     []timeline.Decision
	Saves    SavePoint
	Inputs   [][]byte // datagrams of package mirror
	Sign     [64]byte // of all of it: the vote itself also counts for those who are not told the rest
}

func (m *Vote) Fields(c *wire.Coder) {
	room.RoundField(c, &m.Round)
	wire.Number(c, "epoch", &m.Epoch, 1, 1<<32-1)
	m.Vote.fields(c)
	room.FrameField(c, "promised", &m.Promised)
	wire.Number(c, "first decision", &m.First, 0, timeline.MaxDecisions)
	wire.List(c, "decisions", &m.Tail, MaxTail, timeline.DecisionFields)
	room.FrameField(c, "keep", &m.Saves.Frame)
	c.Bool("commit", &m.Saves.Commit)
	bundleField(c, &m.Inputs)
	c.Fixed("signature", m.Sign[:])
}

// LeaderProof proves who is game host.
type LeaderProof struct {
	Round     uint32 // in which the votes were given
	Machine   int
	Epoch     uint32
	With      int              // other machines that are in its room now
	Votes     []Ballot         // of the elected one of the term; none in the first
	Handovers []SignedHandover // in the term
}

// MaxHandovers bounds the proof; a room that is handed on oftener is closed.
const MaxHandovers = 64

func (m *LeaderProof) Fields(c *wire.Coder) {
	room.RoundField(c, &m.Round)
	room.MachineField(c, &m.Machine)
	wire.Number(c, "epoch", &m.Epoch, 0, 1<<32-1)
	wire.Number(c, "machines", &m.With, 0, ds.MaxMachines-1)
	wire.List(c, "votes", &m.Votes, ds.MaxMachines, func(c *wire.Coder, b *Ballot) { b.fields(c) })
	wire.List(c, "handovers", &m.Handovers, MaxHandovers, func(c *wire.Coder, h *SignedHandover) { h.fields(c) })
}

// Successor tells who takes over the room when the game host is lost. It tells all players' machines;
// the signature is for the successor alone, and zero for the others.
type Successor struct{ Handover SignedHandover }

func (m *Successor) Fields(c *wire.Coder) { m.Handover.fields(c) }

// Handover is the last word of a game host that leaves.
type Handover struct {
	Handover SignedHandover
	Promised int64
	Inputs   [][]byte // as in Vote
	Why      string
}

func (m *Handover) Fields(c *wire.Coder) {
	m.Handover.fields(c)
	room.FrameField(c, "promised", &m.Promised)
	bundleField(c, &m.Inputs)
	c.Text("why", &m.Why, room.MaxReason)
}

// Ballot is a vote: the signature of a machine.
type Ballot struct {
	Machine int
	Sign    [64]byte
}

// SignedHandover is a game host's word on who comes after it: its last word, with which it leaves, or a
// standing one, which holds when it is lost. A standing one that names the game host itself names nobody.
type SignedHandover struct {
	From, To int
	Epoch    uint32 // of the one who comes
	Serial   uint32 // of standing ones, of which the newest holds; 0: the last word
	Sign     [64]byte
}

// Standing tells whether it holds only when the game host is lost, and then for the room alone.
func (h SignedHandover) Standing() bool { return h.Serial > 0 }

func (b *Ballot) fields(c *wire.Coder) {
	room.MachineField(c, &b.Machine)
	c.Fixed("signature", b.Sign[:])
}

func (h *SignedHandover) fields(c *wire.Coder) {
	room.MachineField(c, &h.From)
	room.MachineField(c, &h.To)
	wire.Number(c, "epoch", &h.Epoch, 1, 1<<32-1)
	wire.Number(c, "serial", &h.Serial, 0, 1<<32-1)
	c.Fixed("signature", h.Sign[:])
}
