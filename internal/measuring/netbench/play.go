package netbench

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/diagnostics"
	"github.com/nettplay/nettplay/internal/link/udp"
	"github.com/nettplay/nettplay/internal/rollback"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/testing/badline"
	"github.com/nettplay/nettplay/internal/testing/child"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// Program is a build of nettplay to measure.
type Program struct {
	Path string
	Core string // the test core's path
	// Times tells whether it knows --frame-times; without it only stalls, traffic and processor
	// are measured.
	Times bool
}

// How says how a case is played.
type How struct {
	Delay  string   // a number of frames, a preset of --auto-delay, or "auto" for the usual one
	Sync   string   // the room's setting, "" for the program's own
	JIT    string   // the setting core.jit, "" for the usual one
	ROM    string   // the path of the game that is played, "" for pad.nds
	Depth  []int    // in rollback, the frames that each machine may go back; those beyond it as far as can be
	Args   []string // more of the game host's
	Frames int64
	Seed   uint64
	Dir    string // an empty folder, which is filled

	Stretch Stretch // which the program was built with
}

// Played holds what a game by processes left.
type Played struct {
	Times   []diagnostics.FrameTimes // by machine; nil of a program that does not tell them
	Reports []notice.Report
	// Pressed tells whether a machine's player presses or lets go of something at a local frame.
	Pressed func(machine int, frame int64) bool
	Traffic Traffic
	// Processor is the time that each machine's processes used, consoles included, as a share of one
	// processor, in the mean.
	Processor float64
}

// Play plays a case by real processes. Nothing runs any more when it returns.
func Play(ctx context.Context, program Program, c Case, how How) (out Played, err error) {
	g := &play{Program: program, How: how, c: c}
	defer g.close()
	if err := g.prepare(); err != nil {
		return out, err
	}
	if err := g.start(ctx); err != nil {
		return out, g.explain(err)
	}
	for m, r := range g.relays {
		r.Reseed(lineSeed(how.Seed, m+1))
	}
	began, lines := time.Now(), count(g.relays)
	used := make([]time.Duration, len(g.machines))
	for i, m := range g.machines {
		used[i] = m.used()
	}
	limit := time.Duration(how.Stretch.by())*time.Duration(how.Frames)*Frame*3 + 30*time.Second
	if err := child.Until(ctx, limit, g.someOver); err != nil {
		return out, g.explain(fmt.Errorf("the game did not end: %w", err))
	}
	span := time.Since(began)
	out.Traffic = count(g.relays).since(lines, span/time.Duration(how.Stretch.by()))
	if err := child.Until(ctx, 30*time.Second, g.allOver); err != nil {
		return out, g.explain(fmt.Errorf("not all machines ended: %w", err))
	}
	for i, m := range g.machines {
		out.Processor += (m.usedInAll() - used[i]).Seconds() / span.Seconds() / float64(len(g.machines))
	}
	out.Pressed = func(machine int, frame int64) bool {
		s := g.machines[machine].script
		return frame > 0 && s.At(frame) != s.At(frame-1)
	}
	return out, g.explain(g.read(&out))
}

// play is a game under way.
type play struct {
	Program
	How
	c        Case
	rom      string
	port     int
	machines []*process
	relays   []*badline.Relay
}

// prepare makes the files, the lines and the machines.
func (g *play) prepare() (err error) {
	if g.rom = g.ROM; g.rom == "" {
		roms, err := romstest.WriteFiles(g.Dir, romstest.ROM{Name: "pad.nds", Data: romstest.Pad})
		if err != nil {
			return err
		}
		g.rom = roms[0]
	}
	if g.port, err = udp.FreePort(); err != nil {
		return err
	}
	for m := range g.c.Machines {
		if m > 0 {
			relay, err := relay(g.Stretch.line(g.c.line(m)), g.port, lineSeed(g.Seed, m))
			if err != nil {
				return err
			}
			g.relays = append(g.relays, relay)
		}
		p, err := newProcess(filepath.Join(g.Dir, strconv.Itoa(m)), m, g.Core, cmp.Or(g.JIT, "auto"))
		if err != nil {
			return err
		}
		g.machines = append(g.machines, p)
		if err := g.script(p); err != nil {
			return err
		}
	}
	return nil
}

// script writes what a machine's player presses.
func (g *play) script(p *process) error {
	var b strings.Builder
	p.script = inputdelay.RandomScript(uint64(p.number)+1, g.Frames)
	if _, err := p.script.WriteTo(&b); err != nil {
		return err
	}
	return os.WriteFile(p.At("input.txt"), []byte(b.String()), 0o600)
}

// arguments returns those of a machine's program.
func (g *play) arguments(m int) []string {
	p := g.machines[m]
	args := []string{"host", g.rom, "--port", strconv.Itoa(g.port), "--players", strconv.Itoa(g.c.Machines)}
	args = append(args, g.delay()...)
	if g.Sync != "" {
		args = append(args, "--sync", g.Sync)
	}
	args = append(args, g.Args...)
	if m > 0 {
		args = []string{"join", g.relays[m-1].Addr(), "--rom", g.rom}
	}
	args = append(args, "--headless", "--no-record", "--name", fmt.Sprintf("P%d", m+1), "--core", g.Core,
		"--frames", strconv.FormatInt(g.Frames, 10), "--input", p.At("input.txt"), "--report", p.At("report.json"))
	if g.Sync == room.Rollback.String() {
		depth := rollback.MaxDepth // said, since nobody knows the test core
		if m < len(g.Depth) {
			depth = g.Depth[m]
		}
		args = append(args, "--rollback", strconv.Itoa(depth))
	}
	if g.Times {
		args = append(args, "--frame-times", p.At("times.json"))
	}
	return args
}

// delay returns the arguments that tell the game host the input delay.
func (g *play) delay() []string {
	if _, err := strconv.Atoi(g.Delay); err == nil {
		return []string{"--delay", g.Delay}
	}
	if g.Delay == "auto" {
		return []string{"--auto-delay", "party"}
	}
	return []string{"--auto-delay", g.Delay}
}

// beginLimit is the time that a game may take to begin.
const beginLimit = 60 * time.Second

// start starts all machines, and returns when the game has begun.
func (g *play) start(ctx context.Context) error {
	for m, p := range g.machines {
		var err error
		if p.run, err = p.Start(g.Path, g.arguments(m)); err != nil {
			return fmt.Errorf("starting machine %d: %w", m+1, err)
		}
		opened := func() bool { return p.run.Over() || strings.Contains(p.run.Words(), "room is open") }
		if m == 0 {
			if err := child.Until(ctx, beginLimit, opened); err != nil {
				return fmt.Errorf("no room was opened: %w", err)
			}
		}
	}
	begun := func() bool {
		return !slices.ContainsFunc(g.machines, func(p *process) bool { return !p.run.Over() && !strings.Contains(p.run.Words(), "the game begins") })
	}
	if err := child.Until(ctx, beginLimit, begun); err != nil {
		return fmt.Errorf("no game began: %w", err)
	}
	if g.someOver() {
		return errors.New("a machine ended before the game began")
	}
	return nil
}

func (g *play) someOver() bool {
	return slices.ContainsFunc(g.machines, func(p *process) bool { return p.run.Over() })
}

func (g *play) allOver() bool {
	return !slices.ContainsFunc(g.machines, func(p *process) bool { return !p.run.Over() })
}

// read reads what the machines have written.
func (g *play) read(out *Played) error {
	for _, p := range g.machines {
		var report notice.Report
		b, err := os.ReadFile(p.At("report.json"))
		if err == nil {
			err = json.Unmarshal(b, &report)
		}
		if err != nil {
			return err
		}
		g.Stretch.shrinkReport(&report)
		out.Reports = append(out.Reports, report)
		if report.Result != notice.ResultOK || report.Desyncs > 0 {
			return fmt.Errorf("machine %d: %s, %d desyncs: %s", p.number+1, report.Result, report.Desyncs, report.Error)
		}
		if !g.Times {
			continue
		}
		file, err := os.ReadFile(p.At("times.json"))
		if err != nil {
			return err
		}
		var times diagnostics.FrameTimes
		if err := json.Unmarshal(file, &times); err != nil || times.Version != diagnostics.FrameTimesVersion {
			return fmt.Errorf("machine %d: times of version %d, this is %d: %w", p.number+1, times.Version, diagnostics.FrameTimesVersion, err)
		}
		g.Stretch.shrink(&times)
		out.Times = append(out.Times, times)
	}
	return nil
}

// explain adds to an error what the machines said last.
func (g *play) explain(err error) error {
	if err == nil {
		return nil
	}
	for _, p := range g.machines {
		lines := strings.Split(strings.TrimSpace(p.run.Words()), "\n")
		err = fmt.Errorf("%w\n  machine %d: %s", err, p.number+1, strings.Join(lines[max(len(lines)-3, 0):], " / "))
	}
	return err
}

// close ends all that still runs.
func (g *play) close() {
	for _, p := range g.machines {
		p.end()
	}
	for _, r := range g.relays {
		r.Close()
	}
}
