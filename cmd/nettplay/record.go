package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/replay"
)

// recordFlags are the flags about recording a game.
type recordFlags struct {
	file string
	none bool
}

func (r *recordFlags) define(f *flag.FlagSet) {
	f.StringVar(&r.file, "record", "", "record the game into `file` (default: a file with a readable name in the recordings folder)")
	f.BoolVar(&r.none, "no-record", false, "do not record the game")
}

func (r *recordFlags) check() error {
	if r.file == "" {
		return nil
	}
	if r.none {
		return usagef("--record and --no-record do not go together")
	}
	if _, err := os.Lstat(r.file); err == nil {
		return usagef("--record %s: there is such a file already, and recordings never replace one", r.file)
	}
	return checkOutput("record", r.file)
}

// recorder makes what records the session's games, nil for nothing.
func (r *recordFlags) recorder(cfg config.Recording) (*replay.Recorder, error) {
	if r.file != "" {
		return replay.NewRecorder(replay.Config{Path: r.file}), nil
	}
	if r.none || !cfg.Enabled {
		return nil, nil
	}
	dir, err := cfg.Dir()
	if err != nil {
		return nil, err
	}
	return replay.NewRecorder(replay.Config{Folder: dir}), nil
}

// finishRecording waits until everything is in the file, and says where it is.
func finishRecording(c *console, r *replay.Recorder) {
	if r == nil {
		return
	}
	known := r.Problem()
	switch err := r.Close(); {
	case err != nil && known == nil:
		c.say("%v", sentence(err.Error()))
	case err == nil && r.Path() != "":
		c.say("Recorded: nettplay replay %s", quoted(r.Path()))
	}
}

// quoted is a path as it can be typed.
func quoted(path string) string {
	if home, err := os.UserHomeDir(); err == nil && !strings.ContainsAny(path, "'\n") {
		if rest, inHome := strings.CutPrefix(path, home+string(filepath.Separator)); inHome && !strings.ContainsAny(rest, " ()&!'\"$`\\*?[]#;<>|~") {
			return "~/" + rest
		}
	}
	if strings.ContainsAny(path, " ()&!'\"$`\\*?[]#;<>|~\n") {
		return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
	}
	return path
}

// listRecordings shows what is in the recordings folder, the newest last.
func listRecordings(env *environment, dir string) error {
	list, err := replay.List(dir)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		fmt.Fprintf(env.stdout, "There are no recordings in %s.\n", dir)
		return nil
	}
	for _, e := range list {
		if e.Err != nil {
			fmt.Fprintf(env.stdout, "%s\n    cannot be read: %v\n", quoted(e.Path), e.Err)
			continue
		}
		state := ""
		if !e.Ended {
			state = ", not ended (it still runs, or was cut off)"
		}
		fmt.Fprintf(env.stdout, "%s\n    %s: %s with %s, %s, %s%s\n", quoted(e.Path), e.Head.Began.Local().Format("2 Jan 2006 15:04"),
			e.Head.Game(), strings.Join(e.Head.Players(), ", "), clockTime(e.Frames), kilobytes(e.Size), state)
	}
	return nil
}

// kilobytes is the size of a file for people.
func kilobytes(n int64) string { return fmt.Sprintf("%d KB", (n+999)/1000) }
