package chaos

import (
	"slices"
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/session/notice"
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
			Report: &notice.Report{Result: notice.ResultOK, Frames: p.Frames, Seats: []game.SeatReport{
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
	l.Exit, l.Report.Result, l.Report.Error, l.Report.Frames = "3", notice.ResultLost, "the connection is gone", frames
	for i := range l.Report.Seats {
		l.Report.Seats[i].Hash, l.Report.Seats[i].Frames = 0, frames
	}
	l.Saves[0] = Save{Number: 4, Frame: frames, Steps: steps}
	l.Saves[1].Current = true
}

// killHost kills the game host at frame 500; the others play on.
func (o *Outcome) killHost() {
	o.did(KillHost, 0)
	o.Machines[0] = Left{Exit: "killed", Saves: o.Machines[0].Saves[1:]}
	o.Machines[0].Saves[0].Current = true
	for m := range o.Machines[1:] {
		o.Machines[1+m].Report.Seats[0] = game.SeatReport{Seat: 0, Owner: "Ann", Frames: 500, Hash: 1}
	}
}

// wrong has a machine compute something wrong after a frame, which is found out at the end.
func (o *Outcome) wrong(machine int, frame int64) {
	o.Acts = append(o.Acts, Act{Event: Event{Kind: Fault, Machine: machine, Frame: frame}, Did: true})
	o.lost(machine, 600, 4)
	l := &o.Machines[machine]
	l.Exit, l.Report.Result = "4", notice.ResultDesync
}

// dark has a line be dark.
func (o *Outcome) dark(machine int, length time.Duration) {
	o.Acts = append(o.Acts, Act{Event: Event{Kind: Dark, Machine: machine, At: 1, Length: length}, Did: true})
}

// stays adds a machine that came, and did not come in.
func (o *Outcome) stays(p *Plan) {
	o.comes(p, Join, -1, 300)
	o.lost(3, 0, 0)
	l := &o.Machines[3]
	l.Entry, l.Saves, l.Told = -1, nil, nil
	for m := range 3 {
		o.Machines[m].Report.Seats = o.Machines[m].Report.Seats[:3]
	}
}

// comes adds a machine that came in at a frame, and plays on to the end.
func (o *Outcome) comes(p *Plan, k Kind, again int, entry int64) {
	m := p.Machines()
	p.Late, p.Presses = append(p.Late, again), append(p.Presses, []int64{50, 200, 350, 500})
	o.did(k, m)
	for i := range o.Machines {
		if r := o.Machines[i].Report; r != nil {
			r.Seats = append(r.Seats, game.SeatReport{Seat: ds.Seat(m), Owner: p.player(m), Frames: 600, Hash: game.Hash(m + 1)})
		}
	}
	report := *o.Machines[0].Report
	o.Machines = append(o.Machines, Left{Exit: "0", Entry: entry, Report: &report, Told: []int64{420}, Saves: []Save{
		{Number: 2, Frame: 600, Confirmed: true, Current: true, Steps: 2}, {Number: 1, Frame: 420, Confirmed: true, Steps: 1},
	}})
	o.Machines[m].Report.Seats = slices.Clone(report.Seats)
	for i := range o.Machines {
		o.Machines[i].Until = time.Hour
	}
}

// watched adds a spectator that has seen it all.
func (o *Outcome) watched(k Kind) {
	o.did(k, firstSpectator+len(o.Spectators))
	report := *o.Machines[1].Report
	report.Seats = slices.Clone(report.Seats)
	o.Spectators = append(o.Spectators, Left{Exit: "0", Report: &report})
	for i := range o.Machines {
		o.Machines[i].Until = time.Hour
	}
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
		{"the game host was killed while a line was dark", func(_ *Plan, o *Outcome) {
			o.did(Dark, 1)
			o.did(KillHost, 0)
			o.Machines[0] = Left{Exit: "killed", Saves: o.Machines[0].Saves}
			o.Machines[0].Saves = o.Machines[0].Saves[1:]
			o.Machines[0].Saves[0].Current = true
			o.lost(1, 520, 4)
			o.lost(2, 523, 4)
		}},
		{"a console was killed right before the end", func(_ *Plan, o *Outcome) {
			o.did(KillWorker, 1)
			o.Machines[1].Report.Seats[2].Hash = 0
		}},
		{"a console was killed right before the end, after another machine's was made anew", func(_ *Plan, o *Outcome) {
			o.did(KillWorker, 2)
			o.did(KillWorker, 1)
			for m := range o.Machines {
				o.Machines[m].Report.Resyncs = 1
			}
			o.Machines[1].Report.Seats[2].Hash = 0
		}},
		{"a console was killed right before the end, after a fault that came sooner than planned", func(p *Plan, o *Outcome) {
			p.Max = true
			o.did(KillWorker, 1)
			o.Acts = append(o.Acts, Act{Event: Event{Kind: Fault, Machine: 1, Frame: 100}, Did: true})
			for m := range o.Machines {
				o.Machines[m].Report.Resyncs = 1
			}
			o.Machines[1].Report.Seats[1].Hash = 0
		}},
		{"the disk was full at the end, and the game host stayed for a spectator", func(_ *Plan, o *Outcome) {
			o.Acts = append(o.Acts, Act{Event: Event{Kind: DiskFull, At: 9 * time.Second, Length: 2 * time.Second}, Did: true})
			for m := range o.Machines {
				o.Machines[m].Until = 10 * time.Second
			}
			o.Machines[0].Until = 20 * time.Second
			o.Machines[0].Saves, o.Machines[0].Told = o.Machines[0].Saves[1:], nil
			o.Machines[0].Saves[0].Current = true
		}},
		{"a line was cut", func(_ *Plan, o *Outcome) {
			o.did(Cut, 1)
			o.lost(1, 450, 3)
		}},
		{"a player left", func(_ *Plan, o *Outcome) {
			o.did(Leave, 1)
			o.lost(1, 450, 3)
			o.Machines[1].Exit, o.Machines[1].Report.Result, o.Machines[1].Report.Error = "0", notice.ResultOK, ""
		}},
		{"the word to confirm did not come before the host was killed", func(_ *Plan, o *Outcome) {
			o.did(Dark, 1)
			o.did(KillHost, 0)
			o.Machines[0] = Left{Exit: "killed", Saves: o.Machines[0].Saves[1:]}
			o.Machines[0].Saves[0].Current = true
			o.lost(1, 440, 3)
			o.lost(2, 440, 3)
			o.Machines[2].Told = []int64{120, 270}
			o.Machines[2].Saves = []Save{{Number: 3, Frame: 440, Steps: 3}, {Number: 2, Frame: 270, Confirmed: true, Current: true, Steps: 2}}
		}},
		{"the game host was killed, and the others went on", func(_ *Plan, o *Outcome) { o.killHost() }},
		{"somebody came, and came again", func(p *Plan, o *Outcome) {
			o.comes(p, Join, -1, 300)
			o.did(KillPeer, 2)
			o.Machines[2] = Left{Exit: "killed", Saves: o.Machines[2].Saves[2:]}
			o.Machines[2].Saves[0].Current = true
			o.comes(p, Again, 2, 400)
			l := &o.Machines[4]
			l.Brought = 2
			l.Saves = append([]Save{{Number: 4, Frame: 600, Confirmed: true, Current: true, Steps: 3}}, o.Machines[2].Saves...)
			l.Saves[1].Current = false
		}},
		{"the game host of a clocked game left, and others stamped its last frames anew", func(p *Plan, o *Outcome) {
			p.Sync = room.Clocked
			o.did(HostLeaves, 0)
			for m := range o.Machines {
				o.Machines[m].Stamped = Stamped{Presses: []int64{54, 204, 354, 504}, Frames: p.Frames}
			}
			l := &o.Machines[0]
			l.Report.Seats[1].Hash++
			l.Saves[0].Confirmed, l.Saves[0].Current, l.Saves[1].Current = false, false, true
		}},
		{"a console without a hash, of a machine that was lost", func(_ *Plan, o *Outcome) {
			o.did(Dark, 1)
			o.did(KillHost, 0)
			o.killHost()
			o.lost(1, 520, 4)
			o.Machines[2].Report.Seats[1].Hash = 0
		}},
		{"who came after a game played the next one", func(p *Plan, o *Outcome) {
			o.comes(p, Join, -1, 300)
			l := &o.Machines[3]
			l.Entry, l.Saves[0].Steps = -1, 4
			l.Report.Seats = l.Report.Seats[3:]
			for m := range 3 {
				o.Machines[m].Report.Seats = o.Machines[m].Report.Seats[:3]
				o.Machines[m].Until = 8 * time.Second
			}
		}},
		{"who came before a game ended was left without friends in the next one", func(p *Plan, o *Outcome) {
			o.comes(p, Join, -1, 300)
			o.lost(3, 520, 3)
			l := &o.Machines[3]
			l.Entry, l.Saves[0].Steps, l.Told, l.Until = -1, 4, nil, 20*time.Second
			l.Report.Seats = l.Report.Seats[3:]
			for m := range 3 {
				o.Machines[m].Report.Seats = o.Machines[m].Report.Seats[:3]
				o.Machines[m].Until = 8 * time.Second
			}
		}},
		{"the game host was killed when somebody was about to come in", func(p *Plan, o *Outcome) {
			o.comes(p, Join, -1, 300)
			o.lost(3, 0, 0)
			o.Machines[3].Saves, o.Machines[3].Told = nil, nil
			for m := range 3 {
				o.Machines[m].Report.Seats[3].Hash = 0
			}
			o.killHost()
		}},
		{"a fault right before the end", func(_ *Plan, o *Outcome) { o.wrong(1, 500) }},
		{"a fault while too few were heard", func(p *Plan, o *Outcome) {
			p.Sync = room.Clocked
			o.wrong(1, 300)
			o.dark(2, 5*time.Second)
		}},
		{"a console was killed while its machine was not heard, in a clocked game", func(p *Plan, o *Outcome) {
			p.Sync = room.Clocked
			o.wrong(2, 500)
			o.dark(2, 3*time.Second)
			o.did(KillWorker, 2)
			l := &o.Machines[2]
			l.Saves, l.Told = l.Saves[2:], l.Told[:2]
			l.Saves[0].Current = true
		}},
		{"who came at the very end did not come in", func(p *Plan, o *Outcome) {
			o.stays(p)
			for m := range 3 {
				o.Machines[m].Until = 8 * time.Second
			}
		}},
		{"who came to one that stayed alone was killed on the way in", func(p *Plan, o *Outcome) {
			o.did(Leave, 1)
			o.did(Leave, 2)
			for m := range 3 {
				o.lost(m, 450, 3)
			}
			for m := 1; m < 3; m++ {
				o.Machines[m].Exit, o.Machines[m].Report.Result, o.Machines[m].Report.Error = "0", notice.ResultOK, ""
			}
			o.did(JoinGone, 3)
			p.Late, p.Presses = append(p.Late, -1), append(p.Presses, nil)
			o.Machines = append(o.Machines, Left{Exit: "killed", Entry: -1})
		}},
		{"who came to a busy machine did not come in", func(p *Plan, o *Outcome) { o.stays(p) }},
		{"spectators", func(_ *Plan, o *Outcome) {
			o.watched(Watch)
			o.watched(WatchGone)
			o.Spectators[1] = Left{Exit: "killed", Temp: []string{"x"}}
		}},
		{"a spectator of a game host that left, near the end", func(_ *Plan, o *Outcome) {
			o.watched(Watch)
			o.killHost()
			for i := range o.Machines {
				o.Machines[i].Until = 15 * time.Second
			}
			o.Spectators[0].Exit, o.Spectators[0].Report.Result, o.Spectators[0].Report.Error = "3", notice.ResultLost, "the game host left"
		}},
	} {
		p, o := good()
		tt.with(&p, &o)
		if wrong := Judge(p, o); len(wrong) > 0 {
			t.Errorf("%s: %q", tt.name, wrong)
		}
	}
}
