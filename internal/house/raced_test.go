package house

import (
	"io/fs"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/internal/must"
)

// TestRacedTestsExist: the tests that the Makefile names for the race detector are there, and no other of these packages
// has one of the same name.
func TestRacedTestsExist(t *testing.T) {
	makefile := strings.ReplaceAll(read(t, "Makefile"), "\\\n", " ")
	line := regexp.MustCompile(`(?m)^RACED_TESTS := (.*)$`).FindStringSubmatch(makefile)
	if line == nil {
		t.Fatal("the Makefile has no RACED_TESTS: the test reads it wrongly")
	}
	listed := map[string][]string{} // packages of a test
	for _, entry := range strings.Fields(line[1]) {
		pkg, names, _ := strings.Cut(entry, ":")
		for name := range strings.SplitSeq(names, ",") {
			listed[name] = append(listed[name], pkg)
		}
	}
	found := map[string][]string{} // in packages that are listed
	among := slices.Concat(slices.Collect(maps.Values(listed))...)
	tests := regexp.MustCompile(`(?m)^func Test(\w+)\(t \*testing\.T\)`)
	must.Succeed(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		dir, err := filepath.Rel(root, filepath.Dir(path))
		for _, m := range tests.FindAllStringSubmatch(string(must.Read(t, path)), -1) {
			if listed[m[1]] != nil && slices.Contains(among, filepath.ToSlash(dir)) {
				found[m[1]] = append(found[m[1]], filepath.ToSlash(dir))
			}
		}
		return err
	}))
	for name, packages := range listed {
		slices.Sort(packages)
		slices.Sort(found[name])
		if !slices.Equal(packages, found[name]) {
			t.Errorf("Test%s is in %v, and the Makefile's RACED_TESTS has it in %v", name, found[name], packages)
		}
	}
}
