package child

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Running is a process that runs.
type Running struct{ ID, Parent int }

// Of returns the processes of a program by its path, its consoles' too. Zombies are not running any more.
func Of(program string) (list []Running) {
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range dirs {
		exe, err := os.Readlink(filepath.Join(dir, "exe"))
		if err != nil || exe != program {
			continue
		}
		fields := stat(dir)
		id, err := strconv.Atoi(filepath.Base(dir))
		if err != nil || len(fields) < 2 || fields[0] == "Z" {
			continue
		}
		parent, _ := strconv.Atoi(fields[1])
		list = append(list, Running{id, parent})
	}
	return list
}

// stat returns what Linux tells of a process, after its name in brackets: state, parent and so on.
func stat(dir string) []string {
	b, _ := os.ReadFile(filepath.Join(dir, "stat")) // it may be gone
	return strings.Fields(string(b[bytes.LastIndexByte(b, ')')+1:]))
}

// Used is the processor time that a process has used, by a kernel that counts hundredths of a
// second.
func Used(pid int) time.Duration {
	fields := stat(fmt.Sprintf("/proc/%d", pid))
	var sum int64
	for i := 11; i <= 14 && i < len(fields); i++ { // user and system time, and those of children that have ended
		n, _ := strconv.ParseInt(fields[i], 10, 64)
		sum += n
	}
	return time.Duration(sum) * 10 * time.Millisecond
}

// ConsolesOf are the processes of a program that a process of it has started, in order.
func ConsolesOf(program string, parent int) (ids []int) {
	for _, r := range Of(program) {
		if r.Parent == parent {
			ids = append(ids, r.ID)
		}
	}
	slices.Sort(ids)
	return ids
}
