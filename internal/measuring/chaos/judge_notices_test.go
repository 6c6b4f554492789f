package chaos

import (
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/session/notice"
)

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
			o.Machines[0].Report.Result, o.Machines[0].Exit = notice.ResultDesync, "4"
		}, `"desync"`},
		{"a fault that three could find without the fourth", func(p *Plan, o *Outcome) {
			o.comes(p, Join, -1, 0)
			p.Sync = room.Clocked
			o.wrong(1, 300)
			o.dark(2, 5*time.Second)
		}, `Bob's machine ended with "desync"`},
		{"a trade that is not in the save of a machine that was found out in time", func(_ *Plan, o *Outcome) { o.wrong(1, 300) }, "without what happened until then"},
		{"nothing kept of a console that was killed while its machine was heard", func(p *Plan, o *Outcome) {
			o.wrong(2, 500)
			o.dark(2, 3*time.Second)
			o.did(KillWorker, 2)
			l := &o.Machines[2]
			l.Saves, l.Told = l.Saves[2:], l.Told[:2]
			l.Saves[0].Current = true
		}, "the newest save, of frame 270"},
		{"an early end", func(_ *Plan, o *Outcome) { o.Machines[1].Report.Frames = 500 }, "500 of 600 frames"},
		{"other consoles", func(_ *Plan, o *Outcome) { o.Machines[1].Report.Seats[0].Hash++ }, "other consoles"},
		{"another last frame", func(_ *Plan, o *Outcome) { o.Machines[1].Report.Seats[0].Frames-- }, "other consoles"},
		{"a console without a hash", func(_ *Plan, o *Outcome) {
			for m := range o.Machines {
				o.Machines[m].Report.Seats[2].Hash = 0
			}
		}, "no hash"},
		{"a console without a hash that was made anew", func(_ *Plan, o *Outcome) {
			o.did(KillWorker, 1)
			o.did(KillWorker, 2)
			o.Machines[1].Report.Resyncs = 1
			o.Machines[1].Report.Seats[2].Hash = 0
		}, "no hash"},
		{"a console without a hash on another machine", func(_ *Plan, o *Outcome) {
			o.did(KillWorker, 1)
			o.Machines[2].Report.Seats[1].Hash = 0
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
		{"nobody goes on without the game host", func(_ *Plan, o *Outcome) {
			o.killHost()
			o.lost(1, 520, 4)
			o.lost(2, 523, 4)
		}, `Bob's machine ended with "lost"`},
		{"who came was not let in", func(p *Plan, o *Outcome) {
			o.comes(p, Join, -1, 300)
			o.lost(3, 0, 0)
			o.Machines[3].Entry = -1
			p.Frames = 36_000 // there was time
			for m := range 3 {
				o.Machines[m].Report.Frames = p.Frames
			}
		}, "Dan came while the game ran and was not let in"},
		{"who came in is without its console", func(p *Plan, o *Outcome) {
			o.comes(p, Join, -1, 300)
			l := &o.Machines[3]
			l.Report.Seats = l.Report.Seats[:3]
		}, "Dan's machine is without its own console"},
		{"a console of who came is missing", func(p *Plan, o *Outcome) {
			o.comes(p, Join, -1, 300)
			o.Machines[1].Report.Seats = o.Machines[1].Report.Seats[:3]
		}, "3 consoles of 4"},
		{"who came has another save than it played", func(p *Plan, o *Outcome) {
			o.comes(p, Join, -1, 300)
			o.Machines[3].Saves[0].Steps = 4
		}, "Dan's save 2, of frame 600, knows of 4 presses, not 2 to 2"},
		{"a spectator saw something else", func(_ *Plan, o *Outcome) {
			o.watched(Watch)
			o.Spectators[0].Report.Seats[1].Hash++
		}, "Uma, who watched, has seen other consoles"},
		{"a spectator did not see the end", func(_ *Plan, o *Outcome) {
			o.watched(Watch)
			o.Spectators[0].Report.Frames = 500
		}, "500 of 600 frames"},
		{"a spectator is lost", func(_ *Plan, o *Outcome) {
			o.watched(Watch)
			o.Spectators[0].Exit, o.Spectators[0].Report.Result, o.Spectators[0].Report.Error = "3", notice.ResultLost, "gone"
		}, `Uma, who watched, ended with "lost"`},
		{"a spectator does not follow to another game host", func(_ *Plan, o *Outcome) {
			o.watched(Watch)
			o.killHost()
			o.Spectators[0].Exit, o.Spectators[0].Report.Result, o.Spectators[0].Report.Error = "3", notice.ResultLost, "gone"
		}, `Uma, who watched, ended with "lost"`},
		{"a console does not stay", func(p *Plan, o *Outcome) {
			p.Keep = true
			o.killHost()
		}, "Bob's machine has Ann's console as of frame 500"},
		{"a spectator leaves a file", func(_ *Plan, o *Outcome) {
			o.watched(Watch)
			o.Spectators[0].Temp = []string{"nettplay-watch-1"}
		}, "nettplay-watch-1"},
	} {
		p, o := good()
		tt.with(&p, &o)
		if wrong := Judge(p, o); !strings.Contains(strings.Join(wrong, "\n"), tt.want) {
			t.Errorf("%s: the judge says %q, not %q", tt.name, wrong, tt.want)
		}
	}
}
