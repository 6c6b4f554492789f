package session

import (
	"errors"
	"fmt"
	"time"

	"github.com/nettplay/nettplay/host"
	"github.com/nettplay/nettplay/internal/desync"
)

// comparison is how machines are kept alike.
type comparison struct {
	watch    *desync.Watch // on the game host; nil while nothing is compared
	history  desync.History
	alike    int64 // frames done when all consoles were last known to be alike: a start, a resync
	desyncs  int
	resyncs  int
	repaired map[int][]time.Time // when resyncs were decided, on the game host; see mayRepair
	donorErr error               // our consoles were to be taken by all, and failed; nil once that is mended
	evidence *evidence           // of machines that differ, until their consoles are replaced or gone
	reruns   *reruns             // of the newest desync
	bundles  bundles
}

// The machines say what their consoles have become, and the game host compares.

// reportHashes tells the game host, or compares on the game host.
func (s *session) reportHashes(now time.Time) error {
	for _, h := range s.game.Hashed() {
		s.saving.note(h)
		if s.host == nil {
			s.remember(s.me(), h.Seat, h.Frame, regions(host.SeatHash{Hash: h.Hash, Air: h.Air}))
		}
		hashes := []host.SeatHash{{Seat: h.Seat, Hash: h.Hash, Air: h.Air}}
		var err error
		if s.host != nil {
			err = s.compare(now, s.me(), h.Frame, hashes)
		} else if err = s.client.Hashes(now, s.game.Round(), h.Frame, hashes); errors.Is(err, host.ErrPhase) {
			err = nil // the game ended meanwhile
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// compare takes a machine's hashes, on the game host, and ends the game when
// machines are not alike.
func (s *session) compare(now time.Time, machine int, frame int64, hashes []host.SeatHash) error {
	if s.game == nil || frame > s.game.Horizon() {
		return nil
	}
	for _, h := range hashes {
		s.remember(machine, h.Seat, frame, regions(h))
	}
	if s.watch == nil {
		return nil
	}
	for _, h := range hashes {
		v, differs := s.watch.Report(machine, h.Seat, frame, regions(h))
		if !differs {
			continue
		}
		return s.judge(now, v)
	}
	return nil
}

// judge ends the game with a verdict. Where the game has just ended by itself,
// the machines' last hashes tell the same; see lastHashes.
func (s *session) judge(now time.Time, v desync.Verdict) error {
	v.Agreed = max(v.Agreed, s.alike)
	d := s.inWords(v)
	err := s.host.ReportDesync(now, d)
	if err == nil && s.repairable() && s.mayRepair(now, allMachines) {
		s.desyncs++
		return s.decideRepair(now, s.donor(v), d.Words)
	}
	s.watch = nil
	if err == nil {
		err = s.host.Desync(now, d)
	}
	if errors.Is(err, host.ErrPhase) {
		return nil
	}
	return err
}

// regions are a console's hashes as reports have them.
func regions(h host.SeatHash) desync.Hashes {
	h = h.Short()
	return desync.Hashes{desync.RAM: h.Hash.RAM, desync.SRAM: h.Hash.SRAM, desync.Video: h.Hash.Video, desync.Air: h.Air}
}

// verdict is a desync in words.
func (s *session) verdict(v desync.Verdict) string {
	words := fmt.Sprintf("%s's copy of %s's console (seat %d) differs in %s after frame %d",
		s.game.Owner(v.Machine), s.game.Owner(s.game.Owners()[v.Seat]), v.Seat+1, v.Region, v.Frame)
	if v.Agreed >= 0 {
		words += fmt.Sprintf("; all agreed after frame %d", v.Agreed)
	}
	return words
}

// inWords is a verdict as all machines get to know it.
func (s *session) inWords(v desync.Verdict) host.Desync {
	return host.Desync{
		Frame: v.Frame, Agreed: v.Agreed, Seat: v.Seat, Machine: v.Machine, Region: v.Region.String(), Words: s.verdict(v),
	}
}
