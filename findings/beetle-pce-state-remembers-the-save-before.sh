#!/bin/sh
# Beetle PCE Fast: a state depends on when one was saved before, so that equal consoles have unequal check sums.
#
# Package:  libretro-beetle-pce-fast 0.9.38.7+git20160609-2 (Debian 12).
# Guess:    a state follows from the console. Two machines that play the same frames have the same state at each, whether or not one of them has
#           saved another one meanwhile, for a friend who joined or to go back in time.
# Seen:     two of the processor's flags, zero and negative, are written as they were when the last state was saved, or at the start, and are
#           brought up to date only then. The game does not suffer: what is loaded goes on as it should. But check sums of states say
#           that machines differ of which one has saved at another frame. Have all save at the same frames, or compare
#           memory.
#           nettplay compares memory and pictures.
# Output:   frame 80, memory: all alike, a second after loading: all alike
#           saved before: never    at 1     at 2
#           never         alike    differ   differ
#           at 1          differ   alike    differ
#           at 2          differ   differ   alike
. "$(dirname "$0")/begin.inc"
fetch libretro-beetle-pce-fast=0.9.38.7+git20160609-2
gcc -O1 -Wall -o host "$here/libretro-host.c" -ldl
mkdir folder
at() { printf "$2" | dd of=game.pce bs=1 seek=$(($1)) conv=notrunc status=none; }
head -c 8192 /dev/zero >game.pce
# A game that counts: sei; lda #0xf8; tam #2 (memory); inc 0; jmp
at 0 '\170\251\370\123\002\346\000\114\005\340'
at 0x1ff6 '\000\340\000\340\000\340\000\340\000\340'

play() { ./host "$(find root -name mednafen_pce_fast_libretro.so)" game.pce "$@" 2>/dev/null; }
play run 80 save never ram never.ram
play run 1 save before run 79 save "at 1" ram "at 1.ram"
play run 2 save before run 78 save "at 2" ram "at 2.ram"
for name in never "at 1" "at 2"; do play load "$name" run 60 ram "$name.later"; done
# alike FILE...: whether all are.
alike() { [ "$(sha256sum "$@" | cut -d' ' -f1 | sort -u | wc -l)" = 1 ] && echo alike || echo differ; }
{
	echo "frame 80, memory: all $(alike ./*.ram), a second after loading: all $(alike ./*.later)"
	echo "saved before: never    at 1     at 2"
	for one in never "at 1" "at 2"; do
		printf '%-13s' "$one"
		for other in never "at 1" "at 2"; do printf ' %-8s' "$(alike "$one" "$other")"; done
		echo
	done
} | sed 's/ *$//' | tee seen
[ "$(tr -s ' \n' ' ' <seen)" = "frame 80, memory: all alike, a second after loading: all alike saved before: never at 1 at 2 never alike differ differ at 1 differ alike differ at 2 differ differ alike " ] || {
	echo "changed: a state follows from the console, or a loaded one goes on otherwise" >&2
	exit 1
}
