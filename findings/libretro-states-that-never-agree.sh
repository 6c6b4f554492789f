#!/bin/sh
# libretro: five of eight cores give a game without a clock another state at each second, so that check sums of states compare nothing.
#
# Package:  libretro-gambatte 0.5.0+git20160522+dfsg1-2.1, libretro-beetle-wswan 0.9.35.1+git20160623-2, libretro-bsnes-mercury-accuracy,
#           -balanced and -performance 094+git20220807-8, libretro-mgba 0.10.1+dfsg-1+deb12u1, libretro-nestopia
#           1.52.0+20230102.gitcb1e24e-1, libretro-beetle-pce-fast 0.9.38.7+git20160609-2 (Debian 12).
# Guess:    a console's state follows from its game and its inputs; the time of day is in it where the cartridge, or the console, shows a
#           clock to the game. Machines that start a game together can compare their states, as netplay does, to see that they
#           are alike; at most a few bytes are left over from elsewhere.
# Seen:     Gambatte writes the second of its start into the state of every cartridge. The WonderSwan's does, too. bsnes fills what is
#           filled by chance in a real console by a random number that begins with the second: all of its video and sound memory
#           in the accurate kinds, and in each kind that number is in the state. The others are alike. Who compares has to send one
#           state to all first, hold the core's clock, or compare something else.
#           nettplay holds the clock, and compares memory and pictures.
# Output:   frame 60 of two runs, a second apart:
#           gambatte                  the states differ
#           mednafen_wswan            the states differ
#           bsnes_mercury_accuracy    the states differ, by more than 100,000 bytes
#           bsnes_mercury_balanced    the states differ, by more than 100,000 bytes
#           bsnes_mercury_performance the states differ
#           mgba                      the states are equal
#           nestopia                  the states are equal
#           mednafen_pce_fast         the states are equal
. "$(dirname "$0")/begin.inc"
fetch libretro-gambatte=0.5.0+git20160522+dfsg1-2.1 libretro-beetle-wswan=0.9.35.1+git20160623-2 libretro-bsnes-mercury-accuracy=094+git20220807-8 \
	libretro-bsnes-mercury-balanced=094+git20220807-8 libretro-bsnes-mercury-performance=094+git20220807-8 \
	libretro-mgba=0.10.1+dfsg-1+deb12u1 libinih1 libretro-nestopia=1.52.0+20230102.gitcb1e24e-1 libretro-beetle-pce-fast=0.9.38.7+git20160609-2
gcc -O1 -Wall -o host "$here/libretro-host.c" -ldl
mkdir folder
# Games that count in memory, for ever.
. "$here/rom.inc"
rom game.gb 32768
at game.gb 0x100 '\000\303\120\001'; at game.gb 0x134 'COUNT'
at game.gb 0x150 '\041\000\300\064\030\375' # ld hl, 0xc000; inc (hl); jr
rom game.gba 4096
at game.gba 0 '\056\000\000\352'; at game.gba 0xa0 'COUNT'; at game.gba 0xb2 '\226'
at game.gba 0xc0 '\002\004\240\343\000\020\240\343\001\020\201\342\000\020\200\345\374\377\377\352' # add r1, r1, #1; str r1, [r0]; b
rom game.nes 24592
at game.nes 0 'NES\032\001\001\002\000'
at game.nes 16 '\170\346\000\114\001\300' # sei; inc 0; jmp
at game.nes 16394 '\000\300\000\300\000\300'
rom game.sfc 32768
at game.sfc 0 '\170\346\000\114\001\200' # sei; inc 0; jmp
at game.sfc 0x7fc0 'COUNT                \040\002\005\003\001\063\000\377\377\000\000'; at game.sfc 0x7ffc '\000\200\000\200'
rom game.ws 65536
at game.ws 0 '\376\006\000\000\353\372' # inc byte [0]; jmp
at game.ws 65520 '\352\000\000\000\360'
rom game.pce 8192
at game.pce 0 '\170\346\000\114\001\340' # sei; inc 0; jmp
at game.pce 0x1ff6 '\000\340\000\340\000\340\000\340\000\340'

cores="gambatte:gb mednafen_wswan:ws bsnes_mercury_accuracy:sfc bsnes_mercury_balanced:sfc bsnes_mercury_performance:sfc mgba:gba nestopia:nes mednafen_pce_fast:pce"
for run in 1 2; do
	for core in $cores; do
		./host "$(find root -name "${core%:*}_libretro.so")" "game.${core#*:}" run 60 save "${core%:*}.$run" >/dev/null 2>&1
	done
	sleep 1.1
done
{
	echo "frame 60 of two runs, a second apart:"
	for core in $cores; do
		core=${core%:*}
		bytes=$(cmp -l "$core.1" "$core.2" | wc -l)
		[ "$bytes" = 0 ] && how="are equal" || how=differ
		[ "$bytes" -gt 100000 ] && how="$how, by more than 100,000 bytes"
		printf '%-25s the states %s\n' "$core" "$how"
	done
} | tee seen
more="differ, by more than 100,000 bytes"
[ "$(sed "1d; s/.* the states //" seen | paste -sd"|")" = "differ|differ|$more|$more|differ|are equal|are equal|are equal" ] || {
	echo "changed: other cores' states are a matter of the second" >&2
	exit 1
}
