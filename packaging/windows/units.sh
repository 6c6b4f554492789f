# The tests of every package that is not Linux' own, under Wine, PKGS of them. To be read by test.sh, whose names it uses.
(
	. packaging/windows/env.sh
	exec=$PWD/packaging/windows/exec.sh
	# Left out: what makes routers and networks of Linux, measures, drives an X server, or builds programs by itself.
	all=$("$GO" list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}' ${PKGS:-./...} |
		grep -vE '/(cmd/nettplay|cmd/nettplay-relay|internal/house|internal/testing/.*|roms-test/.*)$')
	# shellcheck disable=SC2086 # they are words
	"$GO" test $overlay -vet=off -tags nettplay_faults -ldflags "-w -extldflags '$extldflags'" -count=1 -p 2 -timeout 15m -exec "$exec" ${FLAGS:-} $all
)
