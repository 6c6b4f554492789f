package main

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/nettplay/nettplay/internal/atomicfile"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/picture"
	"github.com/nettplay/nettplay/internal/session/notice"
)

// leaveBehind writes report and picture, and turns the session's error into an exit code.
func (c *call) leaveBehind(end *closers, report notice.Report, err error) error {
	failed := end.closeTrace()
	if c.out.report != "" {
		failed = errors.Join(failed, writeReport(c.out.report, report))
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
	var exit *exitError
	report := notice.Report{Result: notice.ResultLost, Error: err.Error(), Seats: []game.SeatReport{}}
	if errors.As(err, &exit) && exit.code == exitCore {
		report.Result = notice.ResultCore
	}
	return errors.Join(err, writeReport(c.out.report, report))
}

func writeReport(path string, r notice.Report) error {
	b, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	if err := atomicfile.Write(path, append(b, '\n'), 0o644); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}

func writeScreenshot(path string, screens []notice.Screen) error {
	var list []picture.Console
	for _, s := range screens {
		list = append(list, picture.Console{
			Title: s.Nickname, Note: fmt.Sprintf("seat %v, %d frames", s.Seat, s.Frames), Screen: s.Image, Mine: s.Mine,
		})
	}
	img, err := picture.Compose(list)
	if err == nil {
		err = picture.WritePNG(path, img)
	}
	if err != nil {
		return fmt.Errorf("writing the screenshot: %w", err)
	}
	return nil
}
