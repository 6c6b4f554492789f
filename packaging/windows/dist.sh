#!/bin/sh
# The installer for Windows and the portable zip, in dist/windows: packaging/windows/dist.sh VERSION
set -eu
cd "$(dirname "$0")/../.."
version=$1
LDFLAGS="-s -w -X main.version=$version" packaging/windows/build.sh
out=$PWD/dist/windows
name=nettplay-$version-windows-x86_64
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
mkdir -p "$out" "$work/$name"
cp bin/windows/nettplay.exe bin/windows/SDL2.dll "$work/$name"
sed 's/$/\r/' LICENSE >"$work/$name/LICENSE.txt"
sed 's/$/\r/' packaging/windows/readme.txt >"$work/$name/README.txt"
find "$work/$name" -exec touch -d "@$(git log -1 --format=%ct)" {} +
rm -f "$out/$name.zip"
(cd "$work" && TZ=UTC zip -q -X -9 -r "$out/$name.zip" "$name")
makensis -V2 -DVERSION="$version" -DFROM="$work/$name" -DOUT="$out/$name-setup.exe" packaging/windows/nettplay.nsi
(cd "$out" && sha256sum "$name.zip" "$name-setup.exe" >SHA256SUMS)
