package udp

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nettplay/nettplay/internal/link"
)

func TestGoldenTogether(t *testing.T) {
	list := [][]byte{unhex(t, "C3 0000"), unhex(t, "C4"), append(unhex(t, "C0"), make([]byte, 200)...)}
	want := append(unhex(t, "03 C3 0000 01 C4 C901 C0"), make([]byte, 200)...)
	b := appendTogether(nil, list)
	if !bytes.Equal(b, want) {
		t.Errorf("got %x, want %x", b, want)
	}
	if got, err := splitTogether(b); err != nil || !cmp.Equal(got, list) {
		t.Errorf("%x, %v", got, err)
	}
}

func TestTogetherRefuses(t *testing.T) {
	for name, x := range map[string]struct {
		hex  string
		want error
	}{
		"cut":              {"03 C3 00", errLength},
		"nothing":          {"01 C4 00", errLength},
		"size cut":         {"01 C4 80", errLength},
		"size not least":   {"8100 C4", errLength},
		"giant size":       {"FFFFFFFFFFFFFFFFFF01 C4", errLength},
		"bulk":             {"01 C1", errKind},
		"carry":            {"0D CB 0000000000000000000000 00", errKind},
		"one in another":   {"03 CE 01 C4", errKind},
		"a greeting":       {"01 A0", errKind},
		"nine":             {"01C4 01C4 01C4 01C4 01C4 01C4 01C4 01C4 01C4", errTogether},
		"bye among others": {"01 C4 02 C5 41", errKind},
	} {
		if list, err := splitTogether(unhex(t, x.hex)); !errors.Is(err, x.want) || !errors.Is(err, errTogether) {
			t.Errorf("%s: %x, %v", name, list, err)
		}
	}
}

func FuzzTogether(f *testing.F) {
	f.Add([]byte{3, 0xC3, 0, 0, 1, 0xC4})
	f.Fuzz(func(t *testing.T, b []byte) { looksAtTogether(t, b) })
}

func looksAtTogether(t *testing.T, b []byte) (well bool) {
	list, err := splitTogether(b)
	if err == nil && !bytes.Equal(appendTogether(nil, list), b) {
		t.Fatalf("%x became %x", b, list)
	}
	return err == nil
}

// Datagrams that wait for an input's wait only where one is near, and not for long.
func TestTogetherWaits(t *testing.T) {
	at := func(ms int) time.Time { return time.Unix(100, 0).Add(time.Duration(ms) * time.Millisecond) }
	var w together
	ack := append(make([]byte, headRoom), unhex(t, "0001 01000001 00010002")...)
	if w.flows(at(0)) || w.keep(ack, at(0)) {
		t.Error("something waits before any input")
	}
	w.input = at(0)
	if !w.keep(ack, at(5)) || w.rest(at(6), time.Second) != togetherWait-time.Millisecond {
		t.Errorf("waits for %v", w.rest(at(6), time.Second))
	}
	if data := append(make([]byte, headRoom), unhex(t, "0001 49010001 00010001 05")...); w.keep(data, at(6)) {
		t.Error("data waits")
	}
	w.keep(ack, at(7))
	w.keep(ack, at(8))
	if w.keep(ack, at(9)) || len(w.idle) != idleWaits {
		t.Errorf("%d datagrams wait", len(w.idle))
	}
	if w.rest(at(25), time.Second) > 0 {
		t.Error("the first has waited for 20 ms, and still does")
	}
	if w.flows(at(50)) {
		t.Error("no input was sent for 50 ms, and still one is expected")
	}
}

func TestIsIdle(t *testing.T) {
	for hex, want := range map[string]bool{
		"8001 1234 85FF0001":                          true,  // a ping
		"0001 01000001 00010002":                      true,  // an acknowledgement
		"8001 1234 01000001 00010002 85FF0001":        true,  // both
		"0001 49010001 00010001 05":                   false, // an input
		"0001 01000001 00010002 49010001 00010001 05": false,
		"8001 1234 86000001 0001 05":                  false, // a segment
		"0FFF 01000001 00010002":                      false, // of a carrier that opens
		"0001 01000001 0001":                          false,
		"8001":                                        false,
		"":                                            false,
	} {
		if got := isIdle(unhex(t, hex)); got != want {
			t.Errorf("%s: %v", hex, got)
		}
	}
}

// All that can go together passes every path in one piece.
func TestTogetherFits(t *testing.T) {
	list := [][]byte{make([]byte, 1+roomyMain)}
	for range idleWaits {
		list = append(list, make([]byte, 1+idleSize))
	}
	for range 3 { // ping, pong and progress
		list = append(list, make([]byte, 1+echoSize))
	}
	if n := len(appendTogether(nil, list)); n > link.PathPayload {
		t.Errorf("%d bytes, at most %d fit", n, link.PathPayload)
	}
	if roomyMain < 500 {
		t.Errorf("%d bytes are left for ENet's datagram", roomyMain)
	}
}
