package start

import (
	"testing"
	"time"
)

func TestAgoWords(t *testing.T) {
	now := time.Date(2026, 5, 4, 20, 0, 0, 0, time.UTC)
	for ago, want := range map[time.Duration]string{
		time.Second: "just now", time.Minute: "1 minute ago", 5 * time.Hour: "5 hours ago", 30 * time.Hour: "yesterday", 100 * 24 * time.Hour: "January 2026",
	} {
		if got := agoWords(now.Add(-ago), now); got != want {
			t.Errorf("%v ago: %q, want %q", ago, got, want)
		}
	}
}
