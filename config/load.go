package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/nettplay/nettplay/internal/disk"
)

// MaxFile is the size of the largest file that is read, in bytes. A file with all
// comments has 15,000.
const MaxFile = 256 << 10

// Load reads the settings of a file; those it does not have are the defaults. The
// settings are valid whatever the error is. A file that is not there is an error that
// wraps fs.ErrNotExist. Mistakes in the file are an *[Error]: all else in it counts. With any
// other error nothing of the file could be read.
func Load(path string) (Config, error) {
	text, err := readFile(path)
	if err != nil {
		return Defaults(), fmt.Errorf("load settings: %w", err)
	}
	return Parse(path, text)
}

// readFile reads a file, bounding its size.
func readFile(path string) (string, error) {
	text, err := disk.Read(path, MaxFile)
	return string(text), err
}

// Parse is [Load] of a text; file names it in errors.
func Parse(file, text string) (Config, error) {
	c, _, err := parse(file, text)
	return c, err
}

// parse is Parse, and returns the text's statements.
func parse(file, text string) (Config, []statement, error) {
	c := Defaults()
	l := &loader{c: &c, schema: schema(&c), fields: map[string]field{}, set: map[string]bool{}, wrong: map[string]bool{}}
	for _, f := range fields(l.schema) {
		l.fields[f.key] = f
	}
	tree, err := decode(text)
	var list []statement
	if err == nil {
		list = statements(text)
	} else {
		s := newSalvage(text)
		s.read()
		tree, list, l.problems = s.tree, s.list, s.problems
		if len(l.problems) == 0 { // nothing in it is wrong by itself
			l.problems = []Problem{{Line: 1, Why: "not valid TOML: " + complaint(err)}}
		}
	}
	l.lines = keyLines(list)
	l.section(nil, tree)
	l.check()
	if len(l.problems) == 0 {
		return c, list, nil
	}
	slices.SortStableFunc(l.problems, func(a, b Problem) int { return a.Line - b.Line })
	return c, list, &Error{File: file, Problems: l.problems}
}

// loader puts what the TOML parser found into a Config.
type loader struct {
	c        *Config
	schema   []section
	fields   map[string]field // by their keys
	lines    map[string]int   // where each key stands
	set      map[string]bool  // fields that the file has, and that count
	wrong    map[string]bool  // those that do not
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
			l.assign(f, key, value)
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
			several, _ := value.([]map[string]any)
			for _, table := range several {
				l.section(key, table)
			}
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
	why := "no such setting" + DidYouMean(name, names)
	if len(elsewhere) > 0 {
		why = "no such setting, it belongs under " + strings.Join(elsewhere, " or ")
	}
	l.problem(key, why, strings.Join(names, ", "))
}

// assign gives a field the value that the file has.
func (l *loader) assign(f field, key toml.Key, value any) {
	if pairs, ok := value.(map[string]any); ok {
		if _, ok := f.ptr.(*map[string]string); ok {
			l.assignPairs(f, key, pairs)
			return
		}
	}
	if why := assign(f.ptr, value); why != "" {
		l.problem(key, why, f.allowed)
		l.reject(f)
		return
	}
	l.set[f.key] = true
	why := f.check()
	if why == "" {
		return
	}
	l.problem(key, why, f.allowed)
	if !f.keepItems() {
		l.reject(f)
	}
}

// assignPairs gives a field that is a map the pairs of the file that are allowed.
func (l *loader) assignPairs(f field, key toml.Key, pairs map[string]any) {
	m, good := f.ptr.(*map[string]string), map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(pairs)) {
		why := assign(f.ptr, map[string]any{name: pairs[name]})
		if why == "" {
			why = f.check()
		}
		if why != "" {
			l.problem(append(slices.Clone(key), name), why, f.allowed)
			l.problems[len(l.problems)-1].Key = f.key
			continue
		}
		good[name] = pairs[name]
	}
	*m = nil
	_ = assign(f.ptr, good) // each of them was assigned before
	l.set[f.key] = true
	if why := f.check(); why != "" { // they are too many
		l.problem(key, why, f.allowed)
		l.reject(f)
	}
}

// reject leaves a field its default, since what the file says of it does not count.
func (l *loader) reject(f field) {
	f.reset()
	delete(l.set, f.key)
	l.wrong[f.key] = true
}

// check looks for values that contradict each other, and has one of them give way.
func (l *loader) check() {
	all := fields(l.schema)
	l.yield(all)
	for {
		list := clashes(all, l.c.Pads)
		if len(list) == 0 {
			return
		}
		p := list[0]
		loser, at := p.Key, p.Key
		switch {
		case !l.set[p.Key]: // then the other one is, for the defaults do not clash
			at = p.Other
		case !l.set[p.Other] && p.Key != ownMappings: // it is a default, which gives way
			loser = p.Other
		}
		if !l.wrong[p.Key] && !l.wrong[p.Other] { // else it is no more than what came of another mistake
			p.Line = l.line(strings.Split(at, "."))
			l.problems = append(l.problems, p)
		}
		if loser == ownMappings {
			l.c.Pads.Own = maps.Clone(l.c.Pads.Own)
			delete(l.c.Pads.Own, p.item)
			continue
		}
		names := l.fields[loser].names()
		*names = slices.DeleteFunc(slices.Clone(*names), func(name string) bool { return name == p.item })
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
