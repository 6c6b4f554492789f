#!/bin/sh
# Tries what dist.sh made as somebody does who gets it: on a bare Debian 12 and 13, made in
# folders of their own (bare.sh). As root.
#
#   the .deb, installed by apt: the demo; the window with its icon; a recording, a kept moment and an
#   invitation opened by xdg-open, the last in the window that is open;
#   removed: only the player's own files stay;
#   the archive, where neither SDL nor ENet is: the demo and the window;
#   the relay's .deb: it starts, and has its manual page;
#   the programs' headers, for what makes an attack harder; all .debs by lintian, menu entry and metainfo by their validators, the Flatpak's manifest by
#   flatpak-builder where it is installed;
#   the source, built without a network;
#   dist.sh once more from another folder: the same bytes.
#
# RELEASES="bookworm" tries Debian 12 alone, AGAIN= leaves out the second making, and SHOTS is a folder
# for pictures of the windows.
set -eu
cd "$(dirname "$0")/.."
GO=${GO:-go}
RELEASES=${RELEASES-bookworm trixie}
AGAIN=${AGAIN-yes}
id=io.github.nettplay.nettplay
. packaging/bare.sh

report= # a line for each thing that was tried
tried() {
	echo "   $1"
	report="$report
$release: $1"
}

# window NAME COMMAND [MORE]: a window opens by a command, with a picture, our icon and our name; MORE may go
# on from there; and the program ends in good order.
window() {
	there "xvfb-run -a -s '-screen 0 1280x800x24' onscreen '$2' '${3:-}'" ||
		{ there 'grep -v ALSA window.log; cat host.log window.txt; ps -A -o pid,etime,args' >&2 || true; echo "$release: $1: no" >&2; exit 1; }
	colours=$(there 'identify -format %k window.png')
	[ "$colours" -gt 50 ] || { echo "$1: the window shows $colours colours" >&2; exit 1; }
	[ -z "${SHOTS:-}" ] || cp "$root/home/player/window.png" "$SHOTS/$release-$1.png"
}

# hardened PROGRAM: it stands at another address at each start, its tables are bound and read only before it
# starts, no stack holds code, no page is both written and run, and its C's stack and copies are watched.
hardened() {
	headers=$(readelf -hlW "$1") names=$(readelf --dyn-syms -W "$1")
	echo "$headers" | grep -q 'Type: *DYN' || { echo "$1 is no PIE" >&2; return 1; }
	echo "$headers" | grep -q GNU_RELRO && readelf -dW "$1" | grep -q 'BIND_NOW\|FLAGS_1.*NOW' || { echo "$1 has no full RELRO" >&2; return 1; }
	echo "$headers" | grep -q 'GNU_STACK.* RW ' || { echo "$1 may run code on its stack" >&2; return 1; }
	! echo "$headers" | grep 'LOAD.* RWE ' || { echo "$1 has pages to write and run" >&2; return 1; }
	echo "$names" | grep -q ' __stack_chk_fail@' || { echo "$1 has no stack protector" >&2; return 1; }
	echo "$names" | grep -q ' __vsnprintf_chk@' || { echo "$1 is built without FORTIFY" >&2; return 1; }
}

screen="xvfb xauth xdotool x11-utils procps imagemagick"
skipped=
for release in $RELEASES; do
	if ! here "$release"; then
		tail -3 "$CACHE/$release.log" >&2
		echo "distcheck: $MIRROR HAS NO $release, OR DEBOOTSTRAP DOES NOT KNOW IT: IT IS NOT TRIED" >&2
		skipped="$skipped $release"
		continue
	fi
	echo "== $release, the package"
	enter "$release" package
	cp dist/nettplay_*.deb "$root/tmp/nettplay.deb"
	cp dist/nettplay-relay_*.deb "$root/tmp/relay.deb"
	cp packaging/onscreen.sh "$root/usr/local/bin/onscreen"
	owner 'apt-get install -y -q /tmp/nettplay.deb libretro-desmume >/dev/null'
	player
	tried "installed: $(there 'nettplay version | head -1')"
	there 'nettplay demo | tail -1 | grep -q "bit-identical"'
	tried "the demo is bit-identical"
	owner "apt-get install -y -q $screen xdg-utils libglib2.0-bin desktop-file-utils shared-mime-info appstream man-db bash-completion >/dev/null"
	owner "desktop-file-validate /usr/share/applications/$id.desktop && appstreamcli validate --no-net /usr/share/metainfo/$id.metainfo.xml >/dev/null"
	tried "desktop-file-validate and appstreamcli $(owner 'appstreamcli --version' | grep -o '[0-9.]*$') say nothing"
	there 'man nettplay | grep -q "^ *nettplay host"; bash -c ". /usr/share/bash-completion/completions/nettplay; complete -p nettplay" | grep -q _nettplay'
	window start nettplay
	tried "the window opens, with its icon"
	install -m 644 roms-test/pad.nds "$root/home/player/pad.nds"
	install -m 644 cmd/nettplay/testdata/versions/2026-11-23/data/moments/*.npmoment "$root/home/player/kept.npmoment"
	there 'nettplay local --headless --frames 120 --speed max --record game.nplog pad.nds >/dev/null 2>&1
		nettplay replay --verify game.nplog 2>&1 | grep -q "all as recorded"
		xdg-mime query filetype game.nplog | grep -qx application/x-nettplay-recording
		xdg-mime query default application/x-nettplay-recording | grep -qx '$id'.desktop
		xdg-mime query filetype kept.npmoment | grep -qx application/x-nettplay-moment
		xdg-mime query default application/x-nettplay-moment | grep -qx '$id'.desktop
		xdg-mime query default x-scheme-handler/nettplay | grep -qx '$id'.desktop'
	window recording 'xdg-open game.nplog'
	tried "a recording is verified, and plays by xdg-open"
	window moment 'xdg-open kept.npmoment'
	tried "a kept moment opens by xdg-open"
	# A room of somebody else, and its invitation clicked while our window is open: the window goes there, and
	# no second one opens.
	window invited nettplay '
		mkdir -p other; HOME=$PWD/other nettplay host --headless --name Ann pad.nds >host.log 2>&1 &
		until link=$(grep -o -m1 "nettplay://join/[0-9A-Za-z]*" host.log); do sleep 0.2; done
		xdg-open "$link"
		sleep 3 # it asks whether to join
		xdotool search --onlyvisible --class nettplay mousemove --window %1 300 200 key Return
		until xdotool search --onlyvisible --class nettplay getwindowname | grep -q "Ann.*2 of 2"; do sleep 0.2; done
		[ "$(xdotool search --onlyvisible --class nettplay | wc -l)" = 1 ]'
	tried "an invitation opens by xdg-open, in the window that is open, which asks first"
	owner 'apt-get install -y -q /tmp/relay.deb >/dev/null; nettplay-relay --version | grep -q 0; man nettplay-relay | grep -q -- --per-host'
	owner 'timeout -s TERM 2 nettplay-relay --config /etc/nettplay-relay.toml --listen 127.0.0.1:0 --drain 0s | grep -q "carrying datagrams"'
	tried "the relay starts with its settings, and has its manual page"
	owner 'apt-get purge -y -q nettplay nettplay-relay >/dev/null
		! find / -xdev -iname "*nettplay*" -not -path "/home/*" -not -path "/tmp/*" -not -path "/proc/*" -not -path "/var/log/*" -not -path "/var/cache/apt/*" -not -path "/var/cache/man/*" -not -path "/run/user/*" | grep .'
	there 'ls .local/share/nettplay/games .config/nettplay/config.toml >/dev/null'
	tried "removed: only the player's own files stay"
	leave

	# The archive on a desktop that has neither SDL nor ENet. The core comes from elsewhere, as from RetroArch.
	echo "== $release, the archive"
	enter "$release" archive
	cp packaging/onscreen.sh "$root/usr/local/bin/onscreen"
	player
	sound=$(owner "apt-cache show libasound2t64 >/dev/null 2>&1 && echo libasound2t64 || echo libasound2")
	owner "apt-get install -y -q $screen libpulse0 $sound libwayland-cursor0 libwayland-egl1 \
		libxkbcommon0 libxcursor1 libxi6 libxrandr2 libxfixes3 libgbm1 libdbus-1-3 >/dev/null"
	tar -C "$root/home/player" -xzf dist/nettplay-*-linux-x86_64.tar.gz
	mv "$root"/home/player/nettplay-*-linux-x86_64 "$root/home/player/nettplay"
	owner 'cd /tmp && apt-get download -q libretro-desmume >/dev/null && dpkg-deb -x libretro-desmume_*.deb core
		apt-get install -y -q $(dpkg-deb -f libretro-desmume_*.deb Depends | tr , "\n" | sed "s/[(|].*//" | grep -v -e retroarch -e frontend) >/dev/null
		mkdir -p /home/player/.config/retroarch/cores && cp "$(find core -name desmume_libretro.so)" /home/player/.config/retroarch/cores/ && chown -R player: /home/player'
	if owner 'ldconfig -p | grep -E "libSDL2|libenet"'; then
		echo "this Debian has SDL or ENet: the archive is not tried" >&2
		exit 1
	fi
	there 'nettplay/nettplay demo | tail -1 | grep -q "bit-identical"'
	window archive nettplay/nettplay
	tried "the archive plays the demo and opens the window, without SDL and ENet"
	leave
done

release=here
echo "== here"
mkdir "$work/programs"
tar -C "$work/programs" --strip-components=1 -xzf dist/nettplay-*-linux-x86_64.tar.gz
dpkg-deb --fsys-tarfile dist/nettplay_*.deb | tar -C "$work/programs" -xf - ./usr/bin/nettplay
hardened "$work/programs/nettplay"
hardened "$work/programs/usr/bin/nettplay"
tried "the programs are PIE with full RELRO, stack protector and FORTIFY"
lintian --fail-on error,warning dist/*.deb
tried "lintian has nothing to say of the .debs but what packaging/*.lintian explain"
if command -v flatpak-builder >/dev/null; then
	flatpak-builder --show-manifest "dist/$id.json" >/dev/null
	tried "flatpak-builder reads the Flatpak's manifest"
else
	echo "distcheck: NO flatpak-builder IS HERE: THE FLATPAK'S MANIFEST IS NOT READ" >&2
	skipped="$skipped flatpak"
fi
mkdir "$work/source"
tar -C "$work/source" --strip-components=1 -xzf dist/nettplay-*-source.tar.gz
(cd "$work/source" && GOMODCACHE=$work/none GOPROXY=off GOFLAGS='-mod=vendor -trimpath -buildvcs=false' unshare -n "$GO" build -o "$work/nettplay" ./cmd/nettplay)
tried "the source builds without a network"
if [ -n "$AGAIN" ]; then
	git clone -q . "$work/a folder of another name"
	cp dist/SHA256SUMS "$work/first"
	(cd "$work/a folder of another name" && packaging/dist.sh >/dev/null && diff "$work/first" dist/SHA256SUMS)
	tried "made once more in another folder, all $(wc -l <"$work/first") files have the same bytes"
fi
echo
echo "distcheck: all that dist.sh made works.${skipped:+ NOT TRIED:$skipped}$report"
