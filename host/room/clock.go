package room

import (
	"fmt"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
)

// ClockAt returns what the clock on the wall shows at a time, in that time's zone, as consoles' clocks have it:
// in seconds since 1970, without a zone. Years that no console shows become the nearest that it does.
func ClockAt(now time.Time) int64 {
	_, offset := now.Zone()
	return min(max(now.Unix()+int64(offset), MinRTC), maxRTC)
}

// WrongClock tells in words that a computer's clock cannot be right, as that of a board without a battery, which
// begins in 1970; "" for one that may be.
func WrongClock(now time.Time) string {
	if now.Year() >= 2026 && now.Year() <= 2099 { // there was no nettplay before
		return ""
	}
	return fmt.Sprintf("this computer's clock says %s", now.Format("2 January 2006"))
}

// ClockWords are what a console's clock shows, for people.
func ClockWords(rtc int64) string { return time.Unix(rtc, 0).UTC().Format("2 January 2006, 15:04") }

// StartClock is what the consoles' clocks show at the first frame of a game that starts now.
func (s Settings) StartClock(now time.Time) int64 {
	if !s.ClockNow || s.Continues.Any() { // a kept game goes on with its own
		return s.RTC
	}
	return max(s.RTC, ClockAt(now))
}

// NextClock is the RTC of the lobby after a game with these settings of which so many frames may have been played: the next
// one begins no earlier, whatever the next game host's clock says.
func (s Settings) NextClock(frames int64) int64 {
	if !s.ClockNow && !s.Continues.Any() {
		return s.RTC
	}
	return min(s.RTC+int64((ds.FrameTime(frames)+time.Second-1)/time.Second), maxRTC)
}
