#!/bin/sh
# bsnes: saving a state plays on: the game has counted further, and the same moment saved twice is two moments.
#
# Package:  libretro-bsnes-mercury-accuracy, -balanced and -performance 094+git20220807-8 (Debian 12).
# Guess:    retro_serialize looks at the console, and leaves it as it is. What memory holds, and what a second state has, is the same
#           after it as before.
# Seen:     the console's processors are coroutines that stop in the middle of things; to save, each one is run until it is between two instructions,
#           so the game goes on by one at least, without a call of retro_run. By the next frame's end all is as if
#           nothing had been saved. But whoever reads memory, or compares a check sum, behind a state has another moment than who did
#           before it, or without one: save, then read, on all machines alike.
# Output:   accuracy:    without a frame memory counts on; two states in a row: unequal; a frame later: as without them
#           balanced:    without a frame memory counts on; two states in a row: unequal; a frame later: as without them
#           performance: without a frame memory counts on; two states in a row: unequal; a frame later: as without them
. "$(dirname "$0")/begin.inc"
fetch libretro-bsnes-mercury-accuracy=094+git20220807-8 libretro-bsnes-mercury-balanced=094+git20220807-8 libretro-bsnes-mercury-performance=094+git20220807-8
gcc -O1 -Wall -o host "$here/libretro-host.c" -ldl
mkdir folder
at() { printf "$2" | dd of=game.sfc bs=1 seek=$(($1)) conv=notrunc status=none; }
head -c 32768 /dev/zero >game.sfc
at 0 '\170\346\000\114\001\200' # sei; inc 0; jmp
at 0x7fc0 'COUNT                \040\002\005\003\001\063\000\377\377\000\000'
at 0x7ffc '\000\200\000\200'

for kind in accuracy balanced performance; do
	play() { ./host "$(find root -name "bsnes_mercury_${kind}_libretro.so")" game.sfc "$@" 2>/dev/null; }
	play run 60 save start byte 0 save s1 save s2 save s3 save s4 byte 0 run 1 save end >said
	{ read -r before && read -r after; } <said
	play load start run 1 save without
	cmp -s s1 s2 && row=equal || row=unequal
	cmp -s end without && later="as without them" || later=otherwise
	[ $(((after - before + 256) % 256)) -gt 0 ] && count=on || count="no further"
	printf "%-12s without a frame memory counts %s; two states in a row: %s; a frame later: %s\n" $kind: "$count" $row "$later"
done | tee seen
[ "$(grep -c 'counts on; two states in a row: unequal; a frame later: as without them' seen)" = 3 ] || {
	echo "changed: a state leaves the console as it is" >&2
	exit 1
}
