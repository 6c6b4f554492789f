package sound

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/soundstream"
)

// TestSoundbench is "make soundbench": gaps and latency of the sound that PulseAudio takes, which
// keeps the time of a real card where SDL's own pretended ones do not. It judges nothing: that is
// for whoever runs it, on a machine with nothing else to do.
func TestSoundbench(t *testing.T) {
	if os.Getenv("NETTPLAY_SOUNDBENCH") == "" {
		t.Skip("make soundbench")
	}
	dir := t.TempDir()
	socket := filepath.Join(dir, "native")
	for name, value := range map[string]string{"HOME": dir, "XDG_RUNTIME_DIR": dir, "PULSE_SERVER": "unix:" + socket, "SDL_AUDIODRIVER": "pulseaudio"} {
		t.Setenv(name, value)
	}
	server := exec.CommandContext(t.Context(), "pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no",
		"-L", "module-null-sink rate=48000", "-L", "module-native-protocol-unix auth-anonymous=1 socket="+socket)
	if err := server.Start(); err != nil {
		t.Skip(err)
	}
	defer func() { _ = server.Process.Kill(); _ = server.Wait() }()
	for range 100 {
		if _, err := os.Stat(socket); err == nil {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	for _, latency := range []time.Duration{32, 64, 100} {
		measureSound(t, latency*time.Millisecond)
	}
}

// measureSound plays for twenty seconds at the console's rate. Beside what the real queue had stands
// what a card of the exact rate would have got of the same frames: make netbench tells that.
func measureSound(t *testing.T, latency time.Duration) {
	const settle, frames = 60, 1200
	how := usual
	how.Latency = latency
	var p *Player
	run(func() {
		var err error
		if p, err = NewPlayer(how); err != nil {
			t.Error(err)
		}
	})
	defer run(func() { p.Close() })
	source := tone{rate: 44_100, volume: 1000}
	begun, gaps, late, server := time.Now(), 0, time.Duration(0), ""
	var queued, done []time.Duration
	for f := range settle + frames {
		due := begun.Add(time.Duration(float64(f) * float64(time.Second) / ds.FrameRate))
		time.Sleep(time.Until(due))
		done = append(done, time.Since(begun))
		if f == settle {
			gaps = p.gaps()
		}
		if f > settle {
			late, queued = max(late, time.Since(due)), append(queued, p.inQueue())
		}
		p.Frame(0, source.frame(737), false)
		if f == settle+frames/2 {
			server = serverLatency(t)
		}
	}
	minutes := frames / ds.FrameRate / 60
	model := soundstream.Hear(done, latency, settle*time.Second/60)
	t.Logf("%v wanted: %.1f gaps a minute, in the queue %s; PulseAudio has%s; the exact card: %.1f gaps, %s; the latest frame came %.1f ms late", latency,
		float64(p.gaps()-gaps)/minutes, spread(queued), server, float64(model.Gaps)/minutes, spread(model.Waits), ms(late))
}

// gaps is how often the sound has ended.
func (p *Player) gaps() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stream.Gaps()
}

// serverLatency is how long PulseAudio says that sound stays with it.
func serverLatency(t *testing.T) (words string) {
	out, err := exec.CommandContext(t.Context(), "pactl", "list", "sink-inputs").Output()
	if err != nil {
		return " not told"
	}
	for _, line := range strings.Split(string(out), "\n") {
		if line = strings.TrimSpace(line); strings.Contains(line, " Latency: ") {
			words += " " + strings.ToLower(line)
		}
	}
	return words
}

// spread is the middle, the least and the most of durations.
func spread(list []time.Duration) string {
	slices.Sort(list)
	return fmt.Sprintf("%.1f ms (%.1f to %.1f)", ms(list[len(list)/2]), ms(list[0]), ms(list[len(list)-1]))
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
