package message

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// A message without a row in kinds cannot be sent: so each type that is made like a message
// has a row. TestRoundTrip wants a sample of each besides.
func TestEveryMessageHasARow(t *testing.T) {
	rows := map[string]bool{}
	for k, e := range kinds {
		rows[reflect.TypeOf(e.blank()).Elem().Name()] = true
		if k == 0 || e.name == "" || KindOf(e.blank()) != k {
			t.Errorf("row %d is %+v", k, e)
		}
	}
	if len(numbers) != len(kinds) {
		t.Errorf("%d types of messages in %d rows", len(numbers), len(kinds))
	}
	found := 0
	for dir, suffix := range map[string]string{".": "", "../migration": "Msg"} {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		must.Succeed(t, err)
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
			must.Succeed(t, err)
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
				if !strings.HasSuffix(name, suffix) {
					continue
				}
				found++
				if !rows[name] {
					t.Errorf("%s: %s has no row in kinds", file, name)
				}
			}
		}
	}
	if found != len(kinds) {
		t.Errorf("%d types of messages, %d rows", found, len(kinds))
	}
}

type stray struct{ Leave }

// A message without a row is not sent.
func TestNoRowNoMessage(t *testing.T) {
	if b, err := Encode(&stray{}); err == nil {
		t.Errorf("a message that nobody knows was written as %x", b)
	}
}
