package language_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/internal/language"
	"github.com/nettplay/nettplay/internal/testing/must"
)

var update = flag.Bool("update", false, "bring the catalogues up to date with the source")

// below is how many sentences of packages below the window may have no translation yet, so that a new error there does
// not wait for five languages.
const below = 40

// template is the catalogue without any translation, for a language that is not here yet.
const template = "po/nettplay.pot"

// plurals are gettext's rules, for its tools; the program goes by those of Unicode, which are alike.
var plurals = map[string]string{
	"": "nplurals=INTEGER; plural=EXPRESSION;", "ja": "nplurals=1; plural=0;", "fr": "nplurals=2; plural=n > 1;",
	"de": "nplurals=2; plural=n != 1;", "it": "nplurals=2; plural=n != 1;", "es": "nplurals=2; plural=n != 1;",
}

// header begins a catalogue: its first lines, up to the header's, are those of the file, where it has some.
func header(code, before string) string {
	notes := ""
	for line := range strings.Lines(before) {
		if !strings.HasPrefix(line, "# ") && line != "#\n" {
			break
		}
		notes += line
	}
	return notes + fmt.Sprintf("msgid \"\"\nmsgstr \"\"\n\"Project-Id-Version: nettplay\\n\"\n\"Language: %s\\n\"\n\"MIME-Version: 1.0\\n\"\n"+
		"\"Content-Type: text/plain; charset=UTF-8\\n\"\n\"Content-Transfer-Encoding: 8bit\\n\"\n\"Plural-Forms: %s\\n\"\n", code, plurals[code])
}

// translated are the languages that have a catalogue.
func translated() []string {
	return slices.DeleteFunc(language.Codes(), func(code string) bool { return code == "en" })
}

// TestCatalogues: each sentence that people see is in every catalogue, in the order of the source, and translated.
// With -update the catalogues get what they lack, without its translation, and lose what the source has no more.
func TestCatalogues(t *testing.T) {
	must.HaveLinux(t, "the sources of Linux")
	entries := extract(t)
	if len(entries) < 1000 {
		t.Fatalf("only %d sentences were found", len(entries))
	}
	keep := func(path, code string, list []language.Entry) {
		before, err := os.ReadFile(path)
		if err != nil && !*update {
			t.Fatal(err)
		}
		now := language.WritePO(header(code, string(before)), list, max(language.Forms(code), 1))
		if now == string(before) {
			return
		}
		if !*update {
			t.Errorf("%s is not up to date: make texts", path)
			return
		}
		must.Succeed(t, os.WriteFile(path, []byte(now), 0o600))
	}
	keep(template, "", entries)
	for _, code := range translated() {
		path := "po/" + code + ".po"
		list, missing := merged(t, path, entries), 0
		for _, e := range list {
			for i := range forms(e, code) {
				if i >= len(e.Text) || e.Text[i] == "" {
					if missing++; !*update && strings.HasPrefix(e.Files[0], "internal/ui/") {
						t.Errorf("%s: nobody has translated %q, of %s", path, e.English, e.Files[0])
					}
					break
				}
			}
		}
		if missing > below && !*update {
			t.Errorf("%s: %d of %d sentences have no translation, at most %d may", path, missing, len(list), below)
		}
		keep(path, code, list)
	}
}

// forms is how many translations a sentence has in a language.
func forms(e language.Entry, code string) int {
	if e.Plural == "" {
		return 1
	}
	return language.Forms(code)
}

// merged are the sentences of the source with the translations of a file.
func merged(t *testing.T, path string, entries []language.Entry) []language.Entry {
	t.Helper()
	data, err := os.ReadFile(path)
	must.Succeed(t, err)
	old, err := language.ParsePO(string(data))
	must.Succeed(t, err)
	known := map[string][]string{}
	for _, e := range old {
		known[e.English] = e.Text
	}
	list := slices.Clone(entries)
	for i := range list {
		list[i].Text = known[list[i].English]
	}
	return list
}

// TestTranslations: a translation has the blanks of its sentence, in whatever order, and no white space that the
// sentence has not.
func TestTranslations(t *testing.T) {
	for _, code := range translated() {
		data, err := os.ReadFile("po/" + code + ".po")
		must.Succeed(t, err)
		entries, err := language.ParsePO(string(data))
		must.Succeed(t, err)
		for _, e := range entries {
			want := language.Blanks(e.English)
			for _, text := range e.Text {
				if text == "" {
					continue
				}
				got := language.Blanks(text)
				one := e.Plural != "" && len(want) == 1 && len(got) == 0 // a language may write "one frame"
				if !one && string(got) != string(want) {
					t.Errorf("%s: the blanks of %q are not those of %q", code, text, e.English)
				}
				if strings.TrimSpace(text) != text {
					t.Errorf("%s: %q begins or ends with white space", code, text)
				}
				if strings.HasSuffix(e.English, ".") && !strings.ContainsAny(text[len(text)-1:], ".!?:") && !strings.HasSuffix(text, "。") && !strings.HasSuffix(text, "？") {
					t.Errorf("%s: %q ends no sentence, other than %q", code, text, e.English)
				}
			}
		}
	}
}
