package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/nettplay/nettplay/internal/replay"
)

// finishRecording waits until everything is in the file, and says where it is.
func (c *call) finishRecording(r *replay.Recorder) {
	if r == nil {
		return
	}
	known := r.Problem()
	switch err := r.Close(); {
	case err != nil && known == nil:
		c.console.say("%v", sentence(err.Error()))
	case err == nil && r.Path() != "":
		c.console.say("Recorded: nettplay replay %s", quoted(r.Path()))
	}
}

// quoted is a path as it can be typed.
func quoted(path string) string {
	const special = " ()&!'\"$`\\*?[]#;<>|~\n"
	home, err := os.UserHomeDir()
	if rest, inHome := strings.CutPrefix(path, home+string(filepath.Separator)); err == nil && inHome && !strings.ContainsAny(rest, special) {
		return "~/" + rest
	}
	if strings.ContainsAny(path, special) {
		return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
	}
	return path
}

// listRecordings shows what is in the recordings folder, the newest last.
func (c *call) listRecordings() error {
	settings, err := c.readSettings()
	if err != nil {
		return err
	}
	dir, err := settings.Recording.Dir()
	if err != nil {
		return err
	}
	list, err := replay.List(dir)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		fmt.Fprintf(c.env.stdout, "There are no recordings in %s.\n", dir)
		return nil
	}
	for _, e := range list {
		if e.Err != nil {
			fmt.Fprintf(c.env.stdout, "%s\n    cannot be read: %v\n", quoted(e.Path), e.Err)
			continue
		}
		state := ""
		if !e.Ended {
			state = ", not ended (it still runs, or was cut off)"
		}
		fmt.Fprintf(c.env.stdout, "%s\n    %s: %s with %s, %s, %s%s\n", quoted(e.Path), e.Head.Began.Local().Format("2 Jan 2006 15:04"),
			e.Head.Game(), strings.Join(e.Head.Players(), ", "), clockTime(e.Frames), kilobytes(e.Size), state)
	}
	return nil
}

// kilobytes is the size of a file for people.
func kilobytes(n int64) string { return fmt.Sprintf("%d KB", (n+999)/1000) }
