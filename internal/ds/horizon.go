package ds

// A Horizon is announced by the game host: no decision but the first Decisions ones will
// ever apply before Frame. A machine runs a console at frame f only when f < Frame and it
// has all of these decisions.
type Horizon struct {
	Frame     int64
	Decisions uint32
}
