#!/bin/sh
# testscript: "! exec" of a program that is not there passes, as does one that panics, and so does whatever fails in the background.
#
# Package:  github.com/rogpeppe/go-internal v1.16.0, a Go module.
# Guess:    "! exec" says that a program ends with another status than 0. A name that is misspelled is a mistake of the script, and ends it,
#           as an unknown command does. What is started with "&" must end well, unless the line says otherwise; the end of the
#           script waits for it.
# Seen:     any error of a start is the failure that was asked for, and so is a program's panic. What is in the background is judged by "wait"
#           alone: a script without it passes, whatever came of it, and kills what still runs. A test that "the host refuses the guest"
#           goes on passing when the program is renamed, or crashes before it could. Follow each "!" with a line for what it says, end
#           with "wait", or have a command of one's own that takes the status.
#           nettplay has such a command.
# Output:   PASS  ! exec guest fail
#           PASS  ! exec gest fail
#           PASS  ! exec guest panic
#           FAIL  gest fail
#           PASS  exec guest fail &
#           FAIL  exec guest fail & wait
#           PASS  ! exec guest fine &
#           FAIL  ! exec guest fine & wait
#
# Needs Go. There is a command "guest", and none is called "gest".
. "$(dirname "$0")/begin.inc"
cat >go.mod <<'M'
module passes

go 1.21
M
cat >passes_test.go <<'G'
package passes

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"guest": func() {
		switch os.Args[1] {
		case "fail":
			os.Exit(1)
		case "panic":
			panic("a mistake")
		}
	}})
}

func TestScripts(t *testing.T) { testscript.Run(t, testscript.Params{Dir: "scripts"}) }
G
go mod edit -require=github.com/rogpeppe/go-internal@v1.16.0
go mod tidy -e >/dev/null 2>&1
mkdir scripts
cat >lines <<'L'
! exec guest fail
! exec gest fail
! exec guest panic
gest fail
exec guest fail &
exec guest fail & wait
! exec guest fine &
! exec guest fine & wait
L
n=0
while read -r line; do
	n=$((n + 1))
	echo "$line" | sed 's/ wait$/\nwait/' >scripts/line$n.txtar
done <lines
go test -vet=off -v . >said 2>&1 || true
n=0
while read -r line; do
	n=$((n + 1))
	echo "$(sed -n "s/^ *--- \([A-Z]*\): TestScripts\/line$n .*/\1/p" said)  $line"
done <lines | tee seen
[ "$(cut -c1-4 seen | paste -sd' ')" = "PASS PASS PASS FAIL PASS FAIL PASS FAIL" ] || {
	echo "changed: what did not run as the script has it fails it, or no longer does" >&2
	exit 1
}
