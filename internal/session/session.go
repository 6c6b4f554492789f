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
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/spectate"
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
// for what is handed over through calls. Its parts are grouped by subject; a part that has
// methods of its own has a field with a name, except for jobs, whose methods are the session's, too.
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
	readiness
	builds builds

	connections
	assembler *assembly.Assembler // makes consoles alike
	ownLateJoin
	admission
	running
	comparison
	cartridges
	spectators *spectate.Server
	recording  recorderState
	telling
	ending
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

// sendAll sends messages, and ends a connection that does not keep up; false: they are not all sent.
func (s *session) sendAll(p link.PeerID, channel link.Channel, messages ...[]byte) bool {
	for _, m := range messages {
		if err := s.cfg.Link.Send(p, channel, m); err != nil {
			if errors.Is(err, link.ErrBacklog) {
				s.cfg.Link.Disconnect(p, "your connection does not keep up")
			}
			return false
		}
	}
	return true
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
