package app

import (
	"context"
	"os"
	"sync"

	"github.com/nettplay/nettplay/internal/launch"
	"github.com/nettplay/nettplay/internal/saves"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/cores"
	"github.com/nettplay/nettplay/internal/ui/screen/files"
	"github.com/nettplay/nettplay/internal/ui/screen/room"
	"github.com/nettplay/nettplay/internal/ui/screen/settings"
	"github.com/nettplay/nettplay/internal/ui/screen/start"
	"github.com/nettplay/nettplay/internal/ui/screen/viewer"
)

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
	case screen.ReadGame:
		e.readGame(m, c.Key)
	case start.Browse:
		e.browse(c.On)
	case start.Seek:
		e.seek(m, c)
	case start.Ask:
		e.ask(m, c)
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
	case room.FindCheats:
		e.findCheats(m, c)
	case start.TryGame:
		e.tryGame(m, c)
	case start.Examine:
		e.examine(m, c)
	case start.StopExamining:
		e.examining()
	case screen.HelpFriends:
		e.helping.Set(m.Config.Net)
	case settings.TestRelay:
		e.testRelay(m.Config.Net.Bind, c.Name)
	case files.ListSaves:
		e.jobs.Go(e.tellSaves)
	case files.RestoreSave:
		e.changeSaves(c.Of, "Restored: this is your save now", func(s *saves.Store) error { return s.Restore(c.Number) })
	case files.DeleteSave:
		e.changeSaves(c.Of, "The save is deleted: the game starts from the beginning", (*saves.Store).Delete)
	case files.DiscardSave:
		well := "Deleted. “Use this save” brings it back."
		if c.Gone {
			well = "Deleted for good."
		}
		e.changeSaves(c.Of, well, func(s *saves.Store) error { return s.Discard(c.Number) })
	case files.ExportSave:
		e.exportSave(c)
	case files.ImportSave:
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
		e.playThrough(m, c.Film.Of.Path, filming(c.Film, e.places.Keyframes))
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
		e.watching.stop()
		e.watching.roster = nil // it would keep the whole log's index
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
			if err := remembered.Save(e.places.Memory, e.remembered); err != nil {
				e.complain("Something could not be saved", err)
				return
			}
			e.remembered = remembered
		})
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
	e.browse(false)
	e.announce(room.Announce{})
	var helped sync.WaitGroup
	helped.Go(e.helping.Close)
	e.leave()()
	helped.Wait()
	e.end()
	e.shelf.Close()
	e.jobs.Wait()
}
