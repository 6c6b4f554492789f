package sound

import (
	"slices"
	"testing"
	"time"
)

// The chime is loud enough, never too loud, and ends in silence.
func TestChime(t *testing.T) {
	pcm := chime(1)
	if loud := slices.Max(pcm); loud < 4000 || loud > 16000 {
		t.Errorf("its loudest sample is %d", loud)
	}
	for _, v := range pcm[len(pcm)-200:] {
		if v > 600 || v < -600 {
			t.Fatalf("it ends with %d", v)
		}
	}
	if got := chime(0); slices.Max(got) != 0 {
		t.Error("at no volume it is heard")
	}
}

// It is heard over the console's sound, which stays as long as it was, and within bounds.
func TestChimeIsMixed(t *testing.T) {
	pcm := []int16{30000, -30000, 5, 6}
	left := mix(pcm, []int16{10000, -10000, 1, 1, 7})
	if want := []int16{32767, -32768, 6, 7}; !slices.Equal(pcm, want) || len(left) != 1 {
		t.Errorf("%v, %d samples left; want %v", pcm, len(left), want)
	}
	if left = mix(pcm, left); len(left) != 0 || pcm[0] != 32767 || mix(pcm, nil) != nil {
		t.Errorf("%v, %v", pcm, left)
	}
}

// It is played also while no console is.
func TestChimeAlone(t *testing.T) {
	t.Setenv("SDL_AUDIODRIVER", "dummy")
	var p *Player
	run(func() { p, _ = NewPlayer(usual) })
	defer run(func() { p.Close() })
	p.Chime()
	for p.rings() {
		time.Sleep(time.Millisecond)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.device == 0 || p.queued() == 0 {
		t.Error("nothing is queued")
	}
}

// rings reports whether the chime waits for the goroutine.
func (p *Player) rings() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.chime) > 0
}
