#!/bin/sh
# Measures the installed package in a bare Debian 12, beside RetroArch, and writes docs/figures.md. As root,
# on an idle machine.
set -eu
cd "$(dirname "$0")/.."
GO=${GO:-go}
. packaging/bare.sh

here bookworm || { tail -3 "$CACHE/bookworm.log" >&2; exit 1; }
enter bookworm figures
CGO_ENABLED=0 $GO build -C internal/measuring -o "$root/usr/local/bin/figures" ./cmd/figures
cp dist/nettplay_*.deb "$root/tmp/nettplay.deb"
cp roms-test/pad.nds "$root/tmp/pad.nds"
# size PACKAGE ...: the disk space that apt would use for it.
size() { owner "apt-get install --assume-no $* 2>/dev/null" | sed -n 's/^After this operation, \(.*\) of additional.*/\1/p'; }
sizes="$(size /tmp/nettplay.deb libretro-desmume)|$(size retroarch libretro-desmume)"
owner 'apt-get install -y -q /tmp/nettplay.deb libretro-desmume retroarch xvfb >/dev/null'
player
versions=$(owner 'echo "nettplay $(dpkg-query -W -f \${Version} nettplay), RetroArch $(dpkg-query -W -f \${Version} retroarch)"')
table=$(chroot "$root" env -i PATH=/usr/local/bin:/usr/bin:/bin:/usr/games figures -user 1000 -rom /tmp/pad.nds -sizes "$sizes")
cat >docs/figures.md <<EOF
# Figures

Made by \`make figures\`: the package in a bare Debian 12, on an X server without a screen and without a
graphics card, both programs in the same run. $versions; $(grep -c ^processor /proc/cpuinfo) processors.

$table

A start counts until there is a picture in the window, as seen on the screen; it is the median of six, after one
that fills the disk's cache, with the fastest and the slowest. PSS counts once what several processes
share, RSS counts it each time; both are sums over all processes of a program. The consoles run DeSmuME and
\`roms-test/pad.nds\`. Of two consoles of nettplay the second is shown, of RetroArch the first, less its menu.
EOF
cat docs/figures.md
