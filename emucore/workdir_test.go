package emucore

import (
	"path/filepath"
	"sync"
	"testing"
)

// Consoles start and end at the same time, in several programs: the last one to leave
// removes the directory of all, and nobody who comes meanwhile stumbles over that.
func TestWorkdirsComeAndGo(t *testing.T) {
	base := filepath.Join(t.TempDir(), "nettplay")
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			for range 300 {
				w, err := newWorkdirIn(base)
				if err != nil {
					t.Error(err)
					return
				}
				w.remove()
			}
		})
	}
	wait.Wait()
}
