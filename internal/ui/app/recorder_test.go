package app

import (
	"reflect"
	"slices"
	"strings"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/emucore/savefile"
	hostroom "github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/corestore"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/lan"
	"github.com/nettplay/nettplay/internal/online"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/memory"
	"github.com/nettplay/nettplay/internal/ui/pads"
	"github.com/nettplay/nettplay/internal/ui/screen/files"
	"github.com/nettplay/nettplay/internal/ui/screen/room"
	"github.com/nettplay/nettplay/internal/ui/screen/start"
	"github.com/nettplay/nettplay/internal/ui/screen/viewer"
)

// recorder is an Engine that does nothing: it notes what the screens want done.
type recorder struct {
	list []call
	deaf bool // the desktop takes nothing that is copied
}

// call is one call of an engine.
type call struct {
	name string
	args []any
	do   func(Engine) // calls another engine with the same
}

func (r *recorder) note(name string, do func(Engine), args ...any) {
	r.list = append(r.list, call{name, args, do})
}

// newShell makes the screens of a program that has begun, with a recorder.
func newShell(cfg config.Config, remembered memory.Memory, version string, store *draw.Store) *Shell {
	m := NewShell(cfg, remembered, version, store, &recorder{})
	m.Begin()
	return m
}

// calls returns what the screens have wanted done since the last call.
func calls(m *Shell) []call {
	r := m.Engine.(*recorder)
	list := r.list
	r.list = nil
	return list
}

// wants tells whether something is among calls, with what comes with it.
func wants(list []call, name string, args ...any) bool {
	return slices.ContainsFunc(list, func(c call) bool {
		return c.name == name && len(c.args) == len(args) && (len(args) == 0 || reflect.DeepEqual(c.args, args))
	})
}

// kinds returns what the screens want done, by name, and what is wanted of the local network apart from the rest.
func kinds(list []call) string {
	var s []string
	for _, c := range list {
		switch c.name {
		case "Announce", "StopAnnouncing", "Browse":
			continue
		}
		s = append(s, c.name)
	}
	return strings.Join(s, " ")
}

// windowless is the part of an Engine that needs a window, where there is none.
type windowless struct {
	*engine
}

func (windowless) CopyText(string) bool { return true }
func (windowless) Alert()               {}
func (windowless) Quit()                {}
func (windowless) LeavePads()           {}
func (windowless) OpenChat()            {}
func (windowless) Teach(pads.ID)        {}
func (windowless) SkipButton()          {}
func (windowless) ButtonAgain()         {}
func (windowless) EndLesson()           {}

func (r *recorder) FindCore()  { r.note("FindCore", Engine.FindCore) }
func (r *recorder) ScanGames() { r.note("ScanGames", Engine.ScanGames) }
func (r *recorder) Look()      { r.note("Look", Engine.Look) }
func (r *recorder) AddGame(path string) {
	r.note("AddGame", func(e Engine) { e.AddGame(path) }, path)
}

func (r *recorder) ReadGame(key [32]byte) {
	r.note("ReadGame", func(e Engine) { e.ReadGame(key) }, key)
}

func (r *recorder) SaveSettings() { r.note("SaveSettings", Engine.SaveSettings) }
func (r *recorder) SaveMemory()   { r.note("SaveMemory", Engine.SaveMemory) }
func (r *recorder) HelpFriends()  { r.note("HelpFriends", Engine.HelpFriends) }
func (r *recorder) RetrySaves()   { r.note("RetrySaves", Engine.RetrySaves) }
func (r *recorder) ShowFile(path string) {
	r.note("ShowFile", func(e Engine) { e.ShowFile(path) }, path)
}

func (r *recorder) CopyText(text string) bool {
	r.note("CopyText", func(e Engine) { e.CopyText(text) }, text)
	return !r.deaf
}

func (r *recorder) Alert()     { r.note("Alert", Engine.Alert) }
func (r *recorder) Quit()      { r.note("Quit", Engine.Quit) }
func (r *recorder) LeavePads() { r.note("LeavePads", Engine.LeavePads) }
func (r *recorder) ListFiles(path string, number int) {
	r.note("ListFiles", func(e Engine) { e.ListFiles(path, number) }, path, number)
}

func (r *recorder) ListSaves() { r.note("ListSaves", Engine.ListSaves) }
func (r *recorder) RestoreSave(of files.Kept, number int) {
	r.note("RestoreSave", func(e Engine) { e.RestoreSave(of, number) }, of, number)
}

func (r *recorder) DeleteSave(of files.Kept) {
	r.note("DeleteSave", func(e Engine) { e.DeleteSave(of) }, of)
}

func (r *recorder) DiscardSave(of files.Kept, number int, gone bool) {
	r.note("DiscardSave", func(e Engine) { e.DiscardSave(of, number, gone) }, of, number, gone)
}

func (r *recorder) ExportSave(of files.Kept, number int, path string, form savefile.Form) {
	r.note("ExportSave", func(e Engine) { e.ExportSave(of, number, path, form) }, of, number, path, form)
}

func (r *recorder) ImportSave(of files.Kept, path string, anyway bool) {
	r.note("ImportSave", func(e Engine) { e.ImportSave(of, path, anyway) }, of, path, anyway)
}

func (r *recorder) WatchReplay(path string) {
	r.note("WatchReplay", func(e Engine) { e.WatchReplay(path) }, path)
}

func (r *recorder) WatchRoom(address string, password string) {
	r.note("WatchRoom", func(e Engine) { e.WatchRoom(address, password) }, address, password)
}

func (r *recorder) StopReplay() { r.note("StopReplay", Engine.StopReplay) }
func (r *recorder) Enlarge(seat ds.Seat) {
	r.note("Enlarge", func(e Engine) { e.Enlarge(seat) }, seat)
}

func (r *recorder) ListReplays() { r.note("ListReplays", Engine.ListReplays) }
func (r *recorder) VerifyReplay(of viewer.Recording) {
	r.note("VerifyReplay", func(e Engine) { e.VerifyReplay(of) }, of)
}

func (r *recorder) NewFilm(of viewer.Recording) *viewer.Film {
	r.note("NewFilm", func(e Engine) { e.NewFilm(of) }, of)
	return nil
}

func (r *recorder) FilmReplay(film viewer.Film) {
	r.note("FilmReplay", func(e Engine) { e.FilmReplay(film) }, film)
}

func (r *recorder) StopJob() { r.note("StopJob", Engine.StopJob) }
func (r *recorder) RenameReplay(path string, name string) {
	r.note("RenameReplay", func(e Engine) { e.RenameReplay(path, name) }, path, name)
}

func (r *recorder) DeleteReplay(path string) {
	r.note("DeleteReplay", func(e Engine) { e.DeleteReplay(path) }, path)
}

func (r *recorder) TestRelay(name string) {
	r.note("TestRelay", func(e Engine) { e.TestRelay(name) }, name)
}

func (r *recorder) Teach(pad pads.ID) {
	r.note("Teach", func(e Engine) { e.Teach(pad) }, pad)
}

func (r *recorder) SkipButton()   { r.note("SkipButton", Engine.SkipButton) }
func (r *recorder) ButtonAgain()  { r.note("ButtonAgain", Engine.ButtonAgain) }
func (r *recorder) EndLesson()    { r.note("EndLesson", Engine.EndLesson) }
func (r *recorder) FindCores()    { r.note("FindCores", Engine.FindCores) }
func (r *recorder) FindWireless() { r.note("FindWireless", Engine.FindWireless) }
func (r *recorder) FindBuild(used hostroom.UsedCore) {
	r.note("FindBuild", func(e Engine) { e.FindBuild(used) }, used)
}

func (r *recorder) ChooseCore(o corestore.Offer) {
	r.note("ChooseCore", func(e Engine) { e.ChooseCore(o) }, o)
}

func (r *recorder) GetCore(o corestore.Offer, sum [32]byte) {
	r.note("GetCore", func(e Engine) { e.GetCore(o, sum) }, o, sum)
}

func (r *recorder) StopCores() { r.note("StopCores", Engine.StopCores) }
func (r *recorder) RemoveCore(b corestore.Build) {
	r.note("RemoveCore", func(e Engine) { e.RemoveCore(b) }, b)
}

func (r *recorder) Announce(b lan.Beacon) {
	r.note("Announce", func(e Engine) { e.Announce(b) }, b)
}

func (r *recorder) StopAnnouncing() { r.note("StopAnnouncing", Engine.StopAnnouncing) }
func (r *recorder) OpenSession(open room.OpenSession) {
	r.note("OpenSession", func(e Engine) { e.OpenSession(open) }, open)
}

func (r *recorder) EndSession() { r.note("EndSession", Engine.EndSession) }
func (r *recorder) OpenChat()   { r.note("OpenChat", Engine.OpenChat) }
func (r *recorder) FindCheats(game [32]byte, rom *emucore.ROM, named []string) {
	r.note("FindCheats", func(e Engine) { e.FindCheats(game, rom, named) }, game, rom, named)
}

func (r *recorder) Browse(on bool) {
	r.note("Browse", func(e Engine) { e.Browse(on) }, on)
}

func (r *recorder) Seek(what start.Seek) {
	r.note("Seek", func(e Engine) { e.Seek(what) }, what)
}

func (r *recorder) AskRooms(rooms []online.Room) {
	r.note("AskRooms", func(e Engine) { e.AskRooms(rooms) }, rooms)
}

func (r *recorder) ListMoments() { r.note("ListMoments", Engine.ListMoments) }
func (r *recorder) RenameMoment(path string, name string) {
	r.note("RenameMoment", func(e Engine) { e.RenameMoment(path, name) }, path, name)
}

func (r *recorder) DeleteMoment(path string) {
	r.note("DeleteMoment", func(e Engine) { e.DeleteMoment(path) }, path)
}

func (r *recorder) OpenMoment(path string) {
	r.note("OpenMoment", func(e Engine) { e.OpenMoment(path) }, path)
}

func (r *recorder) Examine(invitation string) {
	r.note("Examine", func(e Engine) { e.Examine(invitation) }, invitation)
}

func (r *recorder) TryGame(rom *emucore.ROM) {
	r.note("TryGame", func(e Engine) { e.TryGame(rom) }, rom)
}

func (r *recorder) StopExamining() { r.note("StopExamining", Engine.StopExamining) }

// opening is how the player enters a room, if a call begins a session.
func opening(c call) (open room.OpenSession, is bool) {
	if c.name == "OpenSession" {
		open, is = c.args[0].(room.OpenSession)
	}
	return open, is
}
