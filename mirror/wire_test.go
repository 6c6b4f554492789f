package mirror

import (
	"bytes"
	"encoding/hex"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ds"
)

const maxFrame = ds.MaxFrame

// press is an input that holds one button, number i.
func press(i int) inputdelay.Input {
	return inputdelay.Input{Keys: 1 << (i % 12)}
}

// goldens are datagrams and their bytes; a change of any of them is another
// version of the protocol.
var goldens = []struct {
	name string
	d    Datagram
	hex  string
}{
	{"empty", Datagram{}, "01 00 00 00 00 00 00 00"},
	{
		"a player's",
		Datagram{
			Machine: 1, Round: 3,
			Frames:  []MachineFrame{{1, 600}},
			Acks:    []SeatFrame{{0, 603}, {1, 604}},
			Windows: []Window{{Seat: 1, First: 598, Inputs: []inputdelay.Input{press(0), press(0), press(0), {}}}},
		},
		"01 01 03" + // version, machine, round
			"01 01 b009" + // machine 1 is at 600
			"00 00" + // no horizon
			"02 00 06 01 08" + // acks of seat 0: 600+3, seat 1: 600+4
			"01 01 d604" + // a window of seat 1 from 598 on
			"04 0180 02 0000", // 4 inputs: A three times, then nothing
	},
	{
		"the game host's",
		Datagram{
			Machine: 0, Round: 300,
			Frames:  []MachineFrame{{0, 1000}, {1, 998}, {15, 1016}},
			Horizon: ds.Horizon{Frame: 1060, Decisions: 2},
			Acks:    []SeatFrame{{15, -1}},
			Windows: []Window{
				{Seat: 0, First: 1004, Inputs: []inputdelay.Input{{Keys: inputdelay.Touch | inputdelay.KeyB, X: 255, Y: 191}}},
				{Seat: 3, First: 0, Inputs: []inputdelay.Input{{Keys: inputdelay.Lid}, {Keys: inputdelay.Mic}}},
			},
		},
		"01 00 ac02" +
			"03 00 d00f 01 03 0f 20" +
			"a408 02" +
			"01 0f d10f" +
			"02 00 ec07 01 0210 ffbf" +
			"03 00 02 0020 0040",
	},
	{
		"at the limits",
		Datagram{
			Machine: 15, Round: math.MaxUint32,
			Frames:  []MachineFrame{{15, maxFrame}, {0, 0}},
			Horizon: ds.Horizon{Frame: maxFrame, Decisions: math.MaxUint32},
			Acks:    []SeatFrame{{0, -1}, {1, maxFrame}},
			Windows: []Window{{Seat: 15, First: maxFrame}},
		},
		"01 0f ffffffff0f" +
			"02 0f 808080808040 00 ffffffffff3f" +
			"808080808020 ffffffff0f" +
			"02 00 818080808040 01 00" +
			"01 0f 808080808020 00",
	},
}

func unhex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestGoldenDatagrams(t *testing.T) {
	var reused Datagram
	for _, g := range goldens {
		want := unhex(t, g.hex)
		if got := g.d.Append(nil); !bytes.Equal(got, want) {
			t.Errorf("%s: encoded\n%x, want\n%x", g.name, got, want)
		}
		got, err := Decode(want)
		if diff := cmp.Diff(g.d, got, cmpopts.EquateEmpty()); err != nil || diff != "" {
			t.Errorf("%s: decoded with error %v, differs:\n%s", g.name, err, diff)
		}
		// A Datagram that held another one must not keep anything of it.
		err = reused.Decode(want)
		if diff := cmp.Diff(g.d, reused, cmpopts.EquateEmpty()); err != nil || diff != "" {
			t.Errorf("%s: decoded again with error %v, differs:\n%s", g.name, err, diff)
		}
		if n, all := g.d.Budget(), MaxDatagram-len(want); n < all {
			t.Errorf("%s: Budget() = %d, less than the %d bytes that are left", g.name, n, all)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	tests := []struct{ name, hex, want string }{
		{"nothing", "", "version is cut off"},
		{"another version", "02 00 00 00 00 00 00 00", "datagram of version 2, this is version 1"},
		{"machine out of range", "01 10 00 00 00 00 00 00", "machine is above 15"},
		{"machine not shortest", "01 8100 00 00 00 00 00 00", "machine is not in its shortest form"},
		{"round too large", "01 00 8080808010 00 00 00 00 00", "round is above 4294967295"},
		{"17 frames", "01 00 00 11", "frame count is above 16"},
		{"giant frame count", "01 00 00 ffffffffffffffffff01", "frame count is above 16"},
		{"frames cut off", "01 00 00 01", "frame's machine is cut off"},
		{"frame of a stranger first", "01 00 00 01 01 00 00 00 00 00", "of machine 1, not of the sender, 0"},
		{"two frames of one machine", "01 00 00 02 00 00 00 00 00 00 00 00", "two frames of machine 0"},
		{"frame -1", "01 00 00 01 00 01 00 00 00 00", "frame is -1, only 0 to 1099511627776"},
		{"frame above the limit", "01 00 00 01 00 828080808040 00 00 00 00", "frame is 1099511627777"},
		{"frame MinInt64", "01 00 00 01 00 ffffffffffffffffff01 00 00 00 00", "frame is -9223372036854775808"},
		{"frame MaxInt64", "01 00 00 01 00 feffffffffffffffff01 00 00 00 00", "frame is 9223372036854775807"},
		{"frame that wraps around", "01 00 00 02 00 02 01 feffffffffffffffff01 00 00 00 00", "frame is -9223372036854775808"},
		{"horizon above the limit", "01 00 00 00 818080808020 00 00 00", "horizon frame is above"},
		{"decisions above the limit", "01 00 00 00 00 8080808010 00 00", "horizon decisions is above"},
		{"17 acks", "01 00 00 00 00 00 11", "ack count is above 16"},
		{"ack of seat 16", "01 00 00 00 00 00 01 10 00 00", "ack's seat is above 15"},
		{"ack -2", "01 00 00 00 00 00 01 00 03 00", "ack is -2, only -1 to"},
		{"two acks of one seat", "01 00 00 00 00 00 02 03 00 03 02 00", "two acks of seat 4"},
		{"17 windows", "01 00 00 00 00 00 00 11", "window count is above 16"},
		{"window of seat 16", "01 00 00 00 00 00 00 01 10 00 00", "window's seat is above 15"},
		{"window from a frame too high", "01 00 00 00 00 00 00 01 00 818080808020 00", "window's first frame is above"},
		{"window too long", "01 00 00 00 00 00 00 01 00 00 8104 0080 8004", "window of seat 1: input count is 513, at most 512"},
		{"window cut off", "01 00 00 00 00 00 00 01 07 00 01 00", "window of seat 8: input 0: keys are cut off"},
		{"two windows of one seat", "01 00 00 00 00 00 00 02 07 00 00 07 00 00", "two windows of seat 8"},
		{"something behind", "01 00 00 00 00 00 00 00 00", "1 bytes follow"},
		{"too long", strings.Repeat("00", MaxDatagram+1), "1201 bytes, at most 1200"},
	}
	for _, tt := range tests {
		_, err := Decode(unhex(t, tt.hex))
		if !errors.Is(err, ErrPeer) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want ErrPeer with %q", tt.name, err, tt.want)
		}
	}
	for _, g := range goldens {
		b := unhex(t, g.hex)
		for n := range b {
			if _, err := Decode(b[:n]); !errors.Is(err, ErrPeer) {
				t.Errorf("%s: cut after %d of %d bytes: error %v", g.name, n, len(b), err)
			}
		}
	}
}

// Whatever a caller puts into a Datagram by mistake must not arrive as something
// else.
func TestAppendOutsideTheLimits(t *testing.T) {
	for _, d := range []Datagram{
		{Machine: 256},
		{Machine: -1},
		{Machine: 1, Frames: []MachineFrame{{1, -1}}},
		{Acks: []SeatFrame{{256, 0}}},
		{Windows: []Window{{Seat: 256}}},
		{Windows: []Window{{First: -1}}},
		{Horizon: ds.Horizon{Frame: -1}},
		{Acks: make([]SeatFrame, 17)},
	} {
		if got, err := Decode(d.Append(nil)); err == nil {
			t.Errorf("%+v arrives as %+v", d, got)
		}
	}
}

func TestBudgetAtTheLimits(t *testing.T) {
	d := Datagram{Machine: 15, Round: math.MaxUint32, Horizon: ds.Horizon{Frame: maxFrame, Decisions: math.MaxUint32}}
	for i := range 16 {
		d.Frames = append(d.Frames, MachineFrame{15 - i, int64(i%2) * maxFrame})
		d.Acks = append(d.Acks, SeatFrame{ds.Seat(i), maxFrame})
	}
	if n := d.Budget(); n < 700 {
		t.Errorf("Budget() = %d, want at least 700", n)
	}
	if n := testing.AllocsPerRun(10, func() { d.Budget() }); n != 0 {
		t.Errorf("Budget allocates %v times", n)
	}
}

func FuzzDecode(f *testing.F) {
	for _, g := range goldens {
		b, err := hex.DecodeString(strings.ReplaceAll(g.hex, " ", ""))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		d, err := Decode(b)
		if err != nil {
			if !errors.Is(err, ErrPeer) {
				t.Fatalf("error %v does not wrap ErrPeer", err)
			}
			return
		}
		if again := d.Append(nil); !bytes.Equal(again, b) {
			t.Fatalf("decoded % x, encoded again % x", b, again)
		}
		// A datagram that decodes may still lie: nothing of it may do harm.
		queue, err := inputdelay.NewQueue(0, 4)
		if err != nil {
			t.Fatal(err)
		}
		c := NewClient(d.Machine, []ds.Seat{0, 1, 2, 3, 4, 5, 6, 7})
		fresh, err := c.Receive(d, func(ds.Seat) *inputdelay.Queue { return queue })
		if err != nil && (!errors.Is(err, ErrPeer) || len(fresh) > 0) {
			t.Fatalf("Receive = %v, %v", fresh, err)
		}
		h := NewHost()
		h.AddSeat(0, 4)
		h.AddClient(d.Machine, []ds.Seat{0})
		if err := h.Put(0, 4, press(1)); err != nil {
			t.Fatal(err)
		}
		if err := h.Ack(d.Machine, d.Acks); err != nil && !errors.Is(err, ErrPeer) {
			t.Fatal(err)
		}
		if _, n := h.Backlog(d.Machine); n < 0 || n > 1 {
			t.Fatalf("Backlog = %d after one input", n)
		}
		p := NewPressure()
		for _, m := range d.Frames {
			p.Add(m.Machine)
			p.Report(m.Machine, m.Frame)
			if got := p.Behind(m.Frame); len(got) > 0 && got[0] == m.Machine {
				t.Fatalf("machine %d is behind its own frame", m.Machine)
			}
		}
	})
}
