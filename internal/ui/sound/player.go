package sound

import (
	"cmp"
	"errors"
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

// heard is the sound of a frame.
type heard struct {
	frame int64
	again bool // it has been heard before
	pcm   []int16
}

// A Player plays the sound of one console. Make one with NewPlayer.
type Player struct {
	mu     sync.Mutex // guards all down to closed
	config config.Audio
	fast   bool
	device sdl.AudioDeviceID // 0: none
	name   string            // the device's; "" when there is none
	stream *soundstream.Stream
	frames []heard
	spare  [][]int16
	chime  []int16 // what is left of it
	failed int     // tries in a row that found no device
	closed bool

	signal  chan struct{}  // something is in frames, or closed
	running sync.WaitGroup // the goroutine
	started bool           // SDL's audio is
	closing chan struct{}  // ends when SDL has closed the last device
	again   time.Time      // of the next try while no device is open
}

// NewPlayer starts a player, with the system's device if there is one. The error says
// why there is no sound; the player works without. Main thread only.
func NewPlayer(c config.Audio) (*Player, error) {
	p := &Player{config: c, signal: make(chan struct{}, 1)}
	p.running.Go(p.run)
	err := p.reopen()
	if err != nil {
		p.mu.Lock()
		p.failed = missingAfter // nothing was lost that could be back soon
		p.mu.Unlock()
	}
	return p, err
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

// Event takes an event of SDL's, of any kind. When the device is lost the system's is tried, and
// when one is plugged in while there is none, or while another one is wanted, that. Main thread only.
func (p *Player) Event(e sdl.Event) {
	device, ok := e.(*sdl.AudioDeviceEvent)
	if !ok || device.IsCapture != 0 {
		return
	}
	p.mu.Lock()
	open, name, c := p.device, p.name, p.config
	p.mu.Unlock()
	switch {
	case device.Type == sdl.AUDIODEVICEREMOVED && open != 0 && sdl.AudioDeviceID(device.Which) == open:
		p.restart() // if that fails, Work goes on trying
	case device.Type != sdl.AUDIODEVICEADDED || !c.Enabled:
	case open == 0, c.Device != "" && name != c.Device && sdl.GetAudioDeviceName(int(device.Which), false) == c.Device:
		_ = p.reopen()
	}
}

// How long Work waits between two tries to find a device: not long at first, for a sound server that starts
// anew is back soon.
const (
	tryFirst = time.Second
	tryMost  = 10 * time.Second
)

// missingAfter is the number of tries without a device after which there counts as none.
const missingAfter = 3

// Work looks for a device again, now and then, while sound is wanted and nothing plays it: SDL does not
// tell of a sound server that has come back. wake is after how long to call it again; negative: no need.
// Main thread only.
func (p *Player) Work(now time.Time) (wake time.Duration) {
	p.mu.Lock()
	lost, failed := p.config.Enabled && p.device == 0 && !p.closed, p.failed
	p.mu.Unlock()
	if !lost {
		p.again = time.Time{}
		return -1
	}
	if p.again.IsZero() {
		p.again = now.Add(tryFirst)
	}
	if wake = p.again.Sub(now); wake > 0 && wake <= tryMost { // a clock may be set back
		return wake
	}
	if p.restart() == nil {
		p.again = time.Time{}
		return -1
	}
	wake = min(tryFirst*time.Duration(max(failed-missingAfter, 1)), tryMost)
	p.again = now.Add(wake)
	return wake
}

// Missing reports whether sound is wanted and there is nothing to play it. It is false during the first
// seconds after a device was lost. Any goroutine.
func (p *Player) Missing() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.config.Enabled && p.device == 0 && p.failed >= missingAfter
}

// restart starts SDL's audio anew, and opens the device that is wanted: what SDL knows of a sound server that
// has died stays as it was, and it hears nothing of one that takes its place.
func (p *Player) restart() error {
	p.shut()
	if p.started && !p.held() {
		sdl.QuitSubSystem(sdl.INIT_AUDIO)
		p.started = false
	}
	p.mu.Lock()
	p.failed = max(p.failed, 1) // what was open failed
	p.mu.Unlock()
	return p.reopen()
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
	err := p.open()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.failed++; p.device != 0 || !p.config.Enabled {
		p.failed = 0
	}
	return err
}

func (p *Player) open() error {
	p.mu.Lock()
	c, closed := p.config, p.closed
	p.mu.Unlock()
	if !c.Enabled || closed {
		return nil
	}
	if p.held() {
		return errors.New("open a sound device: the sound server has suspended it")
	}
	if !p.started {
		if err := sdl.InitSubSystem(sdl.INIT_AUDIO); err != nil {
			return fmt.Errorf("start sound: %w", err)
		}
		p.started = true
	}
	if p.tried() && sdl.GetNumAudioDevices(false) == 0 {
		return errors.New("open a sound device: there is none") // ALSA's library would say more, on the terminal
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
	if sdl.GetCurrentAudioDriver() == "alsa" && takesAtOnce(device) {
		sdl.CloseAudioDevice(device)
		return errors.New("open a sound device: ALSA has one that plays nothing (null)")
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.device, p.stream = device, soundstream.NewStream(c.Latency)
	p.stream.SetVolume(p.volume())
	p.name = cmp.Or(c.Device, sdl.GetCurrentAudioDriver())
	sdl.PauseAudioDevice(device, false)
	return nil
}

// takesAtOnce reports whether a device takes a second of silence in no time, as ALSA's null does, which no time passes for:
// SDL would keep a processor busy with it for as long as it is open. What is left of the silence is taken back.
func takesAtOnce(device sdl.AudioDeviceID) bool {
	second := make([]byte, 4*soundstream.CardRate)
	if sdl.QueueAudio(device, second) != nil {
		return false
	}
	defer sdl.ClearQueuedAudio(device)
	sdl.PauseAudioDevice(device, false)
	for range 20 { // a card that takes it all is found at the first look, and a window that looks again is not held up
		sdl.Delay(1)
		if int(sdl.GetQueuedAudioSize(device)) < len(second)/2 {
			return true
		}
	}
	return false
}

// tried reports whether the last try found no device.
func (p *Player) tried() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.failed > 0
}

// shut closes the device. The goroutine has let go of it by then.
func (p *Player) shut() {
	p.mu.Lock()
	device := p.device
	p.device, p.name, p.stream, p.chime = 0, "", nil, nil
	p.mu.Unlock()
	if device != 0 {
		p.close(device)
	}
}

// closeTime is how long the window waits for a device to close: some hundredths of a second, or two whole ones with a pretended sink that
// has just been idle.
const closeTime = 2500 * time.Millisecond

// close has SDL close a device. With PulseAudio it does so no sooner than the server asks for more sound, and a server that has
// suspended its sink asks for none: as long as another user sits at the machine, or another program has the card for itself.
func (p *Player) close(device sdl.AudioDeviceID) {
	if sdl.GetCurrentAudioDriver() != "pulseaudio" {
		sdl.CloseAudioDevice(device)
		return
	}
	closed := make(chan struct{})
	p.closing = closed
	go func() {
		sdl.CloseAudioDevice(device)
		close(closed)
	}()
	select {
	case <-closed:
	case <-time.After(closeTime):
	}
}

// held reports whether the last device has still not closed. Until then SDL's audio can neither end nor open another.
func (p *Player) held() bool {
	select {
	case <-p.closing:
		p.closing = nil
	default:
	}
	return p.closing != nil
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
// the console's goroutine and never waits for the sound card. Again tells that the console has run that frame before, and this is
// what it should have sounded like.
func (p *Player) Frame(frame int64, audio []int16, again bool) {
	p.mu.Lock()
	if p.device == 0 || p.closed {
		p.mu.Unlock()
		return
	}
	if len(p.frames) == maxWaiting {
		p.spare = append(p.spare, p.frames[0].pcm)
		p.frames = append(p.frames[:0], p.frames[1:]...)
	}
	var buffer []int16
	if n := len(p.spare); n > 0 {
		buffer, p.spare = p.spare[n-1], p.spare[:n-1]
	}
	p.frames = append(p.frames, heard{frame, again, append(buffer[:0], audio[:min(len(audio), 2*soundstream.MaxFrame)]...)})
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
			p.spare = append(p.spare, frame.pcm)
			if frame.again {
				p.correct(frame)
			} else {
				p.queue(p.stream.Frame(frame.frame, frame.pcm, p.queued()))
			}
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

// correct puts the sound of a frame that the console has made again where the old one waits in the queue. The card takes
// nothing meanwhile.
func (p *Player) correct(h heard) {
	if len(p.chime) > 0 {
		return // it is in the queue, too
	}
	sdl.LockAudioDevice(p.device)
	defer sdl.UnlockAudioDevice(p.device)
	if pcm := p.stream.Again(h.frame, h.pcm, p.queued()); pcm != nil {
		sdl.ClearQueuedAudio(p.device)
		p.queue(pcm)
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
	if p.started && !p.held() { // or the system ends it, with the program
		sdl.QuitSubSystem(sdl.INIT_AUDIO)
	}
}
