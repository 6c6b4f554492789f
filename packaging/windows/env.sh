# What `go build` needs for Windows, by mingw-w64 with the libraries of libs.sh: to be read by a shell, at the top
# of the repository.
windows=$PWD/bin/windows
case $windows in
*[[:space:]]*) # compilers and pkg-config know such a path by a name without blanks
	ln -sfn "$windows" "${TMPDIR:-/tmp}/nettplay-windows-$(printf %s "$windows" | sha256sum | cut -c1-16)"
	windows=${TMPDIR:-/tmp}/nettplay-windows-$(printf %s "$windows" | sha256sum | cut -c1-16)
	;;
esac
libs=$windows/libs
export GOOS=windows GOARCH=amd64 CGO_ENABLED=1 CC=x86_64-w64-mingw32-gcc PKG_CONFIG_LIBDIR=$libs/lib/pkgconfig
# Most of what C reads otherwise are headers of vector types, which none of it uses.
vectors=-D__INTRIN_H_
for h in IMM MM XMM EMM PMM; do
	vectors="$vectors -DSDL_DISABLE_${h}INTRIN_H"
done
export CGO_CFLAGS="-O2 -g -I$libs/include -D__USE_MINGW_ANSI_STDIO=1 -D_X86INTRIN_H_INCLUDED $vectors" CGO_LDFLAGS="-L$libs/lib -static-libgcc"
# Of programs with a window: what resources.sh makes. The same sources make the same bytes.
extldflags="-Wl,--no-insert-timestamp $windows/resources.o"
