package app

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/internal/session"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/kit"
	"github.com/nettplay/nettplay/internal/ui/stage"
)

// Recordings of games: the list, and watching one.

// Recording is one line of the list.
type Recording struct {
	Path    string
	Game    string
	Players string
	Began   time.Time
	Length  time.Duration
	Why     string // why it cannot be watched, in words; "" when it can
}

// Watching is a recording that is being watched.
type Watching struct {
	Title  string
	Player Remote // nil until the consoles are being built
	Status session.PlayerStatus
}

// Remote moves a recording; session.Player does.
type Remote interface {
	Play()
	Pause()
	SeekTo(frame int64)
	Speed(times float64)
	Step(frames int64)
}

// Watch begins to show a recording.
func (m *Model) Watch(r Recording) {
	if r.Why != "" {
		m.Trouble = &Trouble{Title: "This recording cannot be watched", Words: r.Why}
		return
	}
	if m.needCore() {
		return
	}
	m.Watching = &Watching{Title: r.Game}
	m.command(WatchReplay{r.Path})
	m.goTo(ScreenWatching)
}

// Watched tells that the consoles of a recording are being built, and how it is
// moved.
func (m *Model) Watched(p Remote) {
	if m.Watching != nil {
		m.Watching.Player = p
	}
}

// WatchStatus tells how far a recording is.
func (m *Model) WatchStatus(s session.PlayerStatus) {
	if m.Watching != nil {
		m.Watching.Status = s
	}
}

// WatchOver tells that a recording is not shown any more, and why, if it should be.
func (m *Model) WatchOver(trouble *Trouble) {
	if m.Watching == nil {
		return
	}
	m.Watching = nil
	m.Trouble = trouble
	if m.Screen == ScreenWatching {
		m.pop()
	}
}

// watch plays a recording, until the player goes back.
func (e *engine) watch(path string, core emucore.Core) {
	e.stopWatching()
	ctx, stop := context.WithCancel(e.life)
	before, done, shelf := e.watched, make(chan struct{}), e.shelf
	e.watching, e.watched = stop, done
	e.jobs.Go(func() {
		defer close(done)
		defer stop()
		if before != nil {
			<-before // its consoles are to be gone
		}
		trouble := e.playRecording(ctx, path, core, shelf.Library())
		if ctx.Err() != nil {
			trouble = nil
		}
		e.post(func(m *Model) { m.WatchOver(trouble) })
	})
}

// stopWatching ends the recording that is shown; it is over soon.
func (e *engine) stopWatching() {
	if e.watching != nil {
		e.watching()
		e.watching = nil
	}
}

// playRecording plays a recording and says why it could not.
func (e *engine) playRecording(ctx context.Context, path string, core emucore.Core, games *emucore.Library) *Trouble {
	log, err := replay.Open(path)
	if err != nil {
		return &Trouble{Title: "This recording cannot be watched", Words: sentence(err.Error())}
	}
	defer log.Close()
	roms, needs, err := session.ReplayNeeds(ctx, log, core, false, nil, games)
	if err != nil {
		return &Trouble{Title: "This recording cannot be watched", Words: sentence(err.Error())}
	}
	if len(needs) > 0 {
		return &Trouble{Title: "Something is missing to watch this", Words: sentence("it needs " + needs[0].What), Hint: sentence(needs[0].Hint)}
	}
	var player *session.Player
	var told atomic.Bool // the last status has not been taken yet
	player, err = session.NewPlayer(session.ReplayConfig{
		Log: log, Core: core, ROMs: roms, Show: e.stage.Show,
		Notify: func() {
			if told.CompareAndSwap(false, true) {
				e.post(func(m *Model) {
					told.Store(false)
					m.WatchStatus(player.Status())
				})
			}
		},
	})
	if err != nil {
		return &Trouble{Title: "This recording cannot be watched", Words: sentence(err.Error())}
	}
	var seats []stage.Seat
	for _, s := range log.Seats {
		seats = append(seats, stage.Seat{Number: s.Plan.Seat, Name: s.Plan.Nickname})
	}
	e.stage.Begin(seats, []int{log.Mine()})
	e.post(func(m *Model) { m.Watched(player) })
	player.Play()
	if err := player.Run(ctx); err != nil {
		return &Trouble{Title: "The recording could not go on", Words: sentence(err.Error())}
	}
	return nil
}

// listRecordings reads what is in the folder for recordings.
func (e *engine) listRecordings(cfg config.Recording) {
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
		var list []Recording
		for _, r := range entries {
			list = append([]Recording{recordingOf(r)}, list...) // the newest first
		}
		e.post(func(m *Model) { m.Recordings = list })
	})
}

func recordingOf(e replay.Entry) Recording {
	if e.Err != nil || e.Head == nil {
		return Recording{Path: e.Path, Game: filepath.Base(e.Path), Why: sentence(fmt.Sprint(e.Err))}
	}
	return Recording{
		Path: e.Path, Game: e.Head.Game(), Players: strings.Join(e.Head.Players(), ", "),
		Began: e.Head.Began, Length: emucore.FrameTime(e.Frames),
	}
}

func (v *View) recordings(u *kit.UI) {
	m := v.m
	v.recording = min(max(v.recording, 0), len(m.Recordings)-1)
	watch := false
	v.page(u, "Recordings", 760, func() {
		empty := "There are no recordings yet. “Record every game” is in the settings."
		p := u.List(kit.List{Name: "recordings", Count: len(m.Recordings), Empty: empty, Item: func(i int) kit.Item {
			return recordingItem(m.Recordings[i])
		}}, &v.recording)
		watch = watch || p.Activated
	}, func() {
		u.Row(kit.Cells(kit.Fill, kit.Auto), func() {
			u.Small("A recording is played by the consoles themselves, with all that was pressed.")
			if u.Button(kit.Button{Text: "Watch", Name: "watch", Icon: draw.IconPlay, Kind: kit.Primary, Disabled: v.recording < 0}) {
				watch = true
			}
		})
	})
	if watch && v.recording >= 0 && v.recording < len(m.Recordings) {
		m.Watch(m.Recordings[v.recording])
	}
}

func recordingItem(r Recording) kit.Item {
	item := kit.Item{Title: r.Game, Icon: draw.IconFilm}
	if r.Why != "" {
		item.Sub, item.Badge, item.Kind, item.Faint = r.Why, "cannot be read", kit.Warning, true
		return item
	}
	item.Sub = r.Players
	item.Right = r.Began.Local().Format("2 Jan 2006 15:04") + " · " + minutes(r.Length)
	return item
}

// minutes is a length as a clock shows it.
func minutes(d time.Duration) string {
	s := int(d.Seconds())
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

// barHigh is the height of the bar under a recording, points.
const barHigh = 56

// watching shows a recording, with a bar to move it.
func (v *View) watching(u *kit.UI) {
	w := v.m.Watching
	if w == nil {
		return
	}
	if v.play != nil {
		v.play(u)
	}
	if u.Input().MouseIn && w.Status.Playing && u.Mouse().Y < u.Canvas().Bounds().H*0.7 {
		return // out of the way of the picture
	}
	b := u.Canvas().Bounds()
	bar := b.CutBottom(barHigh)
	u.Canvas().Fill(bar, u.Theme().Panel)
	u.In(bar.Inset2(12, 10), func() {
		if w.Player == nil || w.Status.Loading {
			u.Progress(kit.Progress{Value: -1, Text: "building the consoles"})
			return
		}
		v.watchBar(u, w)
	})
}

func (v *View) watchBar(u *kit.UI, w *Watching) {
	s := w.Status
	u.Row(kit.Cells(kit.Auto, kit.Auto, kit.Fill, kit.Auto), func() {
		if u.Button(kit.Button{Icon: draw.IconLeft, Name: "back", Kind: kit.Quiet, Tip: "Back to the list"}) {
			v.m.Back()
		}
		icon, tip := draw.IconPlay, "Play"
		if s.Playing {
			icon, tip = draw.IconPause, "Stand still"
		}
		if u.Button(kit.Button{Icon: icon, Name: "play", Tip: tip}) {
			if s.Playing {
				w.Player.Pause()
			} else {
				w.Player.Play()
			}
		}
		at := float64(s.Frame)
		if s.Seeking {
			at = float64(s.Target)
		}
		if u.Slider(kit.Slider{Name: "seek", Min: 0, Max: float64(max(s.Length, 1)), Step: 1, Format: func(f float64) string {
			return minutes(emucore.FrameTime(int64(f)))
		}}, &at) {
			w.Player.SeekTo(int64(at))
		}
		speeds := []float64{0.5, 1, 2, 4}
		i := 1
		for k, speed := range speeds {
			if speed == s.Speed {
				i = k
			}
		}
		if u.Radio(kit.Choice{Name: "speed", Options: []string{"½×", "1×", "2×", "4×"}}, &i) {
			w.Player.Speed(speeds[i])
		}
	})
}
