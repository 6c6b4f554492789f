# Part of distcheck.sh and figures.sh: bare Debians in folders of their own. As root, for chroot.
# MIRROR is where Debian comes from, CACHE a folder that keeps the bare Debians for the next time.
MIRROR=${MIRROR:-http://deb.debian.org/debian}
[ "$(id -u)" = 0 ] || { echo "$0: it needs root, for chroot" >&2; exit 1; }
ls dist/nettplay_*.deb >/dev/null
work=$(mktemp -d)
CACHE=${CACHE:-$work} # keeps the bare Debians
root=
finish() {
	[ -z "$root" ] || leave 2>/dev/null || umount -l "$root/proc" "$root/dev/pts" "$root/dev/shm" 2>/dev/null || true
	rm -rf --one-file-system "$work"
}
trap finish EXIT
trap 'exit 1' INT TERM

# here RELEASE: whether the mirror has it, and debootstrap knows it.
here() {
	[ -d "$CACHE/$1.bare" ] && return 0
	rm -rf --one-file-system "$CACHE/$1.new"
	debootstrap --variant=minbase "$1" "$CACHE/$1.new" "$MIRROR" >"$CACHE/$1.log" 2>&1 || return 1
	echo 'APT::Install-Recommends "false";' >"$CACHE/$1.new/etc/apt/apt.conf.d/10few"
	mv "$CACHE/$1.new" "$CACHE/$1.bare"
}

# enter RELEASE NAME: a new bare Debian in $root, from the one that was fetched first.
enter() {
	root=$work/$2
	cp -a "$CACHE/$1.bare" "$root"
	mount -t proc proc "$root/proc"
	mkdir -p "$root/dev/shm" "$root/dev/pts"
	mount -t tmpfs tmpfs "$root/dev/shm"
	mount -t devpts devpts "$root/dev/pts"
	cp /etc/resolv.conf "$root/etc/resolv.conf"
	owner 'apt-get update -q >/dev/null'
}

# leave ends what still runs there, and removes it.
leave() {
	for p in /proc/[0-9]*; do
		case $(readlink "$p/root" 2>/dev/null) in "$root" | "$root"/*) kill -KILL "${p#/proc/}" 2>/dev/null || true ;; esac
	done
	umount "$root/proc" "$root/dev/pts" "$root/dev/shm"
	rm -rf --one-file-system "$root"
	root=
}

# there COMMAND: in the Debian of now, as a player; owner COMMAND: as its owner.
there() {
	chroot --userspec=1000:1000 "$root" env -i PATH=/usr/local/bin:/usr/bin:/bin:/usr/games HOME=/home/player LC_ALL=C.UTF-8 \
		XDG_CURRENT_DESKTOP=GNOME XDG_RUNTIME_DIR=/run/user/1000 sh -ec "cd; $1"
}
owner() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive sh -ec "$1"; }
player() { owner 'useradd -m -u 1000 player; install -d -m 700 -o player -g player /run/user/1000'; }
