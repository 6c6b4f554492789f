package session

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// leavesNothing runs all tests of the package and returns their exit status. It is not 0 if
// they leave goroutines, processes, sockets, shared memory or temporary files behind: a
// bubble looks for its goroutines itself, but tests with workers run beside each other, so
// that only the end can tell.
func leavesNothing(run func() int) int {
	dir, err := os.MkdirTemp("", "nettplay-tests-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	os.Setenv("TMPDIR", dir)
	before := inUse(dir)
	code := run()
	for began := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		after := inUse(dir)
		if !after.more(before) {
			return code
		}
		if time.Since(began) > 10*time.Second {
			stacks := make([]byte, 1<<20)
			fmt.Fprintf(os.Stderr, "before the tests: %+v\nafter them: %+v\n%s\n", before, after, stacks[:runtime.Stack(stacks, true)])
			return max(code, 1)
		}
	}
}

// used is what this process has of things that are to be given back.
type used struct {
	goroutines, children int
	descriptors          []string // sockets and shared memory
	files                []string // temporary
}

func (u used) more(than used) bool {
	return u.goroutines > than.goroutines || u.children > than.children || len(u.descriptors) > len(than.descriptors) || len(u.files) > len(than.files)
}

func inUse(dir string) used {
	u := used{goroutines: runtime.NumGoroutine()}
	tasks, _ := filepath.Glob("/proc/self/task/*/children")
	for _, t := range tasks {
		b, _ := os.ReadFile(t)
		u.children += len(strings.Fields(string(b)))
	}
	descriptors, _ := filepath.Glob("/proc/self/fd/*")
	for _, d := range descriptors {
		to, _ := os.Readlink(d)
		if strings.HasPrefix(to, "socket:") || strings.HasPrefix(to, "/memfd:") {
			u.descriptors = append(u.descriptors, to)
		}
	}
	u.files, _ = filepath.Glob(dir + "/*")
	return u
}
