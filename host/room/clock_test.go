package room

import (
	"testing"
	"time"
)

func TestClockAt(t *testing.T) {
	east, west := time.FixedZone("", 2*3600), time.FixedZone("", -5*3600)
	for _, tt := range []struct {
		now  time.Time
		want string
	}{
		{time.Date(2026, 5, 6, 1, 2, 3, 999, east), "6 May 2026, 01:02"},
		{time.Date(2026, 5, 6, 1, 2, 3, 999, west), "6 May 2026, 01:02"},
		{time.Date(1970, 1, 1, 0, 0, 0, 0, time.UTC), "1 January 2000, 00:00"},
		{time.Date(2262, 1, 1, 0, 0, 0, 0, time.UTC), "31 December 2099, 23:59"},
	} {
		if got := ClockWords(ClockAt(tt.now)); got != tt.want {
			t.Errorf("at %v consoles show %s, want %s", tt.now, got, tt.want)
		}
	}
}

func TestWrongClock(t *testing.T) {
	if why := WrongClock(time.Date(1970, 1, 1, 3, 0, 0, 0, time.UTC)); why != "this computer's clock says 1 January 1970" {
		t.Errorf("%q", why)
	}
	if why := WrongClock(time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)); why != "" {
		t.Errorf("%q", why)
	}
}
