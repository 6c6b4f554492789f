#!/bin/sh
# Beetle WonderSwan: saves are in no memory that a frontend sees; who joined by a friend's state finds the friend's save in his own file.
#
# Package:  libretro-beetle-wswan 0.9.35.1+git20160623-2 (Debian 12).
# Guess:    a cartridge's save is RETRO_MEMORY_SAVE_RAM, which the frontend takes to where it keeps saves, and brings back; a core that keeps a file of its own
#           writes there what its game saved. A state for a friend is of the game alone, or else the frontend decides what becomes of the save in it.
# Seen:     retro_get_memory_size says 0. The core reads a file beside the saves when it loads a game, and writes it when it unloads: with what
#           memory has by then, which after a state is the save of whoever made the state. Nothing is asked, and what one had is gone. If the program
#           ends without unloading, or is killed, nothing is written, and an evening's own progress is gone instead. Two machines that
#           begin a game together begin with two saves. Give such a core a folder of its own for each game, put the agreed save there, and
#           take out of it what is to be kept.
#           nettplay does so with each core.
# Output:   save memory: 0 bytes
#           my file, the game unloaded:                      MINE
#           a friend's state loaded, the program ended:      MINE
#           a friend's state loaded, the game unloaded:      HOST
. "$(dirname "$0")/begin.inc"
fetch libretro-beetle-wswan=0.9.35.1+git20160623-2
core=$dir/$(find root -name mednafen_wswan_libretro.so)
gcc -O1 -Wall -o host "$here/libretro-host.c" -ldl
at() { printf "$2" | dd of=game.ws bs=1 seek=$(($1)) conv=notrunc status=none; }
head -c 65536 /dev/zero >game.ws
at 0 '\353\376' # jmp
at 65520 '\352\000\000\000\360'
at 65531 '\001' # 8 KiB of save memory
for who in HOST MINE; do
	mkdir -p $who/folder
	yes $who | tr -d '\n' | head -c 8192 >$who/folder/game.sav
done
play() { # HOST or MINE, COMMAND...
	cd "$1"
	shift
	"$dir/host" "$core" "$dir/game.ws" run 10 "$@" 2>/dev/null
	cd ..
}
file() { head -c 4 MINE/folder/game.sav; }
{
	echo "save memory: $(play HOST memory 0 length save "$dir/state") bytes"
	play MINE again
	echo "my file, the game unloaded:                      $(file)"
	play MINE load "$dir/state" run 10
	echo "a friend's state loaded, the program ended:      $(file)"
	play MINE load "$dir/state" run 10 again
	echo "a friend's state loaded, the game unloaded:      $(file)"
} | tee seen
[ "$(sed 's/^[^:]*: *//' seen | paste -sd'|')" = "0 bytes|MINE|MINE|HOST" ] || {
	echo "changed: saves go another way" >&2
	exit 1
}
