package session

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/player"
	"github.com/nettplay/nettplay/internal/testing/must"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/replay"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// BenchmarkVerify compares proving a log with the bare consoles of the same game,
// side by side, which are stepped and hashed in the same frames.
func BenchmarkVerify(b *testing.B) {
	core, game := desmume(b), rom(b, romstest.Pad)
	const frames = 1200
	logs, _ := recordedGame(b, core, game, 2, frames, func(_ int, c *Config) {
		if c.Host != nil {
			c.Host.Settings.HashEvery = 60
		}
	})
	l := logs[0]
	var bare, verify time.Duration
	turns := 0
	for b.Loop() {
		bare += bareConsoles(b, l, core, game)
		// The consoles are built first: a verification of a real game is long.
		began := time.Now()
		p, err := player.New(player.Config{Log: l, Core: core, ROMs: romsOf(game), EndAtEnd: true, StopAtDifference: true, Show: func(seat ds.Seat, f emucore.Frame) {
			if seat == 0 && f.Number == 0 {
				began = time.Now()
			}
		}})
		must.Succeed(b, err)
		p.Speed(player.NoLimit)
		must.Succeed(b, p.Run(b.Context()))
		verify += time.Since(began)
		if s := p.Status(); s.Difference != nil || s.Frame != frames {
			b.Fatalf("%+v", s)
		}
		turns++
	}
	per := func(d time.Duration) float64 { return d.Seconds() * 1e3 / float64(frames*turns) }
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(per(bare), "ms-bare")
	b.ReportMetric(per(verify), "ms-verify")
	b.ReportMetric(bare.Seconds()/verify.Seconds(), "x-of-bare-speed")
}

// bareConsoles runs a log's consoles side by side with nothing between them.
func bareConsoles(b *testing.B, l *replay.Log, core emucore.Core, cartridge *emucore.ROM) time.Duration {
	consoles := make([]*emucore.Console, len(l.Seats))
	inputs := make([][]inputdelay.Input, len(l.Seats))
	for i, s := range l.Seats {
		c, err := emucore.Start(b.Context(), emucore.Config{Core: core, ROM: cartridge, RTC: l.Settings.RTC, Firmware: s.Plan.Firmware})
		must.Succeed(b, err)
		defer c.Close()
		consoles[i] = c
		cursor := l.From(0)
		for f := range l.Length() {
			in, _, err := cursor.Input(s.Plan.Seat, f)
			must.Succeed(b, err)
			inputs[i] = append(inputs[i], in)
		}
	}
	began := time.Now()
	err := game.Together(consoles, func(i int, c *emucore.Console) error {
		for f, in := range inputs[i] {
			if _, err := c.Step(in); err != nil {
				return err
			}
			if (f+1)%l.Settings.HashEvery == 0 {
				if _, err := c.Hash(); err != nil {
					return err
				}
			}
		}
		return nil
	})
	must.Succeed(b, err)
	return time.Since(began)
}

// BenchmarkRecord is what recording costs a frame of two seats, hashes included. A
// frame has 16.7 ms.
func BenchmarkRecord(b *testing.B) {
	r := replay.NewRecorder(replay.Config{Path: filepath.Join(b.TempDir(), "g")})
	logs, _ := recordedGame(b, pocket(b), rom(b, romstest.Pad), 2, 10, nil)
	must.Succeed(b, r.Begin(replay.Beginning{Head: logs[0].Head}))
	defer r.Close()
	scripts := [2]*inputdelay.Script{inputdelay.RandomScript(1, 50_000), inputdelay.RandomScript(2, 50_000)}
	frame := int64(0)
	b.ReportAllocs()
	for b.Loop() {
		for seat, s := range scripts {
			r.Input(ds.Seat(seat), frame, s.At(frame%50_000))
			if frame%60 == 59 {
				r.Hashes(ds.Seat(seat), frame+1, ds.Hash{RAM: uint64(frame), Video: 7})
			}
		}
		frame++
	}
	b.ReportMetric(float64(b.Elapsed())/float64(b.N)/(float64(time.Second)/ds.FrameRate)*100, "%-of-a-frame")
}

// BenchmarkSeek is a jump in a recording of an hour whose keyframes are there, to
// the worst place between two of them, the start of the consoles included.
func BenchmarkSeek(b *testing.B) {
	core, game := desmume(b), rom(b, romstest.Pad)
	logs, _ := recordedGame(b, core, game, 2, 3000, nil)
	l := logs[0]
	keys, err := replay.OpenKeyframes(b.TempDir(), l, core.SHA256, 0)
	must.Succeed(b, err)
	run := func(frame int64) {
		p, err := player.New(player.Config{Log: l, Core: core, ROMs: romsOf(game), Keyframes: keys, EndAtEnd: true, End: frame})
		must.Succeed(b, err)
		p.Speed(player.NoLimit)
		if frame < l.Length() {
			p.SeekTo(frame)
		}
		must.Succeed(b, p.Run(b.Context()))
	}
	run(l.Length())
	list := keys.Frames()
	if len(list) < 2 {
		b.Fatalf("keyframes at %v", list)
	}
	for b.Loop() {
		run(list[1] - 1)
	}
	b.ReportMetric(float64(list[1]-list[0]), "frames-between-keyframes")
}
