# Rooms of both systems, over a bad line. To be read by test.sh, whose names it uses.
(
	export NETTPLAY_WINE="$wine" NETTPLAY_WINDOWS="$out/nettplay.exe" NETTPLAY_WINDOWS_CORE="$out/testcore_libretro.dll"
	# shellcheck disable=SC2086 # they are words
	$GO test -vet=off -tags nettplay_faults -count=1 -timeout 60m -v -parallel 1 -run '^TestMixedRooms$' ${FLAGS:-} ./cmd/nettplay
)
