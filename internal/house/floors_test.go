package house

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/internal/must"
)

// listed is what the go command tells of a package.
type listed struct {
	ImportPath, Dir, Export string
	GoFiles, CgoFiles       []string
	Module                  *struct{ Main bool }
}

// TestFilesStandOnFloors: inside a package, too, arrows point downwards only. A file takes
// functions, variables and constants from another, and never gives any to it, not even by way
// of a third. Types and their fields are free, since the methods of one type stand in several
// files, by subject.
func TestFilesStandOnFloors(t *testing.T) {
	packages, open := list(t)
	for _, p := range packages {
		if p.Module == nil || !p.Module.Main {
			continue
		}
		uses := takes(t, p, open)
		for _, circle := range circles(uses) {
			var arrows strings.Builder
			for _, from := range circle {
				for _, to := range circle {
					if names := uses[from][to]; len(names) > 0 {
						fmt.Fprintf(&arrows, "\n\t%s takes from %s: %s", from, to, strings.Join(names, ", "))
					}
				}
			}
			t.Errorf("files of %s form a circle:%s", strings.TrimPrefix(p.ImportPath, module), &arrows)
		}
	}
}

// list has the go command list all packages and those that they import, and returns them with
// what opens an import's types.
func list(t *testing.T) ([]listed, func(path string) (io.ReadCloser, error)) {
	t.Helper()
	cmd := exec.Command("go", "list", "-tags", "nettplay_faults", "-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles,CgoFiles,Module", "./...")
	cmd.Dir, cmd.Stderr = root, os.Stderr
	out, err := cmd.Output()
	must.Succeed(t, err)
	var packages []listed
	exports := map[string]string{}
	for dec := json.NewDecoder(bytes.NewReader(out)); dec.More(); {
		var p listed
		must.Succeed(t, dec.Decode(&p))
		packages = append(packages, p)
		exports[p.ImportPath] = p.Export
	}
	return packages, func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) }
}

// takes returns the names that each file of a package takes from each other one.
func takes(t *testing.T, p listed, open importer.Lookup) map[string]map[string][]string {
	t.Helper()
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range append(p.GoFiles, p.CgoFiles...) {
		file, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		must.Succeed(t, err)
		files = append(files, file)
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	// C's sizes are unknown here, so some files of cgo are found at fault. The go command has
	// compiled the package, so other faults are none either.
	config := types.Config{Importer: importer.ForCompiler(fset, "gc", open), FakeImportC: true, Error: func(error) {}}
	checked, _ := config.Check(p.ImportPath, fset, files, info)
	uses := map[string]map[string][]string{}
	for _, f := range files {
		uses[filepath.Base(fset.File(f.FileStart).Name())] = map[string][]string{}
	}
	for id, o := range info.Uses {
		if o.Pkg() != checked || !floored(o) {
			continue
		}
		from, to := filepath.Base(fset.Position(id.Pos()).Filename), filepath.Base(fset.Position(o.Pos()).Filename)
		if from != to && !slices.Contains(uses[from][to], o.Name()) {
			uses[from][to] = append(uses[from][to], o.Name())
		}
	}
	return uses
}

// floored reports whether a name ties the file that uses it to the one that declares it: a
// function, a method, and a variable or a constant of the package.
func floored(o types.Object) bool {
	switch o.(type) {
	case *types.Func:
		return true
	case *types.Var, *types.Const:
		return o.Parent() == o.Pkg().Scope()
	}
	return false
}

// circles returns the sets of files that reach each other, sorted.
func circles(uses map[string]map[string][]string) [][]string {
	reached := map[string]map[string]bool{}
	for from := range uses {
		reached[from] = map[string]bool{}
		reach(uses, from, reached[from])
	}
	var all [][]string
	for from := range uses {
		var circle []string
		for to := range reached[from] {
			if reached[to][from] {
				circle = append(circle, to)
			}
		}
		slices.Sort(circle)
		if len(circle) > 0 && circle[0] == from {
			all = append(all, circle)
		}
	}
	return all
}

// reach adds all files to which names lead from a file.
func reach(uses map[string]map[string][]string, from string, reached map[string]bool) {
	for to := range uses[from] {
		if !reached[to] {
			reached[to] = true
			reach(uses, to, reached)
		}
	}
}
