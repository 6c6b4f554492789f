package house

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// ofSystems are faults that a file has which is meant for another system, or was forgotten for this one. Others may
// come of not knowing C.
var ofSystems = regexp.MustCompile(`undefined|unknown field|no field or method|missing method|redeclared|not used|arguments in call|missing return|could not import`)

// TestTypesOnWindows checks the types of the program as it is for Windows. No compiler of C for Windows is needed: whatever
// is of package C is taken for granted. Of others' packages the bodies of functions are left out.
func TestTypesOnWindows(t *testing.T) {
	cmd := exec.Command("go", "list", "-e", "-deps", "-json=ImportPath,Dir,Module,GoFiles,CgoFiles,ImportMap", "./cmd/nettplay")
	cmd.Dir = "../.."
	cmd.Env = append(os.Environ(), "GOOS=windows", "GOARCH=amd64", "CGO_ENABLED=1")
	list, err := cmd.Output()
	must.Succeed(t, err)
	fset, known, checked := token.NewFileSet(), importer{"unsafe": types.Unsafe}, 0
	for d := json.NewDecoder(bytes.NewReader(list)); d.More(); { // what a package imports comes before it
		var p struct {
			ImportPath, Dir   string
			Module            *struct{ Main bool }
			GoFiles, CgoFiles []string
			ImportMap         map[string]string
		}
		must.Succeed(t, d.Decode(&p))
		if p.ImportPath == "unsafe" {
			continue
		}
		ours := p.Module != nil && p.Module.Main
		var files []*ast.File
		for _, name := range append(p.GoFiles, p.CgoFiles...) {
			f, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			must.Succeed(t, err)
			files = append(files, f)
		}
		for from, to := range p.ImportMap {
			known[from] = known[to]
		}
		conf := types.Config{FakeImportC: true, IgnoreFuncBodies: !ours, Importer: known, Sizes: types.SizesFor("gc", "amd64"), Error: func(err error) {
			if ours && ofSystems.MatchString(err.Error()) {
				t.Error(err)
			}
		}}
		known[p.ImportPath], _ = conf.Check(p.ImportPath, fset, files, nil)
		if ours {
			checked++
		}
	}
	if checked < 50 {
		t.Errorf("%d packages are the program's", checked)
	}
}

// importer has all packages that are known.
type importer map[string]*types.Package

func (i importer) Import(path string) (*types.Package, error) {
	if p := i[path]; p != nil {
		return p, nil
	}
	return nil, os.ErrNotExist
}
