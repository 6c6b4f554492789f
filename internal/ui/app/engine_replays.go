package app

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/player"

	"github.com/nettplay/nettplay/internal/launch"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/internal/ui/gameview"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/viewer"
)

// Recordings of games: the list, and watching one.

// showing holds what is needed to show a recording or a room.
type showing struct {
	roster *roster
	post   func(func(*Shell)) // what comes after the end is dropped

	player atomic.Pointer[player.Player]
	told   atomic.Bool // the last status has not been taken yet
}

// begins shows what a player plays. rom is the SHA-256 of a recorded game.
func (s *showing) begins(p *player.Player, rom [32]byte, chapters []replay.Chapter) {
	s.player.Store(p)
	s.post(func(m *Shell) {
		if m.viewer.Watched(p); m.viewer.Watching != nil {
			m.viewer.Watching.ROM, m.viewer.Watching.Chapters = rom, chapters
		}
	})
}

// status tells the roster and the screen how far the player is, the screen at most as often
// as it takes that. The player's goroutine calls it.
func (s *showing) status() {
	if p := s.player.Load(); p != nil {
		s.roster.at(p.ConsolesAt(p.Status().Frame))
	}
	if s.told.CompareAndSwap(false, true) {
		s.post(func(m *Shell) {
			s.told.Store(false)
			if w := m.viewer.Watching; w != nil && w.Player != nil {
				m.viewer.Status(s.player.Load().Status())
				m.viewer.Consoles(s.roster.shown())
			}
		})
	}
}

// watch shows something, until the player goes back.
func (e *engine) watch(play func(context.Context, launch.Machine, *showing) *screen.Trouble) {
	ctx := e.begin(&e.watching.stop)
	before, done, machine := e.watching.done, make(chan struct{}), e.machine()
	show := &showing{roster: newRoster(e.game), post: e.during(ctx)}
	e.watching.done, e.watching.roster = done, show.roster
	e.jobs.Go(func() {
		defer close(done)
		if before != nil {
			<-before // its consoles are to be gone
		}
		playing, stop := context.WithCancel(ctx)
		defer stop() // whatever play began
		trouble := play(playing, machine, show)
		show.post(func(m *Shell) { m.viewer.Over(trouble) })
	})
}

// WatchReplay implements viewer.Engine.
func (e *engine) WatchReplay(path string) {
	e.watch(func(ctx context.Context, machine launch.Machine, show *showing) *screen.Trouble {
		return e.playRecording(ctx, path, machine, show)
	})
}

// StopReplay implements viewer.Engine.
func (e *engine) StopReplay() {
	e.watching.stop()
	e.watching.roster = nil // it would keep the whole log's index
}

// Enlarge implements viewer.Engine.
func (e *engine) Enlarge(seat ds.Seat) {
	if e.watching.roster != nil {
		e.watching.roster.enlarge(seat)
	}
}

// openReplay opens a recording, with what is needed to play it. The log must be closed. Fails is the
// title of the trouble where that cannot be, and lacks where something is not here. The player may have to be asked about the
// core first; again tries once more then.
func (e *engine) openReplay(ctx context.Context, path string, machine launch.Machine, fails, lacks string, again func()) (*replay.Log, player.Config, *screen.Trouble) {
	log, err := replay.Open(path)
	if err != nil {
		return nil, player.Config{}, screen.Failed(fails, err)
	}
	play, needs, err := machine.Replay(ctx, launch.Replay{Log: log})
	asks := e.untrusted(err, again)
	switch {
	case asks != nil:
		log.Close()
		return nil, play, asks
	case err != nil:
		log.Close()
		return nil, play, screen.Failed(fails, err)
	case len(needs) > 0:
		log.Close()
		return nil, play, &screen.Trouble{Title: lacks, Words: screen.Sentence("it needs " + needs[0].What), Hint: screen.Sentence(needs[0].Hint)}
	}
	return log, play, nil
}

// playRecording plays a recording and says why it could not.
func (e *engine) playRecording(ctx context.Context, path string, machine launch.Machine, show *showing) *screen.Trouble {
	const fails = "This recording cannot be watched"
	log, play, trouble := e.openReplay(ctx, path, machine, fails, "Something is missing to watch this", func() { e.shell.viewer.Again() })
	if trouble != nil {
		return trouble
	}
	defer log.Close()
	play.Show, play.Notify, play.Build = show.roster.show, show.status, true
	play.Keyframes = replay.KeyframesIn(e.places.Keyframes, log, play.Core.SHA256)
	p, err := player.New(play)
	if err != nil {
		return screen.Failed(fails, err)
	}
	if words := player.OtherBuild(log.Settings.Core, play.Core); words != "" {
		show.post(func(m *Shell) { m.Tell(words) })
	}
	var consoles []gameview.Console
	for _, s := range log.Seats {
		if s.From == 0 {
			consoles = append(consoles, gameview.Console{Seat: s.Plan.Seat, Name: s.Plan.Nickname, Colour: s.Plan.Firmware.Colour})
		}
	}
	show.roster.begin(consoles, []ds.Seat{log.Mine()}, p.Consoles)
	show.begins(p, recordedGame(&log.Head), log.Chapters())
	p.Play()
	if err := p.Run(ctx); err != nil {
		return screen.Failed("Playback could not continue", err)
	}
	return nil
}

// recordedGame is the SHA-256 of the game of a recording: of the console whose player recorded it.
func recordedGame(log *replay.Head) (rom [32]byte) {
	for i, s := range log.Seats {
		if i == 0 || s.Plan.Seat == log.Mine() {
			rom = s.Plan.ROM.SHA256
		}
	}
	return rom
}

// mostPictures is how many recordings show pictures, the newest; those before them have the icons of their games. It bounds
// the memory that they take: 5 MB.
const mostPictures = 100

// ListReplays implements viewer.Engine.
func (e *engine) ListReplays() {
	cfg := e.shell.Config.Recording
	e.jobs.Go(func() {
		dir, err := cfg.Dir()
		var entries []replay.Entry
		if err == nil {
			entries, err = replay.List(dir)
		}
		if err != nil {
			e.complain("The recordings could not be listed", err)
			return
		}
		var list []viewer.Recording
		slices.Reverse(entries) // the newest first
		for i, r := range entries {
			of := recordingOf(r)
			if i < mostPictures {
				of.Picture = pictureOf(r.Shot, 128)
			}
			list = append(list, of)
		}
		e.post(func(m *Shell) { m.recordings.Listed(list) })
	})
}

func recordingOf(e replay.Entry) viewer.Recording {
	if e.Err != nil || e.Head == nil {
		r := viewer.RecordingAt(e.Path)
		r.Why = screen.Sentence(fmt.Sprint(e.Err))
		return r
	}
	r := viewer.Recording{GameFile: screen.GameFile{
		Path: e.Path, Name: e.Name(), Game: e.Head.Game(), Players: e.Head.Players(), At: e.Head.Began, Frames: e.Frames,
	}, ROM: recordedGame(e.Head)}
	for _, s := range e.Head.Seats {
		r.Consoles = append(r.Consoles, gameview.Console{Seat: s.Plan.Seat, Name: s.Plan.Nickname, Colour: s.Plan.Firmware.Colour})
	}
	return r
}
