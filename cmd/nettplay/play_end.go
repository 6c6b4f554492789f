package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/nettplay/nettplay/internal/diagnostics"
	"github.com/nettplay/nettplay/internal/disk"
	"github.com/nettplay/nettplay/internal/film"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/launch"
	"github.com/nettplay/nettplay/internal/session/notice"
)

// closers holds what is open while a session runs.
type closers struct {
	trace   *radioTrace                // nil for none
	times   *diagnostics.FrameRecorder // nil for none
	inviter *launch.Inviter            // nil for none
	machine launch.Machine             // the session's
	ends    []func()                   // of all else; the last one is called first
}

func (e *closers) closeTrace() error {
	if e.trace == nil {
		return nil
	}
	return e.trace.Close()
}

func (e *closers) close() {
	for _, end := range slices.Backward(e.ends) {
		end()
	}
}

// leaveBehind writes report and picture, and turns the session's error into an exit code.
func (c *call) leaveBehind(end *closers, report notice.Report, err error) error {
	failed := end.closeTrace()
	if c.out.report != "" {
		failed = errors.Join(failed, writeReport(c.out.report, report))
	}
	if end.times != nil {
		failed = errors.Join(failed, writing("the times of frames", disk.WriteFunc(c.out.frameTimes, 0o644, end.times.Write)))
	}
	if c.out.screenshot != "" && len(report.Screens) > 0 {
		failed = errors.Join(failed, writeScreenshot(c.out.screenshot, report.Screens))
	}
	for _, why := range report.Unsaved {
		failed = errors.Join(failed, errors.New(why))
	}
	if err == nil {
		return failed
	}
	if failed != nil {
		fmt.Fprintf(c.env.stderr, "%v\n", failed)
	}
	return sessionError(err)
}

// abandon writes the report of a session that never began.
func (c *call) abandon(err error) error {
	if c.out.report == "" {
		return err
	}
	report := notice.Report{Result: notice.ResultLost, Error: err.Error(), Seats: []game.SeatReport{}}
	if exit, ok := errors.AsType[*exitError](err); ok && exit.code == exitCore {
		report.Result = notice.ResultCore
	}
	return errors.Join(err, writeReport(c.out.report, report))
}

// writing says what could not be written, if err is one.
func writing(what string, err error) error {
	if err != nil {
		return fmt.Errorf("writing %s: %w", what, err)
	}
	return nil
}

func writeReport(path string, r notice.Report) error {
	b, err := json.MarshalIndent(r, "", "  ")
	if err == nil {
		err = disk.Write(path, append(b, '\n'), 0o644)
	}
	return writing("the report", err)
}

func writeScreenshot(path string, screens []notice.Screen) error {
	var list []film.Console
	for _, s := range screens {
		list = append(list, film.Console{
			Title: s.Nickname, Note: fmt.Sprintf("seat %v, %d frames", s.Seat, s.Frames), Screen: s.Image, Mine: s.Mine,
		})
	}
	img, err := film.Compose(list)
	if err == nil {
		err = film.WritePNG(path, img)
	}
	return writing("the screenshot", err)
}
