// Package film writes what the consoles of a recording show as a video: their screens
// side by side, and the sound of one of them.
//
// A file that ends in .y4m gets the pictures as YUV4MPEG2 in full colour resolution, and
// the sound a .wav beside it. With .mp4 both go through ffmpeg into one file. The
// files bear other names until they are whole.
package film

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/ds"
)

// Config says what is filmed.
type Config struct {
	Path   string                   // ends in .y4m or .mp4
	Seats  []ds.Seat                // whose screens are shown, from left to right
	Sound  ds.Seat                  // whose sound is heard
	First  int64                    // frame that the film begins with
	Length func(seat ds.Seat) int64 // the frame before which a seat ends; then its last picture stays
	// Begin is the first frame that a seat has; it is black before that. Nil: all have all.
	Begin func(seat ds.Seat) int64
	// Failed is called once when the film cannot go on, on a goroutine of the film; Close
	// tells why.
	Failed func()
}

// Film is a video that is being made.
type Film struct {
	cfg    Config
	queues map[ds.Seat]chan shot
	closed <-chan struct{}
	end    func() // closes closed
	done   chan error
	wav    *wave
	encode *encoder // nil for .y4m
	out    io.WriteCloser
	temp   string             // what is written until all is well
	newest map[ds.Seat]*int64 // 1 + the newest frame that was taken; each for its seat's goroutine
}

// Start begins a film. ctx ends ffmpeg, if that is used; without it installed the error is
// [ErrNoFFmpeg]. The caller closes the film.
func Start(ctx context.Context, cfg Config) (f *Film, err error) {
	life, end := context.WithCancel(context.Background())
	f = &Film{
		cfg: cfg, queues: make(map[ds.Seat]chan shot), closed: life.Done(), end: end, done: make(chan error, 1),
		temp: cfg.Path + ".part", newest: make(map[ds.Seat]*int64),
	}
	for _, s := range cfg.Seats {
		f.queues[s], f.newest[s] = make(chan shot, 4), new(int64)
	}
	sounds := strings.TrimSuffix(cfg.Path, filepath.Ext(cfg.Path)) + ".wav"
	encoded := strings.HasSuffix(cfg.Path, ".mp4")
	if encoded {
		f.temp, sounds = cfg.Path+".part.mp4", cfg.Path+".part.wav"
	}
	if f.wav, err = newWave(sounds); err != nil {
		return nil, fmt.Errorf("writing the sound: %w", err)
	}
	if encoded {
		f.encode, err = startEncoder(ctx, f.temp)
	} else {
		f.out, err = os.Create(f.temp)
	}
	if err != nil {
		f.wav.abandon()
		return nil, err
	}
	if encoded {
		f.out = f.encode.in
	}
	go func() { f.done <- f.write() }()
	return f, nil
}

// Add takes a frame, on the goroutine of the seat's console. It waits while the other
// seats, or the disk, are far behind. A frame that is shown again is not taken again, nor
// is one before the film's first.
func (f *Film) Add(seat ds.Seat, frame emucore.Frame) {
	if frame.Number < max(f.cfg.First, *f.newest[seat]) {
		return
	}
	*f.newest[seat] = frame.Number + 1
	s := convert(frame.Video)
	if seat == f.cfg.Sound {
		s.sound = slices.Clone(frame.Audio)
	}
	select {
	case f.queues[seat] <- s:
	case <-f.closed:
	}
}

// Files are what [Film.Close] leaves on the disk.
func (f *Film) Files() []string {
	if f.encode != nil {
		return []string{f.cfg.Path}
	}
	return []string{f.cfg.Path, f.wav.path}
}

// Close finishes the files. It removes what is not whole: complete is false where the
// recording was not played to its end.
func (f *Film) Close(complete bool) error {
	f.end()
	err := <-f.done
	if f.encode != nil {
		if waitErr := f.encode.wait(); waitErr != nil && complete {
			err = waitErr
		}
	}
	if err != nil {
		os.Remove(f.temp)
		f.wav.abandon()
		return fmt.Errorf("writing the video: %w", err)
	}
	if err := f.wav.close(); err != nil {
		os.Remove(f.temp)
		return fmt.Errorf("writing the sound: %w", err)
	}
	if f.encode != nil {
		return f.join()
	}
	return os.Rename(f.temp, f.cfg.Path)
}

// join puts pictures and sound into one file.
func (f *Film) join() error {
	defer os.Remove(f.temp)
	defer os.Remove(f.wav.path)
	whole := f.cfg.Path + ".part2.mp4"
	if err := f.encode.join(f.temp, f.wav.path, whole); err != nil {
		os.Remove(whole)
		return fmt.Errorf("writing the video with its sound: %w", err)
	}
	return os.Rename(whole, f.cfg.Path)
}
