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
	"github.com/nettplay/nettplay/internal/testing/must"
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
	{"empty", Datagram{Frames: []MachineFrame{{0, 0}}}, "20 00 00 00 00 00 00 00"},
	{
		"a player's",
		Datagram{
			Machine: 1, Round: 3,
			Frames:  []MachineFrame{{1, 600}},
			Acks:    []SeatFrame{{0, 603}, {1, 604}},
			Windows: []Window{{Seat: 1, First: 598, Inputs: []inputdelay.Input{press(0), press(0), press(0), {}}}},
		},
		"21 03" + // version and machine, round
			"d804 00" + // machine 1 is at 600, nothing is told of others
			"00 00" + // no horizon
			"03 06 08" + // acks of seat 0: 600+3, seat 1: 600+4
			"01 01 03" + // a window of seat 1 from 600-2 on
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
		"20 ac02" +
			"e807 828002 03 20" + // 1000; machines 1 and 15: 1000-2, 1000+16
			"79 02" + // horizon 1000+60
			"808002 d10f" + // ack of seat 15: -1
			"02 00 08 01 0210 ffbf" +
			"03 cf0f 02 0020 0040",
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
		"2f ffffffff0f" +
			"808080808020 01 ffffffffff3f" +
			"01 ffffffff0f" +
			"03 818080808040 00" +
			"01 0f 00 00",
	},
}

func unhex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	must.Succeed(t, err)
	return b
}

func TestGoldenDatagrams(t *testing.T) {
	var reused Datagram
	for _, g := range goldens {
		want := unhex(t, g.hex)
		if got := g.d.Append(nil); !bytes.Equal(got, want) {
			t.Errorf("%s: encoded\n%x, want\n%x", g.name, got, want)
		}
		got, err := decode(want)
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
		{"another version", "10 00 00 00 00 00 00 00", "datagram of version 1, this is version 2"},
		{"round too large", "20 8080808010 00 00 00 00 00 00", "round is above 4294967295"},
		{"round not shortest", "20 8100 00 00 00 00 00 00", "round is not in its shortest form"},
		{"sender's frame above the limit", "20 00 818080808020 00 00 00 00 00", "sender's frame is above"},
		{"a 17th machine", "20 00 00 808004 00 00 00 00", "machines of frames is above 65535"},
		{"giant set of machines", "20 00 00 ffffffffffffffffff01", "machines of frames is above"},
		{"frames cut off", "20 00 00 02", "frame is cut off"},
		{"two frames of the sender", "23 00 00 08 00 00 00 00 00", "two frames of machine 3"},
		{"frame -1", "20 00 00 02 01 00 00 00 00", "frame is -1, only 0 to 1099511627776"},
		{"frame above the limit", "20 00 00 02 828080808040 00 00 00 00", "frame is 1099511627777"},
		{"frame MinInt64", "20 00 00 02 ffffffffffffffffff01 00 00 00 00", "frame is -9223372036854775808"},
		{"frame MaxInt64", "20 00 00 02 feffffffffffffffff01 00 00 00 00", "frame is 9223372036854775807"},
		{"frame that wraps around", "20 00 01 02 feffffffffffffffff01 00 00 00 00", "frame is -9223372036854775808"},
		{"horizon above the limit", "20 00 00 00 838080808040 00 00 00", "horizon frame is 1099511627777"},
		{"horizon 0 as a distance", "20 00 01 00 02 00 00 00", "horizon frame is 0, only 1 to"},
		{"giant horizon", "20 00 00 00 ffffffffffffffffff01 00 00 00", "horizon frame is 9223372036854775807"},
		{"decisions above the limit", "20 00 00 00 00 8080808010 00 00", "horizon decisions is above"},
		{"a 17th seat", "20 00 00 00 00 00 808004 00", "seats of acks is above 65535"},
		{"ack -2", "20 00 00 00 00 00 01 03 00", "ack is -2, only -1 to"},
		{"ack cut off", "20 00 00 00 00 00 03 00", "ack is cut off"},
		{"17 windows", "20 00 00 00 00 00 00 11", "window count is above 16"},
		{"window of seat 16", "20 00 00 00 00 00 00 01 10 00 00", "window's seat is above 15"},
		{"window from a frame too high", "20 00 00 00 00 00 00 01 00 828080808040 00", "window's first frame is 1099511627777"},
		{"window from frame -1", "20 00 00 00 00 00 00 01 00 01 00", "window's first frame is -1"},
		{"window too long", "20 00 00 00 00 00 00 01 00 00 8104 0080 8004", "window of seat 1: input count is 513, at most 512"},
		{"window cut off", "20 00 00 00 00 00 00 01 07 00 01 00", "window of seat 8: input 0: keys are cut off"},
		{"two windows of one seat", "20 00 00 00 00 00 00 02 07 00 00 07 00 00", "two windows of seat 8"},
		{"something behind", "20 00 00 00 00 00 00 00 00", "1 bytes follow"},
		{"too long", strings.Repeat("00", MaxDatagram+1), "1099 bytes, at most 1098"},
	}
	for _, tt := range tests {
		_, err := decode(unhex(t, tt.hex))
		if !errors.Is(err, ErrPeer) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want ErrPeer with %q", tt.name, err, tt.want)
		}
	}
	for _, g := range goldens {
		b := unhex(t, g.hex)
		for n := range b {
			if _, err := decode(b[:n]); !errors.Is(err, ErrPeer) {
				t.Errorf("%s: cut after %d of %d bytes: error %v", g.name, n, len(b), err)
			}
		}
	}
}

// Mistakes that a caller puts into a Datagram must not arrive as something
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
		{Horizon: ds.Horizon{Frame: maxFrame + 1}},
		{Acks: make([]SeatFrame, 17)},
		{Acks: []SeatFrame{{1, 0}, {0, 0}}},
		{Acks: []SeatFrame{{-1, 0}}},
		{Frames: []MachineFrame{{1, 0}}},
		{Frames: []MachineFrame{{0, 0}, {0, 0}}},
		{Frames: []MachineFrame{{0, 0}, {2, 0}, {1, 0}}},
	} {
		if got, err := decode(d.Append(nil)); err == nil {
			t.Errorf("%+v arrives as %+v", d, got)
		}
	}
}

func TestBudgetAtTheLimits(t *testing.T) {
	d := Datagram{Machine: 15, Round: math.MaxUint32, Horizon: ds.Horizon{Frame: maxFrame, Decisions: math.MaxUint32}}
	for i := range 16 {
		d.Frames = append(d.Frames, MachineFrame{(i + 15) % 16, int64(i%2) * maxFrame})
		d.Acks = append(d.Acks, SeatFrame{ds.Seat(i), maxFrame})
	}
	if n := d.Budget(); n < 700 {
		t.Errorf("Budget() = %d, want at least 700", n)
	}
	if n := testing.AllocsPerRun(10, func() { d.Budget() }); n != 0 {
		t.Errorf("Budget allocates %v times", n)
	}
}

func decode(b []byte) (d Datagram, err error) {
	err = d.Decode(b)
	return d, err
}

func FuzzDecode(f *testing.F) {
	for _, g := range goldens {
		b, err := hex.DecodeString(strings.ReplaceAll(g.hex, " ", ""))
		must.Succeed(f, err)
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) { looksAtDatagram(t, b) })
}

func looksAtDatagram(t *testing.T, b []byte) (well bool) {
	d, err := decode(b)
	if err != nil {
		if !errors.Is(err, ErrPeer) {
			t.Fatalf("error %v does not wrap ErrPeer", err)
		}
		return false
	}
	if again := d.Append(nil); !bytes.Equal(again, b) {
		t.Fatalf("decoded % x, encoded again % x", b, again)
	}
	// A datagram that decodes may still lie: nothing of it may do harm.
	queue, err := inputdelay.NewQueue(0, 4)
	must.Succeed(t, err)
	c := NewClient(d.Machine, []ds.Seat{0, 1, 2, 3, 4, 5, 6, 7})
	fresh, err := c.Receive(d, func(ds.Seat) *inputdelay.Queue { return queue })
	if err != nil && (!errors.Is(err, ErrPeer) || len(fresh) > 0) {
		t.Fatalf("Receive = %v, %v", fresh, err)
	}
	h := NewHost()
	h.AddSeat(0, 4)
	h.AddClient(d.Machine, []ds.Seat{0})
	must.Succeed(t, h.Put(0, 4, press(1)))
	if err := h.Ack(d.Machine, d.Acks); err != nil && !errors.Is(err, ErrPeer) {
		t.Fatal(err)
	}
	if _, n := h.Backlog(d.Machine); n < 0 || n > 1 {
		t.Fatalf("Backlog = %d after one input", n)
	}
	p := new(Pressure)
	for _, m := range d.Frames {
		p.Add(m.Machine)
		p.Report(m.Machine, m.Frame)
		if got := p.Behind(m.Frame); len(got) > 0 && got[0] == m.Machine {
			t.Fatalf("machine %d is behind its own frame", m.Machine)
		}
	}
	return true
}

// TestManyInputs is the fuzz target of datagrams with ten million inputs.
func TestManyInputs(t *testing.T) {
	var seeds [][]byte
	for _, g := range goldens {
		b, err := hex.DecodeString(strings.ReplaceAll(g.hex, " ", ""))
		must.Succeed(t, err)
		seeds = append(seeds, b)
	}
	must.SurviveInputs(t, seeds, looksAtDatagram)
}
