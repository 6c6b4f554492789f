package session

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/desync"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/link/udp"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/testing/badline"
	"github.com/nettplay/nettplay/internal/testing/impair"
	"github.com/nettplay/nettplay/internal/testing/must"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// TestWorkers holds what only real worker processes, cores, radios, sockets and clocks hold.
// All else is tested in virtual time, on the model. TestMain looks for what these leave
// behind.
func TestWorkers(t *testing.T) {
	// Of modelled ones the model shows the same, and whole programs do it in cmd/nettplay's scripts.
	modelled := func(play func(t *testing.T)) func(t *testing.T) {
		return func(t *testing.T) {
			if !long() {
				t.Skip("NETTPLAY_LONG=1 runs it")
			}
			play(t)
		}
	}
	for _, tt := range []struct {
		name string
		play func(t *testing.T)
	}{
		{"two play over sockets", func(t *testing.T) { wholeGame(t, desmume(t), 2, 120) }},
		{"three play over sockets", modelled(func(t *testing.T) { wholeGame(t, pocket(t), 3, 120) })},
		{"a bad line", badLine},
		{"saves", func(t *testing.T) {
			if !long() {
				t.Skip("whole programs do the same in cmd/nettplay's script sram; NETTPLAY_LONG=1 runs it")
			}
			savesComeAlong(t)
		}},
		{"killed while it records", killWhileRecording},
		{"stopped while it connects", stopWhileConnecting},
		{"wireless", func(t *testing.T) { playWireless(t, pocket(t), 3) }},
		{"leaves the air", func(t *testing.T) { leavesTheAir(t, pocket(t)) }},
		{"consoles stay on the air", func(t *testing.T) { consolesStay(t, pocket(t), "game host lost") }},
		{"comes later, by states", func(t *testing.T) { comesLater(t, pocket(t), wireless) }},
		{"comes later, by following", modelled(func(t *testing.T) { newLatecomers(t, pocket(t)).follow(60, false) })},
		{"a desync", func(t *testing.T) {
			must.HaveLinux(t, "the test core's faults")
			desynced{"ram", 3, 2}.repaired(t, pocket(t))
		}},
		{"a desync leaves a report", modelled(func(t *testing.T) { oddity{"ram", desync.RAM, 1, 2, 1, 0}.leaveABundle(t, pocket(t)) })},
		{"a console that crashes", func(t *testing.T) {
			must.HaveLinux(t, "the test core's faults")
			lostConsole{who: 0, which: "0", fault: "segv"}.replaced(t, pocket(t), time.Minute)
		}},
		{"a console that hangs", modelled(func(t *testing.T) {
			lostConsole{who: 1, which: "1", fault: "sleep"}.replaced(t, pocket(t), time.Minute)
		})},
		{"goes on another day", modelled(func(t *testing.T) { goesOnAnotherDay(t, pocket(t), 400) })},
		{"a spectator", func(t *testing.T) { seesTheGame(t, pocket(t), "recorded") }},
		{"keyframes", modelled(func(t *testing.T) { exactKeyframes(t, pocket(t), acrossFrames) })},
		{"keyframes of DeSmuME", func(t *testing.T) {
			if !long() {
				t.Skip("NOT TESTED: it takes half a minute; NETTPLAY_LONG=1 runs it")
			}
			exactKeyframes(t, desmume(t), func(*Config) {})
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tt.play(t)
		})
	}
}

// overENet makes the players of a room talk over real sockets.
func (tb *table) overENet() {
	tb.listen = func(string) link.Link {
		l, err := udp.Listen(udp.Config{Bind: "127.0.0.1"})
		must.Succeed(tb.t, err)
		return l
	}
}

// A whole game with different random input on all sides: all machines
// end with the same consoles, so does a second game, and so does each one's recording.
func wholeGame(t *testing.T, core emucore.Core, players int, frames int64) {
	game := rom(t, romstest.Pad)
	if long() {
		frames = 10_000
	}
	over := newTable(t, core, game, players)
	over.overENet()
	over.settings.Frames = frames
	var recorders []*replay.Recorder
	for range players {
		r := replay.NewRecorder(replay.Config{Path: filepath.Join(t.TempDir(), "game"+replay.Extension)})
		recorders = append(recorders, r)
		over.sit(func(c *Config) { c.Recorder = r })
	}
	first := sameHashes(t, frames, over.machines...)
	if slices.Equal(first[:1], first[1:2]) {
		t.Error("two players' consoles are the same, so their inputs do not count")
	}
	if players == 2 || long() {
		if again := newTable(t, core, game, players).playThrough(frames); !slices.Equal(first, again) {
			t.Errorf("the same game ends with %v and with %v", first, again)
		}
	}
	var logs []*replay.Log
	for _, r := range recorders[:2] {
		must.Succeed(t, r.Close())
		logs = append(logs, openLog(t, r.Path()))
	}
	sameLogs(t, logs[0], logs[1])
	provesItself(t, core, game, frames, logs[players-2]) // each one's, in one of the games
}

// Over a line with 100 ms +-50 ms and 5 % loss in each direction there is neither
// a desync nor a deadlock, and the game is the same as over a good one.
func badLine(t *testing.T) {
	core, game, frames := pocket(t), rom(t, romstest.Pad), int64(60)
	if long() {
		frames = 3000
	}
	tb := newTable(t, core, game, 2)
	tb.overENet()
	tb.settings.Frames = frames
	tb.sit(nil)
	relay, err := badline.Start(badline.Config{
		Target: tb.addr, Seed: 7,
		Impairment: impair.Impairment{Delay: 100 * time.Millisecond, Jitter: 50 * time.Millisecond, Loss: 0.05, Duplicate: 0.01, Reorder: 0.01},
	})
	must.Succeed(t, err)
	defer relay.Close()
	tb.addr = relay.Addr()
	tb.sit(nil)
	bad := sameHashes(t, frames, tb.machines...)
	if good := newTable(t, core, game, 2).playThrough(frames); !slices.Equal(bad, good) {
		t.Errorf("over a bad line the game ends with %v, over a good one with %v", bad, good)
	}
}

// A save comes along: everybody's cartridge holds what its owner brought, and
// the owner gets it back with what was added.
func savesComeAlong(t *testing.T) {
	core, game := desmume(t), rom(t, romstest.Save)
	var saves [2][]byte
	var steps [2]uint32
	for round := range 2 {
		tb := newTable(t, core, game, 2)
		tb.seed = uint64(10 * round)
		tb.settings.Frames = 200
		for i := range 2 {
			tb.sit(func(c *Config) { c.SRAM = saves[i] })
		}
		sameHashes(t, 200, tb.machines...)
		for i, p := range tb.machines {
			log, err := romstest.ReadSave(p.report.SRAM)
			if err != nil || log.Steps <= steps[i] {
				t.Fatalf("%s comes out of game %d with %d steps in the cartridge, after %d: %v", p.name, round, log.Steps, steps[i], err)
			}
			saves[i], steps[i] = p.report.SRAM, log.Steps
		}
	}
}

// A player who does not want to wait for a room that does not answer leaves at once.
func stopWhileConnecting(t *testing.T) {
	silent, err := net.ListenPacket("udp", "127.0.0.1:0")
	must.Succeed(t, err)
	defer silent.Close()
	tb := newTable(t, pocket(t), rom(t, romstest.Pad), 2)
	tb.overENet()
	tb.addr = silent.LocalAddr().String()
	tb.machines = append(tb.machines, nil) // the game host that is not there
	ben := tb.sit(nil)
	ben.until("connecting", func(n notice.Notice) bool { _, ok := n.(notice.Connecting); return ok })
	ben.stop()
	ben.expect(notice.ResultOK)
}

const recorderProcess = "NETTPLAY_TEST_RECORD"

// A program that is killed leaves a log of all but the last second.
func killWhileRecording(t *testing.T) {
	core, game := pocket(t), rom(t, romstest.Pad)
	path := filepath.Join(t.TempDir(), "killed"+replay.Extension)
	self, err := os.Executable()
	must.Succeed(t, err)
	cmd := exec.Command(self, "-test.run", "^TestRecordsUntilKilled$", "-test.v")
	cmd.Env = append(os.Environ(), recorderProcess+"="+path, "TMPDIR="+t.TempDir())
	out, err := cmd.StdoutPipe()
	must.Succeed(t, err)
	must.Succeed(t, cmd.Start())
	reached, at := int64(0), time.Now()
	for lines := bufio.NewScanner(out); lines.Scan() && time.Since(at) < patience(); {
		if _, err := fmt.Sscanf(lines.Text(), "frame %d", &reached); err == nil && reached >= 150 {
			break
		}
	}
	// By now this is more than a second old.
	old := reached
	time.Sleep(1100 * time.Millisecond)
	must.Succeed(t, cmd.Process.Kill())
	_ = cmd.Wait()
	l := openLog(t, path)
	if l.Ended || l.Length() < old || old < 150 {
		t.Fatalf("ended %v; %d frames are in the log, %d were played a second before", l.Ended, l.Length(), old)
	}
	if status := verified(t, l, core, game); status.Difference != nil || status.Proofs < 2*(old/20) || status.Frame < old-1 {
		t.Errorf("%+v, %v", status, status.Difference)
	}
}

// TestRecordsUntilKilled is the program that is killed: it plays and records in real time,
// and says how far it is.
func TestRecordsUntilKilled(t *testing.T) {
	path := os.Getenv(recorderProcess)
	if path == "" {
		t.Skip("it is for another test")
	}
	tb := newTable(t, pocket(t), rom(t, romstest.Pad), 2)
	r := replay.NewRecorder(replay.Config{Path: path})
	for n := range 2 {
		tb.sit(func(c *Config) {
			c.MaxSpeed = false
			if n > 0 {
				return
			}
			c.Recorder = r
			input := c.Input
			c.Input = func(frame int64) emucore.Input {
				if frame%10 == 0 {
					fmt.Printf("frame %d\n", frame)
				}
				return input(frame)
			}
		})
	}
	ctx, stop := context.WithTimeout(t.Context(), patience())
	defer stop()
	<-ctx.Done()
}
