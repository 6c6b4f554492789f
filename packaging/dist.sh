#!/bin/sh
# Makes everything that is published of a version, in dist/: packages for Debian, Fedora and
# Arch, the same for the relay, a portable archive, an installer and zips for Windows, the source with all that it is built from, the
# Flatpak's manifest for it, and a list of hashes, signed where KEY is the path of a minisign key. The same commit makes the same bytes, wherever it is checked out.
set -eu
cd "$(dirname "$0")/.."
GO=${GO:-go}
out=$PWD/dist
id=io.github.nettplay.nettplay

# A version by its tag: 1.2.3, between two tags 1.2.3+45.gabcdef0, and 0.0.0 before the first.
described=$(git describe --tags --match 'v[0-9]*' --dirty=+dirty 2>/dev/null || echo "v0.0.0-$(git rev-list --count HEAD)-g$(git rev-parse --short=8 HEAD)")
VERSION=$(echo "${described#v}" | sed 's/-\([0-9]*\)-g/+\1.g/')
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
DATE=$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)
export VERSION SOURCE_DATE_EPOCH DATE STAGE
export LC_ALL=C TZ=UTC
umask 022

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
rm -rf "$out"
mkdir -p "$out"

# The icon that is in the program is the drawn one.
rsvg-convert -w 128 packaging/icons/nettplay.svg | cmp - internal/ui/window/icon.png ||
	{ echo "internal/ui/window/icon.png is not packaging/icons/nettplay.svg: make icon" >&2; exit 1; }

# build NAME PACKAGE [LINKER'S FLAGS]: a stripped program without a trace of this machine, at another
# address at each start, bound before it starts, with its C's stack and copies watched. The relay has
# no C, and stays static (packaging/nettplay-relay.lintian): Go knows no program that is both.
build() {
	mode=pie
	[ "${CGO_ENABLED:-1}" = 1 ] || mode=exe
	CGO_CFLAGS='-O2 -g -fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2' CGO_LDFLAGS='-Wl,-z,relro -Wl,-z,now' \
		$GO build -trimpath -buildvcs=false -buildmode=$mode -o "$work/$1" \
		-ldflags "-s -w -buildid= -X main.version=$VERSION ${3:+-extldflags '$3'}" "$2"
}

# oldest FILE ...: no symbol may be newer than Debian 12's glibc has.
oldest() {
	for f; do
		newest=$(objdump -T "$f" | grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -1)
		[ "$(printf '%s\nGLIBC_2.36\n' "${newest:-GLIBC_2.2}" | sort -V | tail -1)" = GLIBC_2.36 ] ||
			{ echo "$f needs $newest, which Debian 12 lacks: build on Debian 12" >&2; exit 1; }
	done
}

# papers USR NAME: licence and changes.
papers() {
	install -d "$1/share/doc/$2"
	gzip -9nc CHANGELOG.md >"$1/share/doc/$2/CHANGELOG.md.gz"
	install -D -m 644 "packaging/$2.lintian" "$1/share/lintian/overrides/$2"
	printf 'nettplay (%s) unstable; urgency=medium\n\n  * See CHANGELOG.md.gz.\n\n -- The nettplay authors <nettplay@users.noreply.github.com>  %s\n' \
		"$VERSION" "$(date -u -d "@$SOURCE_DATE_EPOCH" -R)" | gzip -9n >"$1/share/doc/$2/changelog.gz"
	cat >"$1/share/doc/$2/copyright" <<-EOF
		Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
		Upstream-Name: nettplay
		Source: https://github.com/nettplay/nettplay

		Files: *
		Copyright: 2026 The nettplay authors
		License: GPL-3+

		License: GPL-3+
		 nettplay is free software under the GNU General Public License, version 3 or
		 later. On Debian it stands in /usr/share/common-licenses/GPL-3.
	EOF
}

# archive FOLDER: a folder of $work as a file, the same for the same contents.
archive() {
	chmod -R u=rwX,go=rX "$work/$1"
	tar -C "$work" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner -cf - "$1" |
		gzip -9n >"$out/$1.tar.gz"
}

# pack NAME: the packages of a program whose files stand in STAGE.
pack() {
	find "$STAGE" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
	for form in deb rpm archlinux; do
		"$work/nfpm" package -f "$1" -p $form -t "$out"
	done
}

(cd packaging && CGO_ENABLED=0 $GO build -o "$work/nfpm" github.com/goreleaser/nfpm/v2/cmd/nfpm)

build nettplay ./cmd/nettplay
STAGE=$work/desk
install -D -m 755 "$work/nettplay" "$STAGE/usr/bin/nettplay"
oldest "$STAGE/usr/bin/nettplay"
packaging/share.sh "$work/nettplay" "$STAGE/usr" "$VERSION" "${DATE%T*}"
papers "$STAGE/usr" nettplay
pack packaging/nfpm.yaml

CGO_ENABLED=0 build nettplay-relay ./cmd/nettplay-relay
STAGE=$work/relay
install -D -m 755 "$work/nettplay-relay" "$STAGE/usr/bin/nettplay-relay"
install -d "$STAGE/usr/lib/systemd/system"
sed '/^#/d; s|/usr/local/bin/|/usr/bin/|' packaging/relay/nettplay-relay.service >"$STAGE/usr/lib/systemd/system/nettplay-relay.service"
install -D -m 644 packaging/relay/nettplay-relay.toml "$STAGE/etc/nettplay-relay.toml"
install -d "$STAGE/usr/share/man/man1"
"$work/nettplay-relay" --manual | gzip -9n >"$STAGE/usr/share/man/man1/nettplay-relay.1.gz"
papers "$STAGE/usr" nettplay-relay
pack packaging/nfpm-relay.yaml

# The portable archive: SDL, ENet and what they need that a desktop may lack lie beside the
# program. All that talks to the display, the sound server and the graphics card is the desktop's.
tree=$work/nettplay-$VERSION-linux-x86_64
mkdir -p "$tree"
build portable ./cmd/nettplay '-Wl,-rpath,$ORIGIN/lib -Wl,--disable-new-dtags'
install -m 755 "$work/portable" "$tree/nettplay"
install -d "$tree/lib"
for lib in libSDL2-2.0.so.0 libenet.so.7 libsamplerate.so.0 libdecor-0.so.0 libXss.so.1; do
	from=$(ldd "$work/portable" | awk -v lib=$lib '$1 == lib { print $3 }')
	[ -n "$from" ] || { echo "$lib: the program does not need it, or it is not installed" >&2; exit 1; }
	install -m 644 "$from" "$tree/lib/$lib"
	oldest "$tree/lib/$lib"
done
packaging/share.sh "$work/nettplay" "$tree" "$VERSION" "${DATE%T*}"
install -m 644 LICENSE CHANGELOG.md "$tree/"
cat packaging/portable.txt >"$tree/README.txt"
archive "${tree##*/}"

# The source with the modules that it is built from, for those who build without a network, such as
# Flathub; and the Flatpak's manifest, which names it by its hash.
source=nettplay-$VERSION-source
git archive --prefix="$source/" HEAD | tar -C "$work" -xf -
(cd "$work/$source" && GOFLAGS= $GO mod vendor && find vendor -name '*.a' -delete) # SDL's static libraries, which nothing here uses
archive "$source"
sum=$(sha256sum "$out/$source.tar.gz")
sed "s/@VERSION@/$VERSION/g; s/@DATE@/${DATE%T*}/g; s/@SHA256@/${sum%% *}/g" packaging/flatpak/$id.json >"$out/$id.json"

# Windows' parts, by a compiler that not every machine has.
if command -v x86_64-w64-mingw32-gcc >/dev/null && command -v makensis >/dev/null; then
	packaging/windows/dist.sh "$VERSION" "$out"
else
	echo "dist: NOTHING FOR WINDOWS IS MADE: mingw-w64 or NSIS is missing, which .ci/setup windows installs" >&2
fi

(cd "$out" && sha256sum -- * >SHA256SUMS)
if [ -n "${KEY:-}" ]; then
	minisign -S -s "$KEY" -m "$out/SHA256SUMS"
fi
ls -l "$out"
