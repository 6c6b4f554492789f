#!/bin/sh
# share.sh PROGRAM USR VERSION DATE: puts what a desktop needs beside the program into USR/share:
# menu entry, MIME types, icons, the manual page and the shells' completions, by the program's own words.
# Packages, the archive and the Flatpak use it.
set -eu
program=$1 share=$2/share version=$3 date=$4
cd "$(dirname "$0")"
id=io.github.nettplay.nettplay

install -d "$share/applications" "$share/mime/packages" "$share/metainfo" "$share/man/man1" \
	"$share/bash-completion/completions" "$share/fish/vendor_completions.d" "$share/zsh/vendor-completions" \
	"$share/icons/hicolor/scalable/apps" "$share/icons/hicolor/scalable/mimetypes"
install -m 644 desktop/$id.desktop "$share/applications/"
install -m 644 desktop/$id.mime.xml "$share/mime/packages/$id.xml"
sed "s/@VERSION@/$version/; s/@DATE@/$date/" desktop/$id.metainfo.xml >"$share/metainfo/$id.metainfo.xml"
install -m 644 icons/nettplay.svg "$share/icons/hicolor/scalable/apps/$id.svg"
install -m 644 icons/recording.svg "$share/icons/hicolor/scalable/mimetypes/$id-recording.svg"
if command -v rsvg-convert >/dev/null; then
	for size in 16 32 48 64 128 256; do
		install -d "$share/icons/hicolor/${size}x$size/apps"
		rsvg-convert -w $size icons/nettplay.svg -o "$share/icons/hicolor/${size}x$size/apps/$id.png"
	done
fi
"$program" manual | gzip -9n >"$share/man/man1/nettplay.1.gz"
"$program" manual bash >"$share/bash-completion/completions/nettplay"
"$program" manual fish >"$share/fish/vendor_completions.d/nettplay.fish"
"$program" manual zsh >"$share/zsh/vendor-completions/_nettplay"
