package session

import (
	"time"

	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/desync"
	"github.com/nettplay/nettplay/internal/report"
	"github.com/nettplay/nettplay/internal/session/notice"
)

// The machines say what their consoles have become, and the game host compares.

// reportHashes tells the game host, or compares on the game host.
func (s *session) reportHashes(now time.Time) error {
	for _, h := range s.game.Hashed() {
		s.saves.Note(h)
		hashes := []room.SeatHash{{Seat: h.Seat, Hash: h.Hash, Air: h.Air}}
		var err error
		if s.host != nil {
			err = s.compare(now, s.me(), h.Frame, hashes)
		} else {
			s.reports.Heard(desync.Report{Machine: s.me(), Seat: h.Seat, Frame: h.Frame, Hashes: report.Hashes(hashes[0])})
			err = unlessOver(s.client.Hashes(now, s.game.Round(), h.Frame, hashes))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// compare takes a machine's hashes, on the game host, and judges the first difference.
func (s *session) compare(now time.Time, machine int, frame int64, hashes []room.SeatHash) error {
	if s.game == nil || frame > s.game.Horizon() {
		return nil
	}
	for _, h := range hashes {
		s.reports.Heard(desync.Report{Machine: machine, Seat: h.Seat, Frame: frame, Hashes: report.Hashes(h)})
	}
	if s.comparer == nil {
		return nil
	}
	for _, h := range hashes {
		if v, differs := s.comparer.Report(machine, h.Seat, frame, report.Hashes(h)); differs {
			return s.judge(now, v)
		}
	}
	if m, silent := s.comparer.Silent(); silent && m != s.me() {
		s.host.PutOut(now, m, "does not tell what its consoles have become")
	}
	return nil
}

// compareWithout compares no longer what a machine that is gone has reported.
func (s *session) compareWithout(now time.Time, machine int) error {
	if s.comparer == nil {
		return nil
	}
	if v, differs := s.comparer.Remove(machine); differs {
		return s.judge(now, v)
	}
	return nil
}

// A machine that is alone with its hashes, against more than half of all, so often within
// this time is put out: it has gone wrong, or lies.
const (
	oddMost   = 3
	oddWindow = 10 * time.Minute
)

// oddAgain tells whether a machine has been the odd one out too often.
func (s *session) oddAgain(now time.Time, machine int) bool {
	s.odd[machine] = append(since(s.odd[machine], now, oddWindow), now)
	return len(s.odd[machine]) >= oddMost
}

// putOut has the others go on without a machine that is the odd one out. They are alike, and
// need no resync.
func (s *session) putOut(now time.Time, v desync.Verdict, words string) error {
	if v.Machine == s.me() {
		return notice.Desynced(words) // another becomes game host
	}
	s.host.PutOut(now, v.Machine, "was not like the others again and again: "+words)
	return nil
}

// judge repairs the game, or ends it with a verdict. Where the game has just ended by itself,
// the machines' last hashes tell the same; see lastHashes.
func (s *session) judge(now time.Time, v desync.Verdict) error {
	v.Agreed = max(v.Agreed, s.alike)
	d := report.Desync(s.game, v)
	err := s.host.ReportDesync(now, d)
	again := v.Alone && s.oddAgain(now, v.Machine)
	if err == nil && again {
		s.desyncs++
		s.tellBuilds(now)
		return s.putOut(now, v, d.Words)
	}
	if err == nil && s.repairable() && (v.Alone || s.mayRepair(now, allMachines)) {
		s.desyncs++
		s.tellBuilds(now)
		return s.decideRepair(now, s.donor(v), d.Words)
	}
	s.comparer = nil
	if err == nil && !(v.Alone && s.game.Closing()) { // else it ends by itself, and well for the others
		err = s.host.Desync(now, d)
	}
	return unlessOver(err)
}

// reportScene is the game that runs, for a desync report.
func (s *session) reportScene() report.Scene {
	settings := s.room.Room().Settings
	scene := report.Scene{
		Game: s.game, Machine: s.me(), Settings: settings, ROMs: s.games.ROMs, LogErr: s.recorder().Problem(),
	}
	if s.cfg.Recorder != nil {
		scene.Log = s.cfg.Recorder.Path()
	}
	return scene
}

// handleRerun takes what a machine got when it played its recording again, on the game host.
func (s *session) handleRerun(now time.Time, machine int, m message.Rerun) {
	if s.host == nil {
		return
	}
	if words := s.reports.Rerun(machine, m); words != "" {
		s.host.Tell(now, words)
	}
}

// reporting is the desync reporter's view of the session.
type reporting struct{ *session }

// Go runs a job that writes a file.
func (r reporting) Go(job func()) { r.jobs.all.Go(job) }

// Later runs do on the session's goroutine.
func (r reporting) Later(do func()) { r.commands.add(do) }

// Share tells the game host what playing the recording again has shown here.
func (r reporting) Share(m message.Rerun) {
	switch s := r.session; {
	case s.over:
	case s.host != nil:
		s.handleRerun(time.Now(), s.me(), m)
	default:
		_ = s.client.Reran(time.Now(), m) // the connection may be gone: then nobody is told
	}
}
