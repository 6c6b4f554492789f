package report

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
)

// WriteVersions describes the program and the machine: versions, system, processor.
// Nothing in it identifies or locates a person.
func WriteVersions(w io.Writer, program string, protocol int) {
	fmt.Fprintf(w, "nettplay %s, protocol %d\n", program, protocol)
	fmt.Fprintf(w, "%s %s/%s, %d CPUs\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	for _, name := range []string{processor(), system()} {
		if name != "" {
			fmt.Fprintln(w, name)
		}
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, d := range info.Deps {
			fmt.Fprintf(w, "%s %s\n", d.Path, d.Version)
		}
	}
}
