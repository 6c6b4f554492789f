package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/session"
)

// pictures takes what the consoles of a replay show: the newest picture of each,
// and, for a video, all of them side by side.
type pictures struct {
	o      *replaying
	seats  []int // that are wanted, in order
	failed func()
	film   *film // nil without a video

	mu   sync.Mutex
	last map[int]still
}

// still is a console's newest picture.
type still struct {
	frame int64
	video emucore.Video // its bytes are ours
}

func (o *replaying) pictures(ctx context.Context) (*pictures, error) {
	p := &pictures{o: o, last: make(map[int]still)}
	for _, s := range o.log.Seats {
		if o.seat == 0 || s.Plan.Seat == o.seat-1 {
			p.seats = append(p.seats, s.Plan.Seat)
		}
	}
	if o.video == "" {
		return p, nil
	}
	sound := o.log.Mine()
	if o.seat > 0 {
		sound = o.seat - 1
	}
	var err error
	p.film, err = startFilm(ctx, o.video, p.seats, sound, o.first, func(seat int) int64 { return o.log.Frames(seat) }, func() { p.failed() })
	return p, err
}

// show takes a frame, on the goroutine of the seat's console.
func (p *pictures) show(seat int, f emucore.Frame) {
	if p.film == nil && p.o.screenshot == "" || !slices.Contains(p.seats, seat) {
		return
	}
	if p.film != nil && f.Number >= p.o.first {
		p.film.add(seat, f)
	}
	if p.o.screenshot == "" {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	v := f.Video
	v.Pix = append(p.last[seat].video.Pix[:0], f.Video.Pix...)
	p.last[seat] = still{f.Number + 1, v}
}

func (p *pictures) screenshot(path string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	var list []session.Screen
	for _, s := range p.o.log.Seats {
		if last, ok := p.last[s.Plan.Seat]; ok && last.video.Width > 0 {
			list = append(list, session.Screen{
				Seat: s.Plan.Seat, Nickname: s.Plan.Nickname, Mine: s.Plan.Machine == p.o.log.Machine, Frames: last.frame, Image: last.video.Image(),
			})
		}
	}
	if len(list) == 0 {
		return errors.New("writing the screenshot: no frame was played")
	}
	return writeScreenshot(path, list)
}

// close ends the video. It is complete only if the replay was.
func (p *pictures) close(complete bool) error {
	if p.film == nil {
		return nil
	}
	return p.film.close(complete)
}

// film writes the frames of several consoles side by side, as YUV4MPEG2 with full
// colour resolution, and one console's sound.
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
	encode *exec.Cmd // nil for .y4m
	stderr strings.Builder
	out    io.WriteCloser
	temp   string // what is written until all is well
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
		closed: make(chan struct{}), done: make(chan error, 1), temp: path + ".part",
	}
	for _, s := range seats {
		f.queues[s] = make(chan shot, 4)
	}
	if f.wav, err = newWave(strings.TrimSuffix(path, filepath.Ext(path)) + ".wav"); err != nil {
		return nil, fmt.Errorf("writing the sound: %w", err)
	}
	if strings.HasSuffix(path, ".mp4") {
		err = f.startEncoder(ctx)
	} else {
		f.out, err = os.Create(f.temp)
	}
	if err != nil {
		f.wav.abandon()
		return nil, err
	}
	go func() { f.done <- f.write() }()
	return f, nil
}

func (f *film) startEncoder(ctx context.Context) error {
	tool, err := exec.LookPath("ffmpeg")
	if err != nil {
		return &exitError{code: exitUsage, err: errors.New("an .mp4 needs ffmpeg, which is not installed"), hint: "Install it (sudo apt install ffmpeg), or write a .y4m."}
	}
	f.temp = f.path + ".part.mp4"
	f.encode = exec.CommandContext(ctx, tool, "-y", "-loglevel", "error", "-f", "yuv4mpegpipe", "-i", "-",
		"-c:v", "libx264", "-preset", "veryfast", "-crf", "16", "-pix_fmt", "yuv420p", f.temp)
	f.encode.Stderr = &f.stderr
	if f.out, err = f.encode.StdinPipe(); err != nil {
		return err
	}
	if err := f.encode.Start(); err != nil {
		return fmt.Errorf("starting ffmpeg: %w", err)
	}
	return nil
}

// add takes a frame; it waits while the others, or the disk, are far behind.
func (f *film) add(seat int, frame emucore.Frame) {
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
		if waitErr := f.encode.Wait(); waitErr != nil && complete {
			err = fmt.Errorf("ffmpeg: %w: %s", waitErr, strings.TrimSpace(f.stderr.String()))
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
	return os.Rename(f.temp, f.path)
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

// wave is a sound file: 16 bits, stereo. Its rate is known only at the end: as many
// samples a second as the console made in a second of its own time.
type wave struct {
	path    string
	file    *os.File
	out     *bufio.Writer
	samples int64
	frames  int64
}

const waveHeader = 44

func newWave(path string) (*wave, error) {
	f, err := os.Create(path + ".part")
	if err != nil {
		return nil, err
	}
	w := &wave{path: path, file: f, out: bufio.NewWriterSize(f, 1<<18)}
	_, err = w.out.Write(make([]byte, waveHeader))
	return w, err
}

func (w *wave) add(sound []int16) error {
	w.samples += int64(len(sound) / 2)
	return binary.Write(w.out, binary.LittleEndian, sound)
}

func (w *wave) abandon() {
	w.file.Close()
	os.Remove(w.file.Name())
}

func (w *wave) close() error {
	rate := uint32(32768)
	if w.frames > 0 && w.samples > 0 {
		rate = uint32(math.Round(float64(w.samples) / float64(w.frames) * emucore.FrameRate))
	}
	size := min(w.samples*4, math.MaxUint32-waveHeader)
	h := []byte("RIFF")
	h = binary.LittleEndian.AppendUint32(h, uint32(size)+waveHeader-8)
	h = append(h, "WAVEfmt "...)
	h = binary.LittleEndian.AppendUint32(h, 16)
	for _, v := range []uint16{1, 2} { // plain samples, two of them
		h = binary.LittleEndian.AppendUint16(h, v)
	}
	h = binary.LittleEndian.AppendUint32(h, rate)
	h = binary.LittleEndian.AppendUint32(h, rate*4)
	for _, v := range []uint16{4, 16} { // bytes and bits of a sample
		h = binary.LittleEndian.AppendUint16(h, v)
	}
	h = append(h, "data"...)
	h = binary.LittleEndian.AppendUint32(h, uint32(size))
	err := w.out.Flush()
	if err == nil {
		_, err = w.file.WriteAt(h, 0)
	}
	if closeErr := w.file.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		os.Remove(w.file.Name())
		return err
	}
	return os.Rename(w.file.Name(), w.path)
}
