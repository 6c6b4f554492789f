package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"

	"github.com/nettplay/nettplay/internal/atomicfile"
	"github.com/nettplay/nettplay/internal/picture"
	"github.com/nettplay/nettplay/internal/session"
)

// play runs the session and leaves behind what was asked for, also after a
// failure.
func (o *options) play(ctx context.Context, env *environment, cfg session.Config) error {
	if o.wrote != "" {
		o.console.say("Your settings are in %s: nickname, ROM folders and more.", o.wrote)
	}
	if o.recorder != nil {
		cfg.Recorder = o.recorder
	}
	report, err := session.Run(ctx, cfg)
	o.console.over(report, err, ctx.Err() != nil)
	finishRecording(o.console, o.recorder)
	return o.conclude(env, report, err)
}

// conclude writes report, picture and save, and turns the session's error into
// an exit code.
func (o *options) conclude(env *environment, report session.Report, err error) error {
	var failed error
	if o.tracer != nil {
		failed = o.tracer.close()
	}
	if o.report != "" {
		failed = errors.Join(failed, writeReport(o.report, report))
	}
	if o.screenshot != "" && len(report.Screens) > 0 {
		failed = errors.Join(failed, writeScreenshot(o.screenshot, report.Screens))
	}
	if err == nil {
		return failed
	}
	if failed != nil {
		fmt.Fprintf(env.stderr, "%v\n", failed)
	}
	return asExit(err)
}

// asExit gives a session's failure its exit code.
func asExit(err error) error {
	var f *session.Failure
	if !errors.As(err, &f) {
		return err
	}
	code := map[session.Result]int{
		session.ResultLost: exitLost, session.ResultDesync: exitDesync, session.ResultCore: exitCore,
	}[f.Result]
	return &exitError{code: code, err: err, hint: f.Hint}
}

// abandon writes the report of a session that never began.
func (o *options) abandon(err error) error {
	if o.report == "" || errors.Is(err, flag.ErrHelp) {
		return err
	}
	var exit *exitError
	report := session.Report{Result: session.ResultLost, Error: err.Error(), Seats: []session.SeatReport{}}
	if errors.As(err, &exit) && exit.code == exitCore {
		report.Result = session.ResultCore
	}
	return errors.Join(err, writeReport(o.report, report))
}

func writeReport(path string, r session.Report) error {
	b, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	if err := atomicfile.Write(path, append(b, '\n'), 0o644); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}

func writeScreenshot(path string, screens []session.Screen) error {
	var list []picture.Console
	for _, s := range screens {
		list = append(list, picture.Console{
			Title: s.Nickname, Note: fmt.Sprintf("seat %d, %d frames", s.Seat+1, s.Frames), Screen: s.Image, Mine: s.Mine,
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
