#!/bin/sh
# DeSmuME: a game without a save has one of 512 bytes as soon as a state is loaded.
#
# Package:  libretro-desmume 0.9.11+git20160819+dfsg1-2 (Debian 12).
# Guess:    a state that was saved a moment ago, and is loaded again, changes nothing: neither the cartridge nor the file of its save.
# Seen:     a cartridge that was never asked for its save has none: the .dsv is empty. Loading makes backup memory of 512 bytes, all
#           FF, and writes it to the .dsv at once (with 122 bytes of footer); states are longer by as much from then on. So of two
#           machines with equal consoles the one that loaded has a save to keep, and another state: have all of them load, and
#           take a save that is all FF for none.
#           nettplay does both.
# Output:   not loaded: .dsv of 0 bytes
#           loaded:     .dsv of 634 bytes, of which the first 512 are ff
. "$(dirname "$0")/begin.inc"
# The libraries that the core needs are Debian's, installed or not.
fetch libretro-desmume=0.9.11+git20160819+dfsg1-2 libpcap0.8 libtinyxml2.6.2v5
core=$dir/$(find root -name desmume_libretro.so)
gcc -O1 -Wall -o host "$here/desmume-host.c" -ldl
# A ROM whose processors stand at one instruction, a branch to itself.
head -c 32768 /dev/zero >still.nds
at() { printf "$2" | dd of=still.nds bs=1 seek=$(($1)) conv=notrunc status=none; }
at 0x00 'STILL'; at 0x0c 'STIL00'
at 0x20 '\000\002\000\000\000\000\000\002\000\000\000\002\004\000\000\000' # ARM9: at 0x200, entry and address 0x02000000
at 0x30 '\000\004\000\000\000\000\070\002\000\000\070\002\004\000\000\000' # ARM7: at 0x400, 0x02380000
at 0x200 '\376\377\377\352'; at 0x400 '\376\377\377\352'

play() { # FOLDER: 30 frames, with its saves there
	mkdir "$1"
	./host "$core" still.nds "$dir/$1" 30 memory >/dev/null
	size=$(stat -c %s "$1/still.dsv")
}
play none
echo "not loaded: .dsv of $size bytes" | tee seen
export STATE=10
play one
printf 'loaded:     .dsv of %s bytes, of which the first 512 are%s\n' "$size" "$(od -An -v -tx1 -w1 -N512 one/still.dsv | sort -u | paste -sd' ')" | tee -a seen
[ "$(cat seen)" = "not loaded: .dsv of 0 bytes
loaded:     .dsv of 634 bytes, of which the first 512 are ff" ] || {
	echo "changed: loading a state makes no save, or another one" >&2
	exit 1
}
