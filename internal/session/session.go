package session

import (
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/nettplay/nettplay/host"
	"github.com/nettplay/nettplay/host/client"
	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/assembly"
	"github.com/nettplay/nettplay/internal/desync"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/report"
	"github.com/nettplay/nettplay/internal/savecommit"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/spectate"
	"github.com/nettplay/nettplay/savestate"
)

// member is the common part of a game host and a game client.
type member interface {
	Receive(now time.Time, peer ds.PeerID, msg []byte)
	Belongs(peer ds.PeerID) bool
	Plays(peer ds.PeerID) bool
	Disconnected(now time.Time, peer ds.PeerID, reason string)
	Lost(now time.Time, peer ds.PeerID, reason string)
	Tick(now time.Time)
	Outgoing() []event.Outgoing
	Events() []event.Event
	Report(now time.Time, s room.Status)
	Installed(now time.Time, round uint32, hashes []room.SeatHash) error
	Failed(now time.Time, round uint32, cause room.Cause, why string) error
	Finished(now time.Time, round uint32, frames int64, hashes []room.SeatHash, stats message.Stats) error
	Chat(now time.Time, text string) error
	Pause(now time.Time, pause bool) error
	SwitchOn(now time.Time, seat ds.Seat) error
	SavesWritten(now time.Time, round uint32, frame int64, why string) error
	SavesCommitted(now time.Time, round uint32, frame int64) error
	Remade(now time.Time, round uint32, number int, hashes []room.SeatHash) error
	SetLocalPlayers(now time.Time, list []room.LocalPlayer) error
	Decisions() timeline.Log
	Room() room.Room
	Me() room.Player
}

// session is the state of one Run. Everything in it belongs to the goroutine of Run, except
// for what is handed over through calls. Its parts are grouped by subject. The methods of jobs are the
// session's, too; running begins anew with each game.
type session struct {
	cfg      Config
	commands commands
	jobs

	room       member
	host       *host.Host     // nil on game clients
	client     *client.Client // nil on the game host
	games      games          // which games of the roster are here
	unsigned   [][32]byte     // games of which tellUnsigned has told
	cheatsTold [32]byte       // SHA-256 of the cheats of which tellCheats has told
	builds     builds
	assembler  *assembly.Assembler // makes consoles alike
	spectators *spectate.Server
	recording  recorderState

	// Whether the player wants to start, and with which games: ready.go.
	ready    bool
	chooser  int      // the machine of the game host
	hostGame [32]byte // that it plays
	ownGame  [32]byte // that our player plays

	// The connections to other machines: connections.go. For all that arrives by them see events.go.
	peer     link.PeerID // the game host's, on game clients
	seek     seek
	gameHost int                        // the game host's machine
	hostLost bool                       // the player was told that the connection to it is lost
	joined   [32]byte                   // the public key, in this room, of the machine at the address that we joined
	opened   map[link.PeerID]link.Event // by which those that there are came, with the keys that the machines have proven
	measured map[link.PeerID]link.Stats // newest figures, of connections that are gone, too
	pinged   time.Time

	// Our own way into a game that runs: latejoin.go.
	offered map[ds.Seat]savestate.Manifest // our own consoles, while we wait to be let in
	joining *spectate.Entry                // from being let in to the first frame
	catchUp *spectate.Follower             // we follow the game until then

	// The game host's part of letting late joiners in: admission.go.
	lateJoiners   map[int]*lateJoiner            // by machine
	incoming      map[ds.Seat]savestate.Manifest // consoles that join with the next resync; on all machines
	checkpoint    spectate.Checkpoint            // from where the game can be followed
	lastAdmission time.Time
	leftEarly     []event.SeatLeft // before their consoles were in the game

	running

	// What keeps machines alike: judge.go.
	comparer *desync.Comparer // on the game host; nil while nothing is compared
	desyncs  int
	resyncs  int
	repaired map[int][]time.Time // when resyncs were decided, on the game host; see mayRepair
	odd      map[int][]time.Time // when a machine was alone with its hashes; see oddAgain
	reports  *report.Reporter

	// The cartridges of our own seats: saving.go.
	saves   *savecommit.Committer
	aside   aside
	fitting fitting
	locals  map[ds.Seat]int // which of our players sits in each of our seats: 0 is ourselves
	lost    []string        // why saves are in memory only

	// What the player was told last: figures.go.
	blockers []room.Blocker // as told last; nil: not yet
	banned   []room.Banned
	reported time.Time            // when progress was told
	said     map[string]time.Time // what was said a moment ago, and when

	// On the way to the end: ending.go, leaving.go.
	last     notice.Report // what the last game left behind
	leaving  bool
	leaves   time.Time // until when a player who leaves, and is game host since a moment ago, waits for the others to follow; zero: not
	farewell time.Time // a game host that only tells the others how it ended: until when; zero: it does not
	over     bool
	err      error
}

// running is the state of the game that runs, or ran last. It begins anew with each.
type running struct {
	game       *game.Game // nil in the lobby
	delaying   delaying
	moments    moments
	gauge      gauge
	standstill standstill
	waiting    bool   // Waiting was told
	told       bool   // the room knows that all our consoles are at the end
	cutShort   string // why the game ends early, when nobody wanted that
	abrupt     bool   // somebody fell silent or failed instead of leaving
	alike      int64  // frames done when all consoles were last known to be alike: a start, a resync
	givenUp    *givenUp
	donorErr   error // our consoles were to be taken by all, and failed; nil once that is mended
}

// flush sends what the room has to say.
func (s *session) flush() {
	for _, o := range s.room.Outgoing() {
		if o.Data != nil {
			s.sendAll(o.Peer, link.Control, o.Data)
		}
		if o.CloseWhy != "" {
			s.cfg.Link.Disconnect(o.Peer, o.CloseWhy)
		}
	}
}

// sendAll sends messages, and ends a connection that does not keep up.
func (s *session) sendAll(p link.PeerID, channel link.Channel, messages ...[]byte) {
	for _, m := range messages {
		if err := s.cfg.Link.Send(p, channel, m); err != nil {
			if errors.Is(err, link.ErrBacklog) {
				s.cfg.Link.Disconnect(p, "your connection does not keep up")
			}
			return
		}
	}
}

// tick is the time between two looks at the room when nothing happens.
const tick = 50 * time.Millisecond

func (s *session) notify(n notice.Notice) {
	if s.cfg.Notify != nil {
		s.cfg.Notify(n)
	}
}

// Say tells the players what happens, once: that somebody is gone is told by the room,
// and again as the reason of what is decided about it.
func (s *session) Say(format string, args ...any) {
	const moment = 2 * time.Second
	text, now := fmt.Sprintf(format, args...), time.Now()
	maps.DeleteFunc(s.said, func(_ string, at time.Time) bool { return now.Sub(at) > moment })
	if _, told := s.said[text]; told {
		return
	}
	s.said[text] = now
	s.notify(notice.Message{Text: text})
}

// nickname returns the nickname of a machine's primary player.
func (s *session) nickname(machine int) string {
	p, _ := s.room.Room().Player(machine)
	return p.Nickname
}

func (s *session) me() int { return s.room.Me().Machine }

// unlessOver is an error of what was to be done about a game that may have ended meanwhile.
func unlessOver(err error) error {
	if errors.Is(err, room.ErrPhase) {
		return nil
	}
	return err
}
