//go:build unix

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// A docsLine is a line of a paper that its reader types into a terminal.
type docsLine struct{ paper, text string }

// docsLines are all of README.md and docs: in a block between fences those that begin with "$ ", or with
// one of the commands below, and in a block that is set in four spaces those of nettplay.
func docsLines(t *testing.T) (lines []docsLine) {
	papers, err := filepath.Glob(filepath.Join("..", "..", "docs", "*.md"))
	must.Succeed(t, err)
	begins := regexp.MustCompile(`^(\$|nettplay|nettplay-relay|sudo|make|podman|scp|ssh|flatpak|go|git|sysctl)( |$)`)
	for _, paper := range append(papers, filepath.Join("..", "..", "README.md")) {
		fenced, output := false, false // output: a block of text, which nobody types
		for line := range strings.Lines(string(must.Read(t, paper))) {
			line = strings.TrimRight(line, "\n")
			if strings.HasPrefix(line, "```") {
				fenced, output = !fenced, !fenced && line == "```text"
				continue
			}
			indented := strings.HasPrefix(line, "    nettplay ")
			if fenced && !output && begins.MatchString(line) || !fenced && indented {
				text := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "$ "))
				lines = append(lines, docsLine{filepath.Base(paper), text})
			}
		}
	}
	return lines
}

// TestDocsAreTyped: each line that a paper has its reader type is run by docs.txtar, or left out there with a
// reason; and nothing else stands there.
func TestDocsAreTyped(t *testing.T) {
	script := string(must.Read(t, filepath.Join("testdata", "script", "docs.txtar")))
	var typed []string
	for _, m := range regexp.MustCompile(`(?m)^(?:typed|background \w+) '([^']+)'$|^leftout '([^']+)' '([^']{10,})'$`).FindAllStringSubmatch(script, -1) {
		typed = append(typed, m[1]+m[2])
	}
	if n := strings.Count("\n"+script, "\ntyped ") + strings.Count(script, "\nbackground ") + strings.Count(script, "\nleftout "); n != len(typed) {
		t.Errorf("docs.txtar has %d lines that are typed, started or left out, of which %d have the right form", n, len(typed))
	}
	lines := docsLines(t)
	if len(lines) < 40 {
		t.Fatalf("only %d lines were found", len(lines))
	}
	for _, l := range lines {
		if !slices.Contains(typed, l.text) {
			t.Errorf("%s has its reader type %q, which docs.txtar neither runs nor leaves out", l.paper, l.text)
		}
	}
	for _, text := range typed {
		if !slices.ContainsFunc(lines, func(l docsLine) bool { return l.text == text }) {
			t.Errorf("docs.txtar has %q, which no paper has", text)
		}
	}
}

// TestDocsNameCommandsAndFlags: what the papers name of nettplay amid their sentences is there: each command, and
// each flag of it.
func TestDocsNameCommandsAndFlags(t *testing.T) {
	papers, err := filepath.Glob(filepath.Join("..", "..", "docs", "*.md"))
	must.Succeed(t, err)
	known, n := map[string]command{}, 0
	for _, c := range commands() {
		known[c.name] = c
	}
	for _, paper := range append(papers, filepath.Join("..", "..", "README.md")) {
		for _, m := range regexp.MustCompile("`nettplay ([^`]+)`").FindAllStringSubmatch(string(must.Read(t, paper)), -1) {
			words := strings.Fields(m[1])
			if strings.HasPrefix(words[0], "-") || words[0] == "COMMAND" {
				words = append([]string{"window"}, words...)
			}
			c, ok := known[words[0]]
			if !ok {
				t.Errorf("%s names %q, which is no command", filepath.Base(paper), m[1])
				continue
			}
			n++
			var flags call
			flags.define(c)
			for _, word := range words[1:] {
				name, _, _ := strings.Cut(strings.TrimLeft(word, "-"), "=")
				if strings.HasPrefix(word, "-") && name != "help" && flags.set.Lookup(name) == nil {
					t.Errorf("%s names %q, and there is no flag %s", filepath.Base(paper), m[1], word)
				}
			}
		}
	}
	if n < 20 {
		t.Errorf("only %d were found", n)
	}
}

// cmdMeans has a text of the papers stand for another one, where it names what a reader has: an invitation, an
// address.
func cmdMeans(ts *testscript.TestScript, args []string) {
	ps := started(ts)
	for i := 0; i < len(ps.means); i += 2 {
		if ps.means[i] == args[0] {
			ps.means[i+1] = args[1]
			return
		}
	}
	ps.means = append(ps.means, args[0], args[1])
}

// cmdTyped runs a line of the papers to its end, which must be a good one.
func cmdTyped(ts *testscript.TestScript, args []string) {
	cmdExits(ts, append([]string{"0"}, docsArgs(ts, args[0])...))
}

// cmdBackground starts a line of the papers, under a name for "see" and "end".
func cmdBackground(ts *testscript.TestScript, args []string) {
	settings := ts.MkAbs(args[0] + "/nettplay")
	ts.Check(os.MkdirAll(settings, 0o700))
	ts.Check(os.WriteFile(filepath.Join(settings, "config.toml"), []byte(ts.ReadFile("config.toml")), 0o600))
	cmdStart(ts, append([]string{args[0]}, docsArgs(ts, args[1])...))
}

func cmdInvitation(ts *testscript.TestScript, args []string) {
	link := regexp.MustCompile(`nettplay://join/\S+`)
	cmdSee(ts, []string{args[0], link.String()})
	ts.Setenv(args[1], link.FindString(named(ts, args[0]).run.Words()))
}

// cmdLeftOut runs nothing: its arguments are a line of the papers and the reason.
func cmdLeftOut(*testscript.TestScript, []string) {}

// docsArgs takes a line of nettplay's apart as a shell does, but for what no line of the papers has.
func docsArgs(ts *testscript.TestScript, line string) (args []string) {
	rest, ok := strings.CutPrefix(line, "nettplay ")
	if !ok {
		ts.Fatalf("%q does not begin with nettplay", line)
	}
	for _, m := range regexp.MustCompile(`"([^"]*)"|(\S+)`).FindAllStringSubmatch(rest, -1) {
		args = append(args, strings.NewReplacer(started(ts).means...).Replace(m[1]+m[2]))
	}
	return args
}
