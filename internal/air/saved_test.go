package air

import (
	"bytes"
	"encoding/hex"
	"errors"
	"slices"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// goldenPicture is two consoles at frame 2, one with a packet in flight.
var goldenPicture = &picture{
	skew: 1, stop: 2, round: 3, chain: 4, records: 5,
	consoles: []console{
		{seat: 1, onAir: true, queue: []flying{{from: 15, to: everyone, data: []byte("air")}}},
		{seat: 15},
	},
}

const golden = "6e7061697201" + "01" + "0000000000000002" + "0000000000000003" + "0000000000000004" + "0000000000000005" + "02" +
	"01" + "01" + "0001" + "0f" + "ffff" + "0003" + "616972" + "0f" + "00" + "0000"

// goldenSnapshot is the same amid a game: seat 1 has heard an ack of seat 15.
const goldenSnapshot = "6e7061697202" + "01" + "0000000000000002" + "0000000000000003" + "0000000000000004" + "0000000000000005" + "02" + "02" +
	"01" + "01" + "010f01" + "0001" + "0f" + "ffff" + "0003" + "616972" + "0f" + "00" + "0000"

func TestGoldenSave(t *testing.T) {
	if got, err := goldenPicture.encode(); err != nil || hex.EncodeToString(got) != golden {
		t.Errorf("%x, %v, not %s", got, err, golden)
	}
	amid := *goldenPicture
	amid.snapshot, amid.silence, amid.consoles = true, 2, slices.Clone(amid.consoles)
	amid.consoles[0].said = account{known: true, host: 15, ahead: 1}
	if got, err := amid.encode(); err != nil || hex.EncodeToString(got) != goldenSnapshot {
		t.Errorf("%x, %v, not %s", got, err, goldenSnapshot)
	}
}

// TestRestore: what is restored elsewhere is saved as the same bytes, and a
// packet in flight arrives there.
func TestRestore(t *testing.T) {
	a, err := New(Config{Skew: 1})
	must.Succeed(t, err)
	defer a.Close()
	want, _ := hex.DecodeString(golden)
	must.Succeed(t, a.Restore(want))
	if got, err := a.Save(); err != nil || !bytes.Equal(got, want) {
		t.Fatalf("%x, %v", got, err)
	}
	must.Succeed(t, a.Resume())
	a.in.event(15, evEndSilent) // or seat 1 would wait for it
	rad := newRadio(a.in, 1)
	rad.begin()
	if got, data := rad.poll(evBlock); got != packet || string(data) != "\x0fair" {
		t.Errorf("answer %d, %q", got, data)
	}
}

// TestRenumber: an air goes on at another frame, the first one too, as it would have at its
// own: a packet in flight arrives, and consoles on the air stay there.
func TestRenumber(t *testing.T) {
	want, _ := hex.DecodeString(golden)
	for _, frame := range []int64{0, 1, 1 << 40} {
		saved, err := Renumber(want, frame)
		must.Succeed(t, err)
		a, err := New(Config{Skew: 1, Frame: frame})
		must.Succeed(t, err)
		defer a.Close()
		must.Succeed(t, a.Restore(saved))
		back, err := a.Save()
		if err == nil {
			back, err = Renumber(back, goldenPicture.stop)
		}
		if err != nil || !bytes.Equal(back, want) {
			t.Errorf("at frame %d it is %x, %v", frame, back, err)
		}
		must.Succeed(t, a.Resume())
		a.in.event(15, evEndSilent)
		rad := newRadio(a.in, 1)
		rad.begin()
		if got, data := rad.poll(evBlock); got != packet || string(data) != "\x0fair" {
			t.Errorf("at frame %d: answer %d, %q", frame, got, data)
		}
		rad.end()
	}
	if _, err := Renumber(want[:9], 0); err == nil {
		t.Error("half of an air was taken")
	}
}

func TestRefused(t *testing.T) {
	a := busy(t)
	if _, err := a.Save(); !errors.Is(err, ErrNotStopped) {
		t.Errorf("Save amid a frame: %v", err)
	}
	if err := a.Plug(7); !errors.Is(err, ErrNotStopped) {
		t.Errorf("Plug amid a frame: %v", err)
	}
	if err := a.StopAt(0); !errors.Is(err, ErrTooLate) {
		t.Errorf("StopAt: %v", err)
	}
	b, err := New(Config{})
	must.Succeed(t, err)
	good, _ := hex.DecodeString(golden)
	if err := b.Restore(good); err == nil {
		t.Error("another skew was restored")
	}
	if err := b.Plug(16); err == nil {
		t.Error("seat 16 was plugged in")
	}
	b.Close()
	if err := b.Resume(); !errors.Is(err, ErrClosed) || b.Close() != nil {
		t.Errorf("after Close: %v", err)
	}
	for _, cfg := range []Config{{Skew: -1}, {Skew: 17}, {Frame: -1}} {
		if _, err := New(cfg); err == nil {
			t.Errorf("%+v was taken", cfg)
		}
	}
}

func FuzzSaved(f *testing.F) {
	good, _ := hex.DecodeString(golden)
	f.Add(good)
	f.Add(good[:len(good)-1])
	snapshot, _ := hex.DecodeString(goldenSnapshot)
	f.Add(snapshot)
	f.Add([]byte("npair\x01"))
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := decodePicture(b)
		if err != nil {
			return
		}
		if again, err := p.encode(); err != nil || !bytes.Equal(again, b) {
			t.Errorf("%x is not the one encoding of itself: %x, %v", b, again, err)
		}
	})
}
