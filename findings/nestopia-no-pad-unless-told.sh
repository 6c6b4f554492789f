#!/bin/sh
# Nestopia: nothing is plugged in until the frontend says so, and what is plugged in is in no state.
#
# Package:  libretro-nestopia 1.52.0+20230102.gitcb1e24e-1, libretro-gambatte 0.5.0+git20160522+dfsg1-2.1,
#           libretro-bsnes-mercury-balanced 094+git20220807-8, libretro-beetle-pce-fast 0.9.38.7+git20160609-2 (Debian 12).
# Guess:    a console has a joypad in each port. libretro.h has it of retro_set_controller_port_device that "by default, RETRO_DEVICE_JOYPAD is assumed to be
#           plugged into all available ports", and so a frontend that has nothing else to say need not call it. States go from one that does
#           to one that does not.
# Seen:     without the call Nestopia asks for no button, and the game reads none: it starts, runs, and nobody can play. Each pad makes states longer by 10 bytes,
#           from the next frame on, so that room made when the game was loaded is too short. A state loads whatever is plugged in, and plugs nothing in:
#           the friend who joins by one, and whose frontend did not call, has another console, in which the game sees no pads. Call it for each port,
#           on all machines alike, and before asking how long a state is. The other cores have their pads.
# Output:   without a call:         gambatte reads A, bsnes_mercury_balanced reads A, mednafen_pce_fast reads A, nestopia reads nothing
#           nestopia, no pad:       21443 bytes
#           nestopia, two pads:     21463 bytes, into 21443: refused; the game reads A
#           its state, no pad:      loaded, 21443 bytes; the game reads nothing
#           the other's, two pads:  loaded, 21463 bytes; the game reads A
. "$(dirname "$0")/begin.inc"
fetch libretro-nestopia=1.52.0+20230102.gitcb1e24e-1 libretro-gambatte=0.5.0+git20160522+dfsg1-2.1 libretro-bsnes-mercury-balanced=094+git20220807-8 \
	libretro-beetle-pce-fast=0.9.38.7+git20160609-2
gcc -O1 -Wall -o host "$here/libretro-host.c" -ldl
mkdir folder
# Games that write to the beginning of memory, without end, what they read of the first pad.
. "$here/rom.inc"
rom game.nes 24592
at game.nes 0 'NES\032\001\001\002\000'
# sei; lda #1; sta 0x4016; lda #0; sta 0x4016; ldx #8; eight times lda 0x4016; lsr; rol 0; lda 0; sta 1; jmp
at game.nes 16 '\170\251\001\215\026\100\251\000\215\026\100\242\010\255\026\100\112\046\000\312\320\367\245\000\205\001\114\001\300'
at game.nes 16394 '\000\300\000\300\000\300'
rom game.gb 32768
at game.gb 0x100 '\000\303\120\001'; at game.gb 0x134 'PAD'
# ld a, 0x10; ldh (0), a; ldh a, (0); ldh a, (0); cpl; and 15; ld (0xc001), a; jr
at game.gb 0x150 '\076\020\340\000\360\000\360\000\057\346\017\352\001\300\030\360'
rom game.sfc 32768
# sei; lda #1; sta 0x4200; wait for 0x4212; lda 0x4218; sta 1; jmp
at game.sfc 0 '\170\251\001\215\000\102\255\022\102\051\001\320\371\255\030\102\205\001\114\006\200'
at game.sfc 0x7fc0 'PAD                  \040\002\005\003\001\063\000\377\377\000\000'; at game.sfc 0x7ffc '\000\200\000\200'
rom game.pce 8192
# sei; the circuits at 0, memory at 0x2000; lda #1; sta 0x1000; lda #3; sta 0x1000; lda #0; sta 0x1000; lda 0x1000; eor #15; and #15; sta 1; jmp
at game.pce 0 '\170\251\377\123\001\251\370\123\002\251\001\215\000\020\251\003\215\000\020\251\000\215\000\020\352\352\255\000\020\111\017\051\017\205\001\114\011\340'
at game.pce 0x1ff6 '\000\340\000\340\000\340\000\340\000\340'

play() { # CORE GAME COMMAND...: what the host says, in one line
	core=$(find root -name "${1}_libretro.so")
	shift
	./host "$core" "$@" 2>/dev/null | paste -sd' '
}
reads() { [ "$1" = 0 ] && echo "reads nothing" || echo "reads A"; }
nestopia() { play nestopia game.nes hold 8 "$@"; }
pads="device 0 1 device 1 1"
{
	echo "without a call:         $(for g in gambatte:gb bsnes_mercury_balanced:sfc mednafen_pce_fast:pce nestopia:nes; do
		echo "${g%:*} $(reads "$(play "${g%:*}" "game.${g#*:}" hold 8 run 30 byte 1)")"
	done | paste -sd, | sed 's/,/, /g')"
	echo "nestopia, no pad:       $(nestopia run 30 size save none) bytes"
	nestopia run 30 $pads run 1 size fits 21443 run 30 byte 1 save two | { read -r size fits byte && echo "nestopia, two pads:     $size bytes, into 21443: $fits; the game $(reads "$byte")"; }
	nestopia run 1 load two run 30 size byte 1 | { read -r size byte && echo "its state, no pad:      loaded, $size bytes; the game $(reads "$byte")"; }
	nestopia $pads run 1 load none run 30 size byte 1 | { read -r size byte && echo "the other's, two pads:  loaded, $size bytes; the game $(reads "$byte")"; }
} | tee seen
[ "$(sed 's/^[^:]*: *//' seen | paste -sd'|')" = "gambatte reads A, bsnes_mercury_balanced reads A, mednafen_pce_fast reads A, nestopia reads nothing|21443 bytes|21463 bytes, into 21443: refused; the game reads A|loaded, 21443 bytes; the game reads nothing|loaded, 21463 bytes; the game reads A" ] || {
	echo "changed: pads are plugged in by themselves, or in states" >&2
	exit 1
}
