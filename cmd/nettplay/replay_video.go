package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/nettplay/nettplay/emucore"
)

// film writes the frames of several consoles side by side, as YUV4MPEG2 with full
// colour resolution, and one console's sound in a .wav beside it; or, through
// ffmpeg, both as one .mp4.
type film struct {
	path   string
	seats  []int
	sound  int
	first  int64
	length func(seat int) int64
	failed func()
	queues map[int]chan shot
	closed chan struct{}
	once   sync.Once
	done   chan error
	wav    *wave
	encode *encoder // nil for .y4m
	out    io.WriteCloser
	temp   string         // what is written until all is well
	newest map[int]*int64 // by seat: 1 + the newest frame that was taken; each for its seat's goroutine
}

// shot is one console's frame: luma and chroma planes, and sound.
type shot struct {
	width, height int
	yuv           [3][]byte
	sound         []int16
}

func startFilm(ctx context.Context, path string, seats []int, sound int, first int64, length func(int) int64, failed func()) (f *film, err error) {
	f = &film{
		path: path, seats: seats, sound: sound, first: first, length: length, failed: failed, queues: make(map[int]chan shot),
		closed: make(chan struct{}), done: make(chan error, 1), temp: path + ".part", newest: make(map[int]*int64),
	}
	for _, s := range seats {
		f.queues[s], f.newest[s] = make(chan shot, 4), new(int64)
	}
	sounds := strings.TrimSuffix(path, filepath.Ext(path)) + ".wav"
	film := strings.HasSuffix(path, ".mp4")
	if film {
		f.temp, sounds = path+".part.mp4", path+".part.wav"
	}
	if f.wav, err = newWave(sounds); err != nil {
		return nil, fmt.Errorf("writing the sound: %w", err)
	}
	if film {
		f.encode, err = startEncoder(ctx, f.temp)
	} else {
		f.out, err = os.Create(f.temp)
	}
	if err != nil {
		f.wav.abandon()
		return nil, err
	}
	if film {
		f.out = f.encode.in
	}
	go func() { f.done <- f.write() }()
	return f, nil
}

// add takes a frame; it waits while the others, or the disk, are far behind. One that
// is shown again is not taken again.
func (f *film) add(seat int, frame emucore.Frame) {
	if frame.Number < *f.newest[seat] {
		return
	}
	*f.newest[seat] = frame.Number + 1
	s := convert(frame.Video)
	if seat == f.sound {
		s.sound = slices.Clone(frame.Audio)
	}
	select {
	case f.queues[seat] <- s:
	case <-f.closed:
	}
}

// write puts frames together until the film is closed.
func (f *film) write() error {
	out := bufio.NewWriterSize(f.out, 1<<20)
	err := f.writeFrames(out)
	if flushErr := out.Flush(); err == nil {
		err = flushErr
	}
	if closeErr := f.out.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		f.end()
		f.failed()
	}
	return err
}

func (f *film) writeFrames(out *bufio.Writer) error {
	var last []shot
	for frame := f.first; ; frame++ {
		if !slices.ContainsFunc(f.seats, func(seat int) bool { return frame < f.length(seat) }) {
			return nil
		}
		shots := make([]shot, len(f.seats))
		for i, seat := range f.seats {
			if last != nil && frame >= f.length(seat) {
				shots[i] = last[i] // it has left; its last picture stays
				shots[i].sound = nil
				continue
			}
			s, ok := f.next(seat)
			if !ok {
				return nil
			}
			if last != nil && (s.width != last[i].width || s.height != last[i].height) {
				s.width, s.height, s.yuv = last[i].width, last[i].height, last[i].yuv
			}
			shots[i] = s
		}
		if last == nil {
			if err := head(out, shots); err != nil {
				return err
			}
		}
		last = shots
		if err := f.frame(out, shots); err != nil {
			return err
		}
	}
}

// next is a seat's next frame; false when no more come.
func (f *film) next(seat int) (shot, bool) {
	select {
	case s := <-f.queues[seat]:
		return s, true
	default:
	}
	select {
	case s := <-f.queues[seat]:
		return s, true
	case <-f.closed:
	}
	select {
	case s := <-f.queues[seat]:
		return s, true
	default:
		return shot{}, false
	}
}

// head begins the file. A console's second has exactly 33513982 cycles, a frame
// 560190.
func head(out io.Writer, shots []shot) error {
	width, height := 0, 0
	for _, s := range shots {
		width += s.width
		height = max(height, s.height)
	}
	if width == 0 || height == 0 {
		return errors.New("the console shows no picture")
	}
	_, err := fmt.Fprintf(out, "YUV4MPEG2 W%d H%d F16756991:280095 Ip A1:1 C444\n", width, height)
	return err
}

func (f *film) frame(out *bufio.Writer, shots []shot) error {
	if _, err := out.WriteString("FRAME\n"); err != nil {
		return err
	}
	height := 0
	for _, s := range shots {
		height = max(height, s.height)
	}
	for plane := range 3 {
		for y := range height {
			for _, s := range shots {
				row := black(plane, s.width)
				if y < s.height {
					row = s.yuv[plane][y*s.width : (y+1)*s.width]
				}
				if _, err := out.Write(row); err != nil {
					return err
				}
			}
		}
	}
	frames := 0
	for i, s := range shots {
		if f.seats[i] == f.sound {
			frames = 1
			if err := f.wav.add(s.sound); err != nil {
				return fmt.Errorf("writing the sound: %w", err)
			}
		}
	}
	f.wav.frames += int64(frames)
	return nil
}

func black(plane, n int) []byte {
	v := byte(128)
	if plane == 0 {
		v = 16
	}
	row := make([]byte, n)
	for i := range row {
		row[i] = v
	}
	return row
}

func (f *film) end() { f.once.Do(func() { close(f.closed) }) }

// close finishes the files, or removes what is not whole.
func (f *film) close(complete bool) error {
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
	return os.Rename(f.temp, f.path)
}

// join puts pictures and sound into one file.
func (f *film) join() error {
	defer os.Remove(f.temp)
	defer os.Remove(f.wav.path)
	whole := f.path + ".part2.mp4"
	if err := f.encode.join(f.temp, f.wav.path, whole); err != nil {
		os.Remove(whole)
		return fmt.Errorf("writing the video with its sound: %w", err)
	}
	return os.Rename(whole, f.path)
}

// convert turns a picture into planes, by ITU-R BT.601 in the range of television.
func convert(v emucore.Video) shot {
	s := shot{width: v.Width, height: v.Height}
	img := v.Image()
	for i := range s.yuv {
		s.yuv[i] = make([]byte, v.Width*v.Height)
	}
	for i := range s.yuv[0] {
		p := img.Pix[i*4 : i*4+3 : i*4+3]
		r, g, b := int32(p[0]), int32(p[1]), int32(p[2])
		s.yuv[0][i] = byte((66*r+129*g+25*b+128)>>8 + 16)
		s.yuv[1][i] = byte((-38*r-74*g+112*b+128)>>8 + 128)
		s.yuv[2][i] = byte((112*r-94*g-18*b+128)>>8 + 128)
	}
	return s
}
