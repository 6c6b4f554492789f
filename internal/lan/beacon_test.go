package lan

import (
	"bytes"
	"encoding/hex"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/testing/must"
)

func sample() Beacon {
	return Beacon{
		ID: 0x1122334455667788, Port: 21204, ROM: [8]byte{1, 2, 3, 4, 5, 6, 7, 8}, Players: 1, Seats: 4,
		Password: true, Wireless: true, Watch: true, Late: true, Room: "Ann's room", Host: "Ann", Game: "Pad test", Core: "melonDS DS", Program: "1.0",
	}
}

var plainly = cmpopts.EquateComparable(Beacon{})

// TestBeaconBytes pins the format: programs of different versions must
// understand each other.
func TestBeaconBytes(t *testing.T) {
	const want = "6e706201" + "33010400" + "8877665544332211" + "d452" + "0102030405060708" +
		"0a416e6e277320726f6f6d" + "03416e6e" + "085061642074657374" + "0a6d656c6f6e4453204453" + "03312e30"
	if got := hex.EncodeToString(sample().Append(nil)); got != want {
		t.Errorf("beacon is\n%s, want\n%s", got, want)
	}
}

func TestBeaconThereAndBack(t *testing.T) {
	long := sample()
	long.Room = strings.Repeat("とても長い名前", 20)
	for name, b := range map[string]Beacon{
		"usual": sample(), "empty texts": {ID: 1, Port: 1, Seats: 2}, "gone": {ID: 1, Port: 1, Seats: 2, gone: true},
		"playing": {ID: 1, Port: 65535, Players: 16, Seats: 16, Playing: true, Room: "ルーム"}, "long": long,
		"to be watched": {ID: 1, Port: 1, Seats: 2, Watch: true}, "for late-comers": {ID: 1, Port: 1, Seats: 2, Late: true},
	} {
		got, err := ParseBeacon(b.Append(nil))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if name == "long" {
			if !strings.HasPrefix(b.Room, got.Room) || len(got.Room) < maxText-3 || !utf8.ValidString(got.Room) {
				t.Errorf("a long name came as %q", got.Room)
			}
			got.Room = b.Room
		}
		if diff := cmp.Diff(b, got, plainly); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestBeaconRefusesWhatIsWrong(t *testing.T) {
	good := sample().Append(nil)
	with := func(at int, v byte) []byte { b := bytes.Clone(good); b[at] = v; return b }
	for name, c := range map[string]struct {
		datagram []byte
		want     string
	}{
		"nothing":            {nil, "not a beacon"},
		"somebody else's":    {[]byte("M-SEARCH * HTTP/1.1"), "not a beacon"},
		"a later version":    {with(3, 2), "version 2"},
		"cut off":            {good[:20], "20 bytes"},
		"without its end":    {good[:len(good)-1], "program: cut short"},
		"without its texts":  {good[:beaconFixed], "room: cut short"},
		"with a huge text":   {with(beaconFixed, 255), "room: cut short"},
		"port 0":             {append(append(bytes.Clone(good[:16]), 0, 0), good[18:]...), "port 0"},
		"no seats":           {with(6, 0), "1 players on 0 seats"},
		"more than there is": {with(5, 9), "9 players on 4 seats"},
		"too large":          {append(bytes.Clone(good), make([]byte, MaxBeacon)...), "not in"},
	} {
		if _, err := ParseBeacon(c.datagram); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", name, err, c.want)
		}
	}
	if _, err := ParseBeacon(append(good, "from the future"...)); err != nil {
		t.Errorf("with more at its end: %v", err)
	}
}

func TestBeaconCleansTexts(t *testing.T) {
	b := sample()
	b.Room = "Room"
	b.Host = "Anne"
	datagram := bytes.Replace(b.Append(nil), []byte("Room"), []byte("R\x1b\nm"), 1)
	datagram = bytes.Replace(datagram, []byte("Anne"), []byte("A\u202ee"[:4]), 1)
	got, err := ParseBeacon(datagram)
	if err != nil || got.Room != "R m" || got.Host != "A" {
		t.Errorf("texts came as %q and %q (%v), want no terminal escape and no mark that turns the direction", got.Room, got.Host, err)
	}
}

// TestBlankNamesAreShown: letters that show nothing, of which some print, make no room without a name.
func TestBlankNamesAreShown(t *testing.T) {
	b := sample()
	b.Room, b.Host = "Room", "Anne567"
	datagram := bytes.Replace(b.Append(nil), []byte("\x04Room"), []byte("\x03\u3164"), 1)
	datagram = bytes.Replace(datagram, []byte("Anne567"), []byte("\u2800A\uffa0"), 1)
	got, err := ParseBeacon(datagram)
	if err != nil || got.Room != phrase.Nameless || got.Host != "A" {
		t.Errorf("names came as %q and %q, %v", got.Room, got.Host, err)
	}
}

func FuzzParseBeacon(f *testing.F) {
	f.Add(sample().Append(nil))
	f.Add(Beacon{Port: 1, Seats: 1, gone: true}.Append(nil))
	f.Add([]byte("npb\x01"))
	f.Fuzz(func(t *testing.T, datagram []byte) { looksAtBeacon(t, datagram) })
}

func looksAtBeacon(t *testing.T, datagram []byte) (well bool) {
	b, err := ParseBeacon(datagram)
	if err != nil {
		return false
	}
	for _, text := range []string{b.Room, b.Host, b.Game, b.Core, b.Program} {
		if len(text) > maxText || !utf8.ValidString(text) || clean(text) != text {
			t.Fatalf("text %q is not clean", text)
		}
	}
	again, err := ParseBeacon(b.Append(nil))
	if err != nil || again != b {
		t.Fatalf("%+v came back as %+v (%v)", b, again, err)
	}
	return true
}

// TestManyInputs is the fuzz target of beacons with ten million inputs.
func TestManyInputs(t *testing.T) {
	must.SurviveInputs(t, [][]byte{sample().Append(nil), Beacon{Port: 1, Seats: 1, gone: true}.Append(nil)}, looksAtBeacon)
}
