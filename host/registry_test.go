package host

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// A message without a row in registry could be sent, and whoever sends it would be
// expelled: so each type that is made like a message has a row, and each row says who
// acts on it. TestRoundTrip wants a sample of each besides.
func TestEveryMessageHasARow(t *testing.T) {
	rows := map[string]bool{}
	for k, e := range registry {
		rows[e.typ.Elem().Name()] = true
		if k == 0 || e.name == "" || reflect.TypeOf(e.blank()) != e.typ {
			t.Errorf("row %d is %+v", k, e)
		}
		acts := e.fromHost != nil || e.fromPeer != nil
		for _, take := range e.fromClient {
			acts = acts || take != nil
		}
		if !acts {
			t.Errorf("nobody acts on %v", k)
		}
	}
	if len(kinds) != len(registry) {
		t.Errorf("%d types of messages in %d rows", len(kinds), len(registry))
	}
	found := 0
	for _, dir := range []string{".", "migration"} {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range f.Decls {
				fn, ok := d.(*ast.FuncDecl)
				if !ok || fn.Recv == nil || fn.Name.Name != "Fields" {
					continue
				}
				star, ok := fn.Recv.List[0].Type.(*ast.StarExpr)
				if !ok {
					continue
				}
				name := star.X.(*ast.Ident).Name
				if !strings.HasSuffix(name, "Msg") {
					continue
				}
				found++
				if !rows[name] {
					t.Errorf("%s: %s has no row in registry", file, name)
				}
			}
		}
	}
	if found != len(registry) {
		t.Errorf("%d types of messages, %d rows", found, len(registry))
	}
}

type strayMsg struct{ leaveMsg }

// A message without a row is not sent.
func TestNoRowNoMessage(t *testing.T) {
	if b, err := encode(&strayMsg{}); err == nil {
		t.Errorf("a message that nobody knows was written as %x", b)
	}
}
