package portmap

import (
	"errors"
	"net"
	"slices"
	"testing"
	"time"

	natpmp "github.com/jackpal/go-nat-pmp"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// A router that speaks NAT-PMP and answers so: with which result for its address, and for a mapping, or not at all.
func TestNATPMPAnswers(t *testing.T) {
	must.HaveLinux(t, "a second address of the loopback, from which Wine does not answer")
	address := net.IPv4(127, 0, 0, 77)
	conn, err := net.ListenUDP("udp4", &net.UDPAddr{IP: address, Port: 5351}) // the library knows no other port
	if err != nil {
		t.Skipf("SKIPPED: no NAT-PMP router can be played here: %v", err)
	}
	defer conn.Close()
	type behaviour struct{ address, mapping int } // results; -1: no answer
	now, asked := make(chan behaviour, 1), make(chan byte, 100)
	go func() {
		for b := make([]byte, 100); ; {
			n, from, err := conn.ReadFromUDPAddrPort(b)
			if err != nil {
				return
			}
			is := <-now
			now <- is
			answer := []byte{0, 0x80 | b[1], 0, byte(is.address), 0, 0, 0, 1, 203, 0, 113, 7}
			if b[1] == 1 {
				is.address = is.mapping
				answer = append([]byte{0, 0x81, 0, byte(is.mapping), 0, 0, 0, 1}, b[4:n]...)
			}
			asked <- b[1]
			if is.address >= 0 {
				_, _ = conn.WriteToUDPAddrPort(answer, from)
			}
		}
	}()
	for name, c := range map[string]struct {
		behaviour
		want  error
		asked []byte
	}{
		"maps":       {behaviour{0, 0}, nil, []byte{0, 1}},
		"no address": {behaviour{3, 3}, ErrBehind, []byte{0}},
		"no NAT-PMP": {behaviour{5, 5}, ErrNone, []byte{0}},
		"refuses":    {behaviour{0, 2}, refused{}, []byte{0, 1}},
	} {
		now <- c.behaviour
		r := &natPMP{client: natpmp.NewClientWithTimeout(address, findTime/2)}
		m, err := (&keeper{port: 21204}).add(t.Context(), r)
		right := errors.Is(err, c.want)
		if c.want == (refused{}) {
			right = errors.As(err, new(refused))
		}
		if !right || m.Outside.IsValid() != (c.want == nil) {
			t.Errorf("%s: %+v, %v", name, m, err)
		}
		var got []byte
		for len(asked) > 0 {
			got = append(got, <-asked)
		}
		if !slices.Equal(got, c.asked) {
			t.Errorf("%s: asked %v", name, got)
		}
		<-now
	}
	// One that falls silent amid it may have forwarded the port.
	now <- behaviour{0, -1}
	if m, err := (&keeper{port: 21204}).add(t.Context(), &natPMP{client: natpmp.NewClientWithTimeout(address, 300*time.Millisecond)}); err == nil {
		t.Errorf("%+v", m)
	}
	asks := 0
	for len(asked) > 0 {
		if <-asked == 1 {
			asks++
		}
	}
	if asks < 2 {
		t.Errorf("it is asked %d times for the port, want once more to give it back", asks)
	}
}

// A router that has given another port is asked for that one when the mapping is renewed: by the first one that
// was asked for, when it becomes free, the room would move away from where friends look for it.
func TestNATPMPKeepsItsPort(t *testing.T) {
	must.HaveLinux(t, "a second address of the loopback, from which Wine does not answer")
	address := net.IPv4(127, 0, 0, 78)
	conn, err := net.ListenUDP("udp4", &net.UDPAddr{IP: address, Port: 5351}) // the library knows no other port
	if err != nil {
		t.Skipf("SKIPPED: no NAT-PMP router can be played here: %v", err)
	}
	defer conn.Close()
	go func() {
		busy := true // the port as another machine's, at first
		for b := make([]byte, 100); ; {
			n, from, err := conn.ReadFromUDPAddrPort(b)
			if err != nil {
				return
			}
			answer := []byte{0, 0x80 | b[1], 0, 0, 0, 0, 0, 1, 203, 0, 113, 7}
			if b[1] == 1 {
				answer = append([]byte{0, 0x81, 0, 0, 0, 0, 0, 1}, b[4:n]...)
				if busy {
					answer[11]++
				}
				busy = false
			}
			_, _ = conn.WriteToUDPAddrPort(answer, from)
		}
	}()
	r, k := &natPMP{client: natpmp.NewClientWithTimeout(address, findTime/2)}, &keeper{port: 21204}
	for range 2 {
		if m, err := k.add(t.Context(), r); err != nil || m.Outside.Port() != 21205 {
			t.Errorf("%+v, %v; want port 21205", m, err)
		}
	}
}
