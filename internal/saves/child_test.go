package saves

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// childEnv makes this test binary another program: "save" saves until it is
// killed, "full" saves on a disk that is soon full, "hold" keeps the saves open.
// The variables below say where, and from which number on.
const (
	childEnv      = "NETTPLAY_TEST_SAVES"
	childDirEnv   = "NETTPLAY_TEST_SAVES_DIR"
	childFileEnv  = "NETTPLAY_TEST_SAVES_FILE"
	childFirstEnv = "NETTPLAY_TEST_SAVES_FIRST"
)

func child(what string) {
	first, _ := strconv.Atoi(os.Getenv(childFirstEnv))
	s, err := Open(os.Getenv(childDirEnv), padGame, Options{File: os.Getenv(childFileEnv), Doing: "a test"})
	if err == nil {
		switch what {
		case "save":
			err = saveOn(s, first)
		case "hold":
			fmt.Println("held")
			_, _ = io.Copy(io.Discard, os.Stdin)
		case "full":
			if err = fillDisk(); err == nil {
				_, err = s.Prepare(1, sram(first), About{})
			}
		}
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

// saveOn saves higher and higher numbers, and says which it begins to prepare,
// begins to commit, and has committed; now and then it drops one.
func saveOn(s *Store, n int) error {
	for ; ; n++ {
		fmt.Println("prepare", n)
		p, err := s.Prepare(int64(n), sram(n), About{Room: "R"})
		if err != nil {
			return err
		}
		if n%7 == 0 {
			if err := p.Drop(); err != nil {
				return err
			}
			continue
		}
		fmt.Println("commit", n)
		if err := p.Commit(); err != nil {
			return err
		}
		fmt.Println("done", n)
	}
}

// start starts this binary as another program.
func start(t *testing.T, what, dir, file string, first int) (*exec.Cmd, io.ReadCloser) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"="+what, childDirEnv+"="+dir, childFileEnv+"="+file, childFirstEnv+"="+strconv.Itoa(first))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	must.Succeed(t, err)
	if _, err := cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	must.Succeed(t, cmd.Start())
	return cmd, out
}

// TestKilled kills a program that saves, at any time, again and again: a game then
// starts from the last save that was committed, or from the one whose commit had
// begun, and nothing piles up.
func TestKilled(t *testing.T) {
	runs := 15
	if os.Getenv("NETTPLAY_LONG") != "" {
		runs = 300
	}
	for _, kind := range []string{"own", "file"} {
		t.Run(kind, func(t *testing.T) {
			dir, file := t.TempDir(), ""
			if kind == "file" {
				file = filepath.Join(t.TempDir(), "ann.sav")
			}
			last := 0
			for run := range runs {
				last = killOnce(t, dir, file, last)
				if t.Failed() {
					t.Fatalf("in run %d", run)
				}
			}
			if last < runs {
				t.Errorf("%d runs committed only %d saves", runs, last)
			}
		})
	}
}

// killOnce lets a program save from last+1 on, kills it, looks what is there and
// returns the current save.
func killOnce(t *testing.T, dir, file string, last int) int {
	t.Helper()
	cmd, out := start(t, "save", dir, file, last+1)
	lines := bufio.NewScanner(out)
	said := map[string]int{"done": last, "commit": last}
	// By words, not by time: a slow machine comes as far as a fast one.
	for left := 1 + rand.IntN(12); left > 0 && lines.Scan(); left-- {
		hear(t, said, lines.Text())
	}
	time.Sleep(time.Duration(rand.IntN(4000)) * time.Microsecond)
	_ = cmd.Process.Kill()
	for lines.Scan() {
		hear(t, said, lines.Text())
	}
	_ = cmd.Wait()

	s := open(t, dir, Options{File: file})
	defer s.Close()
	now := current(t, s)
	if now != said["done"] && now != said["commit"] {
		t.Errorf("a game would start from %d, but %d was committed and %d begun", now, said["done"], said["commit"])
	}
	if l := list(t, s); strings.Contains(l, "!") {
		t.Errorf("damaged saves: %s", l)
	}
	if n := len(files(t, dir)); n > 2*(2*Generations+1+MaxPending) {
		t.Errorf("%d files", n)
	}
	wantPairs(t, s.Folder())
	if file != "" {
		wantFile(t, file, now)
	}
	return now
}

func hear(t *testing.T, said map[string]int, line string) {
	t.Helper()
	word, number, _ := strings.Cut(line, " ")
	n, err := strconv.Atoi(number)
	if err != nil {
		t.Errorf("it says %q", line)
	}
	said[word] = n
}

// wantPairs wants nothing but saves with their texts in a folder.
func wantPairs(t *testing.T, dir string) {
	t.Helper()
	kinds := map[string]string{}
	for _, name := range files(t, dir) {
		n, ext, ok := parseNumbered(name)
		if !ok {
			t.Errorf("%s is left", name)
		}
		if ext != extSave {
			ext = " and text"
		}
		kinds[fmt.Sprint(n)] += ext
	}
	for n, kind := range kinds {
		if kind != extSave+" and text" && kind != " and text"+extSave {
			t.Errorf("of save %s there is %q", n, kind)
		}
	}
}

// wantFile wants a file of the player's to be save n, and beside it only one that
// was before.
func wantFile(t *testing.T, file string, n int) {
	t.Helper()
	for _, name := range files(t, filepath.Dir(file)) {
		path := filepath.Join(filepath.Dir(file), name)
		b, err := os.ReadFile(path)
		switch {
		case err != nil:
			t.Error(err)
		case path == file && which(t, b) != n:
			t.Errorf("%s is save %d, not %d", name, which(t, b), n)
		case path == file+".bak" && which(t, b) > n:
			t.Errorf("%s is save %d, newer than %d", name, which(t, b), n)
		case path != file && path != file+".bak":
			t.Errorf("%s is left", name)
		}
	}
}

// TestFullDisk: what a disk that is full leaves of a file must not stay, and the
// saves before must.
func TestFullDisk(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("NOT TESTED: a full disk: no process of Windows can be told to write less")
	}
	for _, kind := range []string{"own", "file"} {
		t.Run(kind, func(t *testing.T) {
			dir, file := t.TempDir(), ""
			if kind == "file" {
				file = filepath.Join(t.TempDir(), "ann.sav")
			}
			s := open(t, dir, Options{File: file})
			save(t, s, 1)
			s.Close()
			cmd, out := start(t, "full", dir, file, 2)
			said, _ := io.ReadAll(out)
			if err := cmd.Wait(); err == nil || !strings.Contains(string(said), "file too large") {
				t.Fatalf("saving on a full disk: %v: %s", err, said)
			}
			wantPairs(t, filepath.Dir(numbered(s.Folder(), 1, extSave)))
			s = open(t, dir, Options{File: file})
			wantList(t, s, "1*")
			if file != "" {
				wantFile(t, file, 1)
			}
		})
	}
}

// TestTwoProcesses: the second one is told which process the first is.
func TestTwoProcesses(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, Options{})
	save(t, s, 1)
	s.Close()

	cmd, out := start(t, "hold", dir, "", 0)
	if line, _ := bufio.NewReader(out).ReadString('\n'); line != "held\n" {
		t.Fatalf("it says %q", line)
	}
	var used *InUseError
	if _, err := Open(dir, padGame, Options{}); !errors.As(err, &used) {
		t.Fatalf("opening what is in use: %v", err)
	}
	if used.PID != cmd.Process.Pid || used.Doing != "a test" || used.Since == "" {
		t.Errorf("told %+v", *used)
	}
	want := fmt.Sprintf("the saves of PAD TEST are in use by \"a test\" (process %d) since ", used.PID)
	if !strings.HasPrefix(used.Error(), want) {
		t.Errorf("in words: %s", used)
	}
	k, err := Peek(dir, padGame, Options{})
	if err != nil || k.InUse() == nil || k.InUse().PID != used.PID {
		t.Errorf("looking: %v, %v", k.InUse(), err)
	}
	if b, err := k.Read(k.Current().Number); err != nil || which(t, b) != 1 {
		t.Errorf("reading what is in use: %d bytes, %v", len(b), err)
	}

	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	if k.InUse() != nil {
		t.Error("still in use after the end of the process")
	}
	s = open(t, dir, Options{})
	wantList(t, s, "1*")
	if _, err := Open(dir, padGame, Options{}); !errors.As(err, &used) || used.PID != os.Getpid() {
		t.Errorf("opening it twice in one process: %v", err)
	}
}
