package session

import (
	"fmt"
	"time"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/saves"
	"github.com/nettplay/nettplay/internal/session/notice"
)

// workSaves lets everyone commit their saves when it is time; on the game host.
func (s *session) workSaves(now time.Time) error {
	if s.host == nil || s.comparer == nil || s.game.Resync() != nil || s.host.CommittingSaves() {
		return nil
	}
	frame, due := s.saves.Next(s.allAgreed)
	if !due {
		return nil
	}
	return unlessOver(s.host.CommitSaves(now, frame))
}

// allAgreed is the newest frame up to which all machines are known to have been alike
// in all consoles that still play: those that have left do not get any further.
func (s *session) allAgreed() int64 {
	all := int64(game.Never)
	for _, seat := range s.game.Seats() {
		if !seat.Left {
			all = min(all, s.comparer.Agreed(seat.Seat))
		}
	}
	if all == game.Never {
		return 0
	}
	return max(all, 0)
}

// saveOrder does what the room asks for.
func (s *session) saveOrder(e event.SaveOrder) {
	switch {
	case s.game == nil:
	case e.Commit:
		s.saves.Commit(e.Frame)
	default:
		s.saves.Write(e.Frame)
	}
}

// commitSavesNow makes those saves current, before we go, of which all have theirs, and are
// told so with the room that passes to another game host. It waits for the disk.
func (s *session) commitSavesNow() {
	for _, e := range s.host.Events() {
		if k, is := e.(event.SaveOrder); is && k.Commit {
			s.saves.CommitNow(k.Frame)
		}
	}
}

// saving is the view that the committer of saves has of the session.
type saving struct{ *session }

// Seats are the seats of the game that runs.
func (v saving) Seats() []game.SeatState { return v.game.Seats() }

// Console numbers our console in one of our own seats.
func (v saving) Console(seat ds.Seat) int { return 1 + v.locals[seat] }

// About says of what room and players a save is.
func (v saving) About() saves.About {
	room := v.room.Room()
	a := saves.About{Room: room.Settings.Room}
	for _, p := range room.Players {
		a.Players = append(a.Players, p.Nickname)
	}
	return a
}

// Written tells the room that our saves are on the disk, or why not. The game may be over.
func (v saving) Written(frame int64, why string) {
	_ = v.room.SavesWritten(time.Now(), v.game.Round(), frame, why)
}

// Committed tells the room that our saves are the current ones. The game may be over.
func (v saving) Committed(frame int64) {
	_ = v.room.SavesCommitted(time.Now(), v.game.Round(), frame)
}

// Saved tells the player that there are new current saves.
func (v saving) Saved(frame int64) { v.notify(notice.Saved{Frame: frame}) }

// NotCommitted tells the player that a save is in memory only.
func (v saving) NotCommitted(seat ds.Seat, err error) {
	v.lost = append(v.lost, fmt.Sprintf("the save of seat %v could not be kept: %v", seat, err))
	v.notify(notice.Unsaved{Seat: seat, Err: err})
}

// tryAgain writes what is in memory only, before the session is over: nobody may be left to do so afterwards, and the disk
// may take it by now.
func (v saving) tryAgain() {
	if len(v.lost) == 0 || v.cfg.Unwritten.Retry() != nil {
		return
	}
	v.lost = nil
	v.Say("The disk takes files again: what the game left is saved after all.")
}

// cartridgesOf are those of our own players in a room whose game goes on from a moment; none
// in any other.
func (s *session) cartridgesOf(settings room.Settings, players []room.Player) (list []*keptCartridge) {
	for _, p := range players {
		then, goesOn := keptSave(settings.Continues, p.Seat)
		rom := s.games.ROMs[p.ROM.SHA256]
		if !goesOn || p.Machine != s.me() || rom == nil {
			continue
		}
		console := 1 + p.Local
		list = append(list, &keptCartridge{Seat: p.Seat, Console: console, ROM: rom, Then: then, Place: s.saves.Place(console)})
	}
	return list
}

func seatsOf(list []*keptCartridge) (seats []ds.Seat) {
	for _, c := range list {
		seats = append(seats, c.Seat)
	}
	return seats
}
