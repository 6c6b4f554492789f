package app

import (
	"bufio"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"image"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/corecheck"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/testing/uitest"
)

// desk is one player's computer: a display of its own with the program on it,
// driven as by a person with mouse and keyboard.
type desk struct {
	t       *testing.T
	dir     string
	display *uitest.Display
	app     *exec.Cmd
	exited  chan error
	window  string // its number
	env     []string
	frame   image.Rectangle

	orders  io.Writer // for the controller
	given   int
	presses int // of everything that was pressed, clicked or typed, since the last look at it

	mu    sync.Mutex
	state seen
	news  chan struct{}
	log   strings.Builder
}

// newDesk starts a display.
func newDesk(t *testing.T, name string, files map[string][]byte) *desk {
	t.Helper()
	d := &desk{t: t, dir: t.TempDir(), display: uitest.NewDisplay(t, 800, 600, 24), news: make(chan struct{}, 1), exited: make(chan error, 1)}
	for path, data := range files {
		path = filepath.Join(d.dir, path)
		must.Succeed(t, os.MkdirAll(filepath.Dir(path), 0o700))
		must.Succeed(t, os.WriteFile(path, data, 0o600))
	}
	return d
}

// knows tells the program that a core passes its check.
func (d *desk) knows(core string) {
	d.t.Helper()
	b := must.Read(d.t, core)
	book := corecheck.OpenBook(filepath.Join(d.dir, ".local/share/nettplay/core-verdicts"))
	must.Succeed(d.t, book.Keep(corecheck.Verdict{Core: sha256.Sum256(b)}))
}

// start starts the program.
func (d *desk) start(beacons string) {
	d.t.Helper()
	d.app = exec.Command(os.Args[0])
	d.app.Env = append(os.Environ(), appVariable+"="+beacons, "DISPLAY="+d.display.Name, "HOME="+d.dir, "PATH="+filepath.Join(d.dir, "bin")+":"+os.Getenv("PATH"), "SDL_AUDIODRIVER=dummy",
		"XDG_CACHE_HOME="+filepath.Join(d.dir, ".cache"), "XDG_CONFIG_HOME=", "XDG_DATA_HOME=", "XDG_STATE_HOME=", "XDG_RUNTIME_DIR="+d.dir,
		"DBUS_SESSION_BUS_ADDRESS=disabled:", // where dbus-x11 is installed SDL starts a bus, with a folder among the games
		"WAYLAND_DISPLAY=", "SDL_VIDEODRIVER=x11")
	d.app.Env = append(d.app.Env, d.env...)
	out, err := d.app.StdoutPipe()
	must.Succeed(d.t, err)
	d.app.Stderr = &d.log
	d.given = 0
	if d.orders, err = d.app.StdinPipe(); err != nil {
		d.t.Fatal(err)
	}
	must.Succeed(d.t, uitest.Start(d.app))
	done := make(chan struct{})
	go func() {
		defer close(done)
		d.watch(out)
	}()
	go func() {
		<-done
		d.exited <- d.app.Wait()
	}()
	d.t.Cleanup(func() { _ = d.app.Process.Kill() })
	d.until("the first screen", func(s seen) bool { return (s.Screen == "home" || s.Screen == "welcome") && s.Settled })
	d.findWindow()
}

// watch reads what the program shows.
func (d *desk) watch(out io.Reader) {
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var s seen
		if json.Unmarshal(lines.Bytes(), &s) != nil {
			continue
		}
		d.mu.Lock()
		d.state = s
		d.mu.Unlock()
		select {
		case d.news <- struct{}{}:
		default:
		}
	}
}

func (d *desk) now() seen {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.state
}

// until waits until the program shows something.
func (d *desk) until(what string, ok func(seen) bool) seen {
	d.t.Helper()
	s, ended := d.untilOver(what, ok)
	if ended {
		d.t.Fatalf("%s: the program has ended: %v\n%s", what, <-d.exited, d.log.String())
	}
	return s
}

// untilOver is until for what the program may not show any more, because it has ended.
func (d *desk) untilOver(what string, ok func(seen) bool) (_ seen, ended bool) {
	d.t.Helper()
	timeout := time.After(3 * time.Minute) // what plays behind the screen gives way to all else
	for {
		if s := d.now(); ok(s) {
			return s, false
		}
		select {
		case <-d.news:
		case err := <-d.exited:
			d.exited <- err
			return seen{}, true
		case <-timeout:
			d.save("timeout")
			d.t.Fatalf("%s does not come: %+v", what, d.now())
		}
	}
}

// do runs xdotool.
func (d *desk) do(args ...string) string {
	d.t.Helper()
	return d.display.Do(d.t, args...)
}

func (d *desk) findWindow() {
	d.t.Helper()
	d.window = strings.Fields(d.do("search", "--sync", "--onlyvisible", "--class", "."))[0]
	box := map[string]int{}
	for _, line := range strings.Fields(d.do("getwindowgeometry", "--shell", d.window)) {
		if name, value, ok := strings.Cut(line, "="); ok {
			box[name], _ = strconv.Atoi(value)
		}
	}
	d.frame = image.Rect(box["X"], box["Y"], box["X"]+box["WIDTH"], box["Y"]+box["HEIGHT"])
}

// click clicks at a place of the window.
func (d *desk) click(x, y int) {
	d.t.Helper()
	d.do("mousemove", "--sync", strconv.Itoa(d.frame.Min.X+x), strconv.Itoa(d.frame.Min.Y+y), "click", "1")
}

// forward clicks the button of the way forward, at the lower right of a page
// that is at most so wide.
func (d *desk) forward(width int) {
	d.t.Helper()
	margin := 24
	if d.frame.Dx() < 720 {
		margin = 16
	}
	wide := min(width, d.frame.Dx()-2*margin)
	d.click((d.frame.Dx()+wide)/2-38, d.frame.Dy()-margin-18)
}

// tile clicks one of the large buttons of the home screen, by its text.
func (d *desk) tile(text string) {
	d.t.Helper()
	s := d.until(text+" on the first screen", func(s seen) bool { return s.Screen == "home" && s.Settled && s.find(text) >= 0 })
	at, _, _ := s.place(text)
	at = at.Intersect(image.Rectangle{Max: d.frame.Size()})
	d.click((at.Min.X+at.Max.X)/2, (at.Min.Y+at.Max.Y)/2)
}

func (d *desk) press(keys ...string) {
	d.t.Helper()
	d.do(append([]string{"key"}, keys...)...)
}

// write types a text.
func (d *desk) write(text string) {
	d.t.Helper()
	d.do("type", "--delay", "30", text)
}

// picture is what the display shows.
func (d *desk) picture() *image.RGBA { return d.display.Picture(d.t) }

// save keeps a picture of the display for whoever looks into a failure.
func (d *desk) save(name string) {
	if *gallery != "" {
		writePNG(d.t, filepath.Join(*gallery, "desk-"+name+d.display.Name[1:]+".png"), d.picture())
	}
}

// console is our console's picture, as large as the console made it.
func (d *desk) console() *image.RGBA {
	d.t.Helper()
	s, shot := d.now(), d.picture()
	img := image.NewRGBA(image.Rect(0, 0, 256, 384))
	for y := range 384 {
		r, row := s.Top, y
		if y >= 192 {
			r, row = s.Bottom, y-192
		}
		for x := range 256 {
			img.Set(x, y, shot.At(d.frame.Min.X+r.Min.X+(2*x+1)*r.Dx()/512, d.frame.Min.Y+r.Min.Y+(2*row+1)*r.Dy()/384))
		}
	}
	return img
}

// workers are the processes that the program has started and that run.
func (d *desk) workers() (list []string) {
	d.t.Helper()
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		b, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		rest := string(b[strings.LastIndexByte(string(b), ')')+1:])
		fields := strings.Fields(rest)
		if len(fields) > 1 && fields[1] == fmt.Sprint(d.app.Process.Pid) {
			list = append(list, path)
		}
	}
	return list
}

// end closes the program as a desktop does at log-out, and expects it to end well.
func (d *desk) end() {
	d.t.Helper()
	_ = d.app.Process.Signal(syscall.SIGTERM)
	d.ended()
}

// kill ends the program as a crash does.
func (d *desk) kill() {
	d.t.Helper()
	must.Succeed(d.t, d.app.Process.Kill())
	<-d.exited
}

func (d *desk) ended() {
	d.t.Helper()
	select {
	case err := <-d.exited:
		if err != nil || d.log.Len() > 0 {
			d.t.Errorf("the program ended with %v, and said: %s", err, d.log.String())
		}
	case <-time.After(3 * time.Minute):
		d.t.Errorf("the program does not end; it shows %+v", d.now())
	}
}
