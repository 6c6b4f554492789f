package testcore_test

import (
	"fmt"
	"testing"
)

// room is a game of n consoles whose MACs end in 0, 1, 2 ...
func room(n int, commands []string, options ...string) game {
	g := game{consoles: n, options: options, commands: commands}
	for i := range n {
		g.options = append(g.options, fmt.Sprintf("%d:mac=00:09:bf:00:00:%02x", i, i))
	}
	return g
}

var frames600 = []string{"input=7", "run=600", "print"}

// TestIdle: an idle radio polls every 512 microseconds and nothing else.
func TestIdle(t *testing.T) {
	got, air := room(2, frames600, "radio=idle").play(t)
	for _, c := range got {
		if n := c.number(t, "polls"); n < 600*32 || n > 600*33 || c["waits"] != "0" || c["sent"] != "0" {
			t.Errorf("%d polls, %s waits, %s sent", n, c["waits"], c["sent"])
		}
	}
	if air[0]["giveups"] != "0" {
		t.Error(air[0])
	}
}

func TestBroadcast(t *testing.T) {
	got, _ := room(3, frames600, "radio=broadcast").play(t)
	for _, c := range got {
		if c["sent"] != "600" || c.number(t, "heard") < 2*599 || c["lost"] != "0" {
			t.Errorf("seat %s: sent %s, heard %s, lost %s", c["seat"], c["sent"], c["heard"], c["lost"])
		}
	}
}

// TestMultiplay: a healthy game loses no round and agrees, whoever comes late,
// and a host never gives up.
func TestMultiplay(t *testing.T) {
	for _, test := range []struct {
		consoles int
		options  []string
	}{
		{2, nil},
		{3, nil},
		{16, nil},
		{2, []string{"radio_at_us=8000", "radio_stagger=7"}},
		{5, []string{"radio_at_us=12000", "radio_stagger=7"}},
		{3, []string{"radio_at_us=0", "radio_rounds=2", "radio_payload=64", "radio_stagger=1"}},
		{3, []string{"radio_at_us=5000", "radio_rounds=3", "radio_runahead=disabled"}},
	} {
		t.Run(fmt.Sprint(test.consoles, test.options), func(t *testing.T) {
			g := room(test.consoles, []string{"input=7", "run=300", "print"}, append(test.options, "radio=mac")...)
			got, air := g.play(t)
			for _, c := range got {
				if c["lost"] != "0" || c["disagreed"] != "0" || c["bad"] != "0" || c.number(t, "rounds") < 250 {
					t.Errorf("seat %s: %s rounds, %s lost, %s disagreed, %s bad", c["seat"], c["rounds"], c["lost"], c["disagreed"], c["bad"])
				}
			}
			if got[0]["timeouts"] != "0" || got[0]["members"] != fmt.Sprint(1<<test.consoles-2) || air[0]["hostgiveups"] != "0" {
				t.Errorf("host: %s timeouts, members %s, %s", got[0]["timeouts"], got[0]["members"], air[0]["hostgiveups"])
			}
		})
	}
}

// TestStraddle: an exchange that begins in one frame and ends in the next.
func TestStraddle(t *testing.T) {
	got, _ := room(3, frames600, "radio=mac", "radio_at_us=16300", "radio_stagger=7").play(t)
	for _, c := range got {
		if c["lost"] != "0" || c["disagreed"] != "0" || c.number(t, "rounds") < 500 {
			t.Errorf("seat %s: %s rounds, %s lost, %s disagreed", c["seat"], c["rounds"], c["lost"], c["disagreed"])
		}
	}
}

// TestTraceRepeats: the same game sends the same bytes, unless it is to leave
// some uninitialised.
func TestTraceRepeats(t *testing.T) {
	for _, garbage := range []string{"disabled", "enabled"} {
		g := room(3, frames600, "radio=mac", "radio_garbage="+garbage)
		a, air := g.play(t)
		b, air2 := g.play(t)
		if (air[0]["trace"] == air2[0]["trace"]) != (garbage == "disabled") {
			t.Errorf("garbage %s: %s and %s", garbage, air[0]["trace"], air2[0]["trace"])
		}
		for i := range a {
			if (a[i]["hash"] == b[i]["hash"]) != (garbage == "disabled") {
				t.Errorf("garbage %s: %s and %s", garbage, a[i]["hash"], b[i]["hash"])
			}
		}
	}
}

// TestBentSchedule: one packet that comes a poll late is seen, and for ever.
func TestBentSchedule(t *testing.T) {
	for _, options := range [][]string{{"radio=broadcast"}, {"radio=mac"}} {
		straight := room(2, []string{"input=7", "run=300"}, options...).history(t)
		bent := room(2, []string{"input=7", "bend=150", "run=300"}, options...).history(t)
		seen := false
		for i := range straight {
			first := firstDifference(straight[i], bent[i])
			if first < 0 {
				continue
			}
			seen = true
			if straight[i][299] == bent[i][299] || first == 0 {
				t.Errorf("%v: differs from frame %d, but not at the end", options, first)
			}
		}
		if !seen {
			t.Errorf("%v: the bend was not seen", options)
		}
	}
}

// TestStretch: a client that stretches its frames gets into phase with its host,
// and stays there.
func TestStretch(t *testing.T) {
	for _, lines := range []string{"2", "16"} {
		for _, skew := range []string{"skew=0", "skew=1", "skew=2"} {
			t.Run(lines+" "+skew, func(t *testing.T) {
				got, _ := room(3, []string{"input=7", skew, "run=250", "print", "run=100", "print"},
					"radio=mac", "radio_stagger=13", "radio_stretch="+lines).play(t)
				for i := 1; i < 3; i++ {
					mid, end := got[i], got[3+i]
					if mid["settled"] == "0" || mid["stretched"] == "0" {
						t.Errorf("seat %d is not settled: %s lines, %s us off", i, mid["stretched"], mid["phase"])
					}
					same(t, "later", mid, end, "settled", "stretched")
					if end["disagreed"] != "0" {
						t.Errorf("seat %d disagreed %s times", i, end["disagreed"])
					}
				}
			})
		}
	}
}

// TestClose: one that goes amid an exchange leaves the others playing, and can
// come back.
func TestClose(t *testing.T) {
	t.Run("client", func(t *testing.T) {
		got, _ := room(3, []string{"input=3", "run=250", "print", "run=400", "print"},
			"radio=mac", "only_mac=1", "radio_close_at=200", "radio_close_for=100").play(t)
		if got[1]["role"] != "0" || got[2].number(t, "rounds") < 200 {
			t.Errorf("while it is away: %v", got[:3])
		}
		if got[4]["aid"] != "1" || got[4]["shared"] != got[5]["shared"] || got[5].number(t, "rounds") < 550 {
			t.Errorf("after it came back: %v", got[3:])
		}
	})
	t.Run("host", func(t *testing.T) {
		got, _ := room(3, []string{"input=3", "run=400", "print"},
			"radio=mac", "only_mac=0", "radio_close_at=200", "radio_patience=30").play(t)
		for _, c := range got[1:] {
			if c["stage"] != "0" || c["aid"] != "0" {
				t.Errorf("still waits: %v", c)
			}
		}
	})
	t.Run("reset", func(t *testing.T) {
		got, _ := room(3, []string{"input=3", "run=201", "reset=0", "run=500", "print"}, "radio=mac").play(t)
		for _, c := range got[1:] {
			if c["stage"] != "3" || c["shared"] != got[1]["shared"] {
				t.Errorf("did not find its host again: %v", c)
			}
		}
	})
}

// TestInputRoles: with radio=input the buttons choose, and the game repeats.
func TestInputRoles(t *testing.T) {
	g := room(3, []string{"input=3", "run=400", "print"}, "radio=input")
	a, air := g.play(t)
	_, air2 := g.play(t)
	if air[0]["packets"] == "0" || air[0]["trace"] != air2[0]["trace"] {
		t.Errorf("%v and %v", air[0], air2[0])
	}
	if a[0]["sent"] == "0" || a[1]["sent"] == "0" {
		t.Errorf("%v", a)
	}
}
