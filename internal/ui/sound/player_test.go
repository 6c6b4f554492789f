package sound

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/veandco/go-sdl2/sdl"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/soundstream"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/testing/uitest"
)

func TestMain(m *testing.M) { os.Exit(uitest.Main(m)) }

// run runs f on the main thread, where SDL must be.
func run(f func()) { uitest.Run(f) }

var usual = config.Audio{Enabled: true, Volume: 100, Latency: 50 * time.Millisecond}

// tone makes the frames of a sine at a console's rate.
type tone struct{ rate, at, volume float64 }

func (s *tone) frame(n int) []int16 {
	audio := make([]int16, 2*n)
	for i := range n {
		v := int16(s.volume * math.Sin(2*math.Pi*440*s.at))
		audio[2*i], audio[2*i+1] = v, v
		s.at += 1 / s.rate
	}
	return audio
}

// ALSA's null takes whatever there is at once, and would keep a processor busy: it counts as no device.
func TestDeviceThatTakesAtOnce(t *testing.T) {
	must.HaveLinux(t, "ALSA")
	conf := filepath.Join(t.TempDir(), "asound.conf")
	must.Succeed(t, os.WriteFile(conf, []byte("pcm.!default { type null }\nctl.!default { type null }\n"), 0o600))
	t.Setenv("ALSA_CONFIG_PATH", conf)
	t.Setenv("SDL_AUDIODRIVER", "alsa")
	run(func() {
		p, err := NewPlayer(usual)
		if err == nil || !strings.Contains(err.Error(), "plays nothing") || p.deviceName() != "" || !p.Missing() {
			t.Errorf("%v; device %q, missing %v", err, p.deviceName(), p.Missing())
		}
		p.Close()
	})
}

// A card that only pretends plays what comes, at the speed of its clock.
func TestRealQueue(t *testing.T) {
	t.Setenv("SDL_AUDIODRIVER", "dummy")
	var p *Player
	run(func() {
		var err error
		if p, err = NewPlayer(usual); err != nil {
			t.Error(err)
		}
	})
	source := tone{rate: 44_100, volume: 1000}
	for range 60 {
		p.Frame(0, source.frame(737), false)
		time.Sleep(16 * time.Millisecond)
	}
	if p.deviceName() == "" || p.inQueue() == 0 {
		t.Errorf("%q has %v", p.deviceName(), p.inQueue())
	}
	p.Fast(true)
	run(func() {
		changed := usual
		changed.Latency = 100 * time.Millisecond
		if err := p.Configure(changed); err != nil {
			t.Error(err)
		}
	})
	p.Frame(0, source.frame(737), false)
	run(func() { p.Close(); p.Close() })
	p.Frame(0, source.frame(737), false)
	if p.deviceName() != "" {
		t.Error("a closed player has a device")
	}
}

// deviceName is what the sound is played by, "" for nothing.
func (p *Player) deviceName() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.name
}

// inQueue is how much the card still has.
func (p *Player) inQueue() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return time.Duration(p.queued()) * time.Second / soundstream.CardRate
}

// When nothing comes any more the sound ends by itself, and begins again.
func TestGapInRealQueue(t *testing.T) {
	t.Setenv("SDL_AUDIODRIVER", "dummy")
	var p *Player
	run(func() { p, _ = NewPlayer(usual) })
	defer run(func() { p.Close() })
	source := tone{rate: 44_100, volume: 1000}
	for range 2 {
		for range 5 {
			p.Frame(0, source.frame(737), false)
		}
		for p.sounds() {
			time.Sleep(time.Millisecond)
		}
	}
}

// sounds reports whether frames wait for the goroutine, or what it has queued has not ended.
func (p *Player) sounds() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.frames) > 0 || p.stream != nil && !p.stream.Quiet()
}

func TestWithoutSoundCard(t *testing.T) {
	t.Setenv("SDL_AUDIODRIVER", "there-is-none")
	var p *Player
	run(func() {
		var err error
		p, err = NewPlayer(usual)
		if err == nil || !strings.HasPrefix(err.Error(), "start sound: ") {
			t.Errorf("%v", err)
		}
	})
	for range 100 {
		p.Frame(0, make([]int16, 1470), false)
	}
	os.Setenv("SDL_AUDIODRIVER", "dummy") // one is plugged in
	run(func() { p.Event(&sdl.AudioDeviceEvent{Type: sdl.AUDIODEVICEADDED}) })
	if p.deviceName() == "" {
		t.Error("still silent")
	}
	run(func() {
		p.Event(&sdl.QuitEvent{})
		p.Event(&sdl.AudioDeviceEvent{Type: sdl.AUDIODEVICEREMOVED, Which: uint32(p.device)})
	})
	if p.deviceName() == "" {
		t.Error("silent after the device was lost, though there is another")
	}
	run(func() {
		off := usual
		off.Enabled = false
		if err := p.Configure(off); err != nil {
			t.Error(err)
		}
		if p.deviceName() != "" {
			t.Error("a device is open though sound is off")
		}
		p.Close()
	})
}

// A console that is much faster than its sound is not held up.
func TestFramesAreDropped(t *testing.T) {
	t.Setenv("SDL_AUDIODRIVER", "dummy")
	var p *Player
	run(func() { p, _ = NewPlayer(usual) })
	defer run(func() { p.Close() })
	for range 2000 {
		p.Frame(0, make([]int16, 1470), false)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.frames) > maxWaiting || len(p.frames)+len(p.spare) > maxWaiting+1 {
		t.Errorf("%d wait, %d are spare", len(p.frames), len(p.spare))
	}
}

// Another volume needs no other device.
func TestVolumeKeepsDevice(t *testing.T) {
	t.Setenv("SDL_AUDIODRIVER", "dummy")
	run(func() {
		p, err := NewPlayer(usual)
		if err != nil {
			t.Error(err)
			return
		}
		defer p.Close()
		before, quiet := p.stream, usual // a device that is opened anew has another one
		quiet.Volume = 50
		if err := p.Configure(quiet); err != nil || p.stream != before || before == nil {
			t.Errorf("the device is opened anew: %v, %v", p.stream != before, err)
		}
	})
}

// Where there is no sound server, looking for one leaves nothing behind.
func TestLookLeavesNothing(t *testing.T) {
	temp := t.TempDir()
	for name, value := range map[string]string{"TMPDIR": temp, "HOME": t.TempDir(), "SDL_AUDIODRIVER": "pulseaudio"} {
		t.Setenv(name, value)
	}
	for _, name := range []string{"XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "PULSE_RUNTIME_PATH", "PULSE_SERVER"} {
		t.Setenv(name, "")
		os.Unsetenv(name)
	}
	run(func() {
		if devices, err := Look(); err == nil {
			t.Errorf("there is %v", devices)
		}
	})
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("it leaves %v, %v", left, err)
	}
}
