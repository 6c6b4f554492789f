// Package cores is the screen of the emulator cores: those on this machine, to choose and
// remove, and those that sources offer, to get. First steps, and rooms that play on another core,
// ask for a core through it too.
package cores

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/corestore"
	"github.com/nettplay/nettplay/internal/launch"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/settings"
)

// Engine does what the screen wants of the world outside, one thing at a time; see [screen.Engine].
type Engine interface {
	FindCores() // asks the sources what they offer; answers with Found
	// FindWireless asks for the newest core with local wireless, and FindBuild for the build that a room plays on; both answer
	// with Chosen.
	FindWireless()
	FindBuild(used room.UsedCore)
	ChooseCore(o corestore.Offer) // finds out what the player is to know of an offer; answers with Chosen
	// GetCore gets a core; it answers with Moved, now and then, and Got. Of a room's core sum is given, and must match; else it
	// is zero.
	GetCore(o corestore.Offer, sum [32]byte)
	StopCores()                   // ends what is under way
	RemoveCore(b corestore.Build) // removes a core that was got; answers with Removed
}

// Screen is the list of cores.
type Screen struct {
	screen.Base
	screen.Search
	Offers   []corestore.Offer
	Asked    bool     // the sources have been asked for Offers
	Problems []string // sources that did not answer, in words
	Lit      int      // the core of this machine that is lit
	LitOffer int

	settings *settings.Screen
	engine   Engine
	work     *work
	failed   bool // no core came the last time that the player wanted one
}

// work is the work under way.
type work struct {
	title string // such as "Getting melonDS DS 1.3.1"
	host  string // that it comes from; "" for sources that are asked
	moved corestore.Progress
	room  *forRoom // it is for a room; nil: for the player's settings
	then  func()   // to be done once the settings have the core; may be nil
}

// forRoom is a room that could not be joined for its core.
type forRoom struct {
	used  room.UsedCore
	again func() // joins it again
}

// New makes the screen.
func New(set *settings.Screen, engine Engine) *Screen {
	return &Screen{Base: screen.Base{Shared: set.Shared, ID: screen.Cores}, settings: set, engine: engine}
}

// Open implements screen.Screen.
func (v *Screen) Open() {
	v.Reset()
	v.Lit = max(slices.IndexFunc(v.Core.All, v.chosen), 0)
	v.Base.Open()
}

// chosen reports whether a core is the one to be used.
func (v *Screen) chosen(c emucore.Core) bool { return v.Core.Found && c.Path == v.Core.Core.Path }

// kept returns what is known of a core that was got, nil for one that others put there.
func (v *Screen) kept(c emucore.Core) *corestore.Build {
	return screen.At(v.Core.Kept, slices.IndexFunc(v.Core.Kept, func(b corestore.Build) bool { return b.Core.Path == c.Path }))
}

// lit returns the core that is lit, nil for none.
func (v *Screen) lit() *emucore.Core { return screen.At(v.Core.All, v.Lit) }

// update returns what a source has that is newer than a core that was got from it.
func (v *Screen) update(c *emucore.Core) (corestore.Offer, bool) {
	if c == nil {
		return corestore.Offer{}, false
	}
	for _, u := range corestore.Updates(v.Core.Kept, v.Offers) {
		if u.Kept.Core.Path == c.Path {
			return u.Offer, true
		}
	}
	return corestore.Offer{}, false
}

// Use has the settings choose a core.
func (v *Screen) Use(c emucore.Core) {
	v.settings.Set(func(cfg *config.Config) { cfg.Core.Name = c.Path })
	v.Core.Core, v.Core.Found = c, true // the search finds it again
	v.LookForCore()
}

// MayGet reports whether the settings name sources.
func (v *Screen) MayGet() bool { return len(v.Config.Core.Sources) > 0 }

// Find asks the sources for all that they have.
func (v *Screen) Find() { v.begin(work{title: "Looking for cores"}, v.engine.FindCores) }

// GetWireless asks the player whether to get the newest core with local wireless. then is called once the
// settings have it; it may be nil.
func (v *Screen) GetWireless(then func()) {
	v.begin(work{title: "Looking for cores", then: then}, v.engine.FindWireless)
}

// Take asks the player whether to get an offer.
func (v *Screen) Take(o corestore.Offer) {
	v.begin(work{title: "One moment"}, func() { v.engine.ChooseCore(o) })
}

// Knows reports whether a room's core is from a source that the player's settings name too.
func (v *Screen) Knows(used room.UsedCore) bool { return launch.KnowsSource(v.Config.Core, used) }

// GetForRoom asks the player whether to get the build that a room plays on. If it comes, again
// joins the room.
func (v *Screen) GetForRoom(used room.UsedCore, again func()) {
	v.begin(work{title: "Looking for cores", room: &forRoom{used, again}}, func() { v.engine.FindBuild(used) })
}

// begin begins some work, unless there is some.
func (v *Screen) begin(w work, do func()) {
	if v.work == nil {
		v.work = &w
		do()
	}
}

// Busy reports whether work is under way: a core that comes for a room joins it.
func (v *Screen) Busy() bool { return v.work != nil }

// Stop ends what is under way.
func (v *Screen) Stop() {
	if v.work != nil {
		v.work = nil
		v.engine.StopCores()
	}
}

// Found takes what the sources offer, with those that could not be asked.
func (v *Screen) Found(offers []corestore.Offer, problems []error) {
	if v.work == nil {
		return
	}
	v.work, v.Asked, v.Offers, v.Problems, v.LitOffer = nil, true, offers, nil, 0
	for _, err := range problems {
		v.Problems = append(v.Problems, screen.Sentence(err.Error())+" "+advice(err))
	}
}

// advice tells the player what to do about a failure.
func advice(err error) string {
	if f, is := errors.AsType[*corestore.Failure](err); is {
		return screen.InWindow(f.Advice())
	}
	return ""
}

// Chosen asks the player whether to get an offer.
func (v *Screen) Chosen(o corestore.Offer) {
	w := v.work
	if w == nil {
		return
	}
	v.work = nil
	q := &screen.Question{
		Words: "Get " + Title(o) + "?",
		Hint:  sizeWords(o.Size) + " from " + o.Host() + ". It is checked and tried out in a sandbox before it is kept.",
		Yes:   "Get it", No: "Cancel", Harmless: true,
		Do: func() { v.get(o, w) },
	}
	if w.room != nil {
		q.Words = "Get " + Title(o) + " and join again?"
		q.Hint = sizeWords(o.Size) + " from " + o.Host() + ": the very build that the room plays on, or nothing. It is checked before it is kept."
	}
	if !emucore.WallsProven { // it is asked its name as it comes, and nobody asks again
		q.Hint += " " + withRights
	}
	v.Question = q
}

// withRights is said where nobody has seen yet that the walls around a core hold.
const withRights = "It runs with your rights: nobody has seen yet on Windows that the walls around a core hold."

// sizeWords tells how much is to be fetched.
func sizeWords(n int64) string {
	if n == 0 {
		return "Of unknown size,"
	}
	return screen.Bytes(n)
}

// get gets an offer that the player has said yes to.
func (v *Screen) get(o corestore.Offer, asked *work) {
	var sum [32]byte
	if asked.room != nil {
		sum = asked.room.used.SHA256
	}
	v.begin(work{title: "Getting " + Title(o), host: o.Host(), room: asked.room, then: asked.then}, func() { v.engine.GetCore(o, sum) })
}

// Moved tells how far it is.
func (v *Screen) Moved(p corestore.Progress) {
	if v.work != nil {
		v.work.moved = p
	}
}

// Got tells that a core is there. The settings choose it, or the room is joined with it.
func (v *Screen) Got(b corestore.Build) {
	w := v.work
	if w == nil {
		return
	}
	v.work, v.failed = nil, false
	if w.room != nil {
		v.LookForCore()
		v.Tell(b.Label() + " is installed.")
		w.room.again()
		return
	}
	v.Tell(b.Label() + " is installed, and selected.")
	v.Use(b.Core)
	if w.then != nil {
		w.then()
	}
}

// Failed tells why there is no offer, or no core.
func (v *Screen) Failed(err error) {
	if v.work == nil {
		return
	}
	room := v.work.room
	v.work, v.failed = nil, true
	hint := advice(err)
	if room == nil && !v.Core.Found {
		hint = strings.TrimSpace(hint + " Or install melonDS DS in RetroArch, or copy its file into RetroArch's cores folder: nettplay finds it there. You can look around without a core.")
	}
	v.Trouble = &screen.Trouble{Title: "The core was not downloaded", Words: screen.Sentence(err.Error()), Hint: hint}
}

// AskRemove asks before a core goes that was got.
func (v *Screen) AskRemove() {
	c := v.lit()
	if c == nil {
		return
	}
	b := v.kept(*c)
	if b == nil {
		return
	}
	hint := "You can download it again as long as " + cmp.Or(b.Origin.Host(), "its source") + " has it. Rooms, recordings and kept moments of this very build need it."
	if v.chosen(*c) {
		hint = "You play with it now. " + hint
	}
	build := *b
	v.Question = &screen.Question{
		Words: "Remove " + b.Label() + "?", Hint: hint, Yes: "Remove", No: "Cancel",
		Do: func() { v.engine.RemoveCore(build) },
	}
}

// Removed tells that a core is gone. If it was chosen by the settings, they choose the default.
func (v *Screen) Removed(b corestore.Build, err error) {
	if err != nil {
		v.Trouble = &screen.Trouble{Title: "The core could not be removed", Words: screen.Sentence(err.Error()), Hint: advice(err)}
		return
	}
	v.Tell(b.Label() + " is removed.")
	if v.Config.Core.Name == b.Core.Path {
		v.settings.Set(func(cfg *config.Config) { cfg.Core.Name = "" })
	}
	v.LookForCore()
}

// Title names an offer for people.
func Title(o corestore.Offer) string {
	title, known := emucore.OwnName(o.Name)
	if !known {
		return o.Label()
	}
	return title + strings.TrimPrefix(o.Label(), o.Name)
}
