//go:build unix

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/nettplay/nettplay/internal/testing/fixture"
)

// cmdCoreServer runs a server of cores until the script ends, writes settings with it as the
// only source, and has the script's programs trust it.
func cmdCoreServer(ts *testscript.TestScript, args []string) {
	s := fixture.StartCores()
	ts.Defer(s.Close)
	started(ts).cores = s
	text := fmt.Sprintf("[core]\nfolders = []\nsources = [%q]\n", s.Sources()[0])
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o600))
	ts.Check(os.WriteFile(ts.MkAbs("roots.pem"), s.Cert(), 0o600))
	ts.Setenv("SSL_CERT_FILE", ts.MkAbs("roots.pem"))
}

// cmdReleased adds a release of melonDS DS to those of the server: a version, a date, and a
// library, to which bytes are added that change nothing but its hash.
func cmdReleased(ts *testscript.TestScript, args []string) {
	lib, err := os.ReadFile(ts.MkAbs(args[2]))
	ts.Check(err)
	ps := started(ts)
	ps.released = append([]fixture.Core{{Name: "melondsds", Version: args[0], Date: args[1], Library: append(lib, args[0]...)}}, ps.released...)
	ps.cores.Release(ps.released...)
}

// cmdKept counts the cores that the script's home keeps.
func cmdKept(ts *testscript.TestScript, args []string) {
	n := 0
	err := fs.WalkDir(os.DirFS(ts.MkAbs("home")), ".local/share/nettplay/cores", func(_ string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			n++
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		ts.Check(err)
	}
	if got := fmt.Sprint(n / 2); got != args[0] || n%2 != 0 { // each has its record
		ts.Fatalf("%d files are kept, want %s cores", n, args[0])
	}
}
