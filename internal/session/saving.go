package session

import (
	"errors"
	"fmt"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/saves"
)

// cartridges are those of our own seats.
type cartridges struct {
	saving saving
	stores map[int]opened  // of our own consoles: 1 is our player's
	locals map[ds.Seat]int // which of our players sits in each of our seats: 0 is ourselves
}

// Our own cartridges' backup memory is written to the player's saves only as it was
// after a frame at which all machines were alike in all seats, and only when all
// players' machines have written theirs of the same frame: what two players traded is
// in both saves or in none.

// When the game host lets everyone keep their saves: a game writes its save over many
// frames, so it is let finish, but not for ever.
const (
	calmFrames = 45   // without a change
	longFrames = 1800 // with changes all the time
)

// saving is what a game has to keep.
type saving struct {
	snaps map[ds.Seat][]snapshot // of our own seats, by rising frame
	known map[ds.Seat]int64      // the newest frame after which a seat's was looked at
	order *order                 // of the room, the newest

	// of all seats, from our own copies, for the game host
	hashes  map[ds.Seat]uint64
	changed int64 // newest frame at which one was seen to change; -1: none since the saves are of
	first   int64 // oldest such frame
	again   int64 // frame before which nothing is kept, since the last try may have come to nothing
}

// order is the room's wish that our saves are kept as they were after a frame. Where a line
// breaks it may come again, while we are at it or later.
type order struct {
	frame   int64
	stage   orderStage
	why     string // we could not write
	pending map[ds.Seat]*saves.Pending
	commit  bool // it has come, while we were writing
}

// orderStage is how far we are with an order.
type orderStage int

const (
	writing orderStage = iota
	written
	committing
	committed
)

// snapshot is a cartridge's backup memory from a frame on, until the next one.
type snapshot struct {
	frame int64
	sram  []byte
}

func newSaving() saving {
	return saving{snaps: make(map[ds.Seat][]snapshot), known: make(map[ds.Seat]int64), hashes: make(map[ds.Seat]uint64), changed: -1}
}

// opened is where the saves of one of our consoles are kept.
type opened struct {
	rom   [32]byte
	store *saves.Store
}

// savesOf is where the saves of one of our own seats are kept, nil for nowhere.
func (s *session) savesOf(seat ds.Seat) *saves.Store { return s.stores[1+s.locals[seat]].store }

// openSaves opens the saves of one of our consoles and returns what its cartridge starts
// with. It runs on any goroutine. Trouble is told; with err there is no game.
func (s *session) openSaves(console int, rom *emucore.ROM, have opened) (o opened, sram []byte, trouble, err error) {
	if s.cfg.OpenSaves == nil {
		return opened{}, nil, nil, nil
	}
	if have.store != nil && have.rom != rom.SHA256 {
		have.store.Close()
		have = opened{}
	}
	if have.store == nil {
		have.rom = rom.SHA256
		if have.store, sram, trouble = s.cfg.OpenSaves(rom, console); have.store == nil {
			return have, sram, trouble, nil
		}
	}
	sram, _, err = have.store.Current()
	return have, sram, trouble, err
}

// closeSaves gives all saves free.
func (s *session) closeSaves() {
	for _, o := range s.stores {
		if o.store != nil {
			o.store.Close()
		}
	}
	clear(s.stores)
}

// note takes what a console's backup memory is after a frame that was hashed.
func (v *saving) note(h game.Hashed) {
	if old, known := v.hashes[h.Seat]; known && old != h.Hash.SRAM {
		if v.changed < 0 {
			v.first = h.Frame
		}
		v.changed = max(v.changed, h.Frame)
	}
	v.hashes[h.Seat], v.known[h.Seat] = h.Hash.SRAM, h.Frame
	if h.SRAM == nil {
		return
	}
	list := append(v.snaps[h.Seat], snapshot{h.Frame, h.SRAM})
	v.snaps[h.Seat] = list[max(0, len(list)-maxSnapshots):]
}

// maxSnapshots is how many changes are remembered until all machines have agreed on
// their frames: those of 20 s at a hash every 30 frames.
const maxSnapshots = 40

// at is a seat's backup memory after a frame, nil when it has not changed since the
// start, or when that is too long ago.
func (v *saving) at(seat ds.Seat, frame int64) []byte {
	var found []byte
	for _, s := range v.snaps[seat] {
		if s.frame <= frame {
			found = s.sram
		}
	}
	return found
}

// last is the newest that is known of a seat's backup memory, of the frame after which it
// was seen; nothing when it has not changed since the start.
func (v *saving) last(seat ds.Seat) snapshot {
	if list := v.snaps[seat]; len(list) > 0 {
		return snapshot{max(v.known[seat], list[len(list)-1].frame), list[len(list)-1].sram}
	}
	return snapshot{}
}

// workSaves lets everyone keep their saves when it is time; on the game host.
func (s *session) workSaves(now time.Time) error {
	v := &s.saving
	if s.host == nil || s.watch == nil || v.changed < 0 || s.game.Resync() != nil || s.host.CommittingSaves() {
		return nil
	}
	agreed := s.allAgreed()
	if agreed < v.again || agreed < v.changed+calmFrames && agreed < v.first+longFrames {
		return nil
	}
	v.again = agreed + longFrames
	if err := s.host.CommitSaves(now, agreed); err != nil && !errors.Is(err, host.ErrPhase) {
		return err
	}
	return nil
}

// kept notes that the saves are as they were after a frame: what changed later is still to
// be kept.
func (v *saving) committedUpTo(frame int64) {
	v.again = 0
	if v.changed <= frame {
		v.changed = -1
	} else {
		v.first = max(v.first, frame+1)
	}
}

// allAgreed is the newest frame up to which all machines are known to have been alike
// in all consoles that still play: those that have left do not get any further.
func (s *session) allAgreed() int64 {
	all := int64(game.Never)
	for _, seat := range s.game.Seats() {
		if !seat.Left {
			all = min(all, s.watch.Agreed(seat.Seat))
		}
	}
	if all == game.Never {
		return 0
	}
	return max(all, 0)
}

// saveOrder does what the room asks for.
func (s *session) saveOrder(e host.SaveCommit) {
	if s.game == nil {
		return
	}
	o := s.saving.order
	switch {
	case e.Commit:
		s.saving.committedUpTo(e.Frame)
		s.commitSaves(e.Frame)
	case o == nil || o.frame != e.Frame:
		s.dropSaves()
		s.writeSaves(e.Frame)
	case o.stage != writing:
		s.reportSaves(o) // it was not heard
	}
}

// writeSaves writes our saves, as they were after a frame, beside the current ones.
func (s *session) writeSaves(frame int64) {
	o := &order{frame: frame}
	s.saving.order = o
	about := s.about()
	jobs, stores := make(map[ds.Seat][]byte), make(map[ds.Seat]*saves.Store)
	for _, seat := range s.game.Seats() {
		if sram := s.saving.at(seat.Seat, frame); seat.Mine && sram != nil && s.savesOf(seat.Seat) != nil {
			jobs[seat.Seat], stores[seat.Seat] = sram, s.savesOf(seat.Seat)
		}
	}
	s.background(func() (func(), func()) {
		done, err := prepareSaves(stores, jobs, frame, about)
		drop := func() { // nobody knows of them, and what the game left is kept already
			for _, p := range done {
				_ = p.Drop()
			}
		}
		return func() {
			if s.saving.order != o || s.over {
				drop()
				return
			}
			o.pending, o.stage = done, written
			if err != nil {
				o.why = err.Error()
			}
			if s.reportSaves(o); o.commit {
				s.commitSaves(frame)
			}
		}, drop
	})
}

// reportSaves tells the room how far we are.
func (s *session) reportSaves(o *order) {
	if o.stage == committed {
		_ = s.room.SavesCommitted(time.Now(), s.game.Round(), o.frame) // the game may be over
		return
	}
	_ = s.room.SavesWritten(time.Now(), s.game.Round(), o.frame, o.why)
}

// prepareSaves writes saves beside the current ones. It runs on any goroutine.
func prepareSaves(stores map[ds.Seat]*saves.Store, jobs map[ds.Seat][]byte, frame int64, about saves.About) (map[ds.Seat]*saves.Pending, error) {
	done := make(map[ds.Seat]*saves.Pending)
	for seat, sram := range jobs {
		p, err := stores[seat].Prepare(frame, sram, about)
		if err != nil {
			return done, fmt.Errorf("the save of seat %v: %w", seat, err)
		}
		done[seat] = p
	}
	return done, nil
}

func (s *session) about() saves.About {
	room := s.room.Room()
	a := saves.About{Room: room.Settings.Room}
	for _, p := range room.Players {
		a.Players = append(a.Players, p.Nickname)
	}
	return a
}

// commitSaves makes the saves current that were written for a frame.
func (s *session) commitSaves(frame int64) {
	o := s.saving.order
	switch {
	case o == nil || o.frame != frame || o.why != "":
		return
	case o.stage == writing:
		o.commit = true
		return
	case o.stage == committed:
		s.reportSaves(o)
		return
	case o.stage != written:
		return
	}
	o.stage = committing
	s.background(func() (func(), func()) {
		err := o.settle()
		return func() {
			if err != nil {
				s.say("Your save could not be made the current one: %v", err)
				return
			}
			o.stage = committed
			if len(o.pending) > 0 {
				s.notify(Saved{Frame: frame})
			}
			if s.saving.order == o && !s.over {
				s.reportSaves(o)
			}
		}, nil
	})
}

// settle makes what was written current. It runs on any goroutine.
func (o *order) settle() (err error) {
	for _, p := range o.pending {
		if failed := p.Commit(); !errors.Is(failed, saves.ErrSuperseded) { // the game's end has kept a later one
			err = errors.Join(err, failed)
		}
	}
	return err
}

// commitSavesNow makes those saves current, before we go, of which all have theirs, and are
// told so with the room that passes to another game host. It waits for the disk.
func (s *session) commitSavesNow() {
	for _, e := range s.host.Events() {
		k, isKeep := e.(host.SaveCommit)
		if o := s.saving.order; isKeep && k.Commit && o != nil && o.frame == k.Frame && o.stage == written {
			if err := o.settle(); err != nil {
				s.say("Your save could not be made the current one: %v", err)
			}
			o.stage = committed
		}
	}
}

// dropSaves gives up what was written for a frame that not all could keep.
func (s *session) dropSaves() {
	o := s.saving.order
	s.saving.order = nil
	if o == nil || o.stage == committing || o.stage == committed {
		return
	}
	s.background(func() (func(), func()) {
		for _, p := range o.pending {
			_ = p.Drop()
		}
		return nil, nil
	})
}

// forgetSnapshots forgets what own consoles had in their cartridges before all were made
// anew: it may have been wrong. Their present saves are committed in its place, soon.
func (s *session) forgetSnapshots(frame int64) {
	s.dropSaves()
	clear(s.saving.snaps)
	s.saving.changed, s.saving.first, s.saving.again = frame, frame, 0
}

// saveAtEnd keeps what a game leaves behind: as the current saves when all machines
// were alike at its end, else beside them, not confirmed. It waits for the disk: the
// game is over.
//
// A console that died, or waits in the middle of a frame for others over the radio,
// leaves what it was known to have last.
func (s *session) saveAtEnd(alike bool) {
	about := s.about()
	for _, seat := range s.game.Seats() {
		store := s.savesOf(seat.Seat)
		if !seat.Mine || store == nil {
			continue
		}
		last, whole := s.saving.last(seat.Seat), false
		if !seat.Busy && !seat.Dead {
			if sram, err := seat.Console.SRAM(); err == nil {
				last, whole = snapshot{seat.Frame, sram}, true
			}
		}
		if len(last.sram) == 0 {
			continue
		}
		p, err := store.Prepare(last.frame, last.sram, about)
		if err == nil && alike && whole {
			err = p.Commit()
		} else if err == nil && p.Number() != 0 {
			s.say("Your save is as it was when all machines last agreed on it. What the game left is kept, too: \"nettplay saves list\" shows both.")
		}
		if err != nil {
			s.say("The save of seat %v could not be kept: %v", seat.Seat, err)
		}
	}
	s.saving = newSaving()
}

// Saved tells that our saves are kept as they were after a frame.
type Saved struct{ Frame int64 }

func (Saved) notice() {}
