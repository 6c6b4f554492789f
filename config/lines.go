package config

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"
)

// The TOML parser tells where a syntax error is, but not where a key stands that
// it accepted. This scanner finds that. It reads only texts that the parser has
// accepted, so it needs to know no more of TOML than where keys, strings, lists
// and comments begin and end.
const (
	oneLine = `"(?:\\.|[^"\\\n])*"|'[^'\n]*'` // a string
	// several is a string over several lines, which may end in quotes itself.
	several = `"""(?s:\\.|[^\\])*?"{3,5}|'''(?s:.*?)'{3,5}`
	onePart = `(?:` + oneLine + `|[^\s.=#"'\[\]{},\x{feff}]+)` // of a key
	fullKey = `(` + onePart + `(?:[ \t]*\.[ \t]*` + onePart + `)*)`
)

var (
	heading    = regexp.MustCompile(`^\[\[?[ \t]*` + fullKey + `[ \t]*\]\]?`)
	assignment = regexp.MustCompile(`^` + fullKey + `[ \t]*=[ \t]*`)
	keyPart    = regexp.MustCompile(onePart)
	// token is a piece of a value, or of what stands between two statements.
	token = regexp.MustCompile(`^(?:` + several + `|` + oneLine + `|#[^\n]*|(?s:.))`)
)

// statement is a line of a TOML file that says something, or several lines when
// a value goes on over them.
type statement struct {
	key        toml.Key // full: with the section it stands in
	header     bool     // [section] or [[section]]
	line       int      // its first, from 1
	start, end int      // bytes of the value; of the whole header
}

// keyLines returns the first line in which each key and section is named, by
// their full keys: a.b.c names a and a.b too.
func keyLines(list []statement) map[string]int {
	lines := map[string]int{}
	for _, s := range list {
		for n := range s.key {
			if id := s.key[:n+1].String(); lines[id] == 0 {
				lines[id] = s.line
			}
		}
	}
	return lines
}

// statements takes a valid TOML text apart. Of any other text it returns
// something, and it ends.
func statements(text string) (list []statement) {
	var section toml.Key
	for pos, line := 0, 1; pos < len(text); {
		rest, end := text[pos:], 0
		if m := heading.FindStringSubmatchIndex(rest); m != nil {
			section, end = keyOf(rest[m[2]:m[3]]), pos+m[1]
			list = append(list, statement{section, true, line, pos, end})
		} else if m := assignment.FindStringSubmatchIndex(rest); m != nil {
			full := append(section[:len(section):len(section)], keyOf(rest[m[2]:m[3]])...)
			end = valueEnd(text, pos+m[1])
			list = append(list, statement{full, false, line, pos + m[1], end})
		} else {
			end = pos + len(token.FindString(rest)) // blanks and comments
		}
		line += strings.Count(text[pos:end], "\n")
		pos = end
	}
	return list
}

// keyOf takes a key apart at its dots, and the quotes off.
func keyOf(text string) (key toml.Key) {
	for _, part := range keyPart.FindAllString(text, -1) {
		if part[0] == '\'' {
			part = strings.Trim(part, "'")
		} else if name, err := strconv.Unquote(part); err == nil {
			part = name
		}
		key = append(key, part)
	}
	return key
}

// valueEnd returns where the value ends that begins at pos.
func valueEnd(text string, pos int) (end int) {
	end = pos
	for depth := 0; pos < len(text); {
		t := token.FindString(text[pos:])
		pos += len(t)
		switch t[0] {
		case '\n':
			if depth <= 0 {
				return end
			}
			continue
		case ' ', '\t', '\r', '#':
			continue
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		}
		end = pos
	}
	return end
}
