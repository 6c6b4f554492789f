#!/bin/sh
# libretro: a cheat that is off is on, in all of four cores; one of them has the last cheat alone, and keeps it when all are taken away.
#
# Package:  libretro-gambatte 0.5.0+git20160522+dfsg1-2.1, libretro-mgba 0.10.1+dfsg-1+deb12u1, libretro-nestopia
#           1.52.0+20230102.gitcb1e24e-1, libretro-bsnes-mercury-balanced 094+git20220807-8 (Debian 12).
# Guess:    retro_cheat_set(index, enabled, code) keeps a list: a cheat with enabled false does nothing, a new code of an index takes the old one's place,
#           several act at once, and retro_cheat_reset empties the list. So a player who switches one off in a menu is told by one call.
# Seen:     no core looks at enabled or at the index. mGBA, Nestopia and bsnes add each code to what there is, those that are off, too. Gambatte knows one code
#           of a kind, the last; and retro_cheat_reset, which is the only way out of the others, does nothing there. A room whose players have switched cheats
#           on and off has other games than one that starts with the same list. At each change: reset, then set those that are on; in a new
#           process where that has to be sure. DeSmuME does as the three do (desmume-cheat-loops-once-more.sh).
#           nettplay sets cheats once, in a new process, and only those that are on.
# Output:                           off    an index twice   two indices   all taken away
#           gambatte                acts   the second       the second    acts
#           mgba                    acts   both             both          gone
#           nestopia                acts   both             both          gone
#           bsnes_mercury_balanced  acts   both             both          gone
. "$(dirname "$0")/begin.inc"
fetch libretro-gambatte=0.5.0+git20160522+dfsg1-2.1 libretro-mgba=0.10.1+dfsg-1+deb12u1 libinih1 libretro-nestopia=1.52.0+20230102.gitcb1e24e-1 \
	libretro-bsnes-mercury-balanced=094+git20220807-8
gcc -O1 -Wall -o host "$here/libretro-host.c" -ldl
mkdir folder
# Games in which bytes 16 and 17 of a memory show what a cheat wrote, or has the game read.
. "$here/rom.inc"
rom game.gb 32768
at game.gb 0x40 '\331' # reti: cheats act at an interrupt
at game.gb 0x100 '\000\303\120\001'; at game.gb 0x134 'CHEAT'
at game.gb 0x150 '\076\001\340\377\373\030\376' # ld a, 1; ldh (0xff), a; ei; jr
rom game.gba 4096
at game.gba 0 '\056\000\000\352'; at game.gba 0xa0 'CHEAT'; at game.gba 0xb2 '\226'
at game.gba 0xc0 '\002\004\240\343\016\044\240\343\000\060\240\343' # mov r0, #0x2000000; mov r2, #0xe000000, the save; mov r3, #0
# ldrb r1, [r0, #16]; cmp r1, #0; strneb r1, [r2, #16]; strneb r3, [r0, #16]; with 17; b
at game.gba 0xcc '\020\020\320\345\000\000\121\343\020\020\302\025\020\060\300\025\021\020\320\345\000\000\121\343\021\020\302\025\021\060\300\025\366\377\377\352'
rom game.nes 24592
at game.nes 0 'NES\032\001\001\002\000'
at game.nes 16 '\170\114\001\300' # sei; jmp
at game.nes 16394 '\000\300\000\300\000\300'
rom game.sfc 32768
at game.sfc 0 '\170\144\040\144\041\245\040\205\020\245\041\205\021\114\005\200' # sei; stz 32; stz 33; lda 32; sta 16; lda 33; sta 17; jmp
at game.sfc 0x7fc0 'CHEAT                \040\002\005\003\001\063\000\377\377\000\000'; at game.sfc 0x7ffc '\000\200\000\200'

while read -r core game memory one two; do
	seen() { # COMMAND...: which of the two acts behind them
		./host "$(find root -name "${core}_libretro.so")" game.$game memory $memory run 10 "$@" run 5 poke 16 0 poke 17 0 run 5 byte 16 byte 17 2>/dev/null | paste -sd' '
	}
	word() {
		case $1 in
		"0 0") echo gone ;;
		"119 0") echo "$2" ;;
		"0 136") echo "the second" ;;
		"119 136") echo both ;;
		*) echo "$1" ;;
		esac
	}
	[ "$(seen cheat 0 1 $one)/$(seen)" = "119 0/0 0" ] || exit 2 # on it acts, without one nothing does
	printf '%-23s %-6s %-16s %-13s %s\n' $core "$(word "$(seen cheat 0 0 $one)" acts)" "$(word "$(seen cheat 0 1 $one cheat 0 1 $two)" "the first")" \
		"$(word "$(seen cheat 0 1 $one cheat 1 1 $two)" "the first")" "$(word "$(seen cheat 0 1 $one run 5 nocheats)" acts)"
done <<N | tee seen
gambatte gb 2 017710C0 018811C0
mgba gba 0 32000010+0077 32000011+0088
nestopia nes 2 0010:77 0011:88
bsnes_mercury_balanced sfc 2 7E002077 7E002188
N
[ "$(sed 's/^[^ ]* *//; s/   */, /g' seen | paste -sd'|')" = "acts, the second, the second, acts|acts, both, both, gone|acts, both, both, gone|acts, both, both, gone" ] || {
	echo "changed: cores have cheats in another way" >&2
	exit 1
}
