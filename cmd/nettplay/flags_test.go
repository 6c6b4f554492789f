package main

import (
	"bytes"
	"errors"
	"flag"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/internal/session/notice"
)

func TestFlagsInAnyOrder(t *testing.T) {
	for _, tt := range []struct{ line, want string }{
		{"a b", "a b"},
		{"a --n 1 b", "a b n=1"},
		{"--n=1 a -v b", "a b n=1 v"},
		{"a b -n 1 -v", "a b n=1 v"},
		{"a -- --n 1", "a --n 1"},
		{"-v -- -- a", "-- a v"},
	} {
		fs := flag.NewFlagSet("test", flag.ContinueOnError)
		n, v := fs.Int("n", 0, ""), fs.Bool("v", false, "")
		got, err := parse(fs, strings.Fields(tt.line))
		if err != nil {
			t.Errorf("%q: %v", tt.line, err)
			continue
		}
		if *n != 0 {
			got = append(got, "n=1")
		}
		if *v {
			got = append(got, "v")
		}
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("%q gives %q, want %q", tt.line, s, tt.want)
		}
	}
}

// A help text fits into the terminals that there are.
func TestHelpIsNarrow(t *testing.T) {
	var all bytes.Buffer
	usage(&all)
	for line := range strings.Lines(all.String()) {
		if len(line) > 81 {
			t.Errorf("the list of commands has a line of %d letters: %s", len(line)-1, line)
		}
	}
	for _, c := range commands() {
		var out bytes.Buffer
		if err := c.start(t.Context(), &environment{stdout: &out}, []string{"--help"}); !errors.Is(err, flag.ErrHelp) {
			t.Errorf("%s --help: %v", c.name, err)
		}
		for line := range strings.Lines(out.String()) {
			if len(line) > 81 {
				t.Errorf("%s --help has a line of %d letters: %s", c.name, len(line)-1, line)
			}
			if strings.HasPrefix(line, "  -") && line[26:28] != "  " {
				t.Errorf("%s --help has no room between a flag and its words: %s", c.name, line)
			}
		}
	}
}

func TestExitCodes(t *testing.T) {
	broken := errors.New("it broke")
	for _, tt := range []struct {
		err  error
		want int
	}{
		{nil, exitOK},
		{flag.ErrHelp, exitOK},
		{usagef("no"), exitUsage},
		{sessionError(&notice.Failure{Result: notice.ResultLost, Err: broken}), exitLost},
		{sessionError(&notice.Failure{Result: notice.ResultDesync, Err: broken}), exitDesync},
		{sessionError(&notice.Failure{Result: notice.ResultCore, Err: broken}), exitCore},
		{broken, 1},
	} {
		var out bytes.Buffer
		if got := conclude(&environment{stderr: &out}, "host", tt.err); got != tt.want {
			t.Errorf("%v gives %d, want %d", tt.err, got, tt.want)
		}
		if said := out.Len() > 0; said != (tt.want != exitOK) {
			t.Errorf("%v says %q", tt.err, out.String())
		}
	}
}

func TestHintsAreSentences(t *testing.T) {
	for hint, want := range map[string]string{
		"ask the game host": "Ask the game host.",
		"Is it open?":       "Is it open?",
		"To install it, type:\n\n  sudo apt install x": "To install it, type:\n\n  sudo apt install x",
	} {
		if got := sentence(hint); got != want {
			t.Errorf("%q becomes %q, want %q", hint, got, want)
		}
	}
}
