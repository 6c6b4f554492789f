package session

import (
	"sync"
	"testing"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/spectate"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// weighed is a link that counts the bytes of consoles' parts, and of logs, that are sent
// on it.
type weighed struct {
	link.Link

	mu    sync.Mutex
	bytes int
	last  link.PeerID // to whom something was sent
}

func (w *weighed) Send(p link.PeerID, ch link.Channel, b []byte) error {
	const chunk = 0x53 // see savestate/message.go
	w.mu.Lock()
	w.last = p
	if ch == link.Bulk && len(b) > 0 && (b[0] == chunk || spectate.IsPiece(b)) {
		w.bytes += len(b)
	}
	w.mu.Unlock()
	return w.Link.Send(p, ch, b)
}

// sent is how many there were since the last call.
func (w *weighed) sent() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := w.bytes
	w.bytes = 0
	return n
}

// line is one on which something was sent; of a game client there is only one.
func (w *weighed) line() link.PeerID {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.last
}

// weigh has a player's parts counted.
func weigh(c *Config) *weighed {
	w := &weighed{Link: c.Link}
	c.Link = w
	return w
}

// A resync sends a machine only parts that it lacks: of two consoles the odd machine gets
// the one that differs, and a machine that is right gets nothing, nor does the game host
// when it is not the donor.
func TestAResyncSendsOnlyWhatDiffers(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		odd  int
	}{{"a client is wrong", 2}, {"the game host is wrong", 0}} {
		inBubble(t, tt.name, func(t *testing.T) {
			tb := newTable(t, modelCore(), rom(t, romstest.Pad), 3).heavy()
			tb.settings.Frames = 400
			var lines []*weighed
			for i := range 3 {
				tb.sit(func(c *Config) {
					wireless(c)
					c.TestOptions["testcore_radio"] = "off" // what differs stays in one console
					lines = append(lines, weigh(c))
					if i == tt.odd {
						c.TestOptions["testcore_desync_at"], c.TestOptions["testcore_desync_what"] = "150", "ram"
						c.TestOptions["testcore_only_mac"] = "1"
					}
				})
			}
			for i, p := range tb.machines {
				p.untilPlaying()
				lines[i].sent() // the start's
			}
			sameEnds(t, 1, tb.machines...)
			total := 0
			for _, l := range lines {
				total += l.sent()
			}
			if total < tb.padding || total > tb.padding*3/2 { // all of them are six times that
				t.Errorf("%d bytes of consoles were sent", total)
			}
		})
	}
}
