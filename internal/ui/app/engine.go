package app

import (
	"context"
	"log/slog"
	"net/netip"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/corestore"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/lan"
	"github.com/nettplay/nettplay/internal/launch"
	"github.com/nettplay/nettplay/internal/saves"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/ui/gameview"
	"github.com/nettplay/nettplay/internal/ui/library"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/cores"
	"github.com/nettplay/nettplay/internal/ui/screen/files"
	"github.com/nettplay/nettplay/internal/ui/screen/room"
	"github.com/nettplay/nettplay/internal/ui/screen/savegames"
	"github.com/nettplay/nettplay/internal/ui/screen/settings"
	"github.com/nettplay/nettplay/internal/ui/screen/start"
	"github.com/nettplay/nettplay/internal/ui/screen/viewer"
)

// engine does the commands of the screens. The goroutine that owns the Shell calls its
// methods. They return at once, and post their results back.
type engine struct {
	places  Places
	version string
	post    func(func(*Shell)) // from any goroutine; never blocks
	game    GameIO
	log     *slog.Logger // nil for none
	life    context.Context
	end     context.CancelFunc
	jobs    sync.WaitGroup
	written chan struct{} // closed when the last file is written that was wanted; nil: none was

	unwritten saves.Unwritten

	shelf     *library.Shelf
	lan       network
	finding   context.CancelFunc // ends the search for cores
	examining context.CancelFunc // ends the examination of this machine
	seeking   context.CancelFunc // ends the search for open rooms and friends
	cores     struct {           // as the last search found them
		emucore.Watch
		looks atomic.Bool // whether there are others now
	}
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
	stop   context.CancelFunc // ends it; nil when nothing shows
	done   chan struct{}      // closed when its consoles are gone
	roster *roster
}

// newEngine makes an engine for the given places.
func newEngine(p Places, version string, show GameIO, post func(func(*Shell))) *engine {
	life, end := context.WithCancel(context.Background())
	e := &engine{
		places: p, version: version, post: post, game: show, life: life, end: end,
		finding: func() {}, examining: func() {}, seeking: func() {}, getting: func() {}, store: corestore.Open(p.Cores),
	}
	e.shelf = library.Open(p.Games, func() {
		list := e.shelf.List()
		e.post(func(m *Shell) { m.Games = list })
	})
	e.shelf.Library().KeepHashes(p.Hashes)
	return e
}

// close ends everything and waits: the session leaves its room, files are written.
func (e *engine) close() {
	e.browse(false)
	e.announce(room.Announce{})
	if e.running != nil {
		e.running.stop()
		<-e.running.done
	}
	e.stopWatching()
	e.end()
	e.shelf.Close()
	e.jobs.Wait()
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

// do does one command.
func (e *engine) do(m *Shell, c screen.Command) {
	switch c := c.(type) {
	case screen.FindCore:
		e.findCore(m.Config.Core)
	case screen.ScanGames:
		e.scan(m.Config.ROMs)
	case screen.Look:
		e.look(m)
	case cores.Find, cores.FindWireless, cores.FindBuild, cores.Choose, cores.Get, cores.Stop, cores.Remove:
		e.doCores(m, c)
	case files.List:
		e.listFiles(c)
	case screen.AddGame:
		e.add(c.Path)
	case start.Browse:
		e.browse(c.On)
	case start.Seek:
		e.seek(m, c.On)
	case room.Announce:
		e.announce(c)
	case room.OpenSession:
		e.open(m, c)
	case room.EndSession:
		if e.running != nil {
			e.running.leave()
		}
	case screen.RetrySaves:
		e.jobs.Go(func() {
			_ = e.unwritten.Retry()
			e.tellUnwritten()
		})
	case start.Examine:
		e.examine(m, c)
	case start.StopExamining:
		e.examining()
	case settings.TestRelay:
		e.testRelay(m.Config.Net.Bind, c.Name)
	case savegames.ListSaves:
		e.jobs.Go(e.tellSaves)
	case savegames.RestoreSave:
		e.changeSaves(c.Of, "It is your save now", func(s *saves.Store) error { return s.Restore(c.Number) })
	case savegames.ExportSave:
		e.exportSave(c)
	case savegames.ImportSave:
		e.importSave(c)
	case start.ListMoments:
		e.jobs.Go(e.listMoments)
	case start.RenameMoment:
		e.change("The moment could not be renamed", start.ListMoments{}, func() error { return rename(c.Path, c.Name) })
	case start.DeleteMoment:
		e.change("The moment could not be deleted", start.ListMoments{}, func() error { return os.Remove(c.Path) })
	case start.OpenMoment:
		e.openMoment(c.Path)
	case viewer.ListReplays:
		e.listRecordings(m.Config.Recording)
	case viewer.VerifyReplay:
		e.playThrough(m, c.Of.Path, verifying())
	case viewer.PrepareFilm:
		m.recordings.Film = e.newFilm(c.Of)
	case viewer.FilmReplay:
		e.playThrough(m, c.Film.Of.Path, filming(c.Film))
	case viewer.StopJob:
		if e.pass != nil {
			e.pass()
		}
	case viewer.RenameReplay:
		e.change("The recording could not be renamed", viewer.ListReplays{}, func() error { return rename(c.Path, c.Name) })
	case viewer.DeleteReplay:
		e.change("The recording could not be deleted", viewer.ListReplays{}, func() error { return e.deleteRecording(c.Path) })
	case viewer.ShowFile:
		e.jobs.Go(func() { e.showFile(c.Path) })
	case viewer.WatchReplay:
		e.watch(m, func(ctx context.Context, machine launch.Machine, show *showing) *screen.Trouble {
			return e.playRecording(ctx, c.Path, machine, show)
		})
	case viewer.WatchRoom:
		e.watch(m, func(ctx context.Context, machine launch.Machine, show *showing) *screen.Trouble {
			return e.watchRoom(ctx, c, machine, show)
		})
	case viewer.StopReplay:
		e.stopWatching()
	case viewer.Enlarge:
		if e.watching.roster != nil {
			e.watching.roster.enlarge(c.Seat)
		}
	case screen.SaveSettings:
		cfg := settings.Clone(m.Config)
		e.write(func() {
			if err := cfg.Save(e.places.Config); err != nil {
				e.complain("The settings could not be saved", err)
			}
		})
	case screen.SaveMemory:
		remembered := m.Memory.Clone()
		e.write(func() {
			if err := remembered.Save(e.places.Memory); err != nil {
				e.complain("Something could not be remembered", err)
			}
		})
	}
}

// complain shows a failure that nobody waits for.
func (e *engine) complain(title string, err error) {
	e.post(func(m *Shell) {
		m.Trouble = &screen.Trouble{Title: title, Words: screen.Sentence(err.Error()), Hint: "Is the disk full, or the folder read-only?"}
	})
}

// scan looks through the ROM folders.
func (e *engine) scan(cfg config.ROMs) {
	folders, err := config.ExpandAll(cfg.Folders)
	if err != nil {
		e.complain("The games could not be looked for", err)
		return
	}
	e.shelf.Scan(folders)
}

// look finds out whether there are other games or cores than at the last search, and searches
// again then.
func (e *engine) look(m *Shell) {
	e.shelf.Look()
	if m.InRoom || m.Core.Looking || e.cores.looks.Swap(true) {
		return // a room keeps its core
	}
	cfg := m.Config.Core
	e.jobs.Go(func() {
		changed := e.cores.Changed(printCores(cfg))
		e.cores.looks.Store(false)
		if changed {
			e.post(func(m *Shell) { m.LookForCore() })
		}
	})
}

// add takes a file or folder that was dropped on the window.
func (e *engine) add(path string) {
	shelf := e.shelf
	e.jobs.Go(func() {
		if st, err := os.Stat(path); err == nil && st.IsDir() {
			e.post(func(m *Shell) { m.Added(nil, path, nil) })
			return
		}
		g, err := shelf.Add(path)
		switch {
		case err != nil && g.ROM != nil:
			e.complain("The game cannot be kept in the list", err)
			fallthrough
		case err == nil:
			e.post(func(m *Shell) { m.Added(&g, "", nil) })
		default:
			t := &screen.Trouble{Title: "This is no game", Words: filepath.Base(path) + ": " + library.Why(path, err)}
			e.post(func(m *Shell) { m.Added(nil, "", t) })
		}
	})
}

// browse looks for rooms on the local network, or ends that.
func (e *engine) browse(on bool) {
	if e.lan.browser != nil {
		if on {
			return
		}
		e.lan.browser.Close()
		e.lan.browser = nil
	}
	if !on {
		return
	}
	var b *lan.Browser
	ready := make(chan struct{})
	b, err := lan.Browse(lan.BrowseConfig{Listen: e.lan.listen, Changed: func() {
		<-ready
		rooms := b.Rooms()
		e.post(func(m *Shell) { m.join.Rooms = rooms })
	}})
	close(ready)
	words := ""
	if err != nil {
		words = screen.Sentence(err.Error())
	}
	e.lan.browser = b
	e.post(func(m *Shell) { m.join.NoRooms, m.join.Rooms = words, nil })
}

// announce tells the local network of our room, or that it is gone.
func (e *engine) announce(c room.Announce) {
	switch {
	case !c.On && e.lan.announcer != nil:
		e.lan.announcer.Close()
		e.lan.announcer = nil
	case !c.On:
	case e.lan.announcer != nil:
		e.lan.announcer.Set(c.Beacon)
	default:
		// A network that takes no beacon is no reason not to play.
		e.lan.announcer, _ = lan.Announce(lan.AnnounceConfig{To: e.lan.to}, c.Beacon)
	}
}

// machine is this machine under the settings of now, with the core of now.
func (e *engine) machine(m *Shell) launch.Machine {
	return launch.Machine{
		Settings: settings.Clone(m.Config), Core: m.Core.Core, Library: e.shelf.Library(), Version: e.version, Program: "nettplay's window",
		Places: e.places.Places, Unwritten: &e.unwritten, Cores: e.store,
	}
}

// GameIO shows a game that runs and tells what the player presses.
type GameIO interface {
	// Begin prepares for a game with consoles in some seats, of which mine are the
	// player's own. It is called on the session's goroutine and must not block.
	Begin(consoles []gameview.Console, mine []ds.Seat)
	// Change is for other consoles in the same game, on any goroutine.
	Change(consoles []gameview.Console, mine []ds.Seat)
	// Show takes a frame of a console, on the console's goroutine.
	Show(seat ds.Seat, frame emucore.Frame)
	// Input returns the player's input for one of this machine's consoles, asked once for each frame in
	// order, on the session's goroutine. It must not block.
	Input(console int, frame int64) emucore.Input
	// Notice takes what the session tells, on the session's goroutine.
	Notice(n notice.Notice)
}
