#!/bin/sh
# mGBA: a save is 128 KiB, and a state as much longer, until the game first looks at its save; a machine that joins has other lengths.
#
# Package:  libretro-mgba 0.10.1+dfsg-1+deb12u1 (Debian 12).
# Guess:    which kind of save chip a cartridge has is found when it is loaded, by the text in it ("SRAM_V113"). From then on retro_get_memory_size
#           and retro_serialize_size stay as they are: libretro.h has it that the latter never grows until the game is unloaded.
# Seen:     the chip is found by what the game does to it. Before that it is taken for the largest, 128 KiB; with the first byte that is
#           written the save is 32 KiB, and states are 96 KiB shorter. Loading a state from before makes both long again, for a frame.
#           A machine that has just started has other lengths than the room that it joins, and a frontend that compares them before it
#           sends states refuses what would work; a save that was never used is a longer file than one that was. Take lengths from what is
#           sent, and make room before the first frame.
#           nettplay makes room then.
# Output:   loaded:                        save 131072, state 528448
#           a frame later, one byte saved: save  32768, state 430144
#           the first state loaded:        save 131072, state 528448
#           a frame later:                 save  32768, state 430144
#           just started, the second one:  save  32768, state 430144
. "$(dirname "$0")/begin.inc"
fetch libretro-mgba=0.10.1+dfsg-1+deb12u1 libinih1
gcc -O1 -Wall -o host "$here/libretro-host.c" -ldl
mkdir folder
# A game that saves a byte.
at() { printf "$2" | dd of=game.gba bs=1 seek=$(($1)) conv=notrunc status=none; }
head -c 4096 /dev/zero >game.gba
at 0 '\056\000\000\352'; at 0xa0 'SAVE'; at 0xb2 '\226'
at 0xc0 '\016\004\240\343\007\020\240\343\000\020\300\345\376\377\377\352' # mov r0, #0x0e000000; mov r1, #7; strb r1, [r0]; b
at 0x400 'SRAM_V113'

play() { ./host "$(find root -name mgba_libretro.so)" game.gba memory 0 "$@" 2>/dev/null; }
play length size save first run 1 length size save second load first length size run 1 length size >said
play load second length size >>said
paste -d' ' - - <said | while read -r save state; do
	read -r when <&3
	printf '%-30s save %6s, state %s\n' "$when:" "$save" "$state"
done 3<<N | tee seen
loaded
a frame later, one byte saved
the first state loaded
a frame later
just started, the second one
N
[ "$(paste -sd' ' said)" = "131072 528448 32768 430144 131072 528448 32768 430144 32768 430144" ] || {
	echo "changed: the lengths of saves and states are other ones, or stay" >&2
	exit 1
}
