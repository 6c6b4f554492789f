# What `go build` needs for Windows, by mingw-w64 with the libraries of libs.sh: to be read by a shell, at the top
# of the repository.
libs=$PWD/bin/windows/libs
export GOOS=windows GOARCH=amd64 CGO_ENABLED=1 CC=x86_64-w64-mingw32-gcc PKG_CONFIG_LIBDIR=$libs/lib/pkgconfig
export CGO_CFLAGS="-O2 -g -I$libs/include -D__USE_MINGW_ANSI_STDIO=1" CGO_LDFLAGS="-L$libs/lib -static-libgcc"
