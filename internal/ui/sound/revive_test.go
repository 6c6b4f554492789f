package sound

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/veandco/go-sdl2/sdl"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/testing/uitest"
)

// server is a PulseAudio of the test's own, whose only sink is a pretended one.
type server struct {
	socket string
	cmd    *exec.Cmd
}

// newServer lets SDL find servers at the test's socket, and starts one.
func newServer(t *testing.T) *server {
	t.Helper()
	if _, err := exec.LookPath("pulseaudio"); err != nil {
		t.Skipf("THE SOUND SERVER IS NOT TESTED: %v (apt install pulseaudio)", err)
	}
	dir := t.TempDir()
	s := &server{socket: filepath.Join(dir, "native")}
	// Without a server SDL takes ALSA, as it does for a player, but has no card there, whatever the machine has.
	empty := filepath.Join(dir, "asound.conf")
	must.Succeed(t, os.WriteFile(empty, nil, 0o600))
	for name, value := range map[string]string{
		"HOME": dir, "XDG_RUNTIME_DIR": dir, "PULSE_SERVER": "unix:" + s.socket, "SDL_AUDIODRIVER": "pulseaudio,alsa", "ALSA_CONFIG_PATH": empty,
	} {
		t.Setenv(name, value)
	}
	s.start(t)
	t.Cleanup(s.kill)
	return s
}

func (s *server) start(t *testing.T) {
	t.Helper()
	os.Remove(s.socket)
	s.cmd = exec.Command("pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no",
		"-L", "module-null-sink sink_name=one rate=48000", "-L", "module-native-protocol-unix auth-anonymous=1 socket="+s.socket)
	must.Succeed(t, uitest.Start(s.cmd))
	eventually(t, "the server's socket", func() bool { _, err := os.Stat(s.socket); return err == nil })
}

func (s *server) kill() {
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait()
}

// eventually waits until something is so.
func eventually(t *testing.T, what string, so func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !so(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not after 20 s", what)
		}
	}
}

// pump has the player hear of SDL's events, as the window does.
func pump(p *Player) {
	run(func() {
		for e := sdl.PollEvent(); e != nil; e = sdl.PollEvent() {
			p.Event(e)
		}
	})
}

// A sound server that is killed takes the sound along; one that takes its place has it again by itself, and what
// is plugged in there later is seen, too.
func TestSoundOutlivesItsServer(t *testing.T) {
	pulse := newServer(t)
	var p *Player
	run(func() {
		var err error
		p, err = NewPlayer(usual)
		must.Succeed(t, err)
	})
	defer run(func() { p.Close() })
	plays := func(what string) {
		t.Helper()
		source := tone{rate: 44_100, volume: 1000}
		for range 8 {
			p.Frame(0, source.frame(737), false)
		}
		eventually(t, what+": sound is queued", func() bool { return p.inQueue() > 0 })
		eventually(t, what+": sound is played", func() bool { return !p.sounds() })
	}
	plays("at first")

	pulse.kill()
	eventually(t, "the loss is seen", func() bool { pump(p); return p.deviceName() == "" })
	if p.Missing() {
		t.Error("there counts as no device in the very moment of the loss")
	}
	now := time.Now()
	work := func() (wake time.Duration) {
		run(func() { wake = p.Work(now) })
		return wake
	}
	for range 8 { // nobody is there yet
		wake := work()
		if wake <= 0 || wake > tryMost {
			t.Fatalf("no server: the next try is in %v", wake)
		}
		now = now.Add(wake)
	}
	if !p.Missing() {
		t.Error("there counts as a device though none was found for long")
	}
	p.Frame(0, make([]int16, 1470), false)

	pulse.start(t)
	eventually(t, "the new server is found", func() bool { pump(p); now = now.Add(tryMost); return work() < 0 })
	if p.Missing() {
		t.Error("the device that is open counts as missing")
	}
	plays("with the new server")

	out, err := exec.Command("pactl", "load-module", "module-null-sink", "sink_name=two").CombinedOutput()
	if err != nil {
		t.Skipf("no second sink: %v: %s", err, out)
	}
	eventually(t, "a sink of the new server is listed", func() bool {
		pump(p)
		var names []string
		run(func() { names = Devices() })
		return len(names) == 2
	})
}

// A sink that its server has suspended takes nothing, and SDL does not close its device until it does again. Nobody waits for that: sound
// is off as soon as the player says so, is back by itself, and a program that ends does.
func TestSuspendedSinkHoldsNobodyUp(t *testing.T) {
	newServer(t)
	suspend := func(how string) {
		t.Helper()
		if out, err := exec.Command("pactl", "suspend-sink", "one", how).CombinedOutput(); err != nil {
			t.Skipf("SKIPPED: pactl (apt install pulseaudio-utils): %v: %s", err, out)
		}
	}
	held := func(p *Player) (held bool) {
		run(func() { held = p.held() })
		return held
	}
	var p *Player
	run(func() {
		var err error
		p, err = NewPlayer(usual)
		must.Succeed(t, err)
	})
	suspend("1")
	off := usual
	off.Enabled = false
	run(func() { must.Succeed(t, p.Configure(off)) })
	if !held(p) {
		t.Error("the device of a suspended sink has closed: this proves nothing")
	}
	run(func() {
		if p.Configure(usual) == nil {
			t.Error("a device is open while the sound server has suspended it")
		}
	})
	now := time.Now()
	back := func() bool {
		run(func() { now = now.Add(max(p.Work(now), 0)) })
		return p.deviceName() != ""
	}
	for range 2 {
		if back() {
			t.Error("the sound is back while the last device is still to close")
		}
	}
	suspend("0")
	eventually(t, "the sound is back", back)

	suspend("1")
	run(func() { p.Close() })
	suspend("0")
	eventually(t, "the device has closed", func() bool { return !held(p) })
	run(func() { sdl.QuitSubSystem(sdl.INIT_AUDIO) }) // as Close would have
}

// The device of the settings has the sound again once its server is back.
func TestWantedDeviceComesBack(t *testing.T) {
	pulse := newServer(t)
	var p *Player
	var names []string
	run(func() {
		var err error
		p, err = NewPlayer(usual)
		must.Succeed(t, err)
		names = Devices()
	})
	defer run(func() { p.Close() })
	if len(names) != 1 {
		t.Fatalf("the devices are %q", names)
	}
	named := usual
	named.Device = names[0]
	run(func() { must.Succeed(t, p.Configure(named)) })
	pulse.kill()
	eventually(t, "the loss is seen", func() bool { pump(p); return p.deviceName() == "" })
	pulse.start(t)
	now := time.Now()
	eventually(t, "it is back", func() bool {
		pump(p)
		run(func() { now = now.Add(max(p.Work(now), 0)) })
		return p.deviceName() != ""
	})
	if p.deviceName() != names[0] {
		t.Errorf("the sound comes from %q, want %q", p.deviceName(), names[0])
	}
}

// Where sound is switched off, or has a device, nobody looks for one; where there is none from the start, that
// is known at once.
func TestWorkOnlyWithoutDevice(t *testing.T) {
	t.Setenv("SDL_AUDIODRIVER", "dummy")
	work := func(c config.Audio) (wake time.Duration, missing bool) {
		run(func() {
			p, _ := NewPlayer(c)
			defer p.Close()
			wake, missing = p.Work(time.Now()), p.Missing()
		})
		return wake, missing
	}
	off := usual
	off.Enabled = false
	for _, c := range []config.Audio{usual, off} {
		if wake, missing := work(c); wake >= 0 || missing {
			t.Errorf("enabled %t: the next try is in %v, missing %t", c.Enabled, wake, missing)
		}
	}
	t.Setenv("SDL_AUDIODRIVER", "there-is-none")
	if wake, missing := work(usual); wake <= 0 || !missing {
		t.Errorf("without a device the next try is in %v, missing %t", wake, missing)
	}
	if wake, missing := work(off); wake >= 0 || missing {
		t.Errorf("without a device, sound off: the next try is in %v, missing %t", wake, missing)
	}
}
