package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
)

const (
	root   = "../.."
	module = "github.com/nettplay/nettplay/"
	paper  = "ARCHITECTURE.md"
)

// pkg is a package of the tree as its source has it, without tests.
type pkg struct {
	dir, name string
	comment   bool
	imports   map[string]bool // folders of this module
	cgo       bool
	names     map[string]bool // "Func", "Type", "Type.Method", "Type.Field"
}

// tree reads all packages, by folder.
func tree(t *testing.T) map[string]*pkg {
	t.Helper()
	all := map[string]*pkg{}
	fset := token.NewFileSet()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || isModule(path)) {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(fset, path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		dir, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		dir = filepath.ToSlash(dir)
		if all[dir] == nil {
			all[dir] = &pkg{dir: dir, name: file.Name.Name, imports: map[string]bool{}, names: map[string]bool{}}
		}
		all[dir].add(file)
		return nil
	})
	must.Succeed(t, err)
	return all
}

// isModule tells whether a folder is a module of its own, as what measures the program is.
func isModule(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

// add takes in what a file declares.
func (p *pkg) add(file *ast.File) {
	p.comment = p.comment || file.Doc.Text() != ""
	for _, spec := range file.Imports {
		path := strings.Trim(spec.Path.Value, `"`)
		p.cgo = p.cgo || path == "C" || strings.HasPrefix(path, "github.com/codecat/go-enet") || strings.HasPrefix(path, "github.com/veandco/go-sdl2/")
		if dir, ours := strings.CutPrefix(path, module); ours {
			p.imports[dir] = true
		}
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			name := d.Name.Name
			if d.Recv != nil {
				name = receiver(d.Recv.List[0].Type) + "." + name
			}
			p.names[name] = true
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				p.addSpec(spec)
			}
		}
	}
}

// addSpec takes in a type with its fields and methods, constants and variables.
func (p *pkg) addSpec(spec ast.Spec) {
	switch spec := spec.(type) {
	case *ast.ValueSpec:
		for _, name := range spec.Names {
			p.names[name.Name] = true
		}
	case *ast.TypeSpec:
		p.names[spec.Name.Name] = true
		var members *ast.FieldList
		switch kind := spec.Type.(type) {
		case *ast.StructType:
			members = kind.Fields
		case *ast.InterfaceType:
			members = kind.Methods
		default:
			return
		}
		for _, m := range members.List {
			for _, name := range m.Names {
				p.names[spec.Name.Name+"."+name.Name] = true
			}
		}
	}
}

// receiver returns the name of a receiver's type.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

func read(t *testing.T, path string) string {
	t.Helper()
	return string(must.Read(t, filepath.Join(root, path)))
}

func TestEveryPackageHasAComment(t *testing.T) {
	for _, p := range tree(t) {
		if !p.comment {
			t.Errorf("package %s has no package comment", p.dir)
		}
	}
}

var (
	quoted = regexp.MustCompile("`([^`\n]+)`")
	dotted = regexp.MustCompile(`^[a-z][a-z0-9]*(\.[A-Za-z][A-Za-z0-9]*){1,2}$`)
	step   = regexp.MustCompile("^[0-9]+\\. `([^`]+)`")
)

// TestNamesExist: each step of a journey names a function that exists, and so does each
// other name that ARCHITECTURE.md gives as package.Name or package.Type.Name.
func TestNamesExist(t *testing.T) {
	byName := map[string][]*pkg{}
	for _, p := range tree(t) {
		byName[p.name] = append(byName[p.name], p)
	}
	text := read(t, paper)
	journeys, steps := 0, 0
	for n, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, "### ") {
			journeys++
		}
		first := step.FindStringSubmatch(line)
		if first != nil {
			steps++
			if !dotted.MatchString(first[1]) {
				t.Errorf("%s:%d: %q is not of the form package.Type.Method or package.func", paper, n+1, first[1])
			}
		}
		for _, m := range quoted.FindAllStringSubmatch(line, -1) {
			name := m[1]
			if !dotted.MatchString(name) {
				continue
			}
			in, rest, _ := strings.Cut(name, ".")
			known := byName[in]
			if len(known) == 0 {
				if first != nil && first[1] == name {
					t.Errorf("%s:%d: %s: there is no package %s", paper, n+1, name, in)
				}
				continue
			}
			if !slices.ContainsFunc(known, func(p *pkg) bool { return p.names[rest] }) {
				t.Errorf("%s:%d: package %s has no %s", paper, n+1, in, rest)
			}
		}
	}
	if journeys < 5 || steps < 5*journeys {
		t.Errorf("%s has %d journeys with %d steps: the test reads it wrongly", paper, journeys, steps)
	}
}

// picture returns the packages of the picture, by folder, from top to bottom, and those that
// it marks with *. Lines without a "|" are headings.
func picture(t *testing.T) (list, pure []string) {
	t.Helper()
	_, after, ok := strings.Cut(read(t, paper), "```floors\n")
	lines, _, closed := strings.Cut(after, "```")
	if !ok || !closed {
		t.Fatal("ARCHITECTURE.md has no picture that begins with ```floors")
	}
	for line := range strings.Lines(lines) {
		dir, words, ok := strings.Cut(line, "|")
		if !ok {
			continue
		}
		list = append(list, strings.TrimSpace(dir))
		if strings.HasPrefix(words, " * ") {
			pure = append(pure, strings.TrimSpace(dir))
		}
	}
	return list, pure
}

// TestArrowsPointDown: the picture has each package of the tree once, no other, and a
// package imports only what stands below it in the picture.
func TestArrowsPointDown(t *testing.T) {
	all := tree(t)
	line := map[string]int{}
	list, pure := picture(t)
	for i, dir := range list {
		if _, twice := line[dir]; twice {
			t.Errorf("the picture has %s twice", dir)
		}
		if all[dir] == nil {
			t.Errorf("the picture has %s, and there is no such package", dir)
		}
		line[dir] = i
	}
	for _, dir := range pure {
		if all[dir] != nil && needsCgo(all, dir) {
			t.Errorf("the picture says that %s needs no cgo, and it does", dir)
		}
	}
	for dir, p := range all {
		at, ok := line[dir]
		if !ok {
			t.Errorf("the picture lacks package %s", dir)
			continue
		}
		for to := range p.imports {
			if below, ok := line[to]; ok && below <= at {
				t.Errorf("%s imports %s, which does not stand below it", dir, to)
			}
		}
	}
}

// needsCgo tells whether a package or one that it imports is written in C, too.
func needsCgo(all map[string]*pkg, dir string) bool {
	p := all[dir]
	if p == nil || p.cgo {
		return p != nil
	}
	for to := range p.imports {
		if needsCgo(all, to) {
			return true
		}
	}
	return false
}

var link = regexp.MustCompile(`\]\(([^)#\s]*)(#[^)\s]*)?\)`)

// TestLinksLead: links of the papers lead to files and headings that are there.
func TestLinksLead(t *testing.T) {
	papers := []string{"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"}
	more, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	must.Succeed(t, err)
	records, err := filepath.Glob(filepath.Join(root, "docs", "decisions", "*.md"))
	must.Succeed(t, err)
	for _, path := range append(more, records...) {
		rel, err := filepath.Rel(root, path)
		must.Succeed(t, err)
		papers = append(papers, rel)
	}
	for _, path := range papers {
		for _, m := range link.FindAllStringSubmatch(read(t, path), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			to := path
			if m[1] != "" {
				to = filepath.Join(filepath.Dir(path), m[1])
			}
			if _, err := os.Stat(filepath.Join(root, to)); err != nil {
				t.Errorf("%s links to %s, which is not there", path, m[1])
			} else if m[2] != "" && !slices.Contains(headings(read(t, to)), m[2]) {
				t.Errorf("%s links to %s%s, and there is no such heading", path, m[1], m[2])
			}
		}
	}
}

// headings returns the anchors that GitHub gives the headings of a paper.
func headings(text string) []string {
	var all []string
	for line := range strings.Lines(text) {
		if words, ok := strings.CutPrefix(strings.TrimLeft(line, "#"), " "); ok && line[0] == '#' {
			words = strings.ToLower(strings.TrimSpace(words))
			words = regexp.MustCompile(`[^a-z0-9 -]`).ReplaceAllString(words, "")
			all = append(all, "#"+strings.ReplaceAll(words, " ", "-"))
		}
	}
	return all
}

// TestReadmeShowsTodaysLobby: the README's picture of the lobby is the one that the window's tests compare with.
func TestReadmeShowsTodaysLobby(t *testing.T) {
	const golden = "internal/ui/app/testdata/screens/lobby.png"
	if read(t, "docs/images/README-lobby.png") != read(t, golden) {
		t.Errorf("docs/images/README-lobby.png is not %s: copy it", golden)
	}
}

// TestTargetsExist: workflows and CONTRIBUTING.md name make targets that the Makefile has.
func TestTargetsExist(t *testing.T) {
	makefile := read(t, "Makefile")
	named := map[string]*regexp.Regexp{
		".github/workflows/ci.yml":      regexp.MustCompile(`(?m)target: ([a-z -]+)`),
		".github/workflows/nightly.yml": regexp.MustCompile(`(?m)target: ([a-z -]+)`),
		"CONTRIBUTING.md":               regexp.MustCompile("`make ([a-z-]+)"),
		"README.md":                     regexp.MustCompile("(?m)(?:^|`|\\$ )make ([a-z-]+)"),
	}
	for path, where := range named {
		found := where.FindAllStringSubmatch(read(t, path), -1)
		if len(found) == 0 {
			t.Errorf("%s names no target: the test reads it wrongly", path)
		}
		for _, m := range found {
			for target := range strings.FieldsSeq(m[1]) {
				if !regexp.MustCompile(`(?m)^([a-z-]+ )*` + target + `( [a-z-]+)*:`).MatchString(makefile) {
					t.Errorf("%s says make %s, and the Makefile has no such target", path, target)
				}
			}
		}
	}
}
