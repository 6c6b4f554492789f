package desync

import (
	"math/rand/v2"
	"testing"

	"github.com/nettplay/nettplay/internal/ds"
)

func comparer(machines int) *Comparer {
	list, owner := []int{}, map[ds.Seat]int{}
	for m := range machines {
		list, owner[ds.Seat(m)] = append(list, m), m
	}
	return NewComparer(list, owner)
}

func TestEqualReportsAgree(t *testing.T) {
	w := comparer(3)
	for frame := int64(60); frame <= 600; frame += 60 {
		for m := range 3 {
			if v, bad := w.Report(m, 1, frame, Hashes{7, 8, uint64(frame)}); bad {
				t.Fatalf("equal hashes gave %+v", v)
			}
		}
	}
	if got := w.Agreed(1); got != 600 {
		t.Errorf("agreed on frame %d, want 600", got)
	}
	if got := w.Agreed(0); got != -1 {
		t.Errorf("nothing was said of seat 0, but it agreed on %d", got)
	}
}

func TestVerdictNamesTheOddOne(t *testing.T) {
	good, bad := Hashes{1, 2, 3}, Hashes{1, 9, 3}
	tests := []struct {
		name    string
		reports []Hashes // by machine
		seat    int
		region  Region
		odd     int
		alone   bool
	}{
		{"majority of three", []Hashes{good, good, bad}, 0, SRAM, 2, true},
		{"the owner is odd against a majority", []Hashes{good, bad, good}, 1, SRAM, 1, true},
		{"two machines: the owner is right", []Hashes{good, bad}, 1, SRAM, 0, false},
		{"two and two: the owner is right", []Hashes{bad, bad, good, good}, 3, SRAM, 0, false},
		{"RAM is blamed before the picture", []Hashes{good, {5, 2, 3, 5}, good}, 0, RAM, 1, true},
		{"only the picture", []Hashes{good, {1, 2, 3, 5}, good}, 0, Video, 1, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := comparer(len(tt.reports))
			for m := range tt.reports {
				w.Report(m, ds.Seat(tt.seat), 30, good)
			}
			var got Verdict
			var seen bool
			for m, h := range tt.reports {
				if v, is := w.Report(m, ds.Seat(tt.seat), 60, h); is {
					got, seen = v, true
				}
			}
			want := Verdict{Frame: 60, Agreed: 30, Seat: ds.Seat(tt.seat), Region: tt.region, Machine: tt.odd, Alone: tt.alone}
			if !seen || got != want {
				t.Errorf("got %+v (%v), want %+v", got, seen, want)
			}
		})
	}
}

func TestOrderOfReportsDoesNotMatter(t *testing.T) {
	for seed := range uint64(50) {
		rng := rand.New(rand.NewPCG(seed, 1))
		w := comparer(3)
		type report struct {
			machine int
			frame   int64
		}
		var all []report
		for frame := int64(0); frame < 10; frame++ {
			for m := range 3 {
				all = append(all, report{m, frame})
			}
		}
		rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		verdicts := 0
		for _, r := range all {
			h := Hashes{uint64(r.frame)}
			if r.frame == 9 && r.machine == 2 {
				h[RAM]++
			}
			if v, bad := w.Report(r.machine, 0, r.frame, h); bad {
				verdicts++
				if v.Frame != 9 || v.Machine != 2 {
					t.Fatalf("seed %d: %+v", seed, v)
				}
			}
		}
		if verdicts != 1 {
			t.Fatalf("seed %d: %d verdicts, want 1", seed, verdicts)
		}
	}
}

// A machine that is outvoted is named without the one that is silent, and nothing is agreed
// upon without that one.
func TestOutvotedWithoutTheSilent(t *testing.T) {
	const good, bad = 1, 9
	for _, tt := range []struct {
		name    string
		reports []uint64 // by machine, of each frame; 0: it is silent
		after   int64    // the frame whose reports bring the verdict on frame 30; 0: none does
		odd     int
	}{
		{"three of five", []uint64{bad, good, good, good, 0}, 30, 0},
		{"two of three", []uint64{good, bad, good}, 30, 1},
		{"two of four", []uint64{good, bad, good, 0}, 90, 1},
		{"the owner, with one of four", []uint64{bad, good, good, 0}, 90, 0},
		{"two of five", []uint64{good, bad, good, 0, 0}, 0, 0},
		{"two against two", []uint64{good, good, bad, bad, 0}, 0, 0},
		{"one against one", []uint64{good, bad, 0}, 0, 0},
		{"all that are heard agree", []uint64{good, good, good, 0}, 0, 0},
	} {
		w := comparer(len(tt.reports))
		found := int64(0)
		for frame := int64(30); frame <= 600 && found == 0; frame += 30 {
			for m, value := range tt.reports {
				h := Hashes{7, value, uint64(frame)}
				if value == 0 {
					continue
				}
				if v, seen := w.Report(m, 0, frame, h); seen {
					found = frame
					if want := (Verdict{Frame: 30, Agreed: -1, Seat: 0, Region: SRAM, Machine: tt.odd, Alone: true}); v != want {
						t.Errorf("%s: got %+v, want %+v", tt.name, v, want)
					}
					break
				}
			}
		}
		if found != tt.after {
			t.Errorf("%s: the reports of frame %d brought a verdict, want %d", tt.name, found, tt.after)
		}
		if tt.reports[len(tt.reports)-1] == 0 && w.Agreed(0) != -1 {
			t.Errorf("%s: frame %d counts as agreed without a machine", tt.name, w.Agreed(0))
		}
	}
}

// A machine that was silent when a frame was judged reports it late: it brings no second verdict. The
// frame is agreed upon once the machine that was outvoted is gone.
func TestALateReportOfAJudgedFrame(t *testing.T) {
	w := comparer(5)
	for m, value := range []uint64{1, 1, 1, 2} {
		if v, seen := w.Report(m, 0, 30, Hashes{value}); seen != (m == 3) {
			t.Fatalf("machine %d: %+v, %v", m, v, seen)
		}
	}
	if v, seen := w.Report(4, 0, 30, Hashes{1}); seen || len(w.pending[0]) > 0 {
		t.Errorf("a late report gives %+v, %v, and %d frames are waited for", v, seen, len(w.pending[0]))
	}
	w = comparer(4)
	for m, value := range []uint64{1, 1, 2} {
		w.Report(m, 1, 30, Hashes{value})
		w.Report(m, 1, 90, Hashes{value})
	}
	if v, seen := w.Remove(2); seen {
		t.Errorf("without the machine that was outvoted there is %+v", v)
	}
	if w.Report(3, 1, 90, Hashes{1}); w.Agreed(1) != 90 {
		t.Errorf("frame %d is agreed upon", w.Agreed(1))
	}
}

// A machine cannot have others judged in a hurry by reports of frames far ahead.
func TestOneMachineDoesNotHurry(t *testing.T) {
	w := comparer(4)
	w.Report(0, 0, 30, Hashes{1})
	w.Report(1, 0, 30, Hashes{1})
	w.Report(2, 0, 30, Hashes{2})
	for frame := int64(60); frame < 600; frame += 30 {
		if v, seen := w.Report(2, 0, frame, Hashes{2}); seen {
			t.Fatalf("got %+v", v)
		}
	}
}

func TestRemoveCompletesWhatWaited(t *testing.T) {
	w := comparer(3)
	w.Report(0, 0, 30, Hashes{1})
	w.Report(1, 0, 30, Hashes{2})
	v, bad := w.Remove(2)
	if !bad || v.Machine != 1 || v.Frame != 30 {
		t.Errorf("got %+v (%v), want machine 1 odd at frame 30", v, bad)
	}
}

// A machine that never reports must not make the others' reports pile up.
func TestMemoryIsBounded(t *testing.T) {
	w := comparer(2)
	for frame := int64(0); frame < 100*Keep; frame++ {
		w.Report(0, 0, frame, Hashes{})
	}
	if n := len(w.pending[0]); n > Keep+1 {
		t.Errorf("%d frames are kept, want at most %d", n, Keep+1)
	}
	if m, silent := w.Silent(); m != 1 || !silent {
		t.Errorf("machine %d is silent: %v", m, silent)
	}
}

// A report that is lost with a connection, or was told to an earlier game host, is no silence
// of a machine that goes on to report.
func TestALostReportIsNoSilence(t *testing.T) {
	w := comparer(3)
	for frame := int64(0); frame < 3*Keep; frame += 30 {
		for m := range 3 {
			if m != 2 || frame < 300 || frame > 330 {
				w.Report(m, 0, frame, Hashes{uint64(frame)})
			}
		}
	}
	if m, silent := w.Silent(); silent {
		t.Errorf("machine %d is silent", m)
	}
	if n := len(w.pending[0]); n != 0 {
		t.Errorf("%d frames are still waited for", n)
	}
	if v, differs := w.Report(2, 0, 300, Hashes{1}); differs {
		t.Errorf("a late report of a frame that is over gives %+v", v)
	}
}

func TestStrangersAndRepeatsAreIgnored(t *testing.T) {
	w := comparer(2)
	w.Report(0, 0, 30, Hashes{1})
	w.Report(0, 0, 30, Hashes{2})  // a repeat cannot change the first word
	w.Report(7, 0, 30, Hashes{3})  // nor can a machine that does not play
	w.Report(0, 12, 30, Hashes{3}) // or a seat that does not exist
	if v, bad := w.Report(1, 0, 30, Hashes{1}); bad {
		t.Errorf("got %+v", v)
	}
}
