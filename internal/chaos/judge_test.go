package chaos

import (
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/session"
)

// good is a plan, and what a run of it leaves in which all went well.
func good() (Plan, Outcome) {
	p := Plan{Players: 3, Core: TestCore, Frames: 600, Delay: 4, Hash: 30, Verify: -1, Silence: 3 * time.Second, Wait: 10 * time.Second}
	for range p.Players {
		p.Presses = append(p.Presses, []int64{50, 200, 350, 500})
	}
	var o Outcome
	for range p.Players {
		o.Machines = append(o.Machines, Left{
			Exit: "0", Told: []int64{120, 270, 420},
			Report: &session.Report{Result: session.ResultOK, Frames: p.Frames, Seats: []session.SeatReport{
				{Seat: 0, Owner: "Ann", Frames: 600, Hash: 1}, {Seat: 1, Owner: "Bob", Frames: 600, Hash: 2}, {Seat: 2, Owner: "Cleo", Frames: 600, Hash: 3},
			}},
			Saves: []Save{
				{Number: 4, Frame: 600, Confirmed: true, Current: true, Steps: 4},
				{Number: 3, Frame: 420, Confirmed: true, Steps: 3},
				{Number: 2, Frame: 270, Confirmed: true, Steps: 2},
				{Number: 1, Frame: 120, Confirmed: true, Steps: 1},
			},
		})
	}
	return p, o
}

// did notes that an event took place.
func (o *Outcome) did(k Kind, machine int) {
	o.Acts = append(o.Acts, Act{Event: Event{Kind: k, Machine: machine, At: 1}, Did: true})
}

// lost makes a machine end badly after so many frames, with its last save unconfirmed.
func (o *Outcome) lost(machine int, frames int64, steps int) {
	l := &o.Machines[machine]
	l.Exit, l.Report.Result, l.Report.Error, l.Report.Frames = "3", session.ResultLost, "the line is gone", frames
	for i := range l.Report.Seats {
		l.Report.Seats[i].Hash, l.Report.Seats[i].Frames = 0, frames
	}
	l.Saves[0] = Save{Number: 4, Frame: frames, Steps: steps}
	l.Saves[1].Current = true
}

func TestJudgeLetsGoodRunsPass(t *testing.T) {
	for _, tt := range []struct {
		name string
		with func(p *Plan, o *Outcome)
	}{
		{"nothing happened", func(*Plan, *Outcome) {}},
		{"a peer was killed", func(_ *Plan, o *Outcome) {
			o.did(KillPeer, 2)
			o.Machines[2] = Left{Exit: "killed", Temp: []string{"console-1"}, Saves: o.Machines[2].Saves[2:]}
			o.Machines[2].Saves[0].Current = true
		}},
		{"the game host was killed", func(_ *Plan, o *Outcome) {
			o.did(KillHost, 0)
			o.Machines[0] = Left{Exit: "killed", Saves: o.Machines[0].Saves}
			o.Machines[0].Saves = o.Machines[0].Saves[1:]
			o.Machines[0].Saves[0].Current = true
			o.lost(1, 520, 4)
			o.lost(2, 523, 4)
		}},
		{"a line was cut", func(_ *Plan, o *Outcome) {
			o.did(Cut, 1)
			o.lost(1, 450, 3)
		}},
		{"a player left", func(_ *Plan, o *Outcome) {
			o.did(Leave, 1)
			o.lost(1, 450, 3)
			o.Machines[1].Exit, o.Machines[1].Report.Result, o.Machines[1].Report.Error = "0", session.ResultOK, ""
		}},
		{"the word to confirm did not come before the host was killed", func(_ *Plan, o *Outcome) {
			o.did(KillHost, 0)
			o.Machines[0] = Left{Exit: "killed", Saves: o.Machines[0].Saves[1:]}
			o.Machines[0].Saves[0].Current = true
			o.lost(1, 440, 3)
			o.lost(2, 440, 3)
			o.Machines[2].Told = []int64{120, 270}
			o.Machines[2].Saves = []Save{{Number: 3, Frame: 440, Steps: 3}, {Number: 2, Frame: 270, Confirmed: true, Current: true, Steps: 2}}
		}},
	} {
		p, o := good()
		tt.with(&p, &o)
		if wrong := Judge(p, o); len(wrong) > 0 {
			t.Errorf("%s: %q", tt.name, wrong)
		}
	}
}

// Every promise that is broken is noticed.
func TestJudgeNotices(t *testing.T) {
	for _, tt := range []struct {
		name string
		with func(p *Plan, o *Outcome)
		want string
	}{
		{"a hang", func(_ *Plan, o *Outcome) { o.Hung = []string{"the game did not end"} }, "did not end"},
		{"a process that is left", func(_ *Plan, o *Outcome) { o.Leftover = []string{"process 5"} }, "process 5 is left"},
		{"a file that is left", func(_ *Plan, o *Outcome) { o.Machines[1].Temp = []string{"tmp/console-7"} }, "console-7"},
		{"a panic", func(_ *Plan, o *Outcome) { o.Machines[2].Words = "x\npanic: oh\n" }, "panic"},
		{"a data race", func(_ *Plan, o *Outcome) { o.Machines[2].Words = "==\nWARNING: DATA RACE\n" }, "DATA RACE"},
		{"a protocol error", func(_ *Plan, o *Outcome) { o.Machines[0].Words = "Bob broke the rules: x" }, "broke the rules"},
		{"no report", func(_ *Plan, o *Outcome) { o.Machines[1].Report = nil }, "no report"},
		{"a wrong exit code", func(_ *Plan, o *Outcome) { o.Machines[1].Exit = "1" }, "ended with 1"},
		{"a loss without a reason", func(_ *Plan, o *Outcome) { o.lost(1, 450, 3) }, `Bob's machine ended with "lost"`},
		{"a loss that a leaver is no reason for", func(_ *Plan, o *Outcome) { o.did(Leave, 2); o.lost(1, 450, 3) }, `Bob's machine ended with "lost"`},
		{"no words for a loss", func(_ *Plan, o *Outcome) { o.did(Cut, 1); o.lost(1, 450, 3); o.Machines[1].Report.Error = "" }, "does not say why"},
		{"a desync", func(_ *Plan, o *Outcome) {
			o.did(Fault, 1)
			o.Machines[0].Report.Result, o.Machines[0].Exit = session.ResultDesync, "4"
		}, `"desync"`},
		{"an early end", func(_ *Plan, o *Outcome) { o.Machines[1].Report.Frames = 500 }, "500 of 600 frames"},
		{"other consoles", func(_ *Plan, o *Outcome) { o.Machines[1].Report.Seats[0].Hash++ }, "other consoles"},
		{"another last frame", func(_ *Plan, o *Outcome) { o.Machines[1].Report.Seats[0].Frames-- }, "other consoles"},
		{"a console without a hash", func(_ *Plan, o *Outcome) {
			for m := range o.Machines {
				o.Machines[m].Report.Seats[2].Hash = 0
			}
		}, "no hash"},
		{"a console that is missing", func(_ *Plan, o *Outcome) {
			for m := range o.Machines {
				o.Machines[m].Report.Seats = o.Machines[m].Report.Seats[:2]
			}
		}, "2 consoles of 3"},
		{"a recording that differs", func(_ *Plan, o *Outcome) { o.Machines[0].Replay = "differs" }, "recording"},

		{"a torn save", func(_ *Plan, o *Outcome) { o.Machines[1].Damage = []string{"save 2 is torn"} }, "torn"},
		{"a save of another moment", func(_ *Plan, o *Outcome) { o.Machines[1].Saves[1].Steps = 2 }, "knows of 2 presses, not 3 to 3"},
		{"a save with more than happened", func(_ *Plan, o *Outcome) { o.Machines[1].Saves[3].Steps = 2 }, "knows of 2 presses, not 1 to 1"},
		{"saves in the wrong order", func(_ *Plan, o *Outcome) {
			s := o.Machines[1].Saves
			s[2].Frame, s[3].Frame, s[2].Steps, s[3].Steps = s[3].Frame, s[2].Frame, s[3].Steps, s[2].Steps
		}, "the one before it"},
		{"a save that was told of and is gone", func(_ *Plan, o *Outcome) {
			o.did(KillPeer, 1)
			o.Machines[1] = Left{Exit: "killed", Told: []int64{120, 270}, Saves: o.Machines[1].Saves[3:]}
			o.Machines[1].Saves[0].Current = true
		}, "was told that the save of frame 270"},
		{"the last save not made current", func(_ *Plan, o *Outcome) {
			for m := range o.Machines {
				o.Machines[m].Saves[0].Confirmed, o.Machines[m].Saves[0].Current, o.Machines[m].Saves[1].Current = false, false, true
			}
		}, "the game came to its end"},
		{"nothing kept of a bad end", func(_ *Plan, o *Outcome) {
			o.did(Cut, 1)
			o.lost(1, 520, 4)
			o.Machines[1].Saves = o.Machines[1].Saves[1:]
		}, "the newest save, of frame 420, has 3 of 4"},
		{"a save older than promised", func(_ *Plan, o *Outcome) {
			o.did(Cut, 1)
			o.lost(1, 599, 4)
			o.Machines[1].Told = []int64{120}
			o.Machines[1].Saves = []Save{{Number: 4, Frame: 599, Steps: 4}, {Number: 1, Frame: 120, Confirmed: true, Current: true, Steps: 1}}
		}, "older than promised"},
		{"a trade in one save only", func(_ *Plan, o *Outcome) {
			o.did(Cut, 1)
			o.lost(1, 520, 4)
			o.Machines[1].Report.Frames = 601
			o.Machines[1].Told = []int64{120, 270}
			o.Machines[1].Saves = []Save{{Number: 2, Frame: 270, Confirmed: true, Current: true, Steps: 2}}
		}, "without what happened until then"},
		{"a commit without what the others prepared", func(_ *Plan, o *Outcome) {
			o.did(KillHost, 0)
			o.Machines[0] = Left{Exit: "killed", Saves: o.Machines[0].Saves[1:]}
			o.Machines[0].Saves[0].Current = true
			o.lost(1, 425, 3)
			o.lost(2, 415, 3)
			o.Machines[2].Told = []int64{120, 270}
			o.Machines[2].Saves = []Save{{Number: 3, Frame: 415, Steps: 3}, {Number: 2, Frame: 270, Confirmed: true, Current: true, Steps: 2}}
		}, "Cleo's of frame 270, which is without"},
	} {
		p, o := good()
		tt.with(&p, &o)
		if wrong := Judge(p, o); !strings.Contains(strings.Join(wrong, "\n"), tt.want) {
			t.Errorf("%s: the judge says %q, not %q", tt.name, wrong, tt.want)
		}
	}
}
