package romstest_test

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/nettplay/nettplay/emucore"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// length is how many frames a game is played.
func length() int {
	if os.Getenv("NETTPLAY_LONG") != "" {
		return 3600
	}
	return 600
}

// repeats plays a game again, from the start, and compares: with two consoles once,
// or all twice if there is time.
func (r *room) repeats(cfg roomConfig, frames int) {
	r.Helper()
	times := 0
	if os.Getenv("NETTPLAY_LONG") != "" {
		times = 2
	} else if cfg.consoles == 2 {
		times = 1
	}
	for range times {
		again := openRoom(r.T, cfg)
		again.run(frames)
		again.same(r)
	}
}

// eachNumber runs a test with 2, 3 and 4 consoles.
func eachNumber(t *testing.T, test func(t *testing.T, consoles int)) {
	wirelessCore(t)
	for n := 2; n <= 4; n++ {
		t.Run(fmt.Sprint(n, " consoles"), func(t *testing.T) { test(t, n) })
	}
}

// line is what multiplay.nds shows of a player, or broadcast.nds of another console.
type line struct {
	name, hash string
	heard      int // or the score
	rest       string
}

var (
	playerLine  = regexp.MustCompile(`^ (\d\d) (.{10}) ([0-9A-F]{8}) (\d{4}) +(ok|BAD|you)$`)
	stationLine = regexp.MustCompile(`^ (.{10}) ([0-9A-F]{8}) (\d{6}) (\d{4})$`)
)

// players reads the table of multiplay.nds, by number.
func (v view) players() map[int]line {
	list := make(map[int]line)
	for _, l := range v.lines {
		if m := playerLine.FindStringSubmatch(l.Text); m != nil {
			list[number(m[1])] = line{trim(m[2]), m[3], number(m[4]), m[5]}
		}
	}
	return list
}

// stations reads the table of broadcast.nds, by name; rest is what was lost.
func (v view) stations() map[string]line {
	list := make(map[string]line)
	for _, l := range v.lines {
		if m := stationLine.FindStringSubmatch(l.Text); m != nil {
			list[trim(m[1])] = line{trim(m[1]), m[2], number(m[3]), m[4]}
		}
	}
	return list
}

func trim(s string) string {
	return regexp.MustCompile(` +$`).ReplaceAllString(s, "")
}

func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return -1
	}
	return n
}

func (v view) number(label string) int {
	v.Helper()
	return number(v.field(label))
}

// looks reads all pictures.
func (r *room) looks() (list []view) {
	for _, p := range r.players {
		list = append(list, p.look())
	}
	return list
}

// Where there is no radio the programs say so, in words that a human reads and a
// test finds, and go on hashing.
func TestNoRadio(t *testing.T) {
	onCores(t, func(t *testing.T, core emucore.Core) {
		for label, rom := range map[string][]byte{"radio": romstest.Broadcast, "state": romstest.Multiplay} {
			p := play(t, core, rom, nil)
			p.step(60, emucore.Input{})
			v := p.look()
			v.expect("check", "ok")
			if got := v.field(label); (got == "NO RADIO") != (core.Name == "DeSmuME") {
				t.Errorf("%s says %q", core.Name, got)
			}
		}
	})
}

// Every word that a console says is heard by all others, and not by itself. In each run
// the same, to the byte.
func TestBroadcastIsHeard(t *testing.T) {
	eachNumber(t, func(t *testing.T, n int) {
		frames := length()
		cfg := roomConfig{rom: romstest.Broadcast, consoles: n, skew: 1, scripts: mashers(n, int64(frames))}
		r := openRoom(t, cfg)
		r.run(frames - 3)
		said := make([][]string, n) // the last hashes of each console
		for range 3 {
			r.run(1)
			for seat, v := range r.looks() {
				said[seat] = append(said[seat], v.field("hash"))
			}
		}
		for seat, v := range r.looks() {
			v.expect("check", "ok", "radio", fmt.Sprintf("on, hears %02d console%s", n-1, map[bool]string{true: "s"}[n > 2]))
			heard := v.stations()
			if len(heard) != n-1 {
				t.Errorf("seat %d shows %v", seat, heard)
			}
			for other, name := range names[:n] {
				l, ok := heard[name]
				if ok == (other == seat) || !ok {
					continue
				}
				if l.heard < frames-10 || l.rest != "0000" {
					t.Errorf("seat %d heard %d words of %s, %s lost", seat, l.heard, name, l.rest)
				}
				if !slices.Contains(said[other], l.hash) {
					t.Errorf("seat %d heard hash %s of %s, whose last were %v", seat, l.hash, name, said[other])
				}
			}
		}
		r.repeats(cfg, frames)
	})
}

// healthy checks a game that began in the first two seconds.
func (r *room) healthy(frames int) {
	r.Helper()
	n := len(r.players)
	for seat, v := range r.looks() {
		role := fmt.Sprintf("host, players %02d", n)
		if seat > 0 {
			role = fmt.Sprintf("client %02d, players %02d", seat, n)
		}
		v.expect("check", "ok", "lost", "000000", "differ", "000000")
		if got := v.field("state"); got != role && (seat == 0 || got[len("client 00"):] != role[len("client 00"):]) {
			r.Errorf("seat %d is %q, want %q", seat, got, role)
		}
		if v.number("round") < frames-120 {
			r.Errorf("seat %d: %d rounds in %d frames", seat, v.number("round"), frames)
		}
		list := v.players()
		if len(list) != n || list[0].name != names[0] {
			r.Errorf("seat %d shows %v", seat, list)
		}
	}
	status := r.status()
	for seat, c := range status.Consoles[:n] {
		if c.HostGiveUps != 0 || c.Fallen != 0 {
			r.Errorf("seat %d: %+v", seat, c)
		}
	}
}

// Consoles that nobody helps find each other, associate, and play: everybody the same
// game, no round lost. In each run the same, to the byte.
func TestMultiplay(t *testing.T) {
	eachNumber(t, func(t *testing.T, n int) {
		frames := length()
		cfg := roomConfig{rom: romstest.Multiplay, consoles: n, skew: 1, scripts: mashers(n, int64(frames))}
		first := openRoom(t, cfg)
		first.run(frames)
		first.healthy(frames)
		first.repeats(cfg, frames)
	})
}

// The same with other frames of freedom.
func TestMultiplaySkew(t *testing.T) {
	wirelessCore(t)
	for _, skew := range []int{0, 2} {
		t.Run(fmt.Sprint("skew ", skew), func(t *testing.T) {
			r := openRoom(t, roomConfig{rom: romstest.Multiplay, consoles: 3, skew: skew, scripts: mashers(3, 300)})
			r.run(300)
			r.healthy(300)
		})
	}
}

// A state taken in the middle of play, installed in fresh workers on a fresh air, goes
// on the same wherever it is installed.
//
// It also goes on as the consoles do that it was taken from, as long as all of them
// are in a game. A console that is in none hears, in this core, the beacons of a
// built-in access point, whose clock is in no state: each costs it one more poll.
func TestStateOnAir(t *testing.T) {
	wirelessCore(t)
	for _, test := range []struct {
		name   string
		rom    []byte
		half   int
		inGame bool
	}{{"broadcast", romstest.Broadcast, 100, false}, {"multiplay", romstest.Multiplay, 150, true}} {
		t.Run(test.name, func(t *testing.T) {
			const n = 3
			cfg := roomConfig{rom: test.rom, consoles: n, skew: 1, scripts: mashers(n, int64(2*test.half))}
			r := openRoom(t, cfg)
			r.run(test.half)
			cfg.from = r.save()
			a, b := openRoom(t, cfg), openRoom(t, cfg)
			a.run(test.half)
			b.run(test.half)
			a.same(b)
			if test.inGame {
				r.trace = nil
				r.run(test.half)
				r.same(a)
				a.healthy(2 * test.half)
			}
		})
	}
}
