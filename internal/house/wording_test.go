package house

import (
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/internal/must"
)

var (
	// pronoun finds a sentence that begins with who, what, that or which: at the beginning of a comment, a text or a
	// paragraph, or after another sentence.
	pronoun = regexp.MustCompile("(?:[.!?] |[\"“(`]|// |\\* |# |\\*\\*)(Who|What|That|Whoever|Whatever|Whose|Which) ")
	// atFirst finds one at the beginning of a line of prose.
	atFirst = regexp.MustCompile(`^(Who|What|That|Whoever|Whatever|Whose|Which) `)
	ended   = regexp.MustCompile("[.!?](?:[ )\"”`*]|$)")
	marks   = regexp.MustCompile(`^\s*(?://|\*|#)?\s*`)
)

// TestSentencesBegin: no sentence begins with who, what, that or which, unless it is a question. Such a
// sentence hides its subject.
func TestSentencesBegin(t *testing.T) {
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != root && (d.Name() == ".git" || d.Name() == "testdata" || d.Name() == "dist"):
			return fs.SkipDir
		case d.IsDir() || !slices.Contains([]string{".go", ".md", ".c", ".h"}, filepath.Ext(path)):
			return nil
		}
		rel, err := filepath.Rel(root, path)
		if err != nil || strings.HasSuffix(rel, "wording_test.go") {
			return err
		}
		lines := strings.Split(read(t, rel), "\n")
		for n := range lines {
			if sentence := hidden(lines[n:], filepath.Ext(path) == ".md"); sentence != "" {
				t.Errorf("%s:%d: a sentence that is no question begins so: %s", rel, n+1, sentence)
			}
		}
		return nil
	})
	must.Succeed(t, err)
}

// hidden returns a sentence of the first line that begins with such a word and is no question, "" for none.
func hidden(lines []string, prose bool) string {
	at := pronoun.FindAllStringSubmatchIndex(lines[0], -1)
	if prose {
		at = append(at, atFirst.FindAllStringSubmatchIndex(lines[0], -1)...)
	}
	for _, m := range at {
		sentence := lines[0][m[2]:]
		for _, more := range lines[1:min(len(lines), 4)] {
			if ended.MatchString(sentence) {
				break
			}
			sentence += " " + marks.ReplaceAllString(more, "")
		}
		if end := ended.FindStringIndex(sentence); end == nil || sentence[end[0]] != '?' {
			return lines[0][m[2]:]
		}
	}
	return ""
}

func TestHidden(t *testing.T) {
	for text, want := range map[string]bool{
		"// What is pressed waits.":                        true,
		"// It waits. That is so\n// on all of them.":      true,
		"\tu.Note(\"What you see.\")":                      true,
		"// It asks: \"Who are you?\"":                     false,
		"// it waits. What would wait\n// as long? Nobody": false,
		"\tWhat string // the game":                        false,
		"// A seat that waits, and what it waits for.":     false,
	} {
		if got := hidden(strings.Split(text, "\n"), false); got != "" != want {
			t.Errorf("%q: %q", text, got)
		}
	}
	if hidden([]string{"That is it."}, true) == "" {
		t.Error("the beginning of a line of prose is not looked at")
	}
}
