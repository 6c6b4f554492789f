package main

import (
	"context"
	"fmt"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/launch"
	"github.com/nettplay/nettplay/internal/report"
)

// packReport packs the recording and what else a bug report needs.
func (o *replaying) packReport(ctx context.Context) error {
	settings, err := o.readSettings()
	if err != nil {
		return err
	}
	report := report.Recording{Log: o.log, Settings: settings.Show(), Program: version}
	for _, c := range launch.Cores(ctx, settings.Core) {
		report.Cores = append(report.Cores, room.CoreID{Name: c.Name, Version: c.Version, SHA256: c.SHA256})
	}
	if err := report.Write(o.out.report); err != nil {
		return err
	}
	_, err = fmt.Fprintf(o.env.stdout, "%s has the recording (with the players' names, their consoles' settings and saves), your\nsettings without passwords, and versions. It has no game and no core.\n", o.out.report)
	return err
}
