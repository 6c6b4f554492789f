package emucore

import (
	"encoding/binary"
	"errors"
	"os"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// deadProcess is a worker that is gone.
func deadProcess(tb testing.TB) *process {
	tb.Helper()
	proc, err := os.StartProcess("/bin/true", []string{"true"}, &os.ProcAttr{})
	must.Succeed(tb, err)
	if _, err := proc.Wait(); err != nil {
		tb.Fatal(err)
	}
	p := &process{proc: proc, done: make(chan struct{})}
	close(p.done)
	return p
}

// FuzzReply: whatever a worker replies, a call gives an error or something that
// is in order, and never more memory than it should.
func FuzzReply(f *testing.F) {
	mem, file, err := newShared()
	must.Succeed(f, err)
	file.Close()
	f.Cleanup(mem.release)
	proc := deadProcess(f)

	good := reply{frame: 1, width: 256, height: 384, format: formatRGB565, samples: 735, fps: 60, sampleRate: 44100, size: 100, sramSize: 8}
	for op := range uint8(5) {
		good.frame = 0
		if op == 0 {
			good.frame = 1
		}
		f.Add(op, replyBytes(&good)[8:])
		f.Add(op, make([]byte, replySize-8))
	}
	f.Fuzz(func(t *testing.T, op uint8, said []byte) {
		line, theirs, err := newLine()
		must.Succeed(t, err)
		defer line.close()
		defer theirs.Close()
		c := &Console{
			core:    "test",
			profile: &Profile{SRAM: SRAMMemory, MainRAM: func(s []byte) ([]byte, error) { return s[:min(len(s), 4)], nil }},
			limits:  limits{call: time.Second},

			worker: worker{proc: proc, line: line, mem: mem, stateSize: 100, ramSize: int(op & 1)},
		}
		ops := [][]uint32{{opStep}, {opMemory, opSave}, {opSave}, {opMemory}}[op%4]
		for i, kind := range ops {
			msg := make([]byte, replySize)
			copy(msg[8:], said)
			binary.LittleEndian.PutUint32(msg, kind)
			binary.LittleEndian.PutUint32(msg[4:], uint32(i+1))
			must.Succeed(t, unix.Sendto(int(theirs.Fd()), msg[:min(len(msg), 8+len(said))], 0, nil))
		}
		theirs.Close()
		switch ops[0] {
		case opStep:
			if frame, err := c.Step(Input{}); err == nil {
				v := frame.Video
				if len(v.Pix) != v.Pitch*v.Height || v.Pitch != v.Width*v.Format.Size() || len(v.Pix) > videoMax || len(frame.Audio) > 2*audioMax || frame.Number != 0 {
					t.Errorf("%dx%d, %d bytes, %d samples, frame %d", v.Width, v.Height, len(v.Pix), len(frame.Audio), frame.Number)
				}
			}
		case opMemory:
			if len(ops) == 2 {
				c.Hash()
			} else if b, err := c.SRAM(); err == nil && len(b) > blobMax {
				t.Errorf("%d bytes of backup memory", len(b))
			}
		case opSave:
			if s, err := c.Save(); err == nil && len(s.Data) != stateHeader+100 {
				t.Errorf("a state of %d bytes", len(s.Data))
			}
		}
		var crash *CrashError
		var no *refusal
		if _, err := c.Step(Input{}); err == nil || !errors.As(err, &crash) && !errors.As(err, &no) {
			t.Errorf("without a worker: %v", err)
		}
	})
}
