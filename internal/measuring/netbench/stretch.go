package netbench

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/nettplay/nettplay/internal/diagnostics"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/testing/child"
	"github.com/nettplay/nettplay/internal/testing/impair"
)

// Stretch is how many times as long everything takes that a program and its lines wait for, but not what they compute: a
// frame, and the way of a datagram. One computer then gives the machines of a room, which share its processors, as much for
// each frame as computers of their own so many times as fast would. 0 and 1 are none. Figures are told as on those.
//
// The program's own times (how often it pings, how long it waits for a silent player) stay as they are.
type Stretch int

func (s Stretch) by() int { return max(int(s), 1) }

// clock is where the program has the duration of a frame from, and the word of it that is changed.
const clock, cycles = "internal/ds/ds.go", "cyclesPerSecond = 33513982"

// Flags are those of "go build" for a program with longer frames, of a checkout in which this program was started. Dir is a
// folder for files.
func (s Stretch) Flags(dir string) ([]string, error) {
	if s.by() == 1 {
		return nil, nil
	}
	top, err := child.Top()
	if err != nil {
		return nil, err
	}
	path := filepath.Join(top, clock)
	source, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	slow := strings.Replace(string(source), cycles+"\n", fmt.Sprintf("%s / %d\n", cycles, s), 1)
	if slow == string(source) {
		return nil, fmt.Errorf("%s has no line that ends in %q", clock, cycles)
	}
	changed, overlay := filepath.Join(dir, "ds.go"), filepath.Join(dir, "overlay.json")
	list, err := json.Marshal(map[string]map[string]string{"Replace": {path: changed}})
	if err == nil {
		err = os.WriteFile(changed, []byte(slow), 0o600)
	}
	if err == nil {
		err = os.WriteFile(overlay, list, 0o600)
	}
	return []string{"-overlay", overlay}, err
}

// line is a line on which all takes longer.
func (s Stretch) line(i impair.Impairment) impair.Impairment {
	for _, d := range []*time.Duration{&i.Delay, &i.Jitter, &i.BurstMean, &i.TrafficEvery} {
		*d *= time.Duration(s.by())
	}
	if i.BurstShare > 0 && i.BurstMean == 0 {
		i.BurstMean = impair.DefaultBurst * time.Duration(s.by())
	}
	i.Bandwidth, i.Traffic = i.Bandwidth/s.by(), i.Traffic/s.by()
	return i
}

// shrink has times of a machine as they would be without the stretch.
func (s Stretch) shrink(t *diagnostics.FrameTimes) {
	t.Epoch /= int64(s.by())
	lists := [][]int64{t.Due.US, t.Begun.US}
	for _, seat := range t.Seats {
		lists = append(lists, seat.Arrived.US, seat.Shown.US)
	}
	for _, list := range lists {
		for i, us := range list {
			if us > 0 { // a negative one says that there is none
				list[i] = us / int64(s.by())
			}
		}
	}
}

// shrinkReport has the times of a report, as far as they are measured here, as they would be without the stretch.
func (s Stretch) shrinkReport(r *notice.Report) {
	r.Stalls.MS /= float64(s.by())
	if r.Rollbacks != nil {
		r.Rollbacks.Took /= time.Duration(s.by())
	}
}
