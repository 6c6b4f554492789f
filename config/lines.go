package config

import (
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"
)

// The TOML parser tells where a syntax error is, but not where a key stands that
// it accepted. This scanner finds that. It reads only texts that the parser has
// accepted, so it needs to know no more of TOML than where keys, strings, lists
// and comments begin and end.

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
func keyLines(text string) map[string]int {
	lines := map[string]int{}
	for _, s := range statements(text) {
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
	s := scanner{text: text, line: 1}
	var section toml.Key
	for s.skipBlank(); !s.done(); s.skipBlank() {
		st := statement{line: s.line, start: s.pos}
		if s.peek() == '[' {
			st.header = true
			s.skipAny("[ \t")
			st.key = s.key()
			section = st.key
			s.skipAny("]")
			st.end = s.pos
			s.skipLine()
		} else {
			st.key = append(section[:len(section):len(section)], s.key()...)
			s.skipAny(" \t=")
			st.start = s.pos
			st.end = s.value()
		}
		list = append(list, st)
	}
	return list
}

// scanner is a place in a text.
type scanner struct {
	text string
	pos  int
	line int
}

func (s *scanner) done() bool { return s.pos >= len(s.text) }

// peek returns the next byte, 0 at the end.
func (s *scanner) peek() byte {
	if s.done() {
		return 0
	}
	return s.text[s.pos]
}

// next takes n bytes and counts lines.
func (s *scanner) next(n int) {
	n = min(n, len(s.text)-s.pos)
	s.line += strings.Count(s.text[s.pos:s.pos+n], "\n")
	s.pos += n
}

// skipAny takes all bytes of a set.
func (s *scanner) skipAny(set string) {
	for !s.done() && strings.IndexByte(set, s.peek()) >= 0 {
		s.next(1)
	}
}

// skipLine takes the rest of a line, with its end.
func (s *scanner) skipLine() {
	if i := strings.IndexByte(s.text[s.pos:], '\n'); i >= 0 {
		s.next(i + 1)
	} else {
		s.pos = len(s.text)
	}
}

// skipBlank takes empty lines and comments.
func (s *scanner) skipBlank() {
	s.skipAny(" \t\r\n\ufeff")
	for s.peek() == '#' {
		s.skipLine()
		s.skipAny(" \t\r\n")
	}
}

// key takes a key: parts between dots, each bare or in quotes.
func (s *scanner) key() (key toml.Key) {
	for !s.done() {
		s.skipAny(" \t")
		key = append(key, s.keyPart())
		s.skipAny(" \t")
		if s.peek() != '.' {
			break
		}
		s.next(1)
	}
	return key
}

func (s *scanner) keyPart() string {
	start := s.pos
	switch s.peek() {
	case '"':
		s.string()
		if name, err := strconv.Unquote(s.text[start:s.pos]); err == nil {
			return name
		}
		return s.text[start:s.pos]
	case '\'':
		s.string()
		return strings.Trim(s.text[start:s.pos], "'")
	}
	i := strings.IndexAny(s.text[s.pos:], ".=] \t\r\n")
	if i <= 0 {
		i = 1 // no valid text; go on all the same
	}
	s.next(i)
	return s.text[start:s.pos]
}

// value takes a value and the rest of its line, and returns where it ends.
func (s *scanner) value() (end int) {
	end = s.pos
	for depth := 0; !s.done(); {
		switch c := s.peek(); c {
		case '\n':
			s.next(1)
			if depth <= 0 {
				return end
			}
			continue
		case '#':
			if i := strings.IndexByte(s.text[s.pos:], '\n'); i >= 0 {
				s.next(i)
			} else {
				s.pos = len(s.text)
			}
			continue
		case ' ', '\t', '\r':
			s.next(1)
			continue
		case '"', '\'':
			s.string()
		default:
			if c == '[' || c == '{' {
				depth++
			} else if c == ']' || c == '}' {
				depth--
			}
			s.next(1)
		}
		end = s.pos
	}
	return end
}

// string takes a string of any of the four kinds.
func (s *scanner) string() {
	quote := s.text[s.pos : s.pos+1]
	if triple := strings.Repeat(quote, 3); strings.HasPrefix(s.text[s.pos:], triple) {
		s.next(3)
		s.until(triple, quote == `"`)
		for range 2 { // the string may end in quotes itself
			if strings.HasPrefix(s.text[s.pos:], quote) {
				s.next(1)
			}
		}
		return
	}
	s.next(1)
	s.until(quote, quote == `"`)
}

// until takes everything up to and with end; with escapes, what follows a
// backslash does not count.
func (s *scanner) until(end string, escapes bool) {
	for !s.done() {
		switch {
		case escapes && s.peek() == '\\':
			s.next(2)
		case strings.HasPrefix(s.text[s.pos:], end):
			s.next(len(end))
			return
		default:
			s.next(1)
		}
	}
}
