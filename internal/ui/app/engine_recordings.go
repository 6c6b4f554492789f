package app

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/film"
	"github.com/nettplay/nettplay/internal/launch"
	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/player"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/viewer"
)

// change changes a folder in the background, and then has it listed anew. A title says what could
// not be done.
func (e *engine) change(title string, list func(), do func() error) {
	e.jobs.Go(func() {
		err := do()
		e.post(func(m *Shell) {
			if err != nil {
				m.Trouble = screen.Failed(title, err)
			}
			list()
		})
	})
}

func rename(path, name string) error {
	_, err := replay.Rename(path, name)
	return err
}

// RenameReplay implements viewer.Engine.
func (e *engine) RenameReplay(path, name string) {
	e.change("The recording could not be renamed", e.ListReplays, func() error { return rename(path, name) })
}

// DeleteReplay implements viewer.Engine.
func (e *engine) DeleteReplay(path string) {
	e.change("The recording could not be deleted", e.ListReplays, func() error { return e.deleteRecording(path) })
}

// VerifyReplay implements viewer.Engine.
func (e *engine) VerifyReplay(of viewer.Recording) { e.playThrough(of.Path, verifying()) }

// FilmReplay implements viewer.Engine.
func (e *engine) FilmReplay(film viewer.Film) {
	e.playThrough(film.Of.Path, filming(film, e.places.Keyframes))
}

// StopJob implements viewer.Engine.
func (e *engine) StopJob() {
	if e.pass != nil {
		e.pass()
	}
}

// deleteRecording removes a recording, and what was made to seek in it.
func (e *engine) deleteRecording(path string) error {
	if log, err := replay.Open(path); err == nil {
		if keys := replay.KeyframesIn(e.places.Keyframes, log, log.Settings.Core.SHA256); keys != nil {
			_ = keys.Clear() // a cache: it goes by itself later
		}
		log.Close()
	}
	return os.Remove(path)
}

// NewFilm implements viewer.Engine.
func (e *engine) NewFilm(r viewer.Recording) *viewer.Film {
	f := &viewer.Film{Of: r, Seat: viewer.AllSeats, Raw: !film.HasFFmpeg(), Part: viewer.WholeGame}
	if log, err := replay.Open(r.Path); err == nil { // else the video will say why not
		if f.Clips = log.Clips; len(f.Clips) > 0 {
			f.Part = len(f.Clips) - 1 // whoever kept one wants it
		}
		log.Close()
	}
	end := ".mp4"
	if f.Raw {
		end = ".y4m"
	}
	name := strings.TrimSuffix(filepath.Base(r.Path), replay.Extension)
	f.Path = filepath.Join(e.places.Videos, name+end)
	for n := 2; (exists(f.Path) || f.Raw && exists(soundsFile(f.Path))) && n < 1000; n++ {
		f.Path = filepath.Join(e.places.Videos, fmt.Sprintf("%s %d%s", name, n, end))
	}
	return f
}

// soundsFile is where the sound of a video goes that is not compressed.
func soundsFile(video string) string { return strings.TrimSuffix(video, filepath.Ext(video)) + ".wav" }

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// pass is one way through a whole recording for something other than watching it.
type pass struct {
	words string // what is done
	from  int64  // the first frame that counts
	fails string // what cannot be done, a title
	// begin prepares it, and may change the player's configuration. end, which gets
	// whether all of the recording was played, finishes it. stop ends the pass.
	begin func(ctx context.Context, stop func(), cfg *player.Config) (end func(whole bool) error, err error)
	// over says what came of a pass that was not stopped.
	over func(s player.Status, seats int) (title, words, path string)
}

// verifying checks that a recording plays as it was recorded.
func verifying() pass {
	return pass{
		words: "Verifying", fails: "This recording cannot be verified",
		begin: func(_ context.Context, _ func(), cfg *player.Config) (func(bool) error, error) {
			cfg.StopAtDifference = true
			return func(bool) error { return nil }, nil
		},
		over: func(s player.Status, seats int) (title, words, path string) {
			switch {
			case s.Difference != nil:
				return "Does not match the recording", screen.Sentence(s.Difference.Error()) + " The core here behaves differently from the one used for the recording; or this is a fault, which is worth a report.", ""
			case s.Proofs == 0:
				return "Nothing to compare", "The recording is too short to have anything that can be compared.", ""
			}
			return "Everything matches the recording", fmt.Sprintf("%s of %s, with %s.", phrase.Count(int(s.Frame), "frame"), phrase.Count(seats, "console"), phrase.Count(int(s.Proofs), "comparison")), ""
		},
	}
}

// filming writes a video. keyframes is the folder of those.
func filming(f viewer.Film, keyframes string) pass {
	from, to := f.Span()
	return pass{
		from: from, words: "Making the video", fails: "The video could not be made",
		begin: func(ctx context.Context, stop func(), cfg *player.Config) (func(bool) error, error) {
			if err := os.MkdirAll(filepath.Dir(f.Path), 0o700); err != nil {
				return nil, err
			}
			seats, sound := f.Seats(), f.Seat
			if sound == viewer.AllSeats {
				sound = cfg.Log.Mine()
			}
			shown := map[ds.Seat]bool{}
			for _, s := range seats {
				shown[s] = true
			}
			if to > 0 {
				cfg.End = min(to, cfg.Log.Length())
				cfg.Keyframes = replay.KeyframesIn(keyframes, cfg.Log, cfg.Core.SHA256) // they make the way there short
			}
			out, err := film.Start(ctx, film.Config{
				Path: f.Path, Seats: seats, Sound: sound, First: from, Length: cfg.Log.Frames, Begin: cfg.Log.Begin, Failed: stop,
			})
			if err != nil {
				return nil, err
			}
			cfg.Show = func(seat ds.Seat, frame emucore.Frame) {
				if shown[seat] {
					out.Add(seat, frame)
				}
			}
			return func(whole bool) error {
				err := out.Close(whole)
				if !whole {
					_ = os.Remove(f.Path)
					_ = os.Remove(soundsFile(f.Path))
				}
				return err
			}, nil
		},
		over: func(s player.Status, _ int) (title, words, path string) {
			words = "Saved as " + f.Path
			if s.Difference != nil {
				words += ". But from " + screen.Minutes(ds.FrameTime(s.Difference.Frames)) + " on it is not what was recorded: the core here behaves differently"
			}
			return "The video is ready", words + ".", f.Path
		},
	}
}

// playThrough begins a pass through a recording, unless there is one already.
func (e *engine) playThrough(path string, p pass) {
	if e.pass != nil {
		return
	}
	ctx, stop := context.WithCancel(e.life)
	e.pass = stop
	e.shell.recordings.Job = &viewer.Job{Words: p.words}
	machine := e.machine()
	e.jobs.Go(func() {
		s, seats, trouble := e.runPass(ctx, path, machine, p)
		stopped := ctx.Err() != nil
		stop()
		e.post(func(m *Shell) {
			e.pass = nil
			if stopped || trouble != nil {
				m.recordings.Failed(trouble)
			} else {
				m.recordings.Finished(p.over(s, seats))
			}
		})
	})
}

// errPassEnded is why a pass ends that could not go on.
var errPassEnded = errors.New("the check could not continue")

// runPass plays a recording from its beginning to its end. Games go first. There is no trouble in
// what only comes of the player's stop, which ends ctx.
func (e *engine) runPass(ctx context.Context, path string, machine launch.Machine, p pass) (s player.Status, seats int, _ *screen.Trouble) {
	log, cfg, trouble := e.openReplay(ctx, path, machine, p.fails, p.fails, func() { e.playThrough(path, p) })
	switch {
	case trouble != nil && ctx.Err() != nil:
		return s, 0, nil
	case trouble != nil:
		return s, 0, trouble
	}
	defer log.Close()
	run, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	end, err := p.begin(run, func() { stop(errPassEnded) }, &cfg)
	if err == nil {
		s, err = e.playAll(run, cfg, p.from)
		endErr := end(err == nil && s.AtEnd)
		if stopped := errors.Is(context.Cause(run), context.Canceled); err == nil && !stopped {
			err = endErr
		}
	}
	if err != nil && !errors.Is(err, context.Canceled) {
		return s, 0, screen.Failed(p.fails, err)
	}
	return s, len(log.Seats), nil
}

// playAll plays a recording, from some frame on, as fast as it goes, and tells the screen how far it is.
func (e *engine) playAll(ctx context.Context, cfg player.Config, from int64) (player.Status, error) {
	var p *player.Player
	var told atomic.Bool
	cfg.EndAtEnd, cfg.Background = true, true
	cfg.Notify = func() {
		if told.CompareAndSwap(false, true) {
			e.post(func(m *Shell) {
				told.Store(false)
				if s := p.Status(); m.recordings.Job != nil {
					m.recordings.Job.Done = float64(s.Frame) / float64(max(s.Length, 1))
				}
			})
		}
	}
	p, err := player.New(cfg)
	if err != nil {
		return player.Status{}, err
	}
	p.Speed(player.NoLimit)
	if from > 0 {
		p.SeekTo(from)
	}
	err = p.Run(ctx)
	return p.Status(), err
}

// ShowFile implements screen.Engine: it says where the file is if there is no file manager.
func (e *engine) ShowFile(path string) { e.jobs.Go(func() { e.showFile(path) }) }

func (e *engine) showFile(path string) {
	ctx, stop := context.WithTimeout(e.life, 5*time.Second)
	defer stop()
	uri := "['" + (&url.URL{Scheme: "file", Path: path}).String() + "']"
	err := exec.CommandContext(ctx, "gdbus", "call", "--session", "--dest", "org.freedesktop.FileManager1", "--object-path", "/org/freedesktop/FileManager1",
		"--method", "org.freedesktop.FileManager1.ShowItems", uri, "").Run()
	if err == nil {
		return
	}
	// A file manager may be this process itself: it outlives nettplay.
	open := exec.Command("xdg-open", filepath.Dir(path))
	if err := open.Start(); err == nil {
		go func() { _ = open.Wait() }()
		return
	}
	e.post(func(m *Shell) {
		m.Trouble = &screen.Trouble{Title: "No file manager was found", Words: "The file is here:", Copy: path}
	})
}
