package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/replay"
)

// Recording is a bug report of a recording.
type Recording struct {
	Log      *replay.Log
	Settings string        // as text, without secrets
	Program  string        // version of this program
	Cores    []room.CoreID // that are here
}

// Write writes the report: the recording, settings, versions, and what happened in the
// game, in words.
func (r Recording) Write(path string) error {
	return Write(path,
		Copy("recording.nplog", r.Log.Path, r.Log.Size),
		Text("config.toml", r.Settings),
		Part{Name: "versions.txt", Write: r.versions},
		Part{Name: "log.txt", Write: r.history},
	)
}

func (r Recording) versions(w io.Writer) error {
	WriteVersions(w, r.Program, message.Protocol)
	fmt.Fprintf(w, "recorded by nettplay %s\n", r.Log.Program)
	for _, c := range r.Cores {
		fmt.Fprintf(w, "core here: %s %s %x\n", c.Name, c.Version, c.SHA256)
	}
	c := r.Log.Settings.Core
	_, err := fmt.Fprintf(w, "core of the recording: %s %s %x\n", c.Name, c.Version, c.SHA256)
	return err
}

// history writes the recording's account, in words.
func (r Recording) history(w io.Writer) error {
	l := r.Log
	fmt.Fprintf(w, "%s, recorded on machine %d, %s\n", l.Game(), l.Machine, l.Began.UTC().Format("2006-01-02 15:04:05 MST"))
	fmt.Fprintf(w, "input delay %d, hashes every %d frames, skew %d, clock %d\n", l.Settings.Delay, l.Settings.HashEvery, l.Settings.Skew, l.Settings.RTC)
	for _, s := range l.Seats {
		fmt.Fprintf(w, "seat %v: %s on machine %d, %v, %d frames\n", s.Plan.Seat, s.Plan.Nickname, s.Plan.Machine, s.Plan.ROM, l.Frames(s.Plan.Seat))
	}
	for _, d := range l.Decisions {
		fmt.Fprintln(w, decisionWords(d))
	}
	end := "the recording just stops"
	switch {
	case l.Ended:
		end = "ended: " + l.Why
	case l.Cut != "":
		end = l.Cut
	}
	_, err := fmt.Fprintln(w, strings.TrimSpace(end))
	return err
}

// decisionWords are a decision in a line.
func decisionWords(d timeline.Decision) string {
	line := fmt.Sprintf("frame %d: %v", d.Frame, d.Kind)
	switch d.Kind {
	case timeline.Leave, timeline.Idle:
		line += fmt.Sprintf(" seat %v, inputs up to frame %d", d.Seat, d.InputEnd)
	case timeline.SwitchOn:
		line += fmt.Sprintf(" seat %v", d.Seat)
	case timeline.SeatDelay:
		line += fmt.Sprintf(", seat %v: %d", d.Seat, d.Delay)
		if d.Offset > 0 {
			line += fmt.Sprintf(", offset %d", d.Offset)
		}
	case timeline.AutoDelay:
		line += fmt.Sprintf(" %v", d.Auto)
	case timeline.SetDelay:
		line += fmt.Sprintf(" %d", d.Delay)
	}
	if d.Why != "" {
		line += ": " + d.Why
	}
	return line
}
