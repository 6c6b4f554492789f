package config

import (
	"fmt"
	"strings"
)

// Problem is one thing that is wrong with settings.
type Problem struct {
	Line    int    // in the file, from 1; 0 if it is not of a file
	Key     string // "room.delay"; "" if it is not about one
	Other   string // the key it clashes with, if it does
	Why     string // "99 is out of range"
	Allowed string // "0 to 30"; "" if that says nothing
	Control string // the key or controller button that does two things; "" if it is about none

	item string // the key, button or controller that a clash is about
}

// Error is everything that is wrong with settings. Find it with errors.As.
type Error struct {
	File     string // path; "" if the settings are not of a file
	Problems []Problem
}

// maxShown is the number of problems that an error's text shows: a file that is no settings at all has
// thousands.
const maxShown = 20

// Error returns one line for each problem:
//
//	/home/me/.config/nettplay/config.toml:12: room.delay: 99 is out of range; allowed: 0 to 30
func (e *Error) Error() string {
	var lines []string
	for _, p := range e.Problems[:min(len(e.Problems), maxShown)] {
		lines = append(lines, p.text(e.File))
	}
	if more := len(e.Problems) - maxShown; more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more problems", more))
	}
	return strings.Join(lines, "\n")
}

// String is the problem in one line, with its place in the file: "line 12: room.delay: 99 is out of
// range; allowed: 0 to 30".
func (p Problem) String() string {
	if p.Line > 0 {
		return fmt.Sprintf("line %d: %s", p.Line, p.text(""))
	}
	return p.text("")
}

// text is the problem in one line, behind the name of the file.
func (p Problem) text(file string) string {
	var b strings.Builder
	switch {
	case file != "" && p.Line > 0:
		fmt.Fprintf(&b, "%s:%d: ", file, p.Line)
	case file != "":
		fmt.Fprintf(&b, "%s: ", file)
	}
	if p.Key != "" {
		b.WriteString(p.Key + ": ")
	}
	b.WriteString(p.Why)
	if p.Allowed != "" {
		b.WriteString("; allowed: " + p.Allowed)
	}
	return b.String()
}
