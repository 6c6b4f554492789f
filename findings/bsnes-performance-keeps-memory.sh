#!/bin/sh
# bsnes performance: a game that is started anew finds the console's memory as the game before left it.
#
# Package:  libretro-bsnes-mercury-performance, -accuracy and -balanced 094+git20220807-8, libretro-nestopia 1.52.0+20230102.gitcb1e24e-1,
#           libretro-gambatte 0.5.0+git20160522+dfsg1-2.1, libretro-beetle-pce-fast 0.9.38.7+git20160609-2 (Debian 12).
# Guess:    retro_unload_game ends a console, and retro_load_game makes one that was switched off: what memory holds then is the same at
#           each start, or chance. retro_deinit and retro_init make that sure. Only retro_reset keeps memory, as the button does.
# Seen:     so it is for all but bsnes performance, whose main memory outlives both. A game that trusts memory, or keeps something in what it does
#           not clear, plays otherwise in a program that has played before than in one that has just been started: the two friends who begin a second
#           round, and the third who joins then, have different consoles. Begin each game in a process of its own, or write the
#           memory. (And a reset clears memory in Gambatte and in the PC Engine's core.)
#           nettplay gives each console a process.
# Output:   a byte of the game before:  loaded anew  core begun anew  reset
#           bsnes_mercury_performance   stays        stays            stays
#           bsnes_mercury_accuracy      gone         gone             stays
#           bsnes_mercury_balanced      gone         gone             stays
#           nestopia                    gone         gone             stays
#           gambatte                    gone         gone             gone
#           mednafen_pce_fast           gone         gone             gone
. "$(dirname "$0")/begin.inc"
fetch libretro-bsnes-mercury-accuracy=094+git20220807-8 libretro-bsnes-mercury-balanced=094+git20220807-8 \
	libretro-bsnes-mercury-performance=094+git20220807-8 libretro-nestopia=1.52.0+20230102.gitcb1e24e-1 \
	libretro-gambatte=0.5.0+git20160522+dfsg1-2.1 libretro-beetle-pce-fast=0.9.38.7+git20160609-2
gcc -O1 -Wall -o host "$here/libretro-host.c" -ldl
mkdir folder
# Games that stand still.
. "$here/rom.inc"
rom game.sfc 32768
at game.sfc 0 '\170\114\001\200' # sei; jmp
at game.sfc 0x7fc0 'STILL                \040\002\005\003\001\063\000\377\377\000\000'; at game.sfc 0x7ffc '\000\200\000\200'
rom game.nes 24592
at game.nes 0 'NES\032\001\001\002\000'
at game.nes 16 '\170\114\001\300'; at game.nes 16394 '\000\300\000\300\000\300'
rom game.gb 32768
at game.gb 0x100 '\030\376'; at game.gb 0x134 'STILL' # jr
rom game.pce 8192
at game.pce 0 '\170\114\001\340'; at game.pce 0x1ff6 '\000\340\000\340\000\340\000\340\000\340'

echo "a byte of the game before:  loaded anew  core begun anew  reset" | tee seen
for core in bsnes_mercury_performance:sfc bsnes_mercury_accuracy:sfc bsnes_mercury_balanced:sfc nestopia:nes gambatte:gb mednafen_pce_fast:pce; do
	for how in again anew reset; do
		./host "$(find root -name "${core%:*}_libretro.so")" "game.${core#*:}" run 60 poke 1500 77 run 1 byte 1500 $how run 1 byte 1500 2>/dev/null | tail -n 2 |
			paste -sd' ' | sed 's/^77 77$/stays/; s/^77 .*/gone/'
	done | paste -sd' ' | { read -r again anew reset && printf '%-27s %-12s %-16s %s\n' "${core%:*}" "$again" "$anew" "$reset"; }
done | tee -a seen
[ "$(sed '1d; s/^[^ ]* *//; s/  */ /g' seen | paste -sd'|')" = "stays stays stays|gone gone stays|gone gone stays|gone gone stays|gone gone gone|gone gone gone" ] || {
	echo "changed: memory outlives a game in other cores" >&2
	exit 1
}
