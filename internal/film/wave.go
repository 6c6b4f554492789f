package film

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"math"
	"os"

	"github.com/nettplay/nettplay/internal/ds"
)

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
		rate = uint32(math.Round(float64(w.samples) / float64(w.frames) * ds.FrameRate))
	}
	size := min(w.samples*4, math.MaxUint32-waveHeader)
	var h []byte
	for _, v := range []any{
		[]byte("RIFF"), uint32(size) + waveHeader - 8,
		[]byte("WAVEfmt "), uint32(16),
		[]uint16{1, 2}, // plain samples, two of them
		rate, rate * 4,
		[]uint16{4, 16}, // bytes and bits of a sample
		[]byte("data"), uint32(size),
	} {
		h, _ = binary.Append(h, binary.LittleEndian, v) // fails for other types only
	}
	err := w.out.Flush()
	if err == nil {
		_, err = w.file.WriteAt(h, 0)
	}
	if err = cmp.Or(err, w.file.Close()); err != nil {
		os.Remove(w.file.Name())
		return err
	}
	return os.Rename(w.file.Name(), w.path)
}
