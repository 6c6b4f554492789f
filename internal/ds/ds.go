// Package ds is the vocabulary that all packages of nettplay share: a seat, a
// console's hash, its firmware, the length of a frame, and the limits that
// everybody keeps to. Each is defined here once. It holds no state, does no I/O
// and imports no other package of this project.
//
// Read next: package inputdelay, for what a player presses and when it applies.
package ds

// The limits that all parts of the program, and all formats, share.
const (
	// MaxSeats is the limit of a game's consoles. Seats are 0 to MaxSeats-1.
	MaxSeats = 16
	// MaxMachines is the limit of machines that play in a room. Machines are 0 to MaxMachines-1.
	MaxMachines = 16
	// MaxDelay is the longest input delay in frames, half a second.
	MaxDelay = 30
	// MaxOffset is the limit of frames that a machine is asked to play behind the others.
	MaxOffset = 6
	// MaxBehind is the number of frames that a machine may be behind before the others wait for it.
	MaxBehind = 16
	// MaxFrame is the last frame that can be named anywhere: 580 years. No sum of a
	// few frame numbers overflows, and JSON readers that use floats read it exactly.
	MaxFrame = 1 << 40
	// MaxRTC is the last second that a console's clock can show, in Unix time: the end
	// of 2099.
	MaxRTC = 4102444799
	// MaxState is the longest savestate in bytes, with emucore's header of 40.
	MaxState = 40 + 64<<20
)

// An Option is a core option that a room chose, and its value.
type Option struct{ Key, Value string }
