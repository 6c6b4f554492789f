#!/bin/sh
# Builds all for Linux on arm64, with Debian's libraries unpacked below bin/, and tests there, under
# qemu-user, packages that decide what consoles get. It runs no worker: qemu-user knows no seccomp, and a worker
# without its filter starts no core. The arguments are the C sources of the program, which are checked as well.
set -eu
cd "$(dirname "$0")/../.."
dir=$PWD/bin/arm64
[ -e "$dir/done" ] || packaging/cross/sysroot.sh arm64 "$dir" libc6-dev libsdl2-dev libenet-dev
export CC="aarch64-linux-gnu-gcc --sysroot=$dir/root"
for f in "$@"; do
	# shellcheck disable=SC2086 # they are words
	$CC $C_STRICT -Iinternal/air -c -o /dev/null "$f"
done
export GOARCH=arm64 CGO_ENABLED=1 PKG_CONFIG_SYSROOT_DIR="$dir/root"
export PKG_CONFIG_LIBDIR="$dir/root/usr/lib/aarch64-linux-gnu/pkgconfig:$dir/root/usr/share/pkgconfig"
"$GO" build ./...
"$GO" test -count=1 -short -vet=off -exec "qemu-aarch64 -L $dir/root" \
	./inputdelay ./mirror ./internal/wire ./internal/ds ./internal/desync ./emucore/savefile
