package gameview

// A due tells whether consoles have something that the window has not shown.
type due struct {
	fresh bool // a picture was built with a frame that Shown was not told of
	keeps bool // later frames wait
}

// Keep has the pictures that are built from now on keep the frames of the last one, or no longer. Main
// thread only.
func (v *View) Keep(on bool) { v.due.keeps = on }

// Fresh reports whether the last picture has a frame of a console that the window has not shown yet. Main
// thread only.
func (v *View) Fresh() bool { return v.due.fresh }

// Shown tells that the window has shown the last picture. Main thread only.
func (v *View) Shown() { v.due.fresh = false }
