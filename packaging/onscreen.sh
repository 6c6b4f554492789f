#!/bin/sh
# onscreen COMMAND [MORE]: part of distcheck.sh, inside a Debian with an X server. COMMAND opens nettplay's
# window, MORE is what happens then. A picture of the screen is in window.png.
set -eu
class=io.github.nettplay.nettplay
# soon COMMAND: within two minutes, for machines that do much else.
soon() {
	for i in $(seq 600); do
		if sh -ec "$1" >/dev/null 2>&1; then return 0; fi
		sleep 0.2
	done
	echo "it does not come: $1" >&2
	return 1
}

sh -c "$1" >window.log 2>&1 &
soon "xdotool search --onlyvisible --class nettplay"
xprop -id "$(xdotool search --onlyvisible --class nettplay | head -1)" WM_CLASS _NET_WM_ICON >window.txt
grep -q "WM_CLASS(STRING) = \"$class\", \"$class\"" window.txt
grep -q 'Icon (128 x 128)' window.txt
sleep 2
[ -z "${2:-}" ] || timeout 120 sh -euc "$2"
sleep 1
import -window root window.png
pkill -TERM -u "$(id -u)" -x nettplay
soon "! pgrep -u $(id -u) -x nettplay"
