package config

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/BurntSushi/toml"
)

// salvage reads what it can of a text that is not valid TOML. Each heading and each setting is read
// by itself; what cannot be read is a problem, and all else counts.
type salvage struct {
	text     string
	sections []string         // that there are
	fields   map[string]field // of settings of its own, to try values on
	list     []statement      // that can be read
	tree     map[string]any   // what they say
	problems []Problem
	section  toml.Key       // of the last heading; nil at the top of the file
	skip     bool           // the last heading is not that of a section: what follows belongs to nothing
	lines    map[string]int // in which line each heading and each setting stands
	lost     int            // bytes that were looked at in vain for the ends of values
}

// Limits of what a broken text may cost: of a value over several lines, and of all of those that have no end.
const (
	maxValue = 64 << 10
	maxLost  = 4 * MaxFile
)

func newSalvage(text string) *salvage {
	c := Defaults()
	s := &salvage{text: text, fields: map[string]field{}, tree: map[string]any{}, lines: map[string]int{}}
	for _, section := range schema(&c) {
		s.sections = append(s.sections, section.key)
		for _, f := range section.fields {
			s.fields[f.key] = f
		}
	}
	return s
}

// read goes through the text.
func (s *salvage) read() {
	for pos, line := 0, 1; pos < len(s.text); {
		end := s.statement(pos, line)
		line += strings.Count(s.text[pos:end], "\n")
		pos = end
	}
}

// lineEnd returns where the line ends that pos is in, behind its line break.
func lineEnd(text string, pos int) int {
	if i := strings.IndexByte(text[pos:], '\n'); i >= 0 {
		return pos + i + 1
	}
	return len(text)
}

// statement reads the line that begins at pos, and those over which its value goes on. It returns
// where the next one begins.
func (s *salvage) statement(pos, line int) (end int) {
	end = lineEnd(s.text, pos)
	if pos == 0 {
		pos = len(s.text[:end]) - len(strings.TrimPrefix(s.text[:end], "\ufeff"))
	}
	start := pos + len(s.text[pos:end]) - len(strings.TrimLeft(s.text[pos:end], " \t"))
	words := strings.TrimSpace(s.text[start:end])
	switch {
	case words == "" || words[0] == '#':
		return end
	case words[0] == '[' || !strings.Contains(words, "=") && strings.HasSuffix(words, "]") && s.sectionIn(words) != "":
		s.heading(start, line, words)
		return end
	case s.skip:
		return end
	}
	m := assignment.FindStringSubmatchIndex(s.text[start:end])
	if m == nil {
		s.wrong(line, words, "")
		return end
	}
	valueAt := start + m[1]
	limit := min(len(s.text), valueAt+maxValue)
	if s.lost > maxLost {
		limit = end
	}
	last := valueEnd(s.text[:limit], valueAt)
	whole := max(end, lineEnd(s.text, last))
	tree, err := decode(s.text[start:whole])
	if err != nil {
		s.wrong(line, words, complaint(err))
		if whole == end {
			return end
		}
		s.lost += whole - start
		return s.nextStatement(end)
	}
	key := append(s.section[:len(s.section):len(s.section)], keyOf(s.text[start:][m[2]:m[3]])...)
	if !s.put(key, line, valueOf(tree, key[len(s.section):])) {
		return whole
	}
	s.lines[key.String()] = line
	s.list = append(s.list, statement{key, false, line, valueAt, last})
	return whole
}

// nextStatement returns where the next line begins, from pos on, that may be a heading or a setting: what
// is left of a value that has no end says nothing.
func (s *salvage) nextStatement(pos int) int {
	for pos < len(s.text) {
		end := lineEnd(s.text, pos)
		words := strings.TrimLeft(s.text[pos:end], " \t")
		if heading.MatchString(words) || assignment.MatchString(words) {
			break
		}
		pos = end
	}
	return pos
}

// valueOf finds the value of a key in what was read of it alone.
func valueOf(tree map[string]any, key toml.Key) any {
	var value any = tree
	for _, part := range key {
		table, _ := value.(map[string]any)
		value = table[part]
	}
	return value
}

// put puts a value into the tree; false if something is there already.
func (s *salvage) put(key toml.Key, line int, value any) bool {
	table := s.tree
	for _, part := range key[:len(key)-1] {
		sub, there := table[part]
		if !there {
			sub = map[string]any{}
			table[part] = sub
		}
		next, ok := sub.(map[string]any)
		if !ok {
			s.problem(line, key.String(), "its section has another form above", "")
			return false
		}
		table = next
	}
	name := key[len(key)-1]
	if _, twice := table[name]; twice {
		s.problem(line, key.String(), fmt.Sprintf("is in line %d already, which counts", s.lines[key.String()]), "")
		return false
	}
	table[name] = value
	return true
}

// heading reads a line that is, or was meant to be, the heading of a section.
func (s *salvage) heading(start, line int, words string) {
	m := heading.FindStringSubmatchIndex(words)
	_, err := decode(words)
	s.section, s.skip = nil, false
	switch {
	case err == nil && m != nil:
		s.section = keyOf(words[m[2]:m[3]])
	case s.sectionIn(words) != "":
		s.section = strings.Split(s.sectionIn(words), ".")
		s.problem(line, "", "not valid TOML: the heading of this section is ["+s.section.String()+"]", "")
	default:
		s.skip = true
		s.problem(line, "", "not valid TOML: "+complaint(err), "")
		return
	}
	id := s.section.String()
	if strings.HasPrefix(words, "[[") {
		s.problem(line, id, "is a list of sections, not a section", "a line ["+id+"] with its settings below")
	}
	if first := s.lines[id]; first > 0 {
		s.problem(line, id, fmt.Sprintf("this section begins in line %d already; its settings belong there", first), "")
		return
	}
	s.lines[id] = line
	table, ok := s.tree, true
	for _, part := range s.section {
		if _, there := table[part]; !there {
			table[part] = map[string]any{}
		}
		if table, ok = table[part].(map[string]any); !ok {
			s.problem(line, id, "this section has another form above", "")
			s.section, s.skip = nil, true
			return
		}
	}
	end := start + len(words)
	if m != nil {
		end = start + m[1]
	}
	s.list = append(s.list, statement{s.section, true, line, start, end})
}

// sectionIn returns the section that a broken heading means, "" for none.
func (s *salvage) sectionIn(words string) string {
	words, _, _ = strings.Cut(words, "#")
	name := strings.ToLower(strings.Trim(words, "[]() \t\"':="))
	for _, section := range s.sections {
		if section == name {
			return section
		}
	}
	return ""
}

// meant finds the key that a broken line begins with, and what stands behind it.
var meant = regexp.MustCompile(`^["']?([A-Za-z0-9_.]+)["']?[ \t]*[:=]*[ \t]*(.*)$`)

// wrong complains about a line that cannot be read, and says what would be right where that can be guessed.
func (s *salvage) wrong(line int, words, why string) {
	if why == "" {
		_, err := decode(words)
		why = complaint(err)
	}
	m := meant.FindStringSubmatch(words)
	if m == nil {
		s.problem(line, "", "not valid TOML: "+why, "")
		return
	}
	id := strings.TrimPrefix(s.section.String()+"."+m[1], ".")
	f, known := s.fields[id]
	if !known {
		if !assignment.MatchString(words) {
			id = ""
		}
		s.problem(line, id, "not valid TOML: "+why, "")
		return
	}
	if right := f.guess(m[2]); right != "" {
		why = "write " + m[1] + " = " + right
	}
	s.problem(line, id, "not valid TOML: "+why, f.allowed)
}

// guess returns how a value that cannot be read is written, "" if none is like it.
func (f field) guess(typed string) string {
	defer f.reset()
	typed, _, _ = strings.Cut(typed, "#")
	typed = strings.Trim(typed, "=:;, \t\"'“”„‘’")
	tries := []string{typed, quote(typed)}
	switch strings.ToLower(typed) {
	case "yes", "on", "true":
		tries = append(tries, "true")
	case "no", "off", "false":
		tries = append(tries, "false")
	}
	if _, isList := f.ptr.(*[]string); isList {
		var items []string
		for _, item := range strings.Split(strings.Trim(typed, "[]"), ",") {
			if item = strings.Trim(item, " \t\"'“”"); item != "" {
				items = append(items, quote(item))
			}
		}
		tries = []string{"[" + strings.Join(items, ", ") + "]"}
	}
	for _, try := range tries {
		tree, err := decode("x = " + try)
		if err != nil || typed == "" {
			continue
		}
		if assign(f.ptr, tree["x"]) == "" && f.check() == "" {
			return try
		}
	}
	return ""
}

func (s *salvage) problem(line int, key, why, allowed string) {
	s.problems = append(s.problems, Problem{Line: line, Key: key, Why: why, Allowed: allowed})
}

// maxTables is the limit of inline tables: settings have two, and the parser takes hours for some thousands.
const maxTables = 500

// decode reads a TOML text.
func decode(text string) (tree map[string]any, err error) {
	if strings.Count(text, "{") > maxTables {
		return nil, errors.New("it has too many braces")
	}
	_, err = toml.Decode(text, &tree)
	return tree, err
}

// complaint is what the TOML parser says, without where.
func complaint(err error) string {
	if pe, ok := errors.AsType[toml.ParseError](err); ok {
		return pe.Message
	}
	if err == nil {
		return "it says nothing that can be read"
	}
	return err.Error()
}
