package config

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/nettplay/nettplay/internal/regular"
)

// MaxFile is the size of the largest file that is read, in bytes. With all
// comments there are 15,000.
const MaxFile = 256 << 10

// Load reads the settings of a file; those it does not have are the defaults. A
// file that is not there is an error that wraps fs.ErrNotExist: then call
// [Defaults]. Any mistake in the file is an *[Error].
func Load(path string) (Config, error) {
	text, err := readFile(path)
	if err != nil {
		return Config{}, fmt.Errorf("load settings: %w", err)
	}
	return Parse(path, text)
}

// readFile reads a file that should not be large.
func readFile(path string) (string, error) {
	text, err := regular.Read(path, MaxFile)
	return string(text), err
}

// Parse is [Load] of a text; file names it in errors.
func Parse(file, text string) (Config, error) {
	var tree map[string]any
	if _, err := toml.Decode(text, &tree); err != nil {
		return Config{}, &Error{File: file, Problems: []Problem{syntaxProblem(err, text)}}
	}
	c := Defaults()
	l := &loader{c: &c, schema: schema(&c), fields: map[string]field{}, lines: keyLines(text), set: map[string]bool{}}
	for _, f := range fields(l.schema) {
		l.fields[f.key] = f
	}
	l.section(nil, tree)
	l.check()
	if len(l.problems) == 0 {
		return c, nil
	}
	slices.SortStableFunc(l.problems, func(a, b Problem) int { return a.Line - b.Line })
	return Config{}, &Error{File: file, Problems: l.problems}
}

// syntaxProblem returns the TOML parser's complaint. The line is counted from the place that it names:
// its own count is one too high at the end of a line.
func syntaxProblem(err error, text string) Problem {
	var pe toml.ParseError
	if !errors.As(err, &pe) {
		return Problem{Line: 1, Why: err.Error()}
	}
	place := min(max(pe.Position.Start, 0), len(text))
	line := 1 + strings.Count(text[:place], "\n")
	return Problem{Line: line, Key: pe.LastKey, Why: "not valid TOML: " + pe.Message}
}

// loader puts what the TOML parser found into a Config.
type loader struct {
	c        *Config
	schema   []section
	fields   map[string]field // by their keys
	lines    map[string]int   // where each key stands
	set      map[string]bool  // fields that the file has
	problems []Problem
}

// former are settings of earlier versions. Files that still have one can be read; the
// next time they are written it is gone. A room's password is told to each room anew,
// and stands in no file.
var former = []string{"room.password"}

// section takes over everything that stands in a section; the empty path is the
// file itself.
func (l *loader) section(path toml.Key, table map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(table)) {
		key := append(slices.Clone(path), name)
		id := key.String() // quotes a name with a dot in it, so that it cannot pass for a path
		value := table[name]
		if f, ok := l.fields[id]; ok {
			if why := assign(f.ptr, value); why != "" {
				l.problem(key, why, f.allowed)
			} else {
				l.set[id] = true
			}
			continue
		}
		if slices.Contains(former, id) {
			continue
		}
		sub, isTable := value.(map[string]any)
		switch isSection := slices.ContainsFunc(l.schema, func(s section) bool { return s.key == id }); {
		case isSection && isTable:
			l.section(key, sub)
		case isSection:
			l.problem(key, "is "+kind(value)+", not a section", "a line ["+id+"] with its settings below")
		default:
			l.unknown(path, key)
		}
	}
}

// unknown complains about a key, and says where it may belong.
func (l *loader) unknown(path, key toml.Key) {
	var names, sections, elsewhere []string // settings and sections here; sections that have a setting of that name
	name := key[len(key)-1]
	inside := func(id string) (rest string, ok bool) {
		rest, ok = id, len(path) == 0
		if !ok {
			rest, ok = strings.CutPrefix(id, path.String()+".")
		}
		return rest, ok && !strings.Contains(rest, ".")
	}
	for _, s := range l.schema {
		if _, ok := inside(s.key); ok {
			sections = append(sections, s.key)
		}
		for _, f := range s.fields {
			if rest, ok := inside(f.key); ok {
				names = append(names, rest)
			}
			if f.key == s.key+"."+name {
				elsewhere = append(elsewhere, "["+s.key+"]")
			}
		}
	}
	slices.Sort(names)
	slices.Sort(sections)
	for _, section := range sections {
		names = append(names, "["+section+"]")
	}
	why := "no such setting" + didYouMean(name, names)
	if len(elsewhere) > 0 {
		why = "no such setting, it belongs under " + strings.Join(elsewhere, " or ")
	}
	l.problem(key, why, strings.Join(names, ", "))
}

// check checks the values of all fields that the file has. It looks for values
// that contradict each other only when all else is right.
func (l *loader) check() {
	all := fields(l.schema)
	for _, f := range all {
		if why := f.check(); why != "" && l.set[f.key] {
			l.problem(strings.Split(f.key, "."), why, f.allowed)
		}
	}
	if len(l.problems) > 0 {
		return
	}
	l.yield(all)
	for _, p := range clashes(all, l.c.Pads) {
		at := p.Key
		if !l.set[at] { // then the other one is, for the defaults do not clash
			at = p.Other
		}
		p.Line = l.line(strings.Split(at, "."))
		l.problems = append(l.problems, p)
	}
}

// yield takes keys from lists that the file leaves out, when it has them in others.
func (l *loader) yield(all []field) {
	var taken []string // of keyboards and controllers, whose names differ
	for _, f := range all {
		if f.device != "" && l.set[f.key] {
			taken = append(taken, *f.names()...)
		}
	}
	for _, f := range all {
		if f.yields && !l.set[f.key] {
			*f.names() = slices.DeleteFunc(slices.Clone(*f.names()), func(name string) bool { return slices.Contains(taken, name) })
		}
	}
}

func (l *loader) problem(key toml.Key, why, allowed string) {
	l.problems = append(l.problems, Problem{Line: l.line(key), Key: key.String(), Why: why, Allowed: allowed})
}

// line returns where a key stands, or what it stands in: an inline table.
func (l *loader) line(key toml.Key) int {
	for n := len(key); n > 0; n-- {
		if line := l.lines[key[:n].String()]; line > 0 {
			return line
		}
	}
	return 0
}
