#!/bin/sh
# mGBA: a state has the cartridge's save in it, and loading the state leaves the save as it is; other cores put it back.
#
# Package:  libretro-mgba 0.10.1+dfsg-1+deb12u1, libretro-gambatte 0.5.0+git20160522+dfsg1-2.1, libretro-nestopia
#           1.52.0+20230102.gitcb1e24e-1, libretro-bsnes-mercury-accuracy 094+git20220807-8, libretro-beetle-pce-fast
#           0.9.38.7+git20160609-2 (Debian 12).
# Guess:    a state is all of the console, the save memory of its cartridge with it: who gets the state of a friend's game goes on as the
#           friend does. That mGBA's states are longer by the length of the save says so, too.
# Seen:     retro_serialize writes the save, and retro_unserialize passes it over. A friend who joins by a state keeps the own save, or an
#           empty one, and the game reads other things than at the host's; who goes back in time keeps what was saved since.
#           Who sends a state has to send the save memory as well, and to write it after loading.
#           The DS cores that nettplay knows bring it along.
# Output:                           saved 7, then 9, then loaded  loaded by a core just started
#           gambatte                7                             7
#           nestopia                7                             7
#           bsnes_mercury_accuracy  7                             7
#           mednafen_pce_fast       7                             7
#           mgba                    9                             255, with the 7 in the state
. "$(dirname "$0")/begin.inc"
fetch libretro-mgba=0.10.1+dfsg-1+deb12u1 libinih1 libretro-gambatte=0.5.0+git20160522+dfsg1-2.1 libretro-nestopia=1.52.0+20230102.gitcb1e24e-1 \
	libretro-bsnes-mercury-accuracy=094+git20220807-8 libretro-beetle-pce-fast=0.9.38.7+git20160609-2
gcc -O1 -Wall -o host "$here/libretro-host.c" -ldl
mkdir folder
# Games that stand still, with a battery.
. "$here/rom.inc"
rom game.gb 32768
at game.gb 0x100 '\030\376'; at game.gb 0x134 'STILL'; at game.gb 0x147 '\003\000\002' # jr; MBC1 with a battery, 8 KiB
rom game.nes 24592
at game.nes 0 'NES\032\001\001\002\000'
at game.nes 16 '\170\114\001\300'; at game.nes 16394 '\000\300\000\300\000\300'
rom game.sfc 32768
at game.sfc 0 '\170\114\001\200' # sei; jmp
at game.sfc 0x7fc0 'STILL                \040\002\005\003\001\063\000\377\377\000\000'; at game.sfc 0x7ffc '\000\200\000\200'
rom game.pce 8192
at game.pce 0 '\170\114\001\340'; at game.pce 0x1ff6 '\000\340\000\340\000\340\000\340\000\340'
rom game.gba 4096
at game.gba 0 '\056\000\000\352'; at game.gba 0xa0 'SAVE'; at game.gba 0xb2 '\226'
at game.gba 0xc0 '\016\004\240\343\007\020\240\343\000\020\300\345\376\377\377\352' # mov r0, #0x0e000000; mov r1, #7; strb r1, [r0]; b

echo "                        saved 7, then 9, then loaded  loaded by a core just started" | tee seen
for core in gambatte:gb nestopia:nes bsnes_mercury_accuracy:sfc mednafen_pce_fast:pce mgba:gba; do
	play() { ./host "$(find root -name "${core%:*}_libretro.so")" "game.${core#*:}" memory 0 "$@" 2>/dev/null; }
	loaded=$(play run 60 poke 0 7 save state poke 0 9 load state byte 0)
	started=$(play load state byte 0)
	# The same game with a save that begins with 8: which bytes of a state are the save's first one?
	play run 60 poke 0 8 save other
	[ "$started" = 7 ] || ! cmp -l state other | awk '$2 == "7" && $3 == "10" { has = 1 } END { exit !has }' || started="$started, with the 7 in the state"
	printf '%-23s %-29s %s\n' "${core%:*}" "$loaded" "$started"
done | tee -a seen
[ "$(sed '1d; s/^[^ ]* *//; s/   */ /g' seen | paste -sd'|')" = "7 7|7 7|7 7|7 7|9 255, with the 7 in the state" ] || {
	echo "changed: a state brings a save along where it did not, or no longer where it did" >&2
	exit 1
}
