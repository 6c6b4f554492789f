#!/bin/sh
# RetroArch: whether a core may be played over the net is decided by a line of text beside it, which says no for DeSmuME and Nestopia.
#
# Package:  retroarch 1.14.0+dfsg-1, libretro-core-info 1.14.0-1, libretro-desmume 0.9.11+git20160819+dfsg1-2, libretro-nestopia
#           1.52.0+20230102.gitcb1e24e-1, libretro-gambatte 0.5.0+git20160522+dfsg1-2.1 (Debian 12).
# Guess:    netplay needs states. RetroArch asks the core for them (retro_serialize_size, and its quirks), hosts a game on each that has some, and says
#           what is missing otherwise. Core info files are descriptions, for lists and menus.
# Seen:     it looks up savestate_features in the core's info file: "deterministic" may be played, all else is "Core does not support netplay", and so is
#           a core without such a file, or one that is not in the folder of the settings, too. What the core can do is never tried. Debian's
#           file has "deterministic" for Gambatte, whose states differ by the second in which they began (libretro-states-that-never-agree.sh),
#           and "serialized" for Nestopia, whose states do not. With the word changed DeSmuME is hosted as well. A friend's RetroArch that
#           refuses a DS core has not found out anything about it; and one that takes a core has not either.
#           nettplay tries each core itself, at its first use.
# Output:   gambatte, Debian's info:          hosts a game
#           nestopia, Debian's info:          refuses
#           desmume,  Debian's info:          refuses
#           desmume,  called deterministic:   hosts a game
#           gambatte, called serialized:      refuses
#           gambatte, no info:                refuses
#           gambatte, not in the folder:      refuses
#
# Needs root, for a network namespace without a network, and the libraries that RetroArch itself needs (apt-get install retroarch
# brings them). No display. Takes half a minute.
. "$(dirname "$0")/begin.inc"
fetch retroarch=1.14.0+dfsg-1 libretro-core-info=1.14.0-1 libretro-desmume=0.9.11+git20160819+dfsg1-2 libpcap0.8 libtinyxml2.6.2v5 \
	libretro-nestopia=1.52.0+20230102.gitcb1e24e-1 libretro-gambatte=0.5.0+git20160522+dfsg1-2.1
cores=$(dirname "$(find "$dir/root" -name desmume_libretro.so)") info=$(dirname "$(find "$dir/root" -name desmume_libretro.info)")
mkdir home none called
for core in "gambatte serialized" "desmume deterministic"; do
	sed "s/^savestate_features = .*/savestate_features = \"${core#* }\"/" "$info/${core% *}_libretro.info" >"called/${core% *}_libretro.info"
done
. "$here/rom.inc"
rom game.gb 32768
at game.gb 0x100 '\303\120\001'; at game.gb 0x134 'STILL'; at game.gb 0x150 '\030\376' # jp; jr
rom game.nes 24592
at game.nes 0 'NES\032\001\001\002\000'
at game.nes 16 '\114\000\300'; at game.nes 16394 '\000\300\000\300\000\300' # jmp
rom game.nds 32768
at game.nds 0x00 'STILL'; at game.nds 0x0c 'STIL00'
at game.nds 0x20 '\000\002\000\000\000\000\000\002\000\000\000\002\004\000\000\000' # ARM9: at 0x200, entry and address 0x02000000
at game.nds 0x30 '\000\004\000\000\000\000\070\002\000\000\070\002\004\000\000\000' # ARM7: at 0x400, 0x02380000
at game.nds 0x200 '\376\377\377\352'; at game.nds 0x400 '\376\377\377\352'

# host CORE GAME INFO FOLDER: whether RetroArch hosts a game, with its settings' folders of info files and of cores.
host() {
	for driver in video audio input input_joypad menu midi; do echo "${driver}_driver = \"null\""; done >settings
	for folder in savefile savestate system; do echo "${folder}_directory = \"$dir/home\""; done >>settings
	cat >>settings <<C
libretro_directory = "$4"
libretro_info_path = "$3"
netplay_nat_traversal = "false"
netplay_public_announce = "false"
config_save_on_exit = "false"
C
	rm -f "$3/core_info.cache"
	: >said
	HOME=$dir/home XDG_CONFIG_HOME=$dir/home unshare -n "$(find root -name retroarch -type f -path '*bin*')" -v -c settings -L "$cores/$1_libretro.so" --host "$2" >said 2>&1 &
	for try in $(seq 300); do
		grep -aq '\[Netplay\]' said && break
		sleep 0.1
	done
	kill -9 $! && wait $! 2>/dev/null || true
	if grep -aq 'joined as player 1' said; then
		echo "hosts a game"
	elif grep -aq 'Core does not support netplay' said; then
		echo refuses
	fi
}
{
	echo "gambatte, Debian's info:          $(host gambatte game.gb "$info" "$cores")"
	echo "nestopia, Debian's info:          $(host nestopia game.nes "$info" "$cores")"
	echo "desmume,  Debian's info:          $(host desmume game.nds "$info" "$cores")"
	echo "desmume,  called deterministic:   $(host desmume game.nds "$dir/called" "$cores")"
	echo "gambatte, called serialized:      $(host gambatte game.gb "$dir/called" "$cores")"
	echo "gambatte, no info:                $(host gambatte game.gb "$dir/none" "$cores")"
	echo "gambatte, not in the folder:      $(host gambatte game.gb "$info" "$dir/none")"
} | tee seen
[ "$(sed 's/.*: *//' seen | paste -sd'|')" = "hosts a game|refuses|refuses|hosts a game|refuses|refuses|refuses" ] || {
	echo "changed: netplay is decided by something else" >&2
	exit 1
}
