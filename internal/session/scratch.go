package session

import (
	"os"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/replay"
)

// recorderState is a session's state of its own recording.
type recorderState struct {
	scratch *scratch // stands in for Config.Recorder; nil: not needed
	mute    bool     // the player was told that nothing is recorded any more
}

// scratch is a recording for spectators and late joiners alone. Its files have no names.
type scratch struct {
	*replay.Recorder
	dir string
}

func newScratch() (*scratch, error) {
	dir, err := os.MkdirTemp("", "nettplay-watch-*")
	if err != nil {
		return nil, err
	}
	return &scratch{Recorder: replay.NewRecorder(replay.Config{Folder: dir}), dir: dir}, nil
}

// unlink removes the name of a file that is open, and the folder. The folder is made again
// for the next file. A nil scratch has none.
func (p *scratch) unlink(path string) {
	if p != nil {
		_, _ = os.Remove(path), os.Remove(p.dir)
	}
}

// close ends the recording. A nil scratch has none.
func (p *scratch) close() {
	if p != nil {
		p.Recorder.Close()
		os.RemoveAll(p.dir)
	}
}

// needScratch records the game that is about to begin for spectators and late joiners, if
// nobody else records it.
func (s *session) needScratch(settings room.Settings) {
	if s.cfg.Recorder != nil || !logShown(settings) || s.recording.scratch != nil {
		return
	}
	p, err := newScratch()
	if err != nil {
		s.tellUnwatched(err)
		return
	}
	s.recording.scratch = p
}
