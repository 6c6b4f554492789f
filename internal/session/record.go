package session

import (
	"os"
	"time"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/assembly"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/replay"
)

// Recorder takes down the games of a session, so that they can be played again.
// A [replay.Recorder] is one. Its methods are called on the session's goroutine
// and must not block.
type Recorder interface {
	// Begin is called before the first frame of each game.
	Begin(b replay.Beginning) error
	game.Recorder
	// Resynced is that all consoles are made anew from states before a frame.
	Resynced(frame int64, seats []replay.Seat, part func(sha [32]byte) ([]byte, bool))
	// Clip marks the last half minute as one that the player wants to keep; ok is false where nothing is recorded.
	Clip() (c replay.Clip, ok bool)
	// Shot puts a picture of the game, a PNG of at most [replay.MaxShot] bytes, into the recording.
	Shot(png []byte)
	// Chat records a player's words.
	Chat(from, text string)
	// Ended is called after the last frame of each game.
	Ended(why string)
	// Problem returns the reason why nothing more is recorded, nil while all is well.
	Problem() error
	// Path is the file of the newest recording, "" for none.
	Path() string
	// Flush writes what is recorded to that file, without waiting for the disk.
	Flush()
	// Close is for the recorder's owner; a session never calls it.
	Close() error
}

// recorderState is a session's state of its own recording.
type recorderState struct {
	scratch *scratch // stands in for Config.Recorder; nil: not needed
	shots   int      // pictures that were taken of the game that runs
	mute    bool     // the player was told that nothing is recorded any more
}

// recorder returns where this session's games are recorded; one that never begins where none are.
func (s *session) recorder() Recorder {
	switch {
	case s.cfg.Recorder != nil:
		return s.cfg.Recorder
	case s.recording.scratch != nil:
		return s.recording.scratch
	}
	return new(replay.Recorder)
}

// record begins the recording of a game whose consoles stand. A game that
// cannot be recorded is played all the same.
func (s *session) record(a *assembly.Assembly) Recorder {
	s.recording.mute, s.recording.shots = false, 0
	s.needScratch(a.Plan.Settings)
	if s.cfg.Recorder != nil || s.recording.scratch != nil {
		_ = s.recorder().Begin(s.beginning(a)) // it is its Problem from now on
	}
	s.serveLog(a.Plan.Round, a.Plan.Settings)
	s.checkRecording()
	return s.recorder()
}

// serveLog lets the game that begins be watched.
func (s *session) serveLog(round uint32, settings room.Settings) {
	if !logShown(settings) {
		return
	}
	delay := time.Duration(settings.SpectateDelay) * time.Second
	s.spectators.Open(round, nil, delay)
	path := s.recorder().Path()
	if path == "" || s.recorder().Problem() != nil {
		return
	}
	tail, err := replay.OpenTail(path)
	if err != nil {
		s.tellUnwatched(err)
		return
	}
	s.recording.scratch.unlink(path)
	s.spectators.Open(round, tail, delay)
}

// beginning is a game that begins with the consoles of an assembly.
func (s *session) beginning(a *assembly.Assembly) replay.Beginning {
	b := replay.Beginning{
		Head: replay.Head{
			Program: s.cfg.Version, Began: time.Now(), Round: a.Plan.Round, Machine: s.me(), Settings: a.Plan.Settings,
		},
		Part: s.assembler.Store().Get,
	}
	for _, plan := range a.Plan.Seats {
		hash, _ := a.Hash(plan.Seat)
		b.Seats = append(b.Seats, replay.Seat{Plan: plan, Start: a.Manifest(plan.Seat), Hash: replay.HashOf(hash)})
	}
	return b
}

// recordResync notes what all consoles are made from anew.
func (s *session) recordResync(a *assembly.Assembly) {
	b := s.beginning(a)
	for i, plan := range a.Plan.Seats {
		if a.Resync().Joined(plan.Seat) {
			b.Seats[i].From = a.Frame()
		}
	}
	s.recorder().Resynced(a.Frame(), b.Seats, b.Part)
}

// checkRecording tells once that nothing more is recorded.
func (s *session) checkRecording() {
	if err := s.recorder().Problem(); err != nil && !s.recording.mute {
		s.recording.mute = true
		if s.cfg.Recorder == nil {
			s.tellUnwatched(err)
			return
		}
		s.Say("Recording has stopped: %v", err)
	}
}

// recorded ends the recording of the game that runs.
func (s *session) recorded(why string) {
	if s.game != nil {
		s.recorder().Ended(why)
		s.checkRecording()
	}
}

// logShown tells whether somebody may need the log of a game while it runs: a spectator,
// or a late joiner.
func logShown(settings room.Settings) bool {
	return settings.Spectators > 0 || !settings.NoLateJoin
}

// tellUnwatched tells the game host's player why nobody can watch the game here.
func (s *session) tellUnwatched(err error) {
	if s.host != nil {
		s.Say("Nobody can watch this game: %v", err)
	}
}

// scratch is a recording for spectators and late joiners alone. Its files have no names.
type scratch struct {
	*replay.Recorder
	dir string
}

// unlink removes the name of a file that is open, and the folder. The folder is made again
// for the next file. A nil scratch has none.
func (p *scratch) unlink(path string) {
	if p != nil {
		_, _ = os.Remove(path), os.Remove(p.dir)
	}
}

// close ends the recording. A nil scratch has none.
func (p *scratch) close() {
	if p != nil {
		p.Recorder.Close()
		os.RemoveAll(p.dir)
	}
}

// needScratch records the game that is about to begin for spectators and late joiners, if
// nobody else records it.
func (s *session) needScratch(settings room.Settings) {
	if s.cfg.Recorder != nil || !logShown(settings) || s.recording.scratch != nil {
		return
	}
	dir, err := os.MkdirTemp("", "nettplay-watch-*")
	if err != nil {
		s.tellUnwatched(err)
		return
	}
	s.recording.scratch = &scratch{Recorder: replay.NewRecorder(replay.Config{Folder: dir}), dir: dir}
}
