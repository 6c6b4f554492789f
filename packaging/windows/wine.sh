# Wine for tests, in a folder of its own, without questions and without a desktop's menus: to be read by a shell, at the top
# of the repository.
export WINEPREFIX=$PWD/bin/windows/wine WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml,winemenubuilder.exe='
wine=${WINE:-$(command -v wine64 || command -v wine || echo /usr/lib/wine/wine64)}
# wine_ready makes the folder, with the library that Go needs and Wine 8 lacks, and has Wine's server stay for some minutes:
# else the first program starts it, and whoever reads that program's output waits for the server's end.
wine_ready() {
	prng=$WINEPREFIX/drive_c/windows/system32/bcryptprimitives.dll
	mkdir -p "$WINEPREFIX"
	"${wine%/*}/wineserver" -p600 </dev/null >/dev/null 2>&1 || "${wine%/*}/wineserver64" -p600 </dev/null >/dev/null 2>&1 || true
	if ! [ -e "$prng" ]; then
		"$wine" wineboot -i </dev/null >/dev/null 2>&1
		# What the registry says of folders for temporary files would go before WINETMP and WINETEMP, by which each test has its own.
		for v in TMP TEMP; do
			for k in 'HKCU\Environment' 'HKLM\System\CurrentControlSet\Control\Session Manager\Environment'; do
				"$wine" reg delete "$k" /v $v /f </dev/null >/dev/null 2>&1 || true
			done
		done
		x86_64-w64-mingw32-gcc -O2 -shared -o "$prng" packaging/windows/prng.c -ladvapi32
	fi
	# What Windows has in the background is started apart from the programs, for the same reason.
	"$wine" wineboot </dev/null >/dev/null 2>&1
}
