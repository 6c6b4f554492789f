#!/bin/sh
# The program for Windows, in bin/windows: nettplay.exe, SDL2.dll that it needs beside it, and nettplay-relay.exe:
# packaging/windows/build.sh VERSION [LINKER'S FLAGS]
set -eu
cd "$(dirname "$0")/../.."
version=$1
packaging/windows/libs.sh
packaging/windows/resources.sh "$version"
. packaging/windows/env.sh
out=bin/windows
cmp -s $out/libs/bin/SDL2.dll $out/SDL2.dll || cp $out/libs/bin/SDL2.dll $out/
"${GO:-go}" build -ldflags "${2:-} -X main.version=$version -extldflags '$extldflags'" -o $out/nettplay.exe ./cmd/nettplay
CGO_ENABLED=0 "${GO:-go}" build -ldflags "${2:-} -X main.version=$version" -o $out/nettplay-relay.exe ./cmd/nettplay-relay
