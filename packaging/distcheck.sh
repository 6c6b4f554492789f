#!/bin/sh
# Tries what dist.sh made as somebody does who gets it: on a bare Debian 12 and 13, made in
# folders of their own. As root, for chroot; MIRROR is where Debian comes from.
#
#   the .deb, installed by apt: the demo, the window, a recording opened by xdg-open;
#   removed: only the player's own files stay;
#   the archive, where neither SDL nor ENet is: the demo and the window;
#   dist.sh once more from another folder: the same bytes.
#
# RELEASES="bookworm" tries Debian 12 alone, AGAIN= leaves out the second making, CACHE is a
# folder that keeps the bare Debians for the next time,
# and SHOTS one for pictures of the windows.
set -eu
cd "$(dirname "$0")/.."
MIRROR=${MIRROR:-http://deb.debian.org/debian}
RELEASES=${RELEASES-bookworm trixie}
AGAIN=${AGAIN-yes}
[ "$(id -u)" = 0 ] || { echo "distcheck: it needs root, for chroot" >&2; exit 1; }
ls dist/nettplay_*.deb >/dev/null
work=$(mktemp -d)
CACHE=${CACHE:-$work} # keeps the bare Debians
root=
finish() {
	[ -z "$root" ] || umount -l "$root/proc" "$root/dev/pts" "$root/dev/shm" 2>/dev/null || true
	rm -rf --one-file-system "$work"
}
trap finish EXIT
trap 'exit 1' INT TERM

# enter RELEASE NAME: a new bare Debian in $root, from the one that was fetched first.
enter() {
	root=$work/$2
	if [ ! -d "$CACHE/$1.bare" ]; then
		debootstrap --variant=minbase "$1" "$CACHE/$1.bare" "$MIRROR" >"$CACHE/$1.log"
		echo 'APT::Install-Recommends "false";' >"$CACHE/$1.bare/etc/apt/apt.conf.d/10few"
	fi
	cp -a "$CACHE/$1.bare" "$root"
	mount -t proc proc "$root/proc"
	mkdir -p "$root/dev/shm"
	mount -t tmpfs tmpfs "$root/dev/shm"
	mkdir -p "$root/dev/pts"
	mount -t devpts devpts "$root/dev/pts"
	cp /etc/resolv.conf "$root/etc/resolv.conf"
}

leave() {
	umount "$root/proc" "$root/dev/pts" "$root/dev/shm"
	rm -rf --one-file-system "$root"
	root=
}

# there COMMAND: in the Debian of now, as a player; root COMMAND: as its owner.
there() { chroot --userspec=1000:1000 "$root" env -i PATH=/usr/bin:/bin:/usr/games HOME=/home/player LC_ALL=C.UTF-8 XDG_CURRENT_DESKTOP=GNOME sh -ec "$1"; }
owner() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive sh -ec "$1"; }
player() { owner 'useradd -m -u 1000 player'; }

# window COMMAND: a window with a picture opens, and the program ends in good order.
window() {
	there "cd; xvfb-run -a -s '-screen 0 1280x800x24' sh -ec '
		$1 >window.log 2>&1 &
		for i in \$(seq 100); do xdotool search --onlyvisible --class nettplay >/dev/null 2>&1 && break; sleep 0.2; done
		sleep 2
		xdotool search --onlyvisible --class nettplay >/dev/null
		import -window root /home/player/window.png
		pkill -TERM -x nettplay
		for i in \$(seq 100); do pgrep -x nettplay >/dev/null || exit 0; sleep 0.2; done
		echo nettplay does not end >&2; exit 1
	'"
	colours=$(there 'identify -format %k /home/player/window.png')
	[ "$colours" -gt 50 ] || { echo "the window shows $colours colours" >&2; exit 1; }
	[ -z "${SHOTS:-}" ] || cp "$root/home/player/window.png" "$SHOTS/$release-${1##*/}.png"
}

for release in $RELEASES; do
	echo "== $release, the package"
	enter "$release" package
	cp dist/nettplay_*.deb "$root/tmp/nettplay.deb"
	owner 'apt-get update -q >/dev/null && apt-get install -y -q /tmp/nettplay.deb libretro-desmume >/dev/null'
	player
	there 'cd; nettplay version; nettplay demo | tail -1 | grep "bit-identical"'
	owner 'apt-get install -y -q xvfb xauth xdotool procps imagemagick xdg-utils libglib2.0-bin desktop-file-utils shared-mime-info >/dev/null'
	window nettplay
	install -m 644 roms-test/pad.nds "$root/home/player/pad.nds"
	there 'cd; nettplay local --headless --frames 120 --speed max --record game.nplog pad.nds >/dev/null; nettplay replay --verify game.nplog | tail -1'
	there 'cd; xdg-mime query filetype game.nplog | grep -x application/x-nettplay-recording
		xdg-mime query default application/x-nettplay-recording | grep -x io.github.nettplay.nettplay.desktop
		xdg-mime query default x-scheme-handler/nettplay | grep -x io.github.nettplay.nettplay.desktop'
	window 'xdg-open game.nplog'
	owner 'apt-get remove -y -q nettplay >/dev/null; ! find / -xdev -name "*nettplay*" -not -path "/home/*" -not -path "/tmp/*" -not -path "/proc/*" -not -path "/var/lib/*" -not -path "/var/cache/*" | grep .'
	there 'cd; ls -d .local/state/nettplay'
	leave
done

# The archive on a desktop that has neither SDL nor ENet.
for release in $RELEASES; do
	echo "== $release, the archive"
	enter "$release" archive
	player
	owner 'apt-get update -q >/dev/null && apt-get install -y -q xvfb xauth xdotool procps imagemagick libpulse0 libasound2* libwayland-cursor0 libwayland-egl1 \
		libxkbcommon0 libxcursor1 libxi6 libxrandr2 libxfixes3 libgbm1 libdbus-1-3 >/dev/null'
	tar -C "$root/home/player" -xzf dist/nettplay-*-linux-x86_64.tar.gz
	mv "$root"/home/player/nettplay-*-linux-x86_64 "$root/home/player/nettplay"
	if owner 'ldconfig -p | grep -E "libSDL2|libenet"'; then
		echo "this Debian has SDL or ENet: the archive is not tried" >&2
		exit 1
	fi
	# The core comes from elsewhere, as from RetroArch.
	owner 'cd /tmp && apt-get download -q libretro-desmume >/dev/null && dpkg-deb -x libretro-desmume_*.deb core && apt-get install -y -q libtinyxml2.6.2v5 >/dev/null
		mkdir -p /home/player/.config/retroarch/cores && cp "$(find core -name desmume_libretro.so)" /home/player/.config/retroarch/cores/ && chown -R player: /home/player'
	there 'cd; nettplay/nettplay demo | tail -1 | grep "bit-identical"'
	window nettplay/nettplay
	leave
done

if [ -n "$AGAIN" ]; then
	echo "== once more, from another folder"
	git clone -q . "$work/a folder of another name"
	cp dist/SHA256SUMS "$work/first"
	(cd "$work/a folder of another name" && packaging/dist.sh >/dev/null && diff "$work/first" dist/SHA256SUMS)
fi
echo "all that dist.sh made works"
