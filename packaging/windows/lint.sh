# Vets everything for Windows. To be read by test.sh, whose names it uses.
(
	. packaging/windows/env.sh
	"$GO" vet -tags nettplay_faults ./...
)
