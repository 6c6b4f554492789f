# A room of both systems: this program hosts, the one for Windows joins under Wine, built with packaging/windows/overlay.sh. Read
# by test.sh, whose names it uses.
. packaging/windows/overlay.sh
(
	. packaging/windows/env.sh
	# shellcheck disable=SC2086 # a flag
	"$GO" build $overlay -o bin/windows/test/nettplay.exe ./cmd/nettplay
	cp bin/windows/SDL2.dll bin/windows/test/
)
linux host --headless --core "$so" --frames 1800 --port 30555 --players 2 --record "$work/host.nplog" --name Linus "$rom" >"$work/host.out" 2>&1 &
host=$!
for _ in $(seq 120); do
	invitation=$(grep -o 'nettplay://join/[^ ]*' "$work/host.out" | head -1 || true)
	[ -z "$invitation" ] || break
	sleep 0.5
done
out=$PWD/bin/windows/test
windows join --headless --core "$dll" --rom "Z:$rom" --frames 1800 --record "Z:$work/join.nplog" --name Willy "$invitation"
wait $host
for log in host join; do
	linux replay --verify --force --core "$so" --rom "$rom" "$work/$log.nplog"
	windows replay --verify --force --core "$dll" --rom "Z:$rom" "Z:$work/$log.nplog"
done
