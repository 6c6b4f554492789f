package netbench

import (
	"fmt"
	"time"

	"github.com/nettplay/nettplay/internal/testing/badline"
	"github.com/nettplay/nettplay/internal/testing/impair"
)

// Traffic is that of a machine but the game host in a second, both ways, in the mean, as the lines
// count it: UDP payload.
type Traffic struct {
	UpDatagrams   float64 `json:"up_datagrams"`
	UpBytes       float64 `json:"up_bytes"`
	DownDatagrams float64 `json:"down_datagrams"`
	DownBytes     float64 `json:"down_bytes"`
	Lost          float64 `json:"lost"` // share of all that the lines did not let through
}

// counts are those of lines, by direction.
type counts struct {
	lines          int
	datagrams, all [2]int64 // all are bytes
	gone           int64
}

// count adds up some lines.
func count(lines []*badline.Relay) (c counts) {
	for _, r := range lines {
		c.lines++
		for _, d := range []badline.Direction{badline.ToTarget, badline.ToClient} {
			n := r.Count(d)
			c.datagrams[d] += n.Received
			c.all[d] += n.Bytes
			c.gone += n.Lost + n.QueueFull
		}
	}
	return c
}

// since is the traffic since an earlier count.
func (c counts) since(before counts, span time.Duration) (t Traffic) {
	per := span.Seconds() * float64(c.lines)
	if per <= 0 {
		return t
	}
	rate := func(now, then int64) float64 { return float64(now-then) / per }
	t.UpDatagrams, t.UpBytes = rate(c.datagrams[0], before.datagrams[0]), rate(c.all[0], before.all[0])
	t.DownDatagrams, t.DownBytes = rate(c.datagrams[1], before.datagrams[1]), rate(c.all[1], before.all[1])
	if sent := t.UpDatagrams + t.DownDatagrams; sent > 0 {
		t.Lost = rate(c.gone, before.gone) / sent
	}
	return t
}

// relay is a machine's line to the game host at a port.
func relay(line impair.Impairment, port int, seed uint64) (*badline.Relay, error) {
	return badline.Start(badline.Config{Target: fmt.Sprintf("127.0.0.1:%d", port), Seed: seed, Impairment: line})
}
