package main

import (
	"archive/zip"
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host"
	"github.com/nettplay/nettplay/internal/atomicfile"
	"golang.org/x/sys/unix"
)

// packReport packs what a bug report needs: the recording, the settings without
// secrets, versions, and what happened in the game, in words.
func (o *replaying) packReport(ctx context.Context, env *environment) error {
	err := atomicfile.WriteFunc(o.report, 0o600, func(w io.Writer) error {
		z := zip.NewWriter(w)
		for _, part := range []struct {
			name  string
			write func(io.Writer) error
		}{
			{"recording.nplog", o.copyRecording},
			{"config.toml", func(w io.Writer) error { _, err := io.WriteString(w, o.settings.Show()); return err }},
			{"versions.txt", func(w io.Writer) error { return o.versions(ctx, w) }},
			{"log.txt", o.history},
		} {
			f, err := z.Create(part.name)
			if err == nil {
				err = part.write(f)
			}
			if err != nil {
				return fmt.Errorf("%s: %w", part.name, err)
			}
		}
		return z.Close()
	})
	if err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	fmt.Fprintf(env.stdout, "%s has the recording (with the players' names, their consoles' settings and saves), your\nsettings without passwords, and versions. It has no game and no core.\n", o.report)
	return nil
}

func (o *replaying) copyRecording(w io.Writer) error {
	f, err := os.Open(o.log.Path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(w, io.LimitReader(f, o.log.Size))
	return err
}

func (o *replaying) versions(ctx context.Context, w io.Writer) error {
	fmt.Fprintf(w, "nettplay %s, protocol %d\n", version, host.Protocol)
	fmt.Fprintf(w, "recorded by nettplay %s\n", o.log.Program)
	fmt.Fprintf(w, "%s %s/%s, %d CPUs\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	var u unix.Utsname
	if unix.Uname(&u) == nil {
		fmt.Fprintf(w, "%s %s\n", unix.ByteSliceToString(u.Sysname[:]), unix.ByteSliceToString(u.Release[:]))
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, d := range info.Deps {
			fmt.Fprintf(w, "%s %s\n", d.Path, d.Version)
		}
	}
	dirs, err := config.ExpandAll(o.settings.Core.Folders)
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
		case host.Leave:
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
