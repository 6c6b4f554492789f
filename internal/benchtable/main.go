// Benchtable copies the output of "go test -bench" and ends it with a table of
// what the benchmarks measured in their own units, for people. The lines above
// it stay as benchstat wants them.
//
//	go test -run '^$' -bench . ./... | go run ./internal/benchtable
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"
)

func main() {
	failed, err := run(os.Stdin, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "benchtable:", err)
	}
	if failed || err != nil {
		os.Exit(1)
	}
}

// row is one figure of one benchmark.
type row struct{ name, unit, value string }

// run copies in to out and appends the table. It tells whether a test or a
// package failed.
func run(in io.Reader, out io.Writer) (failed bool, err error) {
	var rows []row
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line := lines.Text()
		fmt.Fprintln(out, line)
		rows = append(rows, figures(line)...)
		failed = failed || strings.HasPrefix(line, "FAIL") || strings.HasPrefix(line, "--- FAIL")
	}
	if err := lines.Err(); err != nil {
		return failed, err
	}
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "\nbenchmark\tfigure\tunit\n")
	for _, r := range rows {
		fmt.Fprintf(t, "%s\t%s\t%s\n", r.name, r.value, r.unit)
	}
	return failed, t.Flush()
}

// figures are what a benchmark's line says: its own units where it has any,
// else the time of one operation.
func figures(line string) []row {
	words := strings.Fields(line)
	if len(words) < 4 || !strings.HasPrefix(words[0], "Benchmark") {
		return nil
	}
	name := strings.TrimPrefix(words[0], "Benchmark")
	var own, usual []row
	for i := 2; i+1 < len(words); i += 2 {
		r := row{name: name, value: words[i], unit: words[i+1]}
		switch r.unit {
		case "ns/op":
			usual = append(usual, r)
		case "B/op", "allocs/op":
		default:
			own = append(own, r)
		}
	}
	if len(own) > 0 {
		return own
	}
	return usual
}
