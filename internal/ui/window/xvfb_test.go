package window

import (
	"bufio"
	"context"
	"fmt"
	"image/png"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/testing/uitest"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// shownEnv is set in the process that shows a window to a person, here xdotool.
const shownEnv = "NETTPLAY_TEST_SHOWN"

// shownTitle is the window's title, which the C library's own locale has no letters for.
const shownTitle = "Ann's room – みんなの部屋"

// TestPersonAtWindow lets xdotool use a window in another process, on an X
// server of its own, as a person would.
func TestPersonAtWindow(t *testing.T) {
	uitest.NeedDisplay(t)
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	display := uitest.NewDisplay(t, 1280, 960, 24)
	p := startShown(ctx, t, display.Name)
	at := func(name string) (x, y string) {
		line := p.expect(t, "at "+name+" ")
		_, _ = fmt.Sscan(line, &x, &y)
		return x, y
	}
	nx, ny := at("name")
	bx, by := at("start")
	do := func(args ...string) {
		t.Helper()
		display.Do(t, args...)
	}
	if names := display.Do(t, "search", "--onlyvisible", "--class", ".", "getwindowname", "%@"); names != shownTitle {
		t.Errorf("the window is called %q, want %q", names, shownTitle)
	}
	checkIdentity(t, display)
	do("mousemove", nx, ny, "click", "1")
	p.expect(t, "focused")
	do("type", "--delay", "30", "Ann 1")
	p.expect(t, "name \"Ann 1\"")
	do("key", "ctrl+a", "ctrl+c", "End", "ctrl+v")
	p.expect(t, "name \"Ann 1Ann 1\"")
	do("mousemove", bx, by, "click", "1")
	p.expect(t, "pressed")
	do("key", "shift+Tab", "End", "BackSpace") // all of its text is chosen when a key brings one there
	p.expect(t, "name \"Ann 1Ann \"")
	do("mousemove", "400", "400", "click", "4")
	p.expect(t, "wheel 1")
	do("click", "5")
	p.expect(t, "wheel -1")
	p.expect(t, "woken") // by the goroutine, which ends it all
	if err := p.cmd.Wait(); err != nil {
		t.Errorf("the window's process: %v", err)
	}
}

// checkIdentity looks at what a desktop asks a window for, to show it with its name and icon: the class
// is the name of the .desktop file.
func checkIdentity(t *testing.T, display *uitest.Display) {
	t.Helper()
	id := display.Do(t, "search", "--onlyvisible", "--class", "^"+regexp.QuoteMeta(AppID)+"$")
	cmd := exec.Command("xprop", "-id", id, "WM_CLASS", "_NET_WM_ICON")
	cmd.Env = append(os.Environ(), "DISPLAY="+display.Name)
	out, err := cmd.Output()
	if err != nil {
		t.Errorf("xprop: %v (apt install x11-utils)", err)
	}
	for _, want := range []string{fmt.Sprintf("WM_CLASS(STRING) = %q, %q", AppID, AppID), "Icon (128 x 128)"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("the window has no %s:\n%.1000s", want, out)
		}
	}
}

// shown is the process with the window.
type shown struct {
	cmd   *exec.Cmd
	lines *bufio.Scanner
	seen  []string
}

func startShown(ctx context.Context, t *testing.T, display string) *shown {
	t.Helper()
	cmd := exec.CommandContext(ctx, os.Args[0], "-test.run", "^TestShown$", "-test.v")
	cmd.Env = append(os.Environ(), "DISPLAY="+display, "SDL_VIDEODRIVER=x11", shownEnv+"="+t.ArtifactDir())
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	must.Succeed(t, err)
	must.Succeed(t, uitest.Start(cmd))
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return &shown{cmd: cmd, lines: bufio.NewScanner(out)}
}

// expect waits for a line that begins so and returns the rest of it.
func (s *shown) expect(t *testing.T, prefix string) string {
	t.Helper()
	for s.lines.Scan() {
		line := s.lines.Text()
		s.seen = append(s.seen, line)
		if rest, ok := strings.CutPrefix(line, prefix); ok {
			return rest
		}
	}
	t.Fatalf("no %q in %q", prefix, s.seen)
	return ""
}

// TestShown is the window's side of TestPersonAtWindow: it says what happens.
func TestShown(t *testing.T) {
	dir := os.Getenv(shownEnv)
	if dir == "" {
		t.Skip("part of TestPersonAtWindow")
	}
	withWindow(t, Config{Title: "nettplay test", Width: 800, Height: 600}, func(r *rig) {
		for _, name := range classVariables {
			if value, set := os.LookupEnv(name); set {
				t.Errorf("programs that this one starts get %s=%s", name, value)
			}
		}
		r.SetTitle(shownTitle)
		s := &shownScreen{rig: r, out: os.Stdout}
		wait := time.Duration(-1)
		for s.wheels < 2 {
			in, more := r.Next(wait)
			out := r.ui.Frame(in, s.build)
			if !more {
				if err := r.Show(out); err != nil {
					t.Error(err)
				}
			}
			wait = out.Wake
		}
		go r.Wake()
		r.Next(-1)
		fmt.Fprintln(s.out, "woken")
		s.save(t, dir)
	})
}

type shownScreen struct {
	*rig
	out     io.Writer
	name    string
	told    bool
	focused bool
	wheels  int
}

func (s *shownScreen) build(u *widgets.UI) {
	var at [2]draw.Rect
	before := s.name
	e := u.Field(widgets.Field{Name: "name"}, &s.name)
	at[0] = u.LastRect()
	if u.Button(widgets.Button{Text: "Start"}) {
		fmt.Fprintln(s.out, "pressed")
	}
	at[1] = u.LastRect()
	if !s.told {
		s.told = true
		for i, name := range []string{"name", "start"} {
			c := at[i].Center().Mul(u.Canvas().Scale())
			x, y := s.window.GetPosition()
			fmt.Fprintf(s.out, "at %s %d %d\n", name, int32(c.X)+x, int32(c.Y)+y)
		}
	}
	if e.Focused && !s.focused {
		fmt.Fprintln(s.out, "focused")
	}
	s.focused = e.Focused
	if s.name != before {
		fmt.Fprintf(s.out, "name %q\n", s.name)
	}
	if w := u.Input().Wheel.Y; w != 0 && !u.Settling() {
		s.wheels++
		fmt.Fprintf(s.out, "wheel %g\n", w)
	}
}

// save keeps what the window shows, to be looked at with go test -artifacts.
func (s *shownScreen) save(t *testing.T, dir string) {
	in, _ := s.Next(0)
	img, err := s.Screenshot(s.ui.Frame(in, s.build).List)
	if err != nil {
		t.Error(err)
		return
	}
	f, err := os.Create(filepath.Join(dir, "window.png"))
	if err != nil {
		t.Error(err)
		return
	}
	defer func() { _ = f.Close() }()
	if err := png.Encode(f, img); err != nil {
		t.Error(err)
	}
}
