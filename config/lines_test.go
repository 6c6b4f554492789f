package config

import (
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
)

func TestStatements(t *testing.T) {
	const text = "# c\n" + // 1
		"a = 1 # [x]\n" +
		"\n" +
		" 'b c' . \"d\\u0041\" = [ # [\n" + // 4
		"  \"]\", # y = 1\n" +
		"  '''\nz = 1\n''', { q = '}' },\n" +
		"]\t# end\n" + // 9
		"e = \"\"\"\n[no]\nf = \\\"\"\"\"\"\"\n" + // 10 to 12: an escaped quote, then """ and two more
		"[ s . 't' ] # [u]\n" + // 13
		"g=\"\\\\\"\r\n" +
		"[[v]]\n" + // 15
		"h = { i = \"{\", j = 1 }   # }\n" +
		"[[v]]\n" +
		"[s]\n" +
		"k = '''''''\n" + // 19: a quote alone, in three of them
		"l = 2"
	if _, err := toml.Decode(text, new(map[string]any)); err != nil {
		t.Fatalf("the test's own text: %v", err)
	}
	want := []struct {
		key   string
		line  int
		value string
	}{
		{"a", 2, "1"},
		{`"b c".dA`, 4, "[ # [\n  \"]\", # y = 1\n  '''\nz = 1\n''', { q = '}' },\n]"},
		{"e", 10, "\"\"\"\n[no]\nf = \\\"\"\"\"\"\""},
		{"s.t", 13, "[ s . 't' ]"},
		{"s.t.g", 14, `"\\"`},
		{"v", 15, "[[v]]"},
		{"v.h", 16, `{ i = "{", j = 1 }`},
		{"v", 17, "[[v]]"},
		{"s", 18, "[s]"},
		{"s.k", 19, "'''''''"},
		{"s.l", 20, "2"},
	}
	got := statements(text)
	for i, s := range got {
		if i >= len(want) || s.key.String() != want[i].key || s.line != want[i].line || text[s.start:s.end] != want[i].value {
			t.Fatalf("statement %d is %s in line %d with %q, want %+v", i, s.key, s.line, text[s.start:s.end], want[min(i, len(want)-1)])
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d statements, want %d", len(got), len(want))
	}
}

// FuzzStatements takes what the parser accepts and checks that every key is found,
// and that the text up to any statement, and to its end, is a whole text too.
func FuzzStatements(f *testing.F) {
	f.Add("a = 1\n[b]\nc.d = \"\"\"x\n\"\"\"\n[[e]]\n\"f\\u0041\" = ['''\n''', { g = 1 }]\n")
	f.Add(Defaults().Commented())
	f.Add("x = '[' # ]\r\n")
	f.Add("\ufeffa.'b.c' = 2009-10-24 10:00:00\n")
	f.Fuzz(func(t *testing.T, text string) {
		list := statements(text) // of any text, it ends
		var tree map[string]any
		md, err := toml.Decode(text, &tree)
		if err != nil || len(text) > 2000 {
			return
		}
		lines := keyLines(list)
		for _, key := range md.Keys() {
			found := 0
			for n := len(key); n > 0 && found == 0; n-- {
				found = lines[key[:n].String()]
			}
			if found < 1 || found > strings.Count(text, "\n")+1 {
				t.Fatalf("key %s is found in line %d", key, found)
			}
		}
		for _, s := range list {
			if s.start > s.end || s.end > len(text) {
				t.Fatalf("%s is from byte %d to %d of %d", s.key, s.start, s.end, len(text))
			}
			for _, part := range []string{strings.Join(strings.SplitAfter(text, "\n")[:s.line-1], ""), text[:s.end]} {
				if _, err := toml.Decode(part, new(map[string]any)); err != nil {
					t.Fatalf("%s in line %d: the text up to it or its end, %q, is not valid: %v", s.key, s.line, part, err)
				}
			}
		}
	})
}
