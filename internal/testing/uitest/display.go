package uitest

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// Display is an X server without a screen that ends with its test.
type Display struct {
	Name string // for DISPLAY
	dir  string
}

// NeedDisplay skips a test, loudly, where there is nothing to drive windows with.
func NeedDisplay(t testing.TB) {
	t.Helper()
	for _, tool := range []string{"Xvfb", "xdotool"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("THE WINDOW IS NOT TESTED: %v (apt install xvfb xdotool)", err)
		}
	}
}

// NewDisplay starts an X server on a free display, of so many pixels with so many bits of
// colour: 24, or 16.
func NewDisplay(t testing.TB, width, height, bits int) *Display {
	t.Helper()
	d := &Display{dir: t.TempDir()}
	read, write, err := os.Pipe()
	must.Succeed(t, err)
	defer read.Close()
	x := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", fmt.Sprintf("%dx%dx%d", width, height, bits), "-fbdir", d.dir, "-nolisten", "tcp", "-ac", "-noreset")
	x.ExtraFiles = []*os.File{write}
	err = Start(x)
	write.Close()
	must.Succeed(t, err)
	t.Cleanup(func() {
		_ = x.Process.Kill()
		_ = x.Wait()
	})
	number, err := bufio.NewReader(read).ReadString('\n')
	if err != nil {
		t.Fatalf("Xvfb does not start: %v", err)
	}
	d.Name = ":" + strings.TrimSpace(number)
	return d
}

// Do has xdotool do something on the display, as a person would.
func (d *Display) Do(t testing.TB, args ...string) string {
	t.Helper()
	cmd := exec.Command("xdotool", args...)
	cmd.Env = append(os.Environ(), "DISPLAY="+d.Name)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("xdotool %s: %v: %s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// Picture returns the display's picture. Xvfb keeps it in a file, in the format of xwd: a header of
// 32-bit numbers, colours, rows of four bytes a pixel, or two.
func (d *Display) Picture(t testing.TB) *image.RGBA {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(d.dir, "Xvfb_screen0"))
	must.Succeed(t, err)
	field := func(n int) int { return int(binary.BigEndian.Uint32(b[4*n:])) }
	width, height, size, pitch := field(4), field(5), field(11)/8, field(12)
	pix := b[field(0)+12*field(19):]
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			p := pix[y*pitch+size*x:]
			if size == 2 {
				v := int(p[1])<<8 | int(p[0])
				img.SetRGBA(x, y, color.RGBA{uint8(v >> 11 * 255 / 31), uint8(v >> 5 & 63 * 255 / 63), uint8(v & 31 * 255 / 31), 255})
				continue
			}
			img.SetRGBA(x, y, color.RGBA{p[2], p[1], p[0], 255})
		}
	}
	return img
}
