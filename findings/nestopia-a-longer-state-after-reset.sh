#!/bin/sh
# Nestopia: after a reset a state does not fit into what one took before, for a frame, and saving fails.
#
# Package:  libretro-nestopia 1.52.0+20230102.gitcb1e24e-1 (Debian 12).
# Guess:    how long a state is stays so while a game is loaded. libretro.h has it that retro_serialize_size never grows between loading and
#           unloading, so that a frontend can make room for a state once, and rewind and netplay do.
# Seen:     a console that has been reset, or loaded and not yet run, has 9 to 29 bytes more than one that has run a frame: the reset
#           itself is still pending, and part of its state. Who asked for the length while it ran has a buffer too short after a reset,
#           and retro_serialize says false. Ask before the first frame, take the largest, or ask each time.
#           nettplay asks before the first frame.
# Output:   loaded:          21472 bytes
#           one frame later: 21443 bytes
#           reset:           21452 bytes, into 21443: refused
#           one frame later: 21443 bytes, into 21443: saved
. "$(dirname "$0")/begin.inc"
fetch libretro-nestopia=1.52.0+20230102.gitcb1e24e-1
gcc -O1 -Wall -o host "$here/libretro-host.c" -ldl
mkdir folder
at() { printf "$2" | dd of=game.nes bs=1 seek=$(($1)) conv=notrunc status=none; }
head -c 24592 /dev/zero >game.nes
at 0 'NES\032\001\001\002\000'
at 16 '\170\346\000\114\001\300' # sei; inc 0; jmp
at 16394 '\000\300\000\300\000\300'

./host "$(find root -name nestopia_libretro.so)" game.nes size run 1 size reset size fits 21443 run 1 size fits 21443 >said
{
	read -r loaded && read -r run && read -r reset && read -r fits && read -r again && read -r fits_again
	echo "loaded:          $loaded bytes"
	echo "one frame later: $run bytes"
	echo "reset:           $reset bytes, into 21443: $fits"
	echo "one frame later: $again bytes, into 21443: $fits_again"
} <said | tee seen
[ "$(paste -sd' ' said)" = "21472 21443 21452 refused 21443 saved" ] || {
	echo "changed: a state is as long after a reset as before" >&2
	exit 1
}
