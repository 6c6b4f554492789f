//go:build !nettplay_faults

package air

// Faults are ways to make a schedule wrong on purpose: this build has none.
type Faults struct{}

func (Faults) set(*Air, *state) {}
