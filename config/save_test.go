package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// wantOnly checks that a folder holds one file, which only its owner may read.
func wantOnly(t *testing.T, path string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	must.Succeed(t, err)
	entries = slices.DeleteFunc(entries, must.IsLock)
	if len(entries) != 1 || entries[0].Name() != filepath.Base(path) {
		t.Errorf("the folder holds %v, want %s alone", entries, filepath.Base(path))
	}
	must.BePrivate(t, path)
}

func TestSave(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "folder", "config.toml")
	c := Defaults()
	c.Room.Delay, c.Player.Nickname = 9, "Zoë"
	for range 2 { // also over what is there
		must.Succeed(t, c.Save(path))
		wantOnly(t, path)
		if got, err := Load(path); err != nil || !reflect.DeepEqual(got, c) {
			t.Errorf("loaded as %+v, %v", got, err)
		}
		os.Chmod(path, 0o644)
		c.Room.Delay++
	}
	if !strings.Contains(read(t, path), "# Allowed: 0 to 30\n# Default: 4\ndelay = 10\n") {
		t.Error("the saved file says nothing about the delay")
	}
}

func TestSaveRefusesWhatIsNotValid(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.toml")
	c := Defaults()
	must.Succeed(t, c.Save(path))
	c.Room.Delay = 99
	var e *Error
	if err := c.Save(path); !errors.As(err, &e) {
		t.Errorf("Save = %v, want an *Error", err)
	}
	if got, err := Load(path); err != nil || got.Room.Delay != 4 {
		t.Errorf("the file was changed: %+v, %v", got.Room, err)
	}
}

func TestSaveFails(t *testing.T) {
	dir := t.TempDir()
	inTheWay := filepath.Join(dir, "config.toml")
	must.Succeed(t, os.MkdirAll(filepath.Join(inTheWay, "x"), 0o700))
	if err := Defaults().Save(inTheWay); err == nil {
		t.Error("a folder was replaced")
	}
	if entries, _ := os.ReadDir(dir); len(slices.DeleteFunc(entries, must.IsLock)) != 1 {
		t.Errorf("a failed Save left %v", entries)
	}
	file := filepath.Join(dir, "file")
	write(t, file, "")
	if err := Defaults().Save(filepath.Join(file, "config.toml")); err == nil {
		t.Error("a file was taken for a folder")
	}
}

func TestSaveThroughALink(t *testing.T) {
	dir := t.TempDir()
	real, link := filepath.Join(dir, "dotfiles.toml"), filepath.Join(dir, "config.toml")
	write(t, real, "[room]\ndelay = 5\n")
	must.Succeed(t, os.Symlink("dotfiles.toml", link))
	if to, err := os.Readlink(link); to == "" {
		t.Skipf("NOT TESTED: links: %v", err) // Wine makes some that nobody can read
	}
	c := Defaults()
	c.Room.Delay = 11
	must.Succeed(t, c.Save(link))
	if target, err := os.Readlink(link); err != nil || target != "dotfiles.toml" {
		t.Errorf("the link became %q, %v", target, err)
	}
	if got, err := Load(real); err != nil || got.Room.Delay != 11 {
		t.Errorf("the file behind the link has delay %d, %v", got.Room.Delay, err)
	}
}

func second(_ string, err error) error { return err }

func TestInit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nettplay", "config.toml")
	must.Succeed(t, second(Init(path, false)))
	wantOnly(t, path)
	c, err := Load(path)
	if err != nil || c.Player.MAC == "" {
		t.Fatalf("Load = MAC %q, %v", c.Player.MAC, err)
	}
	want := Defaults()
	want.Player.MAC = c.Player.MAC
	if !reflect.DeepEqual(c, want) {
		t.Errorf("Init wrote %+v", c)
	}
	text := read(t, path)
	if _, err := Init(path, false); !errors.Is(err, fs.ErrExist) || read(t, path) != text {
		t.Errorf("Init over a file: %v", err)
	}
	// The address survives even when nothing else does.
	write(t, path, "[player]\nmac = \""+c.Player.MAC+"\"\nnickname = 5\n[junk]\n")
	wrong := read(t, path)
	if kept, err := Init(path, true); err != nil || read(t, path) != text || kept != path+".bak" || read(t, kept) != wrong {
		t.Errorf("Init by force: %v, kept %q, wrote\n%s", err, kept, read(t, path))
	}
	for _, junk := range []string{"[[[", "player = 1", "[player]\nmac = \"x\"\n", ""} {
		write(t, path, junk)
		must.Succeed(t, second(Init(path, true)))
		if c, err := Load(path); err != nil || c.Player.MAC == "" || c.Player.MAC == want.Player.MAC {
			t.Errorf("Init by force over %q gives MAC %q, %v", junk, c.Player.MAC, err)
		}
	}
}

// TestSaveKeepsTheMAC: a program that could not read a file, and saves the settings that it
// goes on with, does not change the identity of the player's console.
func TestSaveKeepsTheMAC(t *testing.T) {
	const mac = "00:09:bf:12:34:56"
	for _, text := range []string{
		"[player]\nmac = \"" + mac + "\"\n",
		"[player]\nmac = \"" + mac + "\"\nnickname = 5\n[junk]\n",
		"[player]\nnickname = Ada\n  mac='" + mac + "' # not valid TOML\n[room\n",
		"player.mac = \"" + mac + "\"\n[room\n",
	} {
		path := filepath.Join(t.TempDir(), "config.toml")
		write(t, path, text)
		must.Succeed(t, Defaults().Save(path))
		if c, err := Load(path); err != nil || c.Player.MAC != mac {
			t.Errorf("saved over %q the address is %q, %v", text, c.Player.MAC, err)
		}
		c := Defaults()
		c.Player.MAC = "00:09:bf:65:43:21"
		must.Succeed(t, c.Save(path))
		if c, err := Load(path); err != nil || c.Player.MAC != "00:09:bf:65:43:21" {
			t.Errorf("another address cannot be saved: %q, %v", c.Player.MAC, err)
		}
	}
}

func TestKeepMAC(t *testing.T) {
	tests := []struct{ name, before, after string }{
		{"empty value", "# mine\n[player] # me\nnickname = \"Ada\" # yes\nmac = \"\"   # later\nlanguage = \"it\"\n", "# mine\n[player] # me\nnickname = \"Ada\" # yes\nmac = \"MAC\"   # later\nlanguage = \"it\"\n"},
		{"no value", "[room]\ndelay = 3\n[player] # me\nnickname = \"Ada\"\n", "[room]\ndelay = 3\n[player] # me\nmac = \"MAC\"\nnickname = \"Ada\"\n"},
		{"only a heading", "[player]", "[player]\nmac = \"MAC\"\n"},
		{"no section", "[room]\ndelay = 3", "[room]\ndelay = 3\n[player]\nmac = \"MAC\"\n"},
		{"nothing", "", "\n[player]\nmac = \"MAC\"\n"},
		{"dotted, no value", "# top\nplayer.nickname = 'x' # y\n[room]\n", "# top\nplayer.mac = \"MAC\"\nplayer.nickname = 'x' # y\n[room]\n"},
		{"dotted", "player.mac = ''\nplayer.nickname = 'x'\n", "player.mac = \"MAC\"\nplayer.nickname = 'x'\n"},
		{"beside a wrong value", "[room]\ndelay = 99\n[player]\nlanguage = \"it\"\n", "[room]\ndelay = 99\n[player]\nmac = \"MAC\"\nlanguage = \"it\"\n"},
		{"beside a line that is no TOML", "[player]\nnickname = Ada\n[room\ndelay = 3\n", "[player]\nmac = \"MAC\"\nnickname = Ada\n[room\ndelay = 3\n"},
		{"in the same place", "# mine\n[room]\nname = \"x\n[player]\nmac = ''\n", "# mine\n[room]\nname = \"x\n[player]\nmac = \"MAC\"\n"},
		{"there already", "[player]\nmac = \"00:09:bf:01:02:03\"\n", "[player]\nmac = \"00:09:bf:01:02:03\"\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "config.toml")
			write(t, path, tt.before)
			before, mistakes := Load(path)
			mac, err := KeepMAC(path)
			if err != nil || whyMAC(mac) != "" || mac == "" {
				t.Fatalf("KeepMAC = %q, %v", mac, err)
			}
			if got, want := read(t, path), strings.ReplaceAll(tt.after, "MAC", mac); got != want {
				t.Errorf("the file is now\n%s\nwant\n%s", got, want)
			}
			before.Player.MAC = mac
			if after, err := Load(path); count(err) != count(mistakes) || !reflect.DeepEqual(after, before) {
				t.Errorf("other settings changed: %+v, %v", after, err)
			}
			if again, err := KeepMAC(path); err != nil || again != mac {
				t.Errorf("KeepMAC again = %q, %v, want %q", again, err, mac)
			}
			wantOnly(t, path)
		})
	}
}

func TestKeepMACFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.toml")
	for text, want := range map[string]string{
		"player = { nickname = \"Ada\" }\n": "write mac = \"00:09:bf:",
		"[room\n[x]\n[player.mac]\n":        "write mac = \"00:09:bf:",
	} {
		write(t, path, text)
		if mac, err := KeepMAC(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: KeepMAC = %q, %v, want an error with %q", text, mac, err, want)
		}
		if read(t, path) != text {
			t.Errorf("%q was changed", text)
		}
	}
}

// TestKeepCore: one line changes, and nothing else of a file that somebody wrote by hand.
func TestKeepCore(t *testing.T) {
	for before, after := range map[string]string{
		"# mine\n[core] # me\nfolders = [\"/a\"] # yes\nname = \"x\"   # later\n": "# mine\n[core] # me\nfolders = [\"/a\"] # yes\nname = \"/b/c.so\"   # later\n",
		"[room]\ndelay = 3\n[core] # me\nfolders = []\n":                          "[room]\ndelay = 3\n[core] # me\nname = \"/b/c.so\"\nfolders = []\n",
		"[core.options]\na = \"1\"\n":                                             "[core.options]\na = \"1\"\n\n[core]\nname = \"/b/c.so\"\n",
		"core.folders = []\n":                                                     "core.name = \"/b/c.so\"\ncore.folders = []\n",
		"":                                                                        "\n[core]\nname = \"/b/c.so\"\n",
		"[room]\ndelay = 99\n":                                                    "[room]\ndelay = 99\n\n[core]\nname = \"/b/c.so\"\n",
	} {
		path := filepath.Join(t.TempDir(), "config.toml")
		write(t, path, before)
		if err := KeepCore(path, "/b/c.so"); err != nil || read(t, path) != after {
			t.Errorf("%q became %q, %v, want %q", before, read(t, path), err, after)
		}
		if c, err := Load(path); c.Core.Name != "/b/c.so" {
			t.Errorf("%q: the core is %q, %v", before, c.Core.Name, err)
		}
	}
	path := filepath.Join(t.TempDir(), "nettplay", "config.toml")
	must.Succeed(t, KeepCore(path, "melonds"))
	if c, err := Load(path); err != nil || c.Core.Name != "melonds" || c.Player.MAC == "" {
		t.Errorf("a new file has %+v, %v", c, err)
	}
	for text, want := range map[string]string{
		"core = { folders = [] }\n": "write name = \"/b/c.so\" into it",
	} {
		write(t, path, text)
		if err := KeepCore(path, "/b/c.so"); err == nil || !strings.Contains(err.Error(), want) || read(t, path) != text {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// Two programs that start at the same time for the first time must not end up with
// two addresses.
func TestKeepMACAtTheSameTime(t *testing.T) {
	for _, there := range []bool{false, true} {
		path := filepath.Join(t.TempDir(), "nettplay", "config.toml")
		if there {
			must.Succeed(t, os.Mkdir(filepath.Dir(path), 0o700))
			write(t, path, "[room]\n")
		}
		macs := make([]string, 8)
		var all sync.WaitGroup
		for i := range macs {
			all.Go(func() {
				var err error
				if macs[i], err = KeepMAC(path); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		for _, mac := range macs {
			if mac != macs[0] {
				t.Errorf("addresses %v", macs)
				break
			}
		}
		wantOnly(t, path)
	}
}

func TestShow(t *testing.T) {
	c := Defaults()
	c.Room.Delay, c.Keys.A = 6, []string{"D", "H"}
	text := c.Show()
	for _, want := range []string{"\n[room]\n", "\ndelay = 6  # default: 4\n", "\nseats = 2\n", "\na = [\"D\", \"H\"]  # default: [\"X\"]\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("Show says nothing of %q:\n%s", want, text)
		}
	}
	got, err := Parse("f", text)
	if err != nil || !reflect.DeepEqual(got, c) {
		t.Errorf("what Show says is not what is in effect: %v", err)
	}
	if text := Defaults().Show(); strings.Contains(text, "#") && strings.Contains(text, "default:") {
		t.Errorf("defaults are marked as changed:\n%s", text)
	}
}

// TestSaveKeepsACopy: what somebody wrote is kept before it is replaced, and only that.
func TestSaveKeepsACopy(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "config.toml")
	change := func(delay int) {
		t.Helper()
		c, _ := Load(path)
		c.Room.Delay = delay
		must.Succeed(t, c.Save(path))
		if c, err := Load(path); err != nil || c.Room.Delay != delay {
			t.Fatalf("saved as %d, %v", c.Room.Delay, err)
		}
	}
	copies := func(want ...string) {
		t.Helper()
		found, err := filepath.Glob(path + ".bak*")
		must.Succeed(t, err)
		var texts []string
		for _, name := range found {
			texts = append(texts, read(t, name))
		}
		if !reflect.DeepEqual(texts, want) {
			t.Fatalf("kept are %q, want %q", texts, want)
		}
	}
	change(1)
	change(2)
	copies() // the program wrote all of that itself
	const wrong = "# mine\n[player]\nnickname = Ada\nlanguage = \"it\"\n"
	write(t, path, wrong)
	change(3)
	copies(wrong)
	if c, _ := Load(path); c.Player.Language != "it" {
		t.Errorf("a good line was lost: %+v", c.Player)
	}
	const byHand = "# what I like\n[room]\nseats = 3\n"
	write(t, path, byHand)
	change(4)
	change(5)
	copies(wrong, byHand)
	// A slip of the pen in a file that the program wrote.
	slip := strings.Replace(read(t, path), "delay = 5", "delay = 555", 1)
	write(t, path, slip)
	change(6)
	copies(wrong, byHand, slip)
	// A file that cannot be read at all.
	giant := strings.Repeat("#", MaxFile+1)
	write(t, path, giant)
	must.Succeed(t, Defaults().Save(path))
	copies(wrong, byHand, slip, giant)
	// Behind a link the file itself is kept, not the link.
	must.Succeed(t, os.Rename(path, filepath.Join(dir, "dotfiles.toml")))
	must.Succeed(t, os.Symlink("dotfiles.toml", path))
	write(t, path, wrong)
	change(7)
	copies(wrong, byHand, slip, giant, wrong)
}

// TestNoCopyNoSave: where no copy can be kept, nothing is replaced.
func TestNoCopyNoSave(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.toml")
	const wrong = "[room]\ndelay = 99\n"
	write(t, path, wrong)
	write(t, path+".bak", "")
	for n := 2; n <= maxCopies; n++ {
		write(t, fmt.Sprintf("%s.bak%d", path, n), "")
	}
	if err := Defaults().Save(path); err == nil || !strings.Contains(err.Error(), "copies") || read(t, path) != wrong {
		t.Errorf("Save: %v, and the file is %q", err, read(t, path))
	}
}
