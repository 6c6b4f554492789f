package session

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

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
