//go:build unix

package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/BurntSushi/toml"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/ui/memory"
)

// keepAs makes the files of a version by this program: see CONTRIBUTING.md.
var keepAs = flag.String("keep-as", "", "play as a player of the version of this `name`, and keep the files")

// Where the files of a version come from while a script runs, and where they are kept.
var keptFolders = map[string]string{"ann/nettplay": "config", "data-ann/nettplay": "data", "state-ann/nettplay": "state"}

// versionsFolder has a folder for each version.
var versionsFolder = filepath.Join("testdata", "versions")

// coreFile names the core that played.
const coreFile = "core.txt"

// TestEarlierVersions: a player who updates has every setting, save, recording and kept moment that an earlier
// version has left: the recording plays as it was, and the game goes on.
func TestEarlierVersions(t *testing.T) {
	if *keepAs != "" {
		t.Skip("they are made now")
	}
	t.Parallel()
	versions, err := os.ReadDir(versionsFolder)
	if err != nil || len(versions) == 0 {
		t.Fatalf("no versions: %v", err)
	}
	for _, v := range versions {
		t.Run(v.Name(), func(t *testing.T) {
			t.Parallel()
			kept := filepath.Join(versionsFolder, v.Name())
			runScript(t, "earlier.txtar", func(env *testscript.Env) error {
				for there, here := range keptFolders {
					if err := os.CopyFS(filepath.Join(env.WorkDir, there), os.DirFS(filepath.Join(kept, here))); err != nil {
						return err
					}
				}
				return nil
			}, func(ts *testscript.TestScript, _ []string) { checkKept(ts, kept) })
		})
	}
}

// TestKeepVersion makes the files of a version, when it is asked for.
func TestKeepVersion(t *testing.T) {
	if *keepAs == "" {
		t.Skip("with -keep-as NAME it makes the files of a version")
	}
	kept := filepath.Join(versionsFolder, *keepAs)
	runScript(t, "keep.txtar", func(env *testscript.Env) error {
		c := unusual()
		if err := os.MkdirAll(filepath.Join(env.WorkDir, "ann", "nettplay"), 0o700); err != nil {
			return err
		}
		if err := c.Save(filepath.Join(env.WorkDir, "ann", "nettplay", "config.toml")); err != nil {
			return err
		}
		return remembered().Save(filepath.Join(env.WorkDir, "state-ann", "nettplay", "app.json"), memory.Memory{})
	}, func(ts *testscript.TestScript, _ []string) {
		for there, here := range keptFolders {
			ts.Check(copyFiles(filepath.Join(kept, here), ts.MkAbs(there)))
		}
		core, err := usualCore(t.Context())
		ts.Check(err)
		ts.Check(os.WriteFile(filepath.Join(kept, coreFile), []byte(core+"\n"), 0o644))
	})
}

// runScript plays a script of testdata in which "kept" is the command that follows.
func runScript(t *testing.T, name string, setup func(*testscript.Env) error, kept func(*testscript.TestScript, []string)) {
	t.Helper()
	cmds := commandsOfScripts()
	cmds["kept"] = func(ts *testscript.TestScript, _ bool, args []string) { kept(ts, args) }
	core, err := usualCore(t.Context())
	if err != nil {
		t.Skipf("WHAT EARLIER VERSIONS LEFT IS NOT TRIED: %v", err)
	}
	testscript.Run(t, testscript.Params{
		Files: []string{filepath.Join("testdata", name)}, Cmds: cmds, RequireExplicitExec: true,
		Condition: func(cond string) (bool, error) {
			was, err := os.ReadFile(filepath.Join(versionsFolder, filepath.Base(t.Name()), coreFile))
			return cond == "samecore" && err == nil && strings.TrimSpace(string(was)) == core, nil
		},
		Setup: func(env *testscript.Env) error { return errors.Join(prepare(env), setup(env)) },
	})
}

// usualCore is the hash of the default core.
func usualCore(ctx context.Context) (string, error) {
	c, err := emucore.Search{}.Find(ctx, "desmume")
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", c.SHA256), nil
}

// unusual are settings of which as many as possible are not the default.
func unusual() config.Config {
	c := config.Defaults()
	c.Player.Nickname, c.Player.MAC = "Ann", "00:09:bf:12:34:56"
	c.ROMs.Folders = []string{"~/my games", "/media/roms"}
	c.Core.Name = "desmume"
	c.Net.Port, c.Net.Forward, c.Net.STUN, c.Net.Silence = 21999, false, []string{}, 12*time.Second
	c.Room.Seats, c.Room.Delay, c.Room.LateJoin, c.Room.Spectators = 3, 7, false, 9
	c.Video.UIScale, c.Video.Scale, c.Video.Theme = 1.5, 2, "light"
	c.Audio.Volume = 41
	c.Keys.A = []string{"Insert"}
	c.Recording.Folder = ""
	return c
}

// remembered is what the window remembers.
func remembered() memory.Memory {
	return memory.Memory{
		Welcomed: true, Addresses: []string{"10.0.0.7:21205"}, LocalPlayers: []string{"Zoe"}, ByPlayed: true,
		Played: map[string]int64{strings.Repeat("ab", 32): 1762000000}, LastGame: strings.Repeat("ab", 32),
	}
}

// checkKept compares settings and memory with what was kept, and looks whether every file that was kept is as
// it was: programs replace the settings when the player changes them, and nothing else.
func checkKept(ts *testscript.TestScript, kept string) {
	var was, is map[string]any
	old, err := os.ReadFile(filepath.Join(kept, "config", "config.toml"))
	ts.Check(err)
	ts.Check(toml.Unmarshal(old, &was))
	now, err := config.Load(ts.MkAbs("ann/nettplay/config.toml"))
	ts.Check(err)
	ts.Check(toml.Unmarshal([]byte(now.Commented()), &is))
	for key, value := range leaves("", was) {
		if got := leaves("", is)[key]; got != value {
			ts.Fatalf("the setting %s was %s, and is %s", key, value, got)
		}
	}
	if got, want := memory.Load(ts.MkAbs("state-ann/nettplay/app.json")), remembered(); fmt.Sprint(got) != fmt.Sprint(want) {
		ts.Fatalf("the window remembers %+v, and not %+v", got, want)
	}
	for there, here := range keptFolders {
		before, err := hashes(filepath.Join(kept, here))
		ts.Check(err)
		after, err := hashes(ts.MkAbs(there))
		ts.Check(err)
		for name, sum := range before {
			if after[name] != sum {
				ts.Fatalf("%s/%s is not what it was", here, name)
			}
		}
	}
}

// leaves are the values of a file of settings, by key.
func leaves(prefix string, table map[string]any) map[string]string {
	all := map[string]string{}
	for key, value := range table {
		if sub, ok := value.(map[string]any); ok {
			maps.Copy(all, leaves(prefix+key+".", sub))
			continue
		}
		all[prefix+key] = fmt.Sprint(value)
	}
	return all
}

// hashes are those of all files in a folder, by path.
func hashes(dir string) (map[string][32]byte, error) {
	all := map[string][32]byte{}
	return all, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		b, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		all[name] = sha256.Sum256(b)
		return err
	})
}

// copyFiles copies the files of a folder, without links and lock files.
func copyFiles(to, from string) error {
	all, err := hashes(from)
	if err != nil {
		return err
	}
	for name := range all {
		b, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			return err
		}
		if filepath.Base(name) == "lock" {
			continue
		}
		path := filepath.Join(to, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, b, 0o644)); err != nil {
			return err
		}
	}
	return nil
}
