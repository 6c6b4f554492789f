#!/bin/sh
# libretro: how much time a frame is depends on what the game does to its screen, up to a fifth less than the core declares.
#
# Package:  libretro-gambatte 0.5.0+git20160522+dfsg1-2.1, libretro-beetle-pce-fast 0.9.38.7+git20160609-2,
#           libretro-bsnes-mercury-accuracy 094+git20220807-8 (Debian 12).
# Guess:    timing.fps of retro_get_system_av_info is how many times a second retro_run is to be called. Each call gives sample_rate / fps
#           frames of sound, give or take one, so that a netplay that calls by the clock has as much sound as the card takes.
# Seen:     a call ends with the picture, and games have pictures of other lengths. A Game Boy that switches its screen off and on starts a new
#           picture there, and a call is 18 % short for as long as it goes on; a PC Engine game with 262 lines has 0.4 % less than is
#           declared, which is that of 263; a Super NES game with interlace has 0.2 % more. The core says nothing. By the clock
#           the game runs too fast, with gaps in its sound; by the sound it runs as its console would. Two machines stay
#           alike, but who goes by sound and who goes by the clock drift apart: go by the clock, and resample by what is queued.
#           nettplay does.
# Output:   frames of sound in 600 calls:
#           Game Boy                      329175 declared, 329175 given
#           its screen off and on         329175 declared, 269100 given
#           PC Engine, 263 lines          442327 declared, 442281 given
#           PC Engine, 262 lines          442327 declared, 440600 given
#           Super NES                     319878 declared, 319878 given
#           Super NES, interlaced         319878 declared, 320491 given
. "$(dirname "$0")/begin.inc"
fetch libretro-gambatte=0.5.0+git20160522+dfsg1-2.1 libretro-beetle-pce-fast=0.9.38.7+git20160609-2 libretro-bsnes-mercury-accuracy=094+git20220807-8
gcc -O1 -Wall -o host "$here/libretro-host.c" -ldl
mkdir folder
. "$here/rom.inc"
rom still.gb 32768
at still.gb 0x100 '\303\120\001'; at still.gb 0x134 'SCREEN' # jp
at still.gb 0x150 '\030\376'                                 # jr
cp still.gb blink.gb
# xor a; ldh (0x40), a; ld bc, 0x200; wait; ld a, 0x91; ldh (0x40), a; ld bc, 0x600; wait; jr
at blink.gb 0x150 '\257\340\100\001\000\002\013\170\261\040\373\076\221\340\100\001\000\006\013\170\261\040\373\030\347'
for lines in 262:0 263:4; do
	rom ${lines%:*}.pce 8192
	at ${lines%:*}.pce 0 "\\170\\251\\377\\123\\001\\251\\00${lines#*:}\\215\\000\\004\\114\\012\\340" # sei; the circuits at 0; lda; sta 0x400; jmp
	at ${lines%:*}.pce 0x1ff6 '\000\340\000\340\000\340\000\340\000\340'
done
for interlace in 0 1; do
	rom $interlace.sfc 32768
	at $interlace.sfc 0 "\\170\\251\\00$interlace\\215\\063\\041\\200\\376" # sei; lda; sta 0x2133; bra
	at $interlace.sfc 0x7fc0 'STILL                \040\002\005\003\001\063\000\377\377\000\000'; at $interlace.sfc 0x7ffc '\000\200\000\200'
done

{
	echo "frames of sound in 600 calls:"
	while read -r core game what; do
		./host "$(find root -name "${core}_libretro.so")" $game run 100 sound rate run 600 sound 2>/dev/null | sed 1d | {
			read -r rate && read -r given
			printf '%-29s %.0f declared, %s given\n' "$what" "$(echo "$rate" | awk '{ print $1 * 600 }')" "$given"
		}
	done <<N
gambatte still.gb Game Boy
gambatte blink.gb its screen off and on
mednafen_pce_fast 263.pce PC Engine, 263 lines
mednafen_pce_fast 262.pce PC Engine, 262 lines
bsnes_mercury_accuracy 0.sfc Super NES
bsnes_mercury_accuracy 1.sfc Super NES, interlaced
N
} | tee seen
[ "$(sed '1d; s/.* \([0-9]* declared\)/\1/' seen | paste -sd'|')" = "329175 declared, 329175 given|329175 declared, 269100 given|442327 declared, 442281 given|442327 declared, 440600 given|319878 declared, 319878 given|319878 declared, 320491 given" ] || {
	echo "changed: frames are of other lengths" >&2
	exit 1
}
