package app

import (
	"context"
	"errors"
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/launch"
	"github.com/nettplay/nettplay/internal/player"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/internal/session"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/ui/library"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/widgets"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// TestRecordingsByKeys: everything that can be done with a recording can be done by keys, and
// nothing is lost without a question.
func TestRecordingsByKeys(t *testing.T) {
	m := recordingsScene(func(*Shell) {})(t)
	calls(m)
	h := newHand(t, m, image.Pt(640, 480), 1)
	h.rest()
	h.press("Return") // the list has the keyboard
	if at(t, m, screen.Watching); m.viewer.Watching.Title != m.recordings.List[0].Game {
		t.Errorf("what is watched is %q", m.viewer.Watching.Title)
	}
	m.GoBack()
	calls(m)
	h.rest()
	h.key(widgets.KeyDown, widgets.KeyDelete)
	if m.Question == nil || !strings.Contains(m.Question.Hint, "The final that Bob won") {
		t.Fatalf("asked is %+v", m.Question)
	}
	h.press("Return") // the harmless answer
	if got := kinds(calls(m)); got != "" || m.Question != nil {
		t.Errorf("without an answer the screen does %q", got)
	}
	h.key(widgets.KeyDelete)
	m.Answer(true)
	if got := calls(m); len(got) != 1 || !wants(got, "DeleteReplay", "/r/b") {
		t.Errorf("deleting: %+v", got)
	}
	h.rest()
	h.press("Tab") // Verify
	h.press("Return")
	if got := kinds(calls(m)); got != "VerifyReplay" {
		t.Errorf("the first button does %q", got)
	}
	h.press("Tab", "Return")
	if got := kinds(calls(m)); got != "NewFilm" {
		t.Errorf("the second button does %q", got)
	}
	h.press("Tab", "Return")
	h.rest()
	h.write("A hair") // in place of the old one
	h.press("Return")
	if got := calls(m); len(got) != 1 || !wants(got, "RenameReplay", "/r/b", "A hair") {
		t.Errorf("renaming: %+v", got)
	}
	h.press("Tab", "Tab", "Return") // after "Delete"
	if got := calls(m); len(got) != 1 || !wants(got, "ShowFile", "/r/b") {
		t.Errorf("showing the file: %+v", got)
	}
}

// TestEndOfARecordingsJob: what a video or a check came to is said where the player is, and
// never takes the keys from a game.
func TestEndOfARecordingsJob(t *testing.T) {
	m := recordingsScene(func(*Shell) {})(t)
	m.recordings.Finished("The video is ready", "It is /v/a.mp4.", "/v/a.mp4")
	calls(m)
	m.Answer(true)
	if got := calls(m); len(got) != 1 || !wants(got, "ShowFile", "/v/a.mp4") {
		t.Errorf("the file is shown by %+v", got)
	}
	m.GoBack()
	m.recordings.Finished("The video is ready", "It is /v/a.mp4.", "/v/a.mp4")
	m.recordings.Failed(&screen.Trouble{Title: "The video could not be made", Words: "The disk is full."})
	m.recordings.Failed(nil)
	if m.Question != nil || m.Trouble != nil || len(m.Toasts) != 2 {
		t.Errorf("elsewhere there is %+v, %+v, %+v", m.Question, m.Trouble, m.Toasts)
	}
}

// recorded is a desktop with a recording of a short game alone.
func recorded(t *testing.T) *desktop {
	t.Helper()
	core, err := emucore.Search{}.Find(t.Context(), "desmume")
	if err != nil {
		t.Skipf("NOT TESTED: %v (%s)", err, emucore.AptLine)
	}
	d, games := newDesktop(t), t.TempDir()
	paths, err := romstest.WriteFiles(games, romstest.ROM{Name: "pad.nds", Data: romstest.Pad})
	must.Succeed(t, err)
	game, err := library.Look(paths[0])
	must.Succeed(t, err)
	d.e.places = Places{Places: config.Places{Saves: t.TempDir(), Games: t.TempDir(), Videos: filepath.Join(t.TempDir(), "videos")}, Keyframes: t.TempDir()}
	d.m.Config.ROMs.Folders, d.m.Config.Core.Name, d.m.Config.Recording.Folder = []string{games}, "desmume", t.TempDir()
	d.m.CoreFound(screen.Core{Found: true, Core: core})
	d.e.ScanGames()
	s, err := launch.Machine{Settings: d.m.Config, Core: core, Places: config.Places{Saves: d.e.places.Saves}}.Play(t.Context(), launch.Play{Solo: &launch.Solo{Consoles: 1}, ROM: game.ROM, Frames: 150, Once: true, Input: func(int, int64) inputdelay.Input { return inputdelay.Input{} }})
	must.Succeed(t, err)
	s.Config.MaxSpeed = true
	if _, err := session.Run(t.Context(), s.Config); err != nil {
		t.Fatal(err)
	}
	must.Succeed(t, s.Recorder.Close())
	d.m.Go(screen.Recordings)
	d.until("the recording", func() bool { return len(d.m.recordings.List) == 1 && len(d.m.Games.Games) == 1 })
	return d
}

// TestRecordingsJobs: a recording is verified, becomes a video, gets a name, and goes.
func TestRecordingsJobs(t *testing.T) {
	d := recorded(t)
	m := d.m
	r := m.recordings.List[0]
	d.e.VerifyReplay(r)
	d.until("the check", func() bool { return m.Trouble != nil })
	if m.Trouble.Title != "Everything matches the recording" || !strings.HasPrefix(m.Trouble.Words, "150 frames of 1 console, with ") {
		t.Fatalf("the check says %+v", m.Trouble)
	}
	m.Trouble = nil
	t.Setenv("PATH", t.TempDir()) // no ffmpeg
	f := *d.e.NewFilm(r)
	if !f.Raw || filepath.Ext(f.Path) != ".y4m" {
		t.Errorf("without ffmpeg the video is %+v", f)
	}
	d.e.FilmReplay(f)
	d.until("the video", func() bool { return m.Question != nil })
	m.Answer(false)
	if info, err := os.Stat(f.Path); err != nil || info.Size() < 150*3*256*384 {
		t.Errorf("the video: %v, %v", info, err)
	}
	if _, err := os.Stat(soundsFile(f.Path)); err != nil {
		t.Error(err)
	}
	f.Clips, f.Part, f.Path = []replay.Clip{{From: 50, To: 90}}, 0, strings.TrimSuffix(f.Path, ".y4m")+" clip.y4m"
	d.e.FilmReplay(f)
	d.until("the video of a clip", func() bool { return m.Question != nil })
	m.Answer(false)
	if info, err := os.Stat(f.Path); err != nil || info.Size() < 40*3*256*384 || info.Size() >= 41*3*256*384 {
		t.Errorf("the video of 40 frames: %v, %v", info, err)
	}
	d.e.RenameReplay(r.Path, "The final")
	d.until("the name", func() bool { return m.recordings.List[0].Title() == "The final" })
	d.e.VerifyReplay(m.recordings.List[0])
	d.e.StopJob()
	d.until("the end of the check", func() bool { return m.recordings.Job == nil && d.e.pass == nil })
	if m.Trouble != nil {
		t.Errorf("a job that was stopped says %+v", m.Trouble)
	}
	d.e.DeleteReplay(m.recordings.List[0].Path)
	d.until("an empty list", func() bool { return len(m.recordings.List) == 0 })
	if left, _ := filepath.Glob(filepath.Join(m.Config.Recording.Folder, "*")); len(left) != 0 || m.Trouble != nil {
		t.Errorf("left are %q; %+v", left, m.Trouble)
	}
}

// TestPassThatFailsAsItIsStopped: what went wrong before the player stopped a pass is told.
func TestPassThatFailsAsItIsStopped(t *testing.T) {
	d := recorded(t)
	d.e.playThrough(d.m.recordings.List[0].Path, pass{
		fails: "No video",
		begin: func(_ context.Context, fail func(), _ *player.Config) (func(bool) error, error) {
			fail()
			return func(bool) error {
				d.e.pass()
				return errors.New("the disk is full")
			}, nil
		},
	})
	d.until("the end of the pass", func() bool { return d.m.recordings.Job == nil })
	if got := d.m.Trouble; got == nil || got.Title != "No video" || got.Words != "The disk is full." {
		t.Errorf("told is %+v", got)
	}
}
