#!/bin/sh
# The installer for Windows, and zips of the program and of the relay to unpack anywhere: dist.sh VERSION FOLDER. The same commit
# makes the same bytes.
set -eu
cd "$(dirname "$0")/../.."
version=$1
mkdir -p "$2"
out=$(cd "$2" && pwd)
GOFLAGS="${GOFLAGS:-} -trimpath -buildvcs=false" packaging/windows/build.sh "$version" "-s -w -buildid="
name=nettplay-$version-windows-x86_64
relay=nettplay-relay-$version-windows-x86_64
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
mkdir -p "$work/$name" "$work/$relay"
cp bin/windows/nettplay.exe bin/windows/SDL2.dll "$work/$name"
sed 's/$/\r/' packaging/windows/readme.txt >"$work/$name/README.txt"
cp bin/windows/nettplay-relay.exe "$work/$relay"
sed 's/$/\r/' packaging/relay/nettplay-relay.toml >"$work/$relay/nettplay-relay.toml"
for folder in "$name" "$relay"; do
	sed 's/$/\r/' LICENSE >"$work/$folder/LICENSE.txt"
	find "$work/$folder" -exec chmod u=rwX,go=rX {} + -exec touch -d "@${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}" {} +
	rm -f "$out/$folder.zip"
	(cd "$work" && find "$folder" | LC_ALL=C sort | TZ=UTC zip -q -X -9 "$out/$folder.zip" -@)
done
makensis -V2 -DVERSION="$version" -DFROM="$work/$name" -DICON="$PWD/bin/windows/nettplay.ico" -DOUT="$out/$name-setup.exe" packaging/windows/nettplay.nsi
