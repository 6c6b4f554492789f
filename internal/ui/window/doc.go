// Package window is the program's window: SDL2's events become a [widgets.Input],
// and a draw list becomes a picture.
//
// A program's loop is
//
//	for {
//		in, more := w.Next(wait)      // sleeps until something happens
//		out := ui.Frame(in, screen)
//		if !more {
//			w.Show(out)
//		}
//		wait = out.Wake
//	}
//
// # Promises
//
// All calls but [Window.Wake] come from the main thread, to which the caller
// has locked itself (runtime.LockOSThread in an init of main). Nothing is drawn
// or polled while nothing happens: Next sleeps in SDL until an event comes, the
// time is over, or another goroutine calls Wake. Paint does not wait for the
// display's refresh unless asked to, and consoles never wait for Paint: their
// speed is never that of a monitor. [Pace] says when to paint.
//
// It works with SDL's renderer on the graphics card (card.go), and where there is
// none it paints by itself into the window's memory (memory.go), only what has
// changed; with SDL_VIDEODRIVER=dummy there is a window that nobody sees but
// [Window.Screenshot]. Sound and pads are none of its
// business: packages sound and pads.
//
// Read package widgets next: it takes the input.
package window
