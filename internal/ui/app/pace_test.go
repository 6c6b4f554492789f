//go:build unix

package app

import (
	"runtime"
	"testing"

	"github.com/nettplay/nettplay/internal/ds"
)

// A display that holds up the window's thread, for a refresh or for as long as nobody sees the window,
// holds up neither a console nor the inputs it asks for, and the picture after it has the newest frame.
func TestDisplayHoldsUpNoGame(t *testing.T) {
	runtime.LockOSThread() // for SDL, which here has no display that would ask for the main one
	defer runtime.UnlockOSThread()
	t.Setenv("SDL_VIDEODRIVER", "dummy")
	t.Setenv("SDL_AUDIODRIVER", "dummy")
	f := newFrontend(t, 2)
	defer f.window.Close()
	defer f.hub.close()
	p := &program{window: f.window, hub: f.hub, ui: f.ui, shell: f.shell}
	picture := func() {
		in, _ := p.window.Next(0)
		if _, err := p.showInTime(p.ui.Frame(in, p.shell.Build)); err != nil {
			t.Fatal(err)
		}
	}
	picture()
	played := make(chan int64)
	go func() {
		n := int64(0)
		for range 600 {
			n++
			f.hub.Input(0, n)
			for seat, frames := range f.frames {
				frame := frames[n%2]
				frame.Number = n
				f.hub.Show(ds.Seat(seat), frame)
			}
		}
		played <- n
	}()
	n := <-played // the window's thread is in the display's hands until then
	p.keep()
	in, _ := p.window.Next(0)
	p.ui.Frame(in, p.shell.Build)
	if !f.hub.view.Fresh() {
		t.Errorf("after %d frames there is nothing new to see", n)
	}
}
