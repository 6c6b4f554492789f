package replay

import (
	"encoding/binary"
	"slices"

	"github.com/nettplay/nettplay/internal/wire"
)

// Limits of the pictures of a recording, by which a list shows it.
const (
	MaxShot  = 64 << 10 // bytes of one
	maxShots = 8        // a recorder takes down. A reader takes the last of any number
)

// Shot puts a picture of the game that runs, a PNG, into the recording: the last one stands for it in lists. One that is
// too large is left out, as are more than a few.
func (r *Recorder) Shot(png []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.now == nil || r.problem != nil || r.now.shots >= maxShots || len(png) == 0 || len(png) > MaxShot {
		return
	}
	r.now.shots++
	r.now.other = appendBlock(r.now.drain(), kindShot, append(binary.AppendUvarint(nil, uint64(len(png))), png...))
}

func (l *Log) takeShot(c *wire.Coder) error {
	shot := c.Take("picture", int(number(c, "bytes of the picture", MaxShot)))
	if c.Err() == nil {
		l.Shot = slices.Clone(shot)
	}
	return c.Err()
}
