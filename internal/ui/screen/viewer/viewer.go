// Package viewer shows recordings and the games of others.
package viewer

import (
	"time"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/player"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/gameview"
	"github.com/nettplay/nettplay/internal/ui/screen"
)

// Engine does what these screens want of the world outside; see [screen.Engine].
type Engine interface {
	WatchReplay(path string)            // plays one; answers with Watched, Status, Over
	WatchRoom(address, password string) // the same, and Notice
	StopReplay()                        // ends either
	Enlarge(seat ds.Seat)               // makes one console large, or with AllSeats all alike

	// What is done for one recording answers with Recordings.Job, a word at the end, and a new list.
	ListReplays()               // reads the folder for recordings; answers with Recordings.Listed
	VerifyReplay(of Recording)  // checks that it plays as it was recorded
	NewFilm(of Recording) *Film // the form for a video of it
	FilmReplay(film Film)       // writes a video
	StopJob()                   // ends either
	RenameReplay(path, name string)
	DeleteReplay(path string) // and its keyframes
}

// Screen shows a recording or a room, with a bar to move it.
type Screen struct {
	screen.Base
	Watching *Watching // nil when nothing is watched

	engine  Engine
	mouse   draw.Point    // where it was last
	actedAt time.Duration // when the player did something

	asked *screen.Question // whether to stop watching; nil before it was asked
	again func()           // begins to watch once more what was watched last; nil: nothing was
}

// New makes the screen.
func New(s *screen.Shared, engine Engine) *Screen {
	return &Screen{Base: screen.Base{Shared: s, ID: screen.Watching}, engine: engine}
}

// Back implements screen.Screen: it ends the watching, but asks before it leaves a room. A recording is there to be
// opened again.
func (v *Screen) Back() bool {
	if w := v.Watching; w != nil && w.Room != nil && w.Room.Known {
		v.asked = &screen.Question{
			Words: "Stop watching?", Hint: "The players are not disturbed. You can come back as long as the room is open.",
			Yes: "Stop watching", No: "Keep watching", Harmless: true, Do: v.stop,
		}
		v.Question = v.asked
		return true
	}
	v.stop()
	return true
}

// stop ends the watching, and leads to the screen before.
func (v *Screen) stop() {
	v.Watching = nil
	v.engine.StopReplay()
	if v.Current == screen.Watching {
		v.Pop()
	}
}

// Watching is a recording, or a room, that is being watched.
type Watching struct {
	Title    string
	Player   Remote // nil until the consoles are being built
	Status   player.Status
	Room     *SpectatedRoom     // nil of a recording
	Consoles []gameview.Console // the consoles that there are at this frame
	ROM      [32]byte           // SHA-256 of the recorded game, once its consoles are being built
	Chapters []replay.Chapter   // of a recording; the first is its beginning
	Large    ds.Seat            // the console that is large; AllSeats: all
}

// AllSeats stands for every console.
const AllSeats = -1

// Remote moves a recording; player.Player does.
type Remote interface {
	Play()
	Pause()
	SeekTo(frame int64)
	Speed(times float64)
	Step(frames int64)
	Keyframes() []int64 // the places to which it can go at once, rising
}

// Watch begins to show a recording.
func (v *Screen) Watch(r Recording) {
	if r.Why != "" {
		v.Trouble = &screen.Trouble{Title: "This recording cannot be watched", Words: r.Why}
		return
	}
	if v.NeedCore() {
		return
	}
	v.begin(Watching{Title: r.Title()}, func() { v.Watch(r) })
	v.engine.WatchReplay(r.Path)
}

// Again watches what was watched last, once more.
func (v *Screen) Again() {
	if v.Watching == nil && v.again != nil {
		v.again()
	}
}

// begin shows what is going to be watched; again begins it once more.
func (v *Screen) begin(w Watching, again func()) {
	v.again = again
	w.Large = AllSeats
	v.Watching = &w
	v.GoTo(screen.Watching)
}

// Watched tells that the consoles are being built; p plays, pauses and seeks.
func (v *Screen) Watched(p Remote) {
	if v.Watching != nil {
		v.Watching.Player, v.Watching.Status = p, player.Status{Loading: true}
	}
}

// Status takes the state of what plays.
func (v *Screen) Status(s player.Status) {
	if v.Watching != nil {
		v.Watching.Status = s
	}
}

// Consoles takes the consoles that there are at this frame, and the large one.
func (v *Screen) Consoles(consoles []gameview.Console, large ds.Seat) {
	if v.Watching != nil {
		v.Watching.Consoles, v.Watching.Large = consoles, large
	}
}

// Enlarge makes a console large, or with AllSeats all alike.
func (v *Screen) Enlarge(seat ds.Seat) {
	if v.Watching != nil {
		v.Watching.Large = seat
		v.engine.Enlarge(seat)
	}
}

// Over tells that the watching has ended; trouble, which may be nil, says why.
func (v *Screen) Over(trouble *screen.Trouble) {
	if v.Watching == nil {
		return
	}
	v.Watching = nil
	if v.asked != nil && v.Question == v.asked {
		v.Question = nil
	}
	v.Trouble = trouble
	if v.Current == screen.Watching {
		v.Pop()
	}
}

// Plays reports whether there is something that can be moved: the consoles are built. On the
// way to another place they may be built anew.
func (w *Watching) Plays() bool {
	return w.Player != nil && (!w.Status.Loading || w.Status.Seeking)
}

// Waits reports whether there is no game to be seen yet, or any more.
func (w *Watching) Waits() bool { return w.Room != nil && w.Player == nil }
