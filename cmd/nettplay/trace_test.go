package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
)

func TestCompareRadioTraces(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		must.Succeed(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	a := file("a", "one\ntwo\nthree\n")
	for text, want := range map[string]*radioDifference{
		"one\ntwo\nthree\n":       nil,
		"one\nTWO\nthree\n":       {Same: 1, A: "two", B: "TWO"},
		"one\ntwo\n":              {Same: 2, A: "three"},
		"one\ntwo\nthree\nfour\n": {Same: 3, B: "four"},
		"":                        {A: "one"},
	} {
		n, d, err := compareRadioTraces(a, file("b", text))
		if err != nil || (d == nil) != (want == nil) || d != nil && *d != *want || d == nil && n != 3 {
			t.Errorf("%q: %d packets, %+v, %v", text, n, d, err)
		}
	}
	if _, _, err := compareRadioTraces(a, file("b", strings.Repeat("x", maxTraceLine+1))); err == nil || !strings.Contains(err.Error(), "b, line 1: not a trace") {
		t.Errorf("a file that is no trace: %v", err)
	}
}
