package savestate

import (
	"time"

	"github.com/nettplay/nettplay/internal/testing/virtual"
)

// lineModel is one direction of the reliable channel of a link.
type lineModel struct {
	rate  float64       // bytes a second
	delay time.Duration // one way
}

const (
	ms        = time.Millisecond
	frameTime = 16700 * time.Microsecond
)

// line carries messages, in order.
type line struct {
	*virtual.World
	model   lineModel
	busy    time.Duration
	sent    int   // messages
	backlog int64 // bytes that the other side has not confirmed
}

func newLine(w *virtual.World, m lineModel) *line { return &line{World: w, model: m} }

// unsent is how many bytes have not gone yet.
func (l *line) unsent() int64 { return int64(max(0, l.busy-l.Now).Seconds() * l.model.rate) }

func (l *line) send(b []byte, arrive func()) {
	l.sent++
	l.backlog += int64(len(b))
	l.busy = max(l.busy, l.Now) + time.Duration(float64(len(b))/l.model.rate*float64(time.Second))
	l.At(l.busy+l.model.delay, func() {
		arrive()
		l.At(l.Now+l.model.delay, func() { l.backlog -= int64(len(b)) })
	})
}
