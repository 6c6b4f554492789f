package film

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/ds"
)

// shot is one console's frame: luma and chroma planes, and sound.
type shot struct {
	width, height int
	yuv           [3][]byte
	sound         []int16
}

// write puts frames together until the film is closed.
func (f *Film) write() error {
	out := bufio.NewWriterSize(f.out, 1<<20)
	err := f.writeFrames(out)
	err = cmp.Or(err, out.Flush(), f.out.Close())
	if err != nil {
		f.end()
		f.cfg.Failed()
	}
	return err
}

func (f *Film) writeFrames(out *bufio.Writer) error {
	var last []shot
	for frame := f.cfg.First; ; frame++ {
		if !slices.ContainsFunc(f.cfg.Seats, func(seat ds.Seat) bool { return frame < f.cfg.Length(seat) }) {
			return nil
		}
		shots := make([]shot, len(f.cfg.Seats))
		for i, seat := range f.cfg.Seats {
			if last != nil && frame >= f.cfg.Length(seat) {
				shots[i] = last[i] // it has left; its last picture stays
				shots[i].sound = nil
				continue
			}
			if f.cfg.Begin != nil && frame < f.cfg.Begin(seat) {
				continue // it has not come yet
			}
			s, ok := f.next(seat)
			if !ok {
				return nil
			}
			if last != nil && (s.width != last[i].width || s.height != last[i].height && last[i].height > 0) {
				s.width, s.height, s.yuv = last[i].width, last[i].height, last[i].yuv
			}
			shots[i] = s
		}
		reserve(shots)
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

// reserve gives those who have not come yet a black place, as wide as the others'.
func reserve(shots []shot) {
	width := 0
	for _, s := range shots {
		width = max(width, s.width)
	}
	for i := range shots {
		if shots[i].width == 0 {
			shots[i].width = width
		}
	}
}

// next is a seat's next frame; false when no more come.
func (f *Film) next(seat ds.Seat) (shot, bool) {
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

func (f *Film) frame(out *bufio.Writer, shots []shot) error {
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
				var row []byte
				if y < s.height {
					row = s.yuv[plane][y*s.width : (y+1)*s.width]
				} else {
					row = black(plane, s.width)
				}
				if _, err := out.Write(row); err != nil {
					return err
				}
			}
		}
	}
	if i := slices.Index(f.cfg.Seats, f.cfg.Sound); i >= 0 {
		f.wav.frames++
		if err := f.wav.add(shots[i].sound); err != nil {
			return fmt.Errorf("writing the sound: %w", err)
		}
	}
	return nil
}

func black(plane, n int) []byte {
	v := byte(128)
	if plane == 0 {
		v = 16
	}
	return bytes.Repeat([]byte{v}, n)
}

// convert turns a picture into planes, by ITU-R BT.601 in the range of television.
//
//go:norace
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
