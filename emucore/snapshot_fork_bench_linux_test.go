package emucore

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// forks is a program that forks with so many bytes of memory, so often, and prints what each fork took, in nanoseconds of processor
// time. That is what a snapshot costs that is a copy of the process.
const forks = `
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long long now(void) {
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

int main(int argc, char **argv) {
	(void)argc;
	size_t size = strtoull(argv[1], NULL, 10);
	char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED || madvise(memory, size, MADV_NOHUGEPAGE) != 0)
		return 1;
	memset(memory, 1, size);
	for (int runs = atoi(argv[2]); runs > 0; runs--) {
		long long begun = now();
		pid_t child = fork();
		if (child == 0)
			_exit(0);
		long long took = now() - begun;
		if (child < 0 || waitpid(child, NULL, 0) != child)
			return 1;
		printf("%lld\n", took);
	}
	return 0;
}
`

// mostOfFork is the share of a fork's processor time that a snapshot of melonDS DS with its JIT may take. It is a ratio of two
// things measured one after the other, so it says something on any machine; times alone do not.
const mostOfFork = 0.15

// forkTimes are those of forks of a process with as much memory of its own as a console has.
func forkTimes(t *testing.T, pid, runs int) (list times) {
	t.Helper()
	fields := strings.Fields(string(must.Read(t, fmt.Sprintf("/proc/%d/statm", pid))))
	var pages [3]int // of all, those that are there, those that are shared
	for i := range pages {
		pages[i] = number(t, fields[i])
	}
	folder := t.TempDir()
	source, program := filepath.Join(folder, "forks.c"), filepath.Join(folder, "forks")
	must.Succeed(t, os.WriteFile(source, []byte(forks), 0o600))
	if out, err := exec.CommandContext(t.Context(), "cc", "-O2", "-o", program, source).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	out, err := exec.CommandContext(t.Context(), program, fmt.Sprint((pages[1]-pages[2])*os.Getpagesize()), fmt.Sprint(runs)).Output()
	must.Succeed(t, err)
	for _, line := range strings.Fields(string(out)) {
		list = append(list, time.Duration(number(t, line)))
	}
	return list
}

func number(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	must.Succeed(t, err)
	return n
}
