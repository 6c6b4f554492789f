package game

import (
	"os"
	"runtime"
)

// blockedConsoles is the number of goroutines that may wait for workers without keeping others from running.
const blockedConsoles = 6

// MakeRoom lets more goroutines run at once than there are processors, unless the environment
// variable GOMAXPROCS says how many. It is for the whole program, once, at its start.
//
// A console's goroutine waits for its worker in a system call, and keeps its place among those that
// may run until the runtime takes it away, some milliseconds later. With four consoles on two
// processors the game would find no place when an answer comes or a frame is due: see
// docs/decisions/0065-cost-of-a-frame.md.
func MakeRoom() {
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(runtime.NumCPU() + blockedConsoles)
	}
}
