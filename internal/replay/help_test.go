package replay

import (
	"crypto/sha256"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/cheat"
	"github.com/nettplay/nettplay/internal/ds"

	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/savestate"
)

// beginning is a game of some players; the save of seat 0 is given.
func beginning(t testing.TB, seats int, save []byte) Beginning {
	t.Helper()
	store := savestate.NewStore(0)
	core := room.CoreID{Name: "DeSmuME", Version: "v0", SHA256: sha256.Sum256([]byte("core"))}
	rom := room.ROMID{SHA256: sha256.Sum256([]byte("game")), Title: "Mario Kart: DS", Size: 1 << 20}
	b := Beginning{
		Head: Head{
			Program: "v0.3", Began: time.Date(2026, 11, 21, 18, 30, 5, 0, time.UTC), Round: 7, Machine: 1,
			Settings: room.Settings{
				Room: "Anna's room", Seats: seats, MinPlayers: seats, Delay: 4, RTC: 1_256_409_000, HashEvery: 60, Skew: 1,
				Core:    core,
				Options: []room.Option{{Key: "desmume_cpu_mode", Value: "interpreter"}},
				BIOS:    []room.BIOSHash{{Name: "bios7.bin", SHA256: sha256.Sum256([]byte("bios"))}},
			},
		},
		Part: store.Get,
	}
	for i := range seats {
		name := []string{"Anna", "Ben", "Carla", "Dora"}[i%4]
		m := savestate.Manifest{
			Seat: ds.Seat(i), ROM: rom.SHA256, Core: core.SHA256, RTC: b.Settings.RTC, Options: b.Settings.Options,
			Firmware: ds.Firmware{Nickname: name, MAC: [6]byte{0, 9, 0xbf, 1, 2, byte(i)}, Language: 1, BirthMonth: 1, BirthDay: 1},
		}
		if i == 0 && len(save) > 0 {
			p, err := store.Put(savestate.KindSRAM, save)
			must.Succeed(t, err)
			m.Parts = append(m.Parts, p)
		}
		b.Seats = append(b.Seats, Seat{
			Plan: room.SeatPlan{
				Seat: ds.Seat(i), Machine: i, Nickname: name, Firmware: m.Firmware,
				ROM: rom,
			},
			Start: m, Hash: Hash{RAM: uint32(i) + 1},
		})
	}
	return b
}

// someHash is a hash as consoles have it: RAM and picture change, the save does
// not.
func someHash(seat ds.Seat, frames int64) ds.Hash {
	rng := rand.New(rand.NewPCG(uint64(seat), uint64(frames)))
	return ds.Hash{RAM: rng.Uint64(), Video: rng.Uint64(), SRAM: uint64(seat) + 77 + uint64(frames/2000)}
}

// play records so many frames of scripted players. Each is behind the one before
// by some frames, as copies of consoles are.
func play(r *Recorder, seats int, frames int64, script func(seat ds.Seat, frame int64) inputdelay.Input) {
	const lag = 7
	for f := range frames + lag*int64(seats) {
		for seat := range seats {
			at := f - int64(seat)*lag
			if at < 0 || at >= frames {
				continue
			}
			r.Input(ds.Seat(seat), at, script(ds.Seat(seat), at))
			if done := at + 1; done%60 == 0 || done == frames {
				r.Hashes(ds.Seat(seat), done, someHash(ds.Seat(seat), done))
			}
		}
	}
}

// record makes a log of a whole game.
func record(t testing.TB, seats int, frames int64, script func(seat ds.Seat, frame int64) inputdelay.Input) string {
	t.Helper()
	return recordOf(t, beginning(t, seats, []byte("a save")), frames, script)
}

// cheated is a beginning whose consoles all have cheats.
func cheated(t testing.TB, b Beginning) Beginning {
	t.Helper()
	store, others := savestate.NewStore(0), b.Part
	list := []cheat.Cheat{{Name: "Coins: all", Code: []uint32{0x02001234, 99}}, {Name: "Héros", Code: []uint32{0x94000130, 0xfffb0000, 0x22345678, 7, 0xd2000000, 0}}}
	b.Part = func(sha [32]byte) ([]byte, bool) {
		if raw, has := store.Get(sha); has {
			return raw, true
		}
		return others(sha)
	}
	for i := range b.Seats {
		p, err := store.Put(savestate.KindCheats, cheat.Encode(list))
		must.Succeed(t, err)
		b.Seats[i].Start.Parts = append(b.Seats[i].Start.Parts, p)
	}
	return b
}

// recordOf makes a log of a whole game from its beginning on.
func recordOf(t testing.TB, b Beginning, frames int64, script func(seat ds.Seat, frame int64) inputdelay.Input) string {
	t.Helper()
	seats := len(b.Seats)
	path := filepath.Join(t.TempDir(), "game.nplog")
	r := NewRecorder(Config{Path: path, Chat: true})
	must.Succeed(t, r.Begin(b))
	r.Decided(timeline.Decision{Kind: timeline.Start})
	play(r, seats, frames, script)
	r.Chat("Anna", "well played")
	r.Decided(timeline.Decision{Kind: timeline.End, Frame: frames, Why: "all frames are played"})
	r.Ended("all frames are played")
	must.Succeed(t, r.Close())
	return path
}

// mashers press random keys, each seat its own.
func mashers(seed uint64, frames int64) func(seat ds.Seat, frame int64) inputdelay.Input {
	var scripts [ds.MaxSeats]func() *inputdelay.Script
	for i := range scripts {
		scripts[i] = sync.OnceValue(func() *inputdelay.Script { return inputdelay.RandomScript(seed+uint64(i), frames) })
	}
	return func(seat ds.Seat, frame int64) inputdelay.Input { return scripts[seat]().At(frame) }
}

// person plays as people play an action game: runs in one direction for half a
// second to some seconds, with corrections; jumps or hits once or twice a second,
// often holding a second button meanwhile; a shoulder button now and then; looks
// and waits; every half minute some taps and a stroke on the touch screen.
type person struct {
	rng                        *rand.Rand
	walk, act, shoulder, touch int64 // frames until the next change of each
	in                         inputdelay.Input
	stroke                     int // frames of touch that are left
	x, y, dx, dy               float64
	still                      int64 // taps that are left
}

func newPerson(seed uint64) *person {
	return &person{rng: rand.New(rand.NewPCG(seed, 99)), touch: 600}
}

func (p *person) between(lo, hi int64) int64 { return lo + p.rng.Int64N(hi-lo+1) }

func (p *person) next() inputdelay.Input {
	const cross = inputdelay.KeyUp | inputdelay.KeyDown | inputdelay.KeyLeft | inputdelay.KeyRight
	if p.walk--; p.walk <= 0 {
		directions := []inputdelay.Keys{
			0, inputdelay.KeyRight, inputdelay.KeyRight, inputdelay.KeyLeft, inputdelay.KeyUp, inputdelay.KeyDown,
			inputdelay.KeyRight | inputdelay.KeyUp, inputdelay.KeyLeft | inputdelay.KeyDown,
		}
		p.in.Keys = p.in.Keys&^cross | directions[p.rng.IntN(len(directions))]
		p.walk = p.between(20, 120)
	}
	if p.act--; p.act <= 0 {
		const acts = inputdelay.KeyA | inputdelay.KeyB
		if p.in.Keys&acts != 0 {
			p.in.Keys &^= acts
			p.act = p.between(10, 80)
		} else {
			p.in.Keys |= []inputdelay.Keys{inputdelay.KeyA, inputdelay.KeyA, inputdelay.KeyB}[p.rng.IntN(3)]
			p.act = p.between(4, 14)
		}
	}
	if p.shoulder--; p.shoulder <= 0 {
		p.in.Keys ^= inputdelay.KeyR
		p.shoulder = p.between(15, 400)
	}
	p.pen()
	return p.in
}

func (p *person) pen() {
	if p.touch--; p.touch > 0 {
		return
	}
	if p.stroke > 0 {
		p.stroke--
		p.x, p.y = min(max(p.x+p.dx, 0), 255), min(max(p.y+p.dy, 0), 191)
		p.dx, p.dy = p.dx*0.97, p.dy*0.97
		p.in.X, p.in.Y = uint8(p.x), uint8(p.y)
		if p.stroke == 0 {
			p.in.Keys &^= inputdelay.Touch
			p.in.X, p.in.Y = 0, 0
			if p.still--; p.still > 0 {
				p.touch = p.between(15, 60)
			} else {
				p.touch = p.between(900, 2400)
			}
		}
		return
	}
	if p.still <= 0 {
		p.still = p.between(2, 6)
	}
	p.x, p.y, p.dx, p.dy = p.rng.Float64()*255, p.rng.Float64()*191, 0, 0
	p.stroke = int(p.between(4, 9))
	if p.rng.IntN(4) == 0 {
		p.stroke, p.dx, p.dy = int(p.between(15, 40)), p.rng.Float64()*10-5, p.rng.Float64()*8-4
	}
	p.in.Keys |= inputdelay.Touch
	p.in.X, p.in.Y = uint8(p.x), uint8(p.y)
}

// people are so many frames of persons, one for each seat.
func people(seed uint64, seats int, frames int64) func(seat ds.Seat, frame int64) inputdelay.Input {
	all := make([][]inputdelay.Input, seats)
	for i := range all {
		p := newPerson(seed + uint64(i))
		for range frames {
			all[i] = append(all[i], p.next())
		}
	}
	return func(seat ds.Seat, frame int64) inputdelay.Input { return all[seat][frame] }
}

func opened(t testing.TB, path string) *Log {
	t.Helper()
	l, err := Open(path)
	must.Succeed(t, err)
	t.Cleanup(func() { l.Close() })
	return l
}

func size(t testing.TB, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	must.Succeed(t, err)
	return info.Size()
}
