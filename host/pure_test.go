package host

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/ds"

	"github.com/nettplay/nettplay/mirror"
)

// Whatever is asked for in whatever order, no machine that keeps to a horizon
// ever meets a decision for a frame that it has run.
func TestNoDecisionBehindAHorizon(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 0))
		tl := newTimeline(rng.IntN(ds.MaxDelay+1), 0)
		var promises []Horizon
		frame := int64(0)
		for range 200 {
			switch rng.IntN(4) {
			case 0:
				d, err := tl.decide(Decision{Kind: Kind(2 + rng.IntN(3)), Frame: frame + rng.Int64N(300) - 150, Delay: rng.IntN(ds.MaxDelay + 1), InputEnd: frame})
				if err != nil {
					t.Fatal(err)
				}
				number := uint32(len(tl.decisions) - 1)
				for _, p := range promises {
					if number >= p.Decisions && d.Frame < p.Frame {
						t.Fatalf("seed %d: decision %d is for frame %d in spite of the promise %+v", seed, number, d.Frame, p)
					}
				}
				if d.InputEnd > d.Frame {
					t.Fatalf("seed %d: %+v", seed, d)
				}
			default:
				frame = max(0, frame+rng.Int64N(20)-5) // a caller may even go back
				h := tl.horizon(frame)
				if n := len(promises); n > 0 && (h.Frame < promises[n-1].Frame || h.Decisions < promises[n-1].Decisions) {
					t.Fatalf("seed %d: horizon %+v after %+v", seed, h, promises[n-1])
				}
				promises = append(promises, h)
			}
		}
	}
}

// The horizon is never what makes a machine wait: with the delay in force,
// whoever runs 16 frames ahead of the slowest, and the delay beyond that, is
// still before it, also after the delay has grown.
func TestHorizonIsAhead(t *testing.T) {
	for delay := 0; delay <= ds.MaxDelay; delay++ {
		tl := newTimeline(0, 0)
		if _, err := tl.decide(Decision{Kind: SetDelay, Delay: delay}); err != nil {
			t.Fatal(err)
		}
		for _, frame := range []int64{0, 1, 1000} {
			if h := tl.horizon(frame); h.Frame <= frame+maxBehind+int64(delay) {
				t.Errorf("delay %d: at frame %d the horizon is %d", delay, frame, h.Frame)
			}
		}
	}
	tl := newTimeline(20, 0)
	tl.decide(Decision{Kind: SetDelay, Frame: 1000, Delay: 0}) // the long one is in force up to there
	if h := tl.horizon(500); h.Frame <= 500+maxBehind+20 {
		t.Errorf("before a delay shrinks the horizon is %d", h.Frame)
	}
	tl = newTimeline(4, 0)
	if h := tl.horizon(math.MaxInt64); h.Frame <= 0 || h.Frame > ds.MaxFrame {
		t.Errorf("at the end of time the horizon is %d", h.Frame)
	}
}

// However often the delay is changed, seats can still leave and the game end.
func TestDecisionsAreBounded(t *testing.T) {
	tl := newTimeline(4, 0)
	n := 0
	for ; n < 10_000; n++ {
		if _, err := tl.decide(Decision{Kind: SetDelay}); err != nil {
			break
		}
	}
	if n == 10_000 {
		t.Fatal("a game takes decisions without end")
	}
	for seat := range ds.Seat(ds.MaxSeats) {
		if _, err := tl.decide(Decision{Kind: Leave, Seat: seat}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := tl.decide(Decision{Kind: End}); err != nil {
		t.Error(err)
	}
	for range 100 {
		tl.decide(Decision{Kind: End})
	}
	if len(tl.decisions) != maxDecisions {
		t.Errorf("%d decisions", len(tl.decisions))
	}
}

// What has begun can be ended, however much has been decided before.
func TestLastDecisionsEndSomething(t *testing.T) {
	for i, k := range []struct{ begin, end Kind }{{Pause, Resume}, {Resync, Resynced}, {Pause, Resume}, {Resync, Resynced}, {Resync, Resynced}} {
		tl := newTimeline(4, 0)
		for range i {
			_, _ = tl.decide(Decision{Kind: SetDelay})
		}
		for n := 0; ; n++ {
			if _, err := tl.decide(Decision{Kind: k.begin}); err != nil {
				if n < maxDecisions/3-reserveDecisions {
					t.Errorf("after %d pairs: %v", n, err)
				}
				break
			}
			tl.orphaned = k.begin == Resync
			if tl.orphaned {
				if _, err := tl.decide(Decision{Kind: Resync}); err != nil {
					t.Fatalf("when the machine of resync %d is gone: %v", n, err)
				}
			}
			if _, err := tl.decide(Decision{Kind: k.end}); err != nil {
				t.Fatalf("%v number %d has no end: %v", k.begin, n, err)
			}
		}
		for seat := range ds.Seat(ds.MaxSeats) {
			if _, err := tl.decide(Decision{Kind: Leave, Seat: seat}); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := tl.decide(Decision{Kind: End}); err != nil {
			t.Error(err)
		}
	}
}

func TestEndFrame(t *testing.T) {
	if _, ok := endFrame([]Decision{{Kind: Start}}); ok {
		t.Error("an end that nobody decided")
	}
	if f, ok := endFrame([]Decision{{Kind: End, Frame: 600}, {Kind: End, Frame: 90}, {Kind: End, Frame: 100}}); !ok || f != 90 {
		t.Errorf("end at %d", f)
	}
}

func TestBucket(t *testing.T) {
	now := time.Unix(100, 0)
	b := newBucket(2, 3)
	take := func(n float64, want bool) {
		t.Helper()
		if got := b.take(now, n); got != want {
			t.Errorf("at %v taking %v: %v", now.Sub(time.Unix(100, 0)), n, got)
		}
	}
	take(3, true)
	take(1, false)
	now = now.Add(500 * time.Millisecond)
	take(1, true)
	take(0.5, false)
	now = now.Add(time.Hour)
	take(4, false) // it never holds more than its size
	take(3, true)
	now = now.Add(-time.Hour)
	take(0.1, false) // going back in time fills nothing
}

func TestClock(t *testing.T) {
	var c clock
	start := time.Unix(100, 0)
	for _, tt := range []struct{ at, want time.Duration }{
		{0, 0},
		{time.Second, time.Second},
		{3 * time.Second, 3 * time.Second},
		{time.Hour, 5 * time.Second}, // slept
		{time.Hour + time.Second, 6 * time.Second},
		{time.Hour, 6 * time.Second}, // went back
		{time.Hour + 2*time.Second, 7 * time.Second},
	} {
		if got := c.at(start.Add(tt.at)).Sub(start); got != tt.want {
			t.Errorf("at %v the room's time is %v, want %v", tt.at, got, tt.want)
		}
	}
}

func TestGuardForgets(t *testing.T) {
	var g guard
	now := time.Unix(1, 0)
	g.ban("")
	if g.isBanned("") {
		t.Error("everyone without an address is banned")
	}
	for range 100 { // right passwords do not use up the tries
		if !g.mayTry(now, "10.0.0.1") {
			t.Fatal("who knows the password may not try it")
		}
		g.forgive("10.0.0.1")
	}
	for i := range 1000 {
		g.mayTry(now, strings.Repeat("x", i))
		g.ban(strings.Repeat("x", i))
		g.ban(strings.Repeat("x", i))
	}
	if len(g.tries) > maxRemembered || len(g.banned) > maxRemembered {
		t.Errorf("%d and %d addresses are remembered", len(g.tries), len(g.banned))
	}
}

func TestFreeNickname(t *testing.T) {
	long := strings.Repeat("x", 30)
	for _, tt := range []struct {
		wish  string
		taken []string
		want  string
	}{
		{"Bob", nil, "Bob"},
		{"Bob", []string{"Ann", "bOb"}, "Bob 2"},
		{"Bob", []string{"Bob", "Bob 2", "Bob 3"}, "Bob 4"},
		{"\x00 ", nil, "Player"},
		{"", []string{"Player"}, "Player 2"},
		{long, nil, long[:24]},
		{long, []string{long[:24]}, long[:22] + " 2"},
		{strings.Repeat("あ", 24), []string{strings.Repeat("あ", 24)}, strings.Repeat("あ", 22) + " 2"},
	} {
		if got := freeNickname(tt.wish, tt.taken); got != tt.want {
			t.Errorf("%q beside %q became %q, want %q", tt.wish, tt.taken, got, tt.want)
		}
	}
}

func TestFreeMAC(t *testing.T) {
	mac := func(last ...byte) [6]byte { return [6]byte{0, 9, 0xbf, last[0], last[1], last[2]} }
	random := [3]byte{7, 8, 9}
	for _, tt := range []struct {
		wish  [6]byte
		taken [][6]byte
		want  [6]byte
	}{
		{mac(1, 2, 3), nil, mac(1, 2, 3)},
		{mac(1, 2, 3), [][6]byte{mac(1, 2, 3), mac(1, 2, 4)}, mac(1, 2, 5)},
		{mac(1, 2, 0xff), [][6]byte{mac(1, 2, 0xff)}, mac(1, 3, 0)},
		{mac(0xff, 0xff, 0xff), [][6]byte{mac(0xff, 0xff, 0xff)}, mac(0, 0, 0)},
		{[6]byte{}, nil, mac(7, 8, 9)},
		{[6]byte{}, [][6]byte{mac(7, 8, 9)}, mac(7, 8, 10)},
		{[6]byte{1, 9, 0xbf, 1, 1, 1}, nil, mac(7, 8, 9)},
		{[6]byte{2, 9, 0xbf, 1, 1, 1}, nil, mac(7, 8, 9)},
		{[6]byte{0, 0x23, 0x31, 1, 1, 1}, nil, [6]byte{0, 0x23, 0x31, 1, 1, 1}},
	} {
		if got := freeMAC(tt.wish, random, tt.taken); got != tt.want {
			t.Errorf("%x beside %x became %x, want %x", tt.wish, tt.taken, got, tt.want)
		}
	}
}

func TestSuggestDelay(t *testing.T) {
	ms := time.Millisecond
	for _, tt := range []struct {
		rtt, jitter time.Duration
		want        int
	}{
		{0, 0, 1},
		{ms, 0, 2},
		{2 * ms, ms / 2, 2},             // a cable in the house
		{20 * ms, 2 * ms, 3},            // the same town
		{50 * ms, 5 * ms, 5},            // the same country
		{100 * ms, 10 * ms, 7},          // across a continent, the measured case and some more
		{100 * ms, 6700 * ms / 1000, 6}, // 50 +-10 ms each way has a mean deviation of 6.7
		{300 * ms, 30 * ms, 15},
		{time.Hour, time.Hour, ds.MaxDelay},
		{math.MaxInt64, math.MaxInt64 / 2, ds.MaxDelay},
		{-ms, -ms, 1},
	} {
		if got := SuggestDelay(tt.rtt, tt.jitter); got != tt.want {
			t.Errorf("round trip %v, jitter %v: delay %d, want %d", tt.rtt, tt.jitter, got, tt.want)
		}
	}
	for rtt := time.Duration(0); rtt < time.Second; rtt += ms {
		if SuggestDelay(rtt, 0) > SuggestDelay(rtt+ms, 0) {
			t.Fatalf("at %v a longer way asks for less delay", rtt)
		}
	}
}

func TestSuggestRoomDelay(t *testing.T) {
	ms := time.Millisecond
	p := func(machine int, ping time.Duration, present bool) Player {
		return Player{Machine: machine, Ping: ping, Jitter: ping / 10, Present: present}
	}
	for _, tt := range []struct {
		players []Player
		want    int
	}{
		{nil, SuggestDelay(0, 0)},
		{[]Player{p(0, 0, true), p(1, 80*ms, true)}, SuggestDelay(80*ms, 8*ms)},
		{[]Player{p(0, 0, true), p(1, 80*ms, true), p(1, 80*ms, true)}, SuggestDelay(80*ms, 8*ms)},
		{[]Player{p(1, 20*ms, true), p(2, 80*ms, true), p(3, 40*ms, true), p(4, 500*ms, false)}, SuggestDelay(120*ms, 12*ms)},
		{[]Player{p(1, 90*ms, true), p(2, 80*ms, true), p(3, 85*ms, true)}, SuggestDelay(175*ms, 17500*time.Microsecond)},
	} {
		if got := SuggestRoomDelay(tt.players); got != tt.want {
			t.Errorf("%+v: delay %d, want %d", tt.players, got, tt.want)
		}
	}
}

// What the packages say of the same things in their own words must agree.
func TestSameAsTheNeighbours(t *testing.T) {
	if h := mirror.Horizon(Horizon{Frame: 5, Decisions: 6}); h.Frame != 5 || h.Decisions != 6 {
		t.Errorf("a horizon became %+v", h)
	}
	if maxBehind != mirror.MaxBehind || ds.MaxDelay != ds.MaxDelay {
		t.Error("the margin is made for other limits than those of inputs")
	}
}

func TestNamesOfThings(t *testing.T) {
	for got, want := range map[string]string{
		PhaseLobby.String():                    "lobby",
		Phase(99).String():                     "phase 99",
		Leave.String():                         "leave",
		Kind(99).String():                      "decision of kind 99",
		kindOf(new(startFailedMsg)).String():   "start failed",
		kind(0).String():                       "message of kind 0",
		testCore.String():                      "DeSmuME 0.9.11 (build c0de0000)",
		testROM.String():                       "Kart (aabbccdd)",
		ROMID{}.String():                       "an unnamed game (00000000)",
		listWords(nil):                         "",
		listWords([]string{"a"}):               "a",
		listWords([]string{"a", "b", "c"}):     "a, b and c",
		Refusal{Sentence: "a"}.Error():         "a",
		megabytes(20_000_000):                  "20.0 MB",
		macWords([6]byte{0, 9, 0xbf, 1, 2, 3}): "00:09:bf:01:02:03",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
