package config

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
)

var updateDocs = flag.Bool("update", false, "write the list in docs/settings.md again")

// The list of all settings in docs/settings.md is made from the table that the file's comments and the window's help
// are made from. Keys and buttons have a table of their own there.
func TestSettingsInDocs(t *testing.T) {
	must.HaveLinux(t, "the page says how folders begin there")
	const file, head = "../docs/settings.md", "## Every setting\n"
	var b strings.Builder
	b.WriteString("\nAs `nettplay config init` writes them, but for keys and buttons, which are above.\n\n| setting | default | allowed | meaning |\n|---|---|---|---|\n")
	c := Defaults()
	for _, f := range fields(schema(&c)) {
		if f.device == "" {
			fmt.Fprintf(&b, "| `%s` | `%s` | %s | %s |\n", f.key, format(f.usual), strings.ReplaceAll(f.allowed, "|", `\|`), strings.ReplaceAll(f.doc, "|", `\|`))
		}
	}
	old := string(must.Read(t, file))
	before, list, ok := strings.Cut(old, head)
	if !ok {
		t.Fatalf("%s has no %q", file, head)
	}
	if list == b.String() {
		return
	}
	if !*updateDocs {
		t.Fatalf("%s is behind the table of settings: go test ./config -run TestSettingsInDocs -update", file)
	}
	must.Succeed(t, os.WriteFile(file, []byte(before+head+b.String()), 0o644))
}
