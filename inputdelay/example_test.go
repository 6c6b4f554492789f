package inputdelay_test

import (
	"fmt"
	"strings"

	"github.com/nettplay/nettplay/inputdelay"
)

// The owner of a seat samples its pad before each frame and learns which frames
// to send; everybody else puts them, and both queues give the same.
func ExampleQueue() {
	script, err := inputdelay.ParseScript(strings.NewReader("0 A\n1-2 B+UP"))
	if err != nil {
		fmt.Println(err)
		return
	}
	const delay = 2
	owner, _ := inputdelay.NewQueue(0, delay)
	mirror, _ := inputdelay.NewQueue(0, delay)
	for f := range int64(3) {
		from, to, err := owner.Push(f, script.At(f))
		if err != nil {
			fmt.Println(err)
			return
		}
		for g := from; g < to; g++ {
			in, _ := owner.At(g)
			mirror.Put(g, in)
		}
	}
	for f := range int64(6) {
		in, ok := mirror.At(f)
		fmt.Printf("frame %d: %q %v\n", f, in, ok)
	}
	// Output:
	// frame 0: "" true
	// frame 1: "" true
	// frame 2: "A" true
	// frame 3: "B+UP" true
	// frame 4: "B+UP" true
	// frame 5: "" false
}
