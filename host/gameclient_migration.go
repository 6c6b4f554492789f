package host

import (
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/migration"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
)

// What a game client does when the game host is gone; see migration.go for the rules.

// How long members wait for each other while the game host is gone.
const (
	connectEvery   = 2 * time.Second        // between two attempts to reach who is not there
	gatherTime     = 300 * time.Millisecond // for those who are slower to notice
	yieldTime      = time.Second            // for who stands before us
	candidacyEvery = 2 * time.Second        // between two elections
	namedWait      = 3 * time.Second        // for a game host that was named, before it is given up
)

// ConnectPeers asks the caller to open lines to these machines, from each to at most one of
// its addresses, and to tell LineOpened: the game host is gone, and who is left has to
// find another one.
type ConnectPeers struct{ Players []room.Player }

// Candidacy asks the caller for what this machine knows of the game, for the one who
// stands as game host: say Vote. From then on the old game host is not followed.
type Candidacy struct {
	Peer  PeerID
	Epoch uint32
}

// Elected tells that this machine is to be game host. The caller takes the inputs, if
// any, and then calls Promote. The decisions that only others knew were told by Decided.
type Elected struct {
	Inputs   [][]byte // as they were given to Vote, or to HandOver
	Promised int64    // the highest horizon that anybody was promised
	Named    bool     // by the old game host; else elected
	Words    string
}

// HostChanged tells that another machine is game host, to which the way is now looked
// for. Line is the one that it is reached on already, 0 for none.
type HostChanged struct {
	Machine int
	Peer    PeerID
	Inputs  [][]byte // to be taken, as with Elected
	Words   string
}

func (ConnectPeers) event() {}
func (Candidacy) event()    {}
func (Elected) event()      {}
func (HostChanged) event()  {}

// election is what a client knows of the other members while the game host is gone.
type election struct {
	links          []*peerLink
	connectAsked   time.Time // when Confer was told
	majoritySince  time.Time // since when more than half are here who do not hear the game host
	candidateSince time.Time // when we stood last
	epoch          uint32    // for which
	votes          []*migration.VoteMsg
	pendingVote    *migration.VoteMsg // for another one, while its last parts are asked for
	namedSince     time.Time          // since when a game host is waited for that was named, or proven
}

// end ends the council: there is a game host.
func (o *election) end(c *Client) {
	for _, k := range o.links {
		c.out = append(c.out, Outgoing{Peer: k.id, CloseWhy: "there is a game host"})
	}
	*o = election{}
}

// hostLost tells whether we do not hear the game host.
func (c *Client) hostLost() bool { return c.reconnecting() || c.lead.voted > c.room.Epoch }

// dropConnection gives up a line to the game host that is not wanted any more.
func (c *Client) dropConnection(why string) {
	if c.peer != 0 {
		c.out = append(c.out, Outgoing{Peer: c.peer, CloseWhy: why})
	}
	c.stage, c.peer = disconnected, 0
}

// leadership is what we know of who is game host.
func (c *Client) leadership() migration.Leadership {
	ch := migration.Leadership{Room: c.self.salt, Host: c.room.Host, Epoch: c.room.Epoch, Voters: c.room.Voters, Keys: migration.Keys(c.room.Players)}
	if c.game != nil {
		ch.Round = c.game.number
	}
	return ch
}

// tickElection does what is due while the game host is gone.
func (c *Client) tickElection(now time.Time) {
	o := &c.election
	for _, k := range slices.Clone(o.links) {
		if now.Sub(k.heard) >= linkIdle && !c.hostLost() {
			c.dropLink(k, "nothing more to say")
		}
	}
	if !c.mayElect() || !o.namedSince.IsZero() && now.Sub(o.namedSince) < namedWait {
		return
	}
	if o.connectAsked.IsZero() || now.Sub(o.connectAsked) >= connectEvery {
		o.connectAsked = now
		c.emit(ConnectPeers{Players: c.absent()})
		for _, k := range o.links {
			c.greetLink(k)
		}
	}
	c.considerCandidacy(now)
}

// mayElect tells whether a new game host can be found without the old one's word.
func (c *Client) mayElect() bool {
	return c.stage != over && c.hostLost() && c.game != nil && c.game.playing && !c.game.out && c.room.Voters.Has(c.machine) && c.room.Voters.Count() > 2
}

// Electing tells whether this machine has voted, and does not yet know for whom most
// did: then it does not go back to the old game host.
func (c *Client) Electing() bool { return c.stage != over && c.lead.voted > c.room.Epoch }

// absent are the members to whom there is no line.
func (c *Client) absent() []room.Player {
	var list []room.Player
	for _, p := range c.room.Players {
		known := slices.ContainsFunc(c.election.links, func(k *peerLink) bool { return k.told != nil && k.told.Machine == p.Machine })
		twice := slices.ContainsFunc(list, func(o room.Player) bool { return o.Machine == p.Machine })
		if p.Machine != c.machine && p.Machine != c.room.Host && p.Present && !known && !twice {
			list = append(list, p)
		}
	}
	return list
}

// considerCandidacy stands for election when more than half are here who do not hear the game
// host, and it is our turn: the lowest machine's first.
func (c *Client) considerCandidacy(now time.Time) {
	o, here, epoch := &c.election, room.MachineSet(0).With(c.machine), max(c.lead.voted, c.room.Epoch)
	for _, k := range o.links {
		if t := k.told; t != nil && t.HostLost && t.Round == c.game.number && t.Machine != c.room.Host {
			here = here.With(t.Machine)
			if migration.Believable(t.Epoch, c.room.Epoch, 0) {
				epoch = max(epoch, t.Epoch)
			}
		}
	}
	here &= c.room.Voters
	if !migration.Elects(c.room.Voters, here) {
		o.majoritySince = time.Time{}
		return
	}
	if o.majoritySince.IsZero() {
		o.majoritySince = now
	}
	rank := (here & (1<<c.machine - 1)).Count()
	wait := time.Duration(rank) * yieldTime
	if here.With(c.room.Host) != c.room.Voters.With(c.room.Host) {
		wait += gatherTime
	}
	if now.Sub(o.majoritySince) < wait || !o.candidateSince.IsZero() && now.Sub(o.candidateSince) < candidacyEvery+wait {
		return
	}
	if migration.NextTerm(epoch) <= epoch {
		return // no room was ever handed on so often
	}
	o.candidateSince, o.epoch, o.votes = now, migration.NextTerm(epoch), nil
	c.vote(o.epoch)
	stand := &migration.CandidacyMsg{
		Round: c.game.number, Epoch: o.epoch, Decisions: len(c.game.decisions), Digest: c.game.decisions.Digest(),
		Vote: migration.Ballot{Machine: c.machine, Sign: migration.Sign(c.self.sign, c.leadership().VoteText(c.machine, o.epoch))},
	}
	for _, k := range o.links {
		c.sendTo(k.id, stand)
	}
}

// vote gives our vote for an epoch away: the old game host is not followed any more.
func (c *Client) vote(epoch uint32) {
	c.lead.voted = epoch
	c.dropConnection("another game host is elected")
}

// takeCandidacy votes for who stands, if we may, or says why not.
func (c *Client) takeCandidacy(now time.Time, k *peerLink, m *migration.CandidacyMsg) {
	known := c.game != nil && c.game.playing && !c.game.out && m.Round == c.game.number
	switch {
	case !known || !c.room.Voters.Has(m.Vote.Machine) || !c.room.Voters.Has(c.machine):
		return
	case !migration.Verify(c.leadership().Keys[m.Vote.Machine], c.leadership().VoteText(m.Vote.Machine, m.Epoch), m.Vote.Sign):
		c.dropLink(k, "a vote that is not its own")
		return
	case !c.hostLost() || m.Epoch <= max(c.lead.voted, c.room.Epoch) || m.Epoch != migration.NextTerm(m.Epoch-1) || !migration.Believable(m.Epoch, c.room.Epoch, 1):
		c.greetLink(k)
		return
	case m.Decisions < len(c.game.decisions)-migration.MaxTail:
		return
	case m.Decisions <= len(c.game.decisions) && c.game.decisions[:m.Decisions].Digest() != m.Digest:
		return
	}
	c.election.majoritySince, c.election.candidateSince = now, time.Time{} // it has its turn
	c.vote(m.Epoch)
	k.told = &migration.PeerStatusMsg{Machine: m.Vote.Machine, Round: m.Round, Epoch: m.Epoch, HostLost: true}
	known = m.Decisions <= len(c.game.decisions)
	vote := &migration.VoteMsg{
		Round: m.Round, Epoch: m.Epoch, Saves: migration.SavePoint(c.game.commit), First: m.Decisions,
		Vote: migration.Ballot{Machine: c.machine, Sign: migration.Sign(c.self.sign, c.leadership().VoteText(m.Vote.Machine, m.Epoch))},
	}
	if known {
		vote.Tail = slices.Clone(c.game.decisions[m.Decisions:])
	}
	c.election.epoch, c.election.votes, c.election.pendingVote = 0, nil, vote
	c.emit(Candidacy{Peer: k.id, Epoch: m.Epoch})
}

// Vote gives what a Standing asks for: up to which frame this machine was promised
// that no decision comes that it does not know, and all inputs that it holds, as at
// most 32 datagrams of at most 1200 bytes.
func (c *Client) Vote(e Candidacy, promised int64, inputs [][]byte) {
	vote := c.election.pendingVote
	if vote == nil || vote.Epoch != e.Epoch || c.lead.voted != e.Epoch || c.game == nil {
		return
	}
	c.election.pendingVote = nil
	c.Promised(promised)
	vote.Promised, vote.Inputs = c.game.promised, inputs
	vote.Sign = migration.Sign(c.self.sign, c.leadership().TailText(vote))
	c.sendTo(e.Peer, vote)
}

// Promised tells up to which frame this machine may play with the decisions that it
// knows. To be told before Tick.
func (c *Client) Promised(frame int64) {
	if c.game != nil && c.game.playing {
		c.game.promised = min(max(c.game.promised, frame), ds.MaxFrame)
	}
}

// takeVote counts a vote for us.
func (c *Client) takeVote(now time.Time, k *peerLink, m *migration.VoteMsg) {
	o := &c.election
	if c.game == nil || o.epoch == 0 || m.Epoch != o.epoch || c.lead.voted != o.epoch || m.Round != c.game.number ||
		!c.room.Voters.Has(m.Vote.Machine) || slices.ContainsFunc(o.votes, func(v *migration.VoteMsg) bool { return v.Vote.Machine == m.Vote.Machine }) {
		return
	}
	ch := c.leadership()
	key := ch.Keys[m.Vote.Machine]
	if !migration.Verify(key, ch.VoteText(c.machine, m.Epoch), m.Vote.Sign) || !migration.Verify(key, ch.TailText(m), m.Sign) {
		c.dropLink(k, "a vote that is not its own")
		return
	}
	if m.Promised > c.game.promised+maxLead || !c.learn(m) {
		c.dropLink(k, "it knows of other decisions")
		return
	}
	o.votes = append(o.votes, m)
	votes := room.MachineSet(0).With(c.machine)
	for _, v := range o.votes {
		votes = votes.With(v.Vote.Machine)
	}
	if !migration.Elects(c.room.Voters, votes) {
		return
	}
	e := Elected{Promised: c.game.promised, Words: fmt.Sprintf("the line to %s is gone; %s is the game host now", c.hostName(), c.Me().Nickname)}
	c.lead.proof = migration.ProofMsg{Round: c.game.number, Machine: c.machine, Epoch: o.epoch}
	c.lead.proof.Votes = []migration.Ballot{{Machine: c.machine, Sign: migration.Sign(c.self.sign, c.leadership().VoteText(c.machine, o.epoch))}}
	for _, v := range o.votes {
		c.lead.proof.Votes = append(c.lead.proof.Votes, v.Vote)
		e.Promised, e.Inputs = max(e.Promised, v.Promised), append(e.Inputs, v.Inputs...)
		if SaveCommit(v.Saves).newer(c.game.commit) {
			c.game.commit = SaveCommit(v.Saves)
			c.emit(c.game.commit)
		}
	}
	c.lead.previous = c.room.Host
	c.room.Host, c.room.Epoch = c.machine, o.epoch
	c.emit(e)
}

// learn takes the decisions that a voter knows and we do not. It tells whether the two
// lists agree: one game host made them all, so the longer begins with the shorter.
func (c *Client) learn(m *migration.VoteMsg) bool {
	for i, d := range m.Tail {
		switch n := m.First + i; {
		case n < len(c.game.decisions) && c.game.decisions[n] != d:
			return false
		case n < len(c.game.decisions):
		case n > len(c.game.decisions) || c.game.decisions.Check(d, c.game.seats) != nil:
			return false
		default:
			c.game.apply(d)
			c.emit(Decided{n, d})
		}
	}
	return true
}

// takeLeaderProof follows the game host that is proven, on this line.
func (c *Client) takeLeaderProof(now time.Time, k *peerLink, m *migration.ProofMsg) {
	was := c.leadership()
	ch, err := was.Follow(m)
	same := m.Epoch == was.Epoch && m.Machine == was.Host
	switch {
	case same && c.reconnecting() && c.lead.voted <= m.Epoch && (c.stage == disconnected || now.Sub(c.since) > namedWait):
	case err != nil || m.Epoch < c.lead.voted || m.Machine == c.machine:
		c.dropLink(k, "we do not follow that game host")
		return
	default:
		c.changeHost(ch)
		c.election.namedSince = now // it has time to take us back before another is elected
	}
	if !same { // else it proves nothing new, and nothing of it was looked at
		c.lead.proof = *m
	}
	c.linkGone(k.id)
	c.dropConnection("another line is there")
	c.lostAt = orTime(c.lostAt, now)
	e := HostChanged{Machine: c.room.Host, Peer: k.id}
	if !same {
		e.Words = c.hostName() + " goes on in its place"
	}
	c.emit(e)
	c.Connected(now, k.id)
}

// changeHost notes who is game host now.
func (c *Client) changeHost(ch migration.Leadership) {
	c.lead.previous = c.room.Host
	c.room.Host, c.room.Epoch, c.room.Voters = ch.Host, ch.Epoch, ch.Voters
}

// orTime is a, or b where there is no a.
func orTime(a, b time.Time) time.Time {
	if a.IsZero() {
		return b
	}
	return a
}

// takeHandover follows the game host's word on who comes after it.
func (c *Client) takeHandover(now time.Time, m *migration.HandoverMsg) error {
	crown := c.lead.proof
	crown.Machine, crown.Epoch = m.Handover.To, m.Handover.Epoch
	crown.Handovers = append(slices.Clone(crown.Handovers), m.Handover)
	ch, err := c.leadership().Follow(&crown)
	if err != nil {
		return fmt.Errorf("handover: %w", err)
	}
	words := room.JoinWords(c.hostName(), "left", room.Brackets(m.Why))
	c.lead.proof = crown
	c.Promised(m.Promised)
	c.changeHost(ch)
	c.dropConnection("goodbye")
	c.lostAt, c.election.namedSince = now, now
	next, there := c.room.Player(ch.Host)
	if !there {
		return fmt.Errorf("handover: machine %d is not in the room", ch.Host)
	}
	words += "; " + next.Nickname + " is the game host now"
	if ch.Host == c.machine {
		e := Elected{Inputs: m.Inputs, Named: true, Words: words}
		if c.game != nil {
			e.Promised = c.game.promised
		}
		c.emit(e)
		return nil
	}
	c.emit(HostChanged{Machine: ch.Host, Inputs: m.Inputs, Words: words})
	return nil
}

// newer tells whether this order came after another one.
func (k SaveCommit) newer(o SaveCommit) bool {
	return k.Frame > o.Frame || k.Frame == o.Frame && k.Commit && !o.Commit
}

func (c *Client) takeCommit(_ time.Time, m *commitMsg) error {
	if !c.plays(m.Round) {
		return nil
	}
	c.game.commit = SaveCommit{Frame: m.Frame, Commit: m.Commit}
	c.emit(c.game.commit)
	return nil
}

func (c *Client) statusOfHost(_ time.Time, m *migration.PeerStatusMsg, _ []byte) error {
	return c.likeMember(m)
}

func (c *Client) candidacyOfHost(_ time.Time, m *migration.CandidacyMsg, _ []byte) error {
	return c.likeMember(m)
}
func (c *Client) voteOfHost(_ time.Time, m *migration.VoteMsg, _ []byte) error {
	return c.likeMember(m)
}

// likeMember is for a game host that speaks as a member does: while we reconnect it may
// not know yet that it is game host.
func (c *Client) likeMember(m message) error {
	if c.reconnecting() {
		return nil
	}
	return fmt.Errorf("%v is not for a game host to say", kindOf(m))
}

// proofOfHost is for the game host that says again who it is.
func (c *Client) proofOfHost(time.Time, *migration.ProofMsg, []byte) error { return nil }
