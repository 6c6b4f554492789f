package app

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
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
)

// desk is one player's computer: a display of its own with the program on it,
// driven as by a person with mouse and keyboard.
type desk struct {
	t       *testing.T
	dir     string
	display string
	app     *exec.Cmd
	exited  chan error
	window  string // its number
	frame   image.Rectangle

	mu    sync.Mutex
	state seen
	news  chan struct{}
	log   strings.Builder
}

// needDesk skips a test, loudly, where there is nothing to drive windows with.
func needDesk(t *testing.T) {
	t.Helper()
	for _, tool := range []string{"Xvfb", "xdotool"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("THE WINDOW IS NOT TESTED: %v (apt install xvfb xdotool)", err)
		}
	}
}

// newDesk starts a display.
func newDesk(t *testing.T, name string, files map[string][]byte) *desk {
	t.Helper()
	d := &desk{t: t, dir: t.TempDir(), news: make(chan struct{}, 1), exited: make(chan error, 1)}
	for path, data := range files {
		path = filepath.Join(d.dir, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	x := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", "800x600x24", "-fbdir", d.dir, "-nolisten", "tcp", "-ac")
	x.ExtraFiles = []*os.File{write}
	if err := x.Start(); err != nil {
		t.Fatal(err)
	}
	write.Close()
	t.Cleanup(func() {
		_ = x.Process.Kill()
		_ = x.Wait()
	})
	number, err := bufio.NewReader(read).ReadString('\n')
	if err != nil {
		t.Fatalf("Xvfb does not start: %v", err)
	}
	d.display = ":" + strings.TrimSpace(number)
	return d
}

// start starts the program.
func (d *desk) start(beacons string) {
	d.t.Helper()
	d.app = exec.Command(os.Args[0])
	d.app.Env = append(os.Environ(), appVariable+"="+beacons, "DISPLAY="+d.display, "HOME="+d.dir, "SDL_AUDIODRIVER=dummy",
		"XDG_CACHE_HOME="+filepath.Join(d.dir, ".cache"), "XDG_CONFIG_HOME=", "XDG_DATA_HOME=", "XDG_STATE_HOME=", "WAYLAND_DISPLAY=", "SDL_VIDEODRIVER=x11")
	out, err := d.app.StdoutPipe()
	if err != nil {
		d.t.Fatal(err)
	}
	d.app.Stderr = &d.log
	if err := d.app.Start(); err != nil {
		d.t.Fatal(err)
	}
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
	d.until("the home screen", func(s seen) bool { return s.Screen == "home" && s.Settled })
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
	timeout := time.After(60 * time.Second)
	for {
		if s := d.now(); ok(s) {
			return s
		}
		select {
		case <-d.news:
		case err := <-d.exited:
			d.exited <- err
			d.t.Fatalf("%s: the program has ended: %v\n%s", what, err, d.log.String())
		case <-timeout:
			d.save("timeout")
			d.t.Fatalf("%s does not come: %+v", what, d.now())
		}
	}
}

// do runs xdotool.
func (d *desk) do(args ...string) string {
	d.t.Helper()
	cmd := exec.Command("xdotool", args...)
	cmd.Env = append(os.Environ(), "DISPLAY="+d.display)
	out, err := cmd.CombinedOutput()
	if err != nil {
		d.t.Fatalf("xdotool %q: %v: %s", args, err, out)
	}
	return string(out)
}

func (d *desk) findWindow() {
	d.t.Helper()
	d.window = strings.Fields(d.do("search", "--sync", "--onlyvisible", "--name", "nettplay"))[0]
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

// tile clicks one of the large buttons of the home screen.
func (d *desk) tile(column, row int) {
	d.t.Helper()
	d.click(d.frame.Dx()/2+(2*column-1)*150, (d.frame.Dy()-430)/2+141+88*row)
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

// picture is what the display shows. Xvfb keeps it in a file, in the format of
// xwd: a header of 32-bit numbers, colours, rows of four bytes a pixel.
func (d *desk) picture() *image.RGBA {
	d.t.Helper()
	b, err := os.ReadFile(filepath.Join(d.dir, "Xvfb_screen0"))
	if err != nil {
		d.t.Fatal(err)
	}
	field := func(n int) int { return int(binary.BigEndian.Uint32(b[4*n:])) }
	width, height, pitch := field(4), field(5), field(12)
	pix := b[field(0)+12*field(19):]
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			p := pix[y*pitch+4*x:]
			img.SetRGBA(x, y, color.RGBA{p[2], p[1], p[0], 255})
		}
	}
	return img
}

// save keeps a picture of the display for whoever looks into a failure.
func (d *desk) save(name string) {
	if *gallery != "" {
		writePNG(d.t, filepath.Join(*gallery, "desk-"+name+d.display[1:]+".png"), d.picture())
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

func (d *desk) ended() {
	d.t.Helper()
	select {
	case err := <-d.exited:
		if err != nil || d.log.Len() > 0 {
			d.t.Errorf("the program ended with %v, and said: %s", err, d.log.String())
		}
	case <-time.After(30 * time.Second):
		d.t.Errorf("the program does not end; it shows %+v", d.now())
	}
}
