# Wine for tests, in a folder of its own, without questions and without a desktop's menus: to be read by a shell, at the top
# of the repository.
export WINEPREFIX=$PWD/bin/windows/wine WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml,winemenubuilder.exe='
wine=${WINE:-$(command -v wine64 || command -v wine || echo /usr/lib/wine/wine64)}
# wine_ready makes the folder, with the library that Go needs and Wine 8 lacks.
wine_ready() {
	prng=$WINEPREFIX/drive_c/windows/system32/bcryptprimitives.dll
	[ -e "$prng" ] && return 0
	"$wine" wineboot -i >/dev/null 2>&1
	x86_64-w64-mingw32-gcc -O2 -shared -o "$prng" packaging/windows/prng.c -ladvapi32
}
