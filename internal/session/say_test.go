package session

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/session/notice"
)

// One thing that happens is told once, however many of its consequences name it; when
// it happens again it is told again.
func TestSameNewsIsToldOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var heard []string
		s := &session{
			cfg:     Config{Notify: func(n notice.Notice) { heard = append(heard, n.(notice.Message).Text) }},
			telling: telling{said: make(map[string]time.Time)},
		}
		s.Say("%s's machine failed", "Bob")
		s.Say("Bob left")
		s.Say("Bob's machine failed")
		time.Sleep(time.Minute)
		s.Say("Bob's machine failed")
		if want := []string{"Bob's machine failed", "Bob left", "Bob's machine failed"}; !slices.Equal(heard, want) {
			t.Errorf("%q", heard)
		}
	})
}

// Of a dump that may have lost its signature it is told once what it is not good for.
func TestUnsignedDumpIsToldOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var heard []string
		s := &session{
			cfg:     Config{Notify: func(n notice.Notice) { heard = append(heard, n.(notice.Message).Text) }},
			telling: telling{said: make(map[string]time.Time)},
		}
		one, two := room.ROMID{SHA256: [32]byte{1}, Title: "One"}, room.ROMID{SHA256: [32]byte{2}, Title: "Two"}
		s.games.ROMs = map[[32]byte]*emucore.ROM{one.SHA256: {Unsigned: true}, two.SHA256: {}}
		for range 3 {
			s.tellUnsigned([]room.ROMID{one, two, one, {SHA256: [32]byte{3}}})
			time.Sleep(time.Minute)
		}
		if len(heard) != 1 || !strings.Contains(heard[0], "Your dump of One") || !strings.Contains(heard[0], "Download Play") {
			t.Errorf("%q", heard)
		}
	})
}
