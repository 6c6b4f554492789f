package bugreport

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"

	"golang.org/x/sys/unix"
)

// WriteVersions describes the program and the machine: versions, system, processor.
// Nothing in it identifies or locates a person.
func WriteVersions(w io.Writer, program string, protocol int) {
	fmt.Fprintf(w, "nettplay %s, protocol %d\n", program, protocol)
	fmt.Fprintf(w, "%s %s/%s, %d CPUs\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	if model := processor(); model != "" {
		fmt.Fprintf(w, "%s\n", model)
	}
	var u unix.Utsname
	if unix.Uname(&u) == nil {
		fmt.Fprintf(w, "%s %s\n", unix.ByteSliceToString(u.Sysname[:]), unix.ByteSliceToString(u.Release[:]))
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, d := range info.Deps {
			fmt.Fprintf(w, "%s %s\n", d.Path, d.Version)
		}
	}
}

// processor is what the machine's processor calls itself, "" where that is not known.
func processor() string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if name, value, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
