package spectate

import (
	"errors"

	"github.com/nettplay/nettplay/internal/replay"
)

// A Download gets the log of one game from the game host, for a spectator or a late joiner.
// It is for one goroutine; the log that it makes may be read on another.
type Download struct {
	round uint32
	live  *replay.Live
	asked bool // the newest question is not answered
	ended bool // nothing more comes
}

// NewDownload makes a download of a round's log, which is kept in a file without a name
// until [Download.Close].
func NewDownload(round uint32) (*Download, error) {
	live, err := replay.NewLive("")
	if err != nil {
		return nil, err
	}
	return &Download{round: round, live: live}, nil
}

// Wants reports whether there is something to ask for that was not asked for.
func (d *Download) Wants() bool { return !d.asked && !d.ended }

// Ask makes the question for what comes next, to be sent to the game host. After the end
// it tells the game host that the end has come.
func (d *Download) Ask() []byte {
	d.asked = !d.ended
	return Ask{Round: d.round, At: d.live.Size()}.Append(nil)
}

// Interrupted says that the connection was replaced: the question is to be asked again.
func (d *Download) Interrupted() { d.asked = false }

// Add takes a piece of the log; false: it is of another round. An error is the game
// host's fault.
func (d *Download) Add(p Piece) (bool, error) {
	switch {
	case p.Round != d.round:
		return false, nil
	case !d.asked:
		return false, errors.New("a piece of a log that was not asked for")
	}
	d.asked = false
	if len(p.Bytes) > 0 {
		if err := d.live.Write(p.At, p.Bytes); err != nil {
			return false, err
		}
	}
	if p.End != More {
		d.End()
	}
	return true, nil
}

// End says that nothing more comes.
func (d *Download) End() {
	d.ended = true
	d.live.End()
}

// Whole reports whether all that may be seen by now has come with a piece.
func (d *Download) Whole(p Piece) bool { return d.live.Size() >= p.All }

// Log opens what has come so far; see [replay.Live].
func (d *Download) Log() (*replay.Log, error) { return d.live.Log() }

// Close forgets the log, which nobody must read any more.
func (d *Download) Close() { _ = d.live.Close() }
