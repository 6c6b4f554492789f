package main

import (
	"strings"
	"testing"
)

func TestTable(t *testing.T) {
	const in = `goos: linux
BenchmarkSession-2   	  100	  2000 ns/op	  1.08 x-of-one-console	  16 B/op	  1 allocs/op
BenchmarkPush-2   	  100	  17.5 ns/op	  0 B/op	  0 allocs/op
ok  	example	1.2s
`
	var out strings.Builder
	failed, err := run(strings.NewReader(in), &out)
	if failed || err != nil {
		t.Fatalf("failed %v, %v", failed, err)
	}
	text := out.String()
	if !strings.HasPrefix(text, in) {
		t.Error("the lines for benchstat were changed")
	}
	table := strings.TrimPrefix(text, in)
	for _, want := range []string{"Session-2", "1.08", "x-of-one-console", "17.5"} {
		if !strings.Contains(table, want) {
			t.Errorf("the table lacks %q:\n%s", want, table)
		}
	}
	if strings.Contains(table, "2000") {
		t.Errorf("the table shows the time of a benchmark that has its own unit:\n%s", table)
	}
}

func TestFailureIsPassedOn(t *testing.T) {
	if failed, _ := run(strings.NewReader("--- FAIL: BenchmarkX\nFAIL\n"), &strings.Builder{}); !failed {
		t.Error("a failed benchmark counts as well")
	}
}
