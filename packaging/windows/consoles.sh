# Consoles of the test core: recordings of both systems are verified on both. To be read by test.sh, whose names it uses.
(
	work=$(mktemp -d)
	mkdir -m 700 "$work/run"
	trap 'rm -rf "$work"' EXIT INT TERM
	$GO build -o "$work/nettplay" ./cmd/nettplay
	so=$work/testcore_libretro.so dll=Z:$out/testcore_libretro.dll rom=$PWD/roms-test/pad.nds
	exe=$PWD/bin/windows/nettplay.exe
	make -s -C internal/testing/testcore OUT="$so" "$so"
	cd "$work" # Linux' libraries below Wine read XDG's variables, too: what they write by Windows' paths is gone with it
	linux() { XDG_CONFIG_HOME=$work/config XDG_DATA_HOME=$work/data XDG_CACHE_HOME=$work/cache XDG_RUNTIME_DIR=$work/run "$work/nettplay" "$@"; }
	windows() { XDG_CONFIG_HOME=Z:$work/config XDG_DATA_HOME=Z:$work/data XDG_STATE_HOME=Z:$work/state XDG_CACHE_HOME=Z:$work/cache "$wine" "$exe" "$@"; }
	play() { # WHICH CORE ROM FOLDER
		"$1" local --headless --any-core --core "$2" --frames 1800 --speed max --rtc "2009-10-24 18:30" --consoles 2 --record "$4/$1.nplog" "$3"
	}
	set -x
	[ "$(windows version | cut -d' ' -f1)" = nettplay ]
	windows nonsense && exit 1 || [ $? = 2 ]
	play linux "$so" "$rom" "$work"
	play windows "$dll" "Z:$rom" "Z:$work"
	linux replay --verify --force --core "$so" --rom "$rom" "$work/windows.nplog"
	windows replay --verify --force --core "$dll" --rom "Z:$rom" "Z:$work/linux.nplog"
)
