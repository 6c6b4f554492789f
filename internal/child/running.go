package child

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
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
		stat, err := os.ReadFile(filepath.Join(dir, "stat"))
		if err != nil {
			continue
		}
		// After the name in brackets: state, parent.
		fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
		id, err := strconv.Atoi(filepath.Base(dir))
		if err != nil || len(fields) < 2 || fields[0] == "Z" {
			continue
		}
		parent, _ := strconv.Atoi(fields[1])
		list = append(list, Running{id, parent})
	}
	return list
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
