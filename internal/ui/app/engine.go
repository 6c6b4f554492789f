package app

import (
	"context"
	"log/slog"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/corestore"
	"github.com/nettplay/nettplay/internal/helping"
	"github.com/nettplay/nettplay/internal/lan"
	"github.com/nettplay/nettplay/internal/launch"
	"github.com/nettplay/nettplay/internal/saves"
	"github.com/nettplay/nettplay/internal/ui/library"
	"github.com/nettplay/nettplay/internal/ui/memory"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/settings"
)

// engine does what screens want of the world outside the window: it is the part of an [Engine] that needs no window. The
// goroutine that owns the Shell calls its methods. They return at once, and post their results back.
type engine struct {
	shell   *Shell // whose screens call
	places  Places
	version string
	post    func(func(*Shell)) // from any goroutine; never blocks
	game    GameIO
	log     *slog.Logger   // nil for none
	events  *launch.Events // nil for none
	life    context.Context
	end     context.CancelFunc
	jobs    sync.WaitGroup
	written chan struct{} // closed when the last file is written that was wanted; nil: none was

	remembered memory.Memory // as the file was last read or written; that of jobs of write
	unwritten  saves.Unwritten

	shelf     *library.Shelf
	lan       network
	finding   context.CancelFunc // ends the search for cores
	examining context.CancelFunc // ends the examination of this machine
	seeking   context.CancelFunc // ends the search for open rooms and friends
	reading   context.CancelFunc // ends the reading of a game that the player chose
	cores     struct {           // as the last search found them
		emucore.Watch
		looks atomic.Bool // whether there are others now
	}
	helping  *helping.Relay // by which friends meet
	store    *corestore.Store
	getting  context.CancelFunc // ends what is done for the screen of the cores
	running  *running
	watching watching
	pass     context.CancelFunc // ends what plays a recording behind the screen; nil for nothing
}

// network is the engine's part in the local networks.
type network struct {
	browser   *lan.Browser
	announcer *lan.Announcer
	to        []netip.AddrPort // where beacons go; nil for the local networks
	listen    netip.AddrPort   // where the browser listens for rooms
}

// watching is a recording or a game that the viewer shows.
type watching struct {
	stop   context.CancelFunc // ends it; it is over soon
	done   chan struct{}      // closed when its consoles are gone; nil before the first
	roster *roster            // nil where nothing is watched
}

// newEngine makes an engine for the given places.
func newEngine(p Places, version string, show GameIO, post func(func(*Shell))) *engine {
	life, end := context.WithCancel(context.Background())
	e := &engine{
		places: p, version: version, post: post, game: show, life: life, end: end,
		finding: func() {}, examining: func() {}, seeking: func() {}, reading: func() {}, getting: func() {}, watching: watching{stop: func() {}}, store: corestore.Open(p.Cores),
	}
	e.helping = helping.New(func(s helping.State) { e.post(func(m *Shell) { m.Helping = s }) })
	e.shelf = library.Open(p.Games, func() {
		list := e.shelf.List()
		e.post(func(m *Shell) { m.Games = list })
	})
	e.shelf.Library().KeepHashes(p.Hashes)
	return e
}

// begin ends what was begun before, and returns the life of what begins now, which *end ends.
func (e *engine) begin(end *context.CancelFunc) (life context.Context) {
	(*end)()
	life, *end = context.WithCancel(e.life)
	return life
}

// during returns post for what nobody wants any more after the end of a life.
func (e *engine) during(life context.Context) func(func(*Shell)) {
	return func(f func(*Shell)) {
		e.post(func(m *Shell) {
			if life.Err() == nil {
				f(m)
			}
		})
	}
}

// write has a job write a file in the background, after those before it.
func (e *engine) write(job func()) {
	before, done := e.written, make(chan struct{})
	e.written = done
	e.jobs.Go(func() {
		defer close(done)
		if before != nil {
			<-before
		}
		job()
	})
}

// SaveSettings implements screen.Engine.
func (e *engine) SaveSettings() {
	cfg := settings.Clone(e.shell.Config)
	e.write(func() {
		if err := cfg.Save(e.places.Config); err != nil {
			e.complain("The settings could not be saved", err)
		}
	})
}

// SaveMemory implements screen.Engine.
func (e *engine) SaveMemory() {
	remembered := e.shell.Memory.Clone()
	e.write(func() {
		if err := remembered.Save(e.places.Memory, e.remembered); err != nil {
			e.complain("Something could not be saved", err)
			return
		}
		e.remembered = remembered
	})
}

// HelpFriends implements screen.Engine.
func (e *engine) HelpFriends() { e.helping.Set(e.shell.Config.Net) }

// complain shows a failure that nobody waits for.
func (e *engine) complain(title string, err error) {
	e.post(func(m *Shell) {
		m.Trouble = &screen.Trouble{Title: title, Words: screen.Sentence(err.Error()), Hint: "Is the disk full, or the folder read-only?"}
	})
}

// machine is this machine under the settings of now, with the core of now.
func (e *engine) machine() launch.Machine {
	m := e.shell
	return launch.Machine{
		Settings: settings.Clone(m.Config), Core: m.Core.Core, Library: e.shelf.Library(), Version: e.version, Program: "nettplay's window",
		Places: e.places.Places, Unwritten: &e.unwritten, Cores: e.store, Helping: e.helping,
		Trusted: slices.Clone(m.Trusted),
	}
}

// leave ends what runs, and returns a function that waits for it, on any goroutine.
func (e *engine) leave() (wait func()) {
	running, watching := e.running, e.watching.done
	if running != nil {
		running.stop()
	}
	e.watching.stop()
	return func() {
		if running != nil {
			<-running.done
		}
		if watching != nil {
			<-watching
		}
	}
}

// close ends everything and waits: the session leaves its room, files are written.
func (e *engine) close() {
	e.Browse(false)
	e.StopAnnouncing()
	var helped sync.WaitGroup
	helped.Go(e.helping.Close)
	e.leave()()
	helped.Wait()
	e.end()
	e.shelf.Close()
	e.jobs.Wait()
}
