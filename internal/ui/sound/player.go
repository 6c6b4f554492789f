package sound

import (
	"cmp"
	"fmt"
	"sync"
	"time"
	"unsafe"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/soundstream"
	"github.com/veandco/go-sdl2/sdl"
)

// maxWaiting is the greatest number of frames that wait for the player's goroutine. With more the
// oldest are dropped: a console waits for nobody.
const maxWaiting = 16

// A Player plays the sound of one console. Make one with NewPlayer.
type Player struct {
	mu     sync.Mutex // guards all down to closed
	config config.Audio
	fast   bool
	device sdl.AudioDeviceID // 0: none
	name   string            // the device's; "" when there is none
	stream *soundstream.Stream
	frames [][]int16
	spare  [][]int16
	chime  []int16 // what is left of it
	closed bool

	signal  chan struct{}  // something is in frames, or closed
	running sync.WaitGroup // the goroutine
	started bool           // SDL's audio is
}

// NewPlayer starts a player, with the system's device if there is one. The error says
// why there is no sound; the player works without. Main thread only.
func NewPlayer(c config.Audio) (*Player, error) {
	p := &Player{config: c, signal: make(chan struct{}, 1)}
	p.running.Go(p.run)
	return p, p.reopen()
}

// Configure changes the settings, at once. An error says why there is no sound from now
// on. Main thread only.
func (p *Player) Configure(c config.Audio) error {
	var old config.Audio
	p.turn(func() { old, p.config = p.config, c })
	old.Volume, old.Chime = c.Volume, c.Chime // which need no other device
	if old == c {
		return nil
	}
	return p.reopen()
}

// Event takes an event of SDL's, of any kind. When the device is lost the system's is tried,
// and when one is plugged in while there is none, or not the one that is wanted, that.
// Main thread only.
func (p *Player) Event(e sdl.Event) {
	device, ok := e.(*sdl.AudioDeviceEvent)
	if !ok || device.IsCapture != 0 {
		return
	}
	p.mu.Lock()
	lost := device.Type == sdl.AUDIODEVICEREMOVED && p.device != 0 && sdl.AudioDeviceID(device.Which) == p.device
	wanted := p.device == 0 || p.config.Device != "" && p.name != p.config.Device
	found := device.Type == sdl.AUDIODEVICEADDED && wanted && p.config.Enabled
	p.mu.Unlock()
	if lost || found {
		_ = p.reopen() // there is silence until the next one comes
	}
}

// Devices returns the names of what sound can be played by. Main thread only.
func Devices() (names []string) {
	for i := range max(sdl.GetNumAudioDevices(false), 0) {
		names = append(names, sdl.GetAudioDeviceName(i, false))
	}
	return names
}

// reopen closes the device, and opens the one that is wanted.
func (p *Player) reopen() error {
	p.shut()
	p.mu.Lock()
	c, closed := p.config, p.closed
	p.mu.Unlock()
	if !c.Enabled || closed {
		return nil
	}
	if !p.started {
		if err := sdl.InitSubSystem(sdl.INIT_AUDIO); err != nil {
			return fmt.Errorf("start sound: %w", err)
		}
		p.started = true
	}
	want := sdl.AudioSpec{Freq: soundstream.CardRate, Format: sdl.AUDIO_S16SYS, Channels: 2, Samples: soundstream.CardBuffer}
	device, err := sdl.OpenAudioDevice(c.Device, false, &want, nil, 0)
	if err != nil && c.Device != "" { // it is not plugged in: better another than none
		c.Device = ""
		device, err = sdl.OpenAudioDevice("", false, &want, nil, 0)
	}
	if err != nil {
		return fmt.Errorf("open a sound device: %w", err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.device, p.stream = device, soundstream.NewStream(c.Latency)
	p.stream.SetVolume(p.volume())
	p.name = cmp.Or(c.Device, sdl.GetCurrentAudioDriver())
	sdl.PauseAudioDevice(device, false)
	return nil
}

// shut closes the device. The goroutine has let go of it by then.
func (p *Player) shut() {
	p.mu.Lock()
	device := p.device
	p.device, p.name, p.stream, p.chime = 0, "", nil, nil
	p.mu.Unlock()
	if device != 0 {
		sdl.CloseAudioDevice(device)
	}
}

// volume returns the stream's volume, 0 to 1. The lock is held.
func (p *Player) volume() float64 {
	if p.fast {
		return 0
	}
	return float64(p.config.Volume) / 100
}

// Fast says that frames come faster than a console makes them: they are silent
// meanwhile. Any goroutine.
func (p *Player) Fast(fast bool) { p.turn(func() { p.fast = fast }) }

// turn changes what the volume depends on.
func (p *Player) turn(change func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change()
	if p.stream != nil {
		p.stream.SetVolume(p.volume())
	}
}

// Frame takes the sound of a frame, interleaved stereo, which it copies. It is called on
// the console's goroutine and never waits for the sound card.
func (p *Player) Frame(audio []int16) {
	p.mu.Lock()
	if p.device == 0 || p.closed {
		p.mu.Unlock()
		return
	}
	if len(p.frames) == maxWaiting {
		p.spare = append(p.spare, p.frames[0])
		p.frames = append(p.frames[:0], p.frames[1:]...)
	}
	var buffer []int16
	if n := len(p.spare); n > 0 {
		buffer, p.spare = p.spare[n-1], p.spare[:n-1]
	}
	p.frames = append(p.frames, append(buffer[:0], audio[:min(len(audio), 2*soundstream.MaxFrame)]...))
	p.mu.Unlock()
	p.wake()
}

// Chime calls the player, over what is heard of the console. Any goroutine.
func (p *Player) Chime() {
	p.mu.Lock()
	if p.device != 0 && !p.closed {
		p.chime = chime(float64(p.config.Volume) / 100)
	}
	p.mu.Unlock()
	p.wake()
}

func (p *Player) wake() {
	select {
	case p.signal <- struct{}{}:
	default:
	}
}

// run fills the queue until the player is closed.
func (p *Player) run() {
	for {
		sounds, over := p.serve()
		if over {
			return
		}
		var idle <-chan time.Time
		if sounds {
			idle = time.After(soundstream.IdleEach)
		}
		select {
		case <-p.signal:
		case <-idle:
		}
	}
}

// serve queues what has come. It tells whether there is something to fade out if no frame comes,
// and whether the player is closed. The lock is held while SDL copies some kilobytes: the card's
// thread holds its own no longer.
func (p *Player) serve() (sounds, over bool) {
	for {
		p.mu.Lock()
		if p.closed || p.stream == nil {
			p.frames = p.frames[:0]
			over = p.closed
			p.mu.Unlock()
			return false, over
		}
		more := len(p.frames) > 0
		if more {
			frame := p.frames[0]
			p.frames = append(p.frames[:0], p.frames[1:]...)
			p.spare = append(p.spare, frame)
			p.queue(p.stream.Frame(frame, p.queued()))
		} else {
			p.queue(p.stream.Idle(p.queued()))
			if p.stream.Quiet() && len(p.chime) > 0 {
				p.queue(make([]int16, len(p.chime)))
			}
		}
		sounds = !p.stream.Quiet()
		p.mu.Unlock()
		if !more {
			return sounds, false
		}
	}
}

// queued returns the number of samples that the card still has.
func (p *Player) queued() int { return int(sdl.GetQueuedAudioSize(p.device) / 4) }

func (p *Player) queue(pcm []int16) {
	if len(pcm) == 0 {
		return
	}
	p.chime = mix(pcm, p.chime)
	// A device that fails here tells so by an event.
	_ = sdl.QueueAudio(p.device, unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(pcm))), 2*len(pcm)))
}

// Close ends the sound. It can be called again. Main thread only.
func (p *Player) Close() {
	p.mu.Lock()
	was := p.closed
	p.closed = true
	p.mu.Unlock()
	if was {
		return
	}
	p.wake()
	p.running.Wait()
	p.shut()
	if p.started {
		sdl.QuitSubSystem(sdl.INIT_AUDIO)
	}
}
