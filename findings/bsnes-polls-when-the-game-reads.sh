#!/bin/sh
# bsnes: in a frame in which the game does not read its pads, the frontend is not asked to poll input.
#
# Package:  libretro-bsnes-mercury-accuracy, -balanced and -performance 094+git20220807-8 (Debian 12).
# Guess:    each retro_run calls input_poll once, as libretro.h demands ("at least once") and other cores do: a frontend may
#           do there what each frame needs, such as exchanging inputs with its peers.
# Seen:     bsnes polls where the console's own circuit reads the pads, late in the frame, so as to be quick. A game that has that
#           circuit off, or reads by itself and not now, such as while it loads, runs with no poll at all for as long as
#           that lasts: a frontend that works by the poll stands still, or lets a peer wait. What a frame needs belongs before retro_run.
#           nettplay takes inputs before the frame.
# Output:   accuracy:    polls in 60 frames: 0, with the circuit on: 60
#           balanced:    polls in 60 frames: 0, with the circuit on: 60
#           performance: polls in 60 frames: 0, with the circuit on: 60
. "$(dirname "$0")/begin.inc"
fetch libretro-bsnes-mercury-accuracy=094+git20220807-8 libretro-bsnes-mercury-balanced=094+git20220807-8 libretro-bsnes-mercury-performance=094+git20220807-8
gcc -O1 -Wall -o host "$here/libretro-host.c" -ldl
mkdir folder
# game NAME CODE
game() {
	head -c 32768 /dev/zero >"$1"
	at() { printf "$3" | dd of="$1" bs=1 seek=$(($2)) conv=notrunc status=none; }
	at "$1" 0 "$2"
	at "$1" 0x7fc0 'COUNT                \040\002\005\003\001\063\000\377\377\000\000'
	at "$1" 0x7ffc '\000\200\000\200'
}
game off.sfc '\170\346\000\114\001\200'                        # sei; inc 0; jmp
game on.sfc '\170\251\001\215\000\102\346\000\114\006\200' # sei; lda #1; sta 0x4200; inc 0; jmp

for kind in accuracy balanced performance; do
	polls() { ./host "$(find root -name "bsnes_mercury_${kind}_libretro.so")" "$1" run 60 polls 2>/dev/null; }
	printf '%-12s polls in 60 frames: %s, with the circuit on: %s\n' $kind: "$(polls off.sfc)" "$(polls on.sfc)"
done | tee seen
[ "$(sed 's/[^0-9]\{1,\}/ /g' seen | paste -sd'|')" = " 60 0 60| 60 0 60| 60 0 60" ] || {
	echo "changed: input is polled in each frame, or at other times" >&2
	exit 1
}
