package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host"
	"github.com/nettplay/nettplay/internal/bugreport"
)

// packReport packs what a bug report needs: the recording, the settings without
// secrets, versions, and what happened in the game, in words.
func (o *replaying) packReport(ctx context.Context) error {
	settings, err := o.readSettings()
	if err != nil {
		return err
	}
	err = bugreport.Write(o.out.report,
		bugreport.Copy("recording.nplog", o.log.Path, o.log.Size),
		bugreport.Text("config.toml", settings.Show()),
		bugreport.Part{Name: "versions.txt", Write: func(w io.Writer) error { return o.versions(ctx, settings, w) }},
		bugreport.Part{Name: "log.txt", Write: o.history},
	)
	if err != nil {
		return err
	}
	fmt.Fprintf(o.env.stdout, "%s has the recording (with the players' names, their consoles' settings and saves), your\nsettings without passwords, and versions. It has no game and no core.\n", o.out.report)
	return nil
}

func (o *replaying) versions(ctx context.Context, settings config.Config, w io.Writer) error {
	bugreport.WriteVersions(w, version, host.Protocol)
	fmt.Fprintf(w, "recorded by nettplay %s\n", o.log.Program)
	dirs, err := config.ExpandAll(settings.Core.Folders)
	if err != nil {
		return err
	}
	cores, _ := emucore.FindCores(ctx, dirs)
	for _, c := range cores {
		fmt.Fprintf(w, "core here: %s %s %x\n", c.Name, c.Version, c.SHA256)
	}
	c := o.log.Settings.Core
	_, err = fmt.Fprintf(w, "core of the recording: %s %s %x\n", c.Name, c.Version, c.SHA256)
	return err
}

// history is what the recording tells, in words.
func (o *replaying) history(w io.Writer) error {
	l := o.log
	fmt.Fprintf(w, "%s, recorded on machine %d, %s\n", l.Game(), l.Machine, l.Began.UTC().Format("2006-01-02 15:04:05 MST"))
	fmt.Fprintf(w, "input delay %d, hashes every %d frames, skew %d, clock %d\n", l.Settings.Delay, l.Settings.HashEvery, l.Settings.Skew, l.Settings.RTC)
	for _, s := range l.Seats {
		fmt.Fprintf(w, "seat %d: %s on machine %d, %v, %s\n", s.Plan.Seat+1, s.Plan.Nickname, s.Plan.Machine, s.Plan.ROM, count(l.Frames(s.Plan.Seat), "frame"))
	}
	for _, d := range l.Decisions {
		line := fmt.Sprintf("frame %d: %v", d.Frame, d.Kind)
		switch d.Kind {
		case host.Leave, host.Idle:
			line += fmt.Sprintf(" seat %d, inputs up to frame %d", d.Seat+1, d.InputEnd)
		case host.SetDelay:
			line += fmt.Sprintf(" %d", d.Delay)
		}
		if d.Why != "" {
			line += ": " + d.Why
		}
		fmt.Fprintln(w, line)
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
