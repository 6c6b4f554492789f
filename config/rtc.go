package config

import (
	"errors"
	"fmt"
	"time"
)

// RTC says what a console's clock shows when a game starts.
type RTC struct {
	Now     bool  // what the clock on the user's wall shows
	Seconds int64 // since 1970, of a clock without time zones; 0 if Now
}

// rtcAllowed describes a start of the clock.
const rtcAllowed = `"now" or a time in quotes like "2009-10-24 18:30:00", from 2000 to 2099`

// rtcForms are the ways to write a time, the first as it is written back.
var rtcForms = [...]string{time.DateTime, "2006-01-02T15:04:05", "2006-01-02 15:04", time.DateOnly}

// ParseRTC reads "now" or a time, "2009-10-24 18:30:00", with or without seconds,
// or a date alone for midnight.
func ParseRTC(text string) (RTC, error) {
	r, err := parseRTC(text)
	if err != nil {
		return RTC{}, fmt.Errorf("%w; allowed: %s", err, rtcAllowed)
	}
	return r, nil
}

// parseRTC does not say what is allowed: in a file's errors that stands behind.
func parseRTC(text string) (RTC, error) {
	if text == "now" {
		return RTC{Now: true}, nil
	}
	for _, form := range rtcForms {
		t, err := time.Parse(form, text)
		if err != nil {
			continue
		}
		r := RTC{Seconds: t.Unix()}
		if why := whyRTC(r); why != "" {
			return RTC{}, errors.New(why)
		}
		return r, nil
	}
	return RTC{}, fmt.Errorf("%q is not a time", text)
}

// String returns the RTC as the file has it.
func (r RTC) String() string {
	if r.Now {
		return "now"
	}
	return time.Unix(r.Seconds, 0).UTC().Format(rtcForms[0])
}

// MarshalText writes what UnmarshalText reads.
func (r RTC) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads what ParseRTC reads.
func (r *RTC) UnmarshalText(text []byte) (err error) {
	*r, err = parseRTC(string(text))
	return err
}

// whyRTC refuses what the clock of a DS cannot show: it has two digits for the
// year (GBATEK, "DS Real-Time Clock").
func whyRTC(r RTC) string {
	if r.Now && r.Seconds != 0 {
		return "is both now and a fixed time"
	}
	if year := time.Unix(r.Seconds, 0).UTC().Year(); !r.Now && (year < 2000 || year > 2099) {
		return fmt.Sprintf("the year %d is none that the console's clock can show", year)
	}
	return ""
}
