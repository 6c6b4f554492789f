#!/bin/sh
# DeSmuME writes the name of the ROM's file into the console's main memory.
#
# Package:  libretro-desmume 0.9.11+git20160819+dfsg1-2 (Debian 12).
# Guess:    a console is made from what is in the ROM; where it lies, and what its file is called, is the
#           frontend's business. Two copies of one ROM with other names give equal consoles.
# Seen:     main memory differs from the start: at 0x023E0000 stands "fat:/" and the file's name, also for a ROM that
#           is no homebrew of the kind that asks for it. All else in main memory is equal. Machines that
#           compare memory must load a ROM under one agreed name.
# Output:   one.nds and a copy two.nds: main memory differs in 3 bytes, from 0x023e0005 to 0x023e0007
#           one.nds and a copy one.nds in another folder: main memory is equal
. "$(dirname "$0")/begin.inc"
# The libraries that the core needs are Debian's, installed or not.
fetch libretro-desmume=0.9.11+git20160819+dfsg1-2 libpcap0.8 libtinyxml2.6.2v5
core=$dir/$(find root -name desmume_libretro.so)
gcc -O1 -Wall -o host "$here/desmume-host.c" -ldl
# A ROM of 32 KiB whose two processors stand in an endless loop: a header, and "b ." twice.
head -c 32768 /dev/zero >one.nds
at() { printf "$2" | dd of=one.nds bs=1 seek=$(($1)) conv=notrunc status=none; }
at 0x00 'LOOP'; at 0x0c 'LOOP00'
at 0x20 '\000\002\000\000\000\000\000\002\000\000\000\002\004\000\000\000' # ARM9: at 0x200, entry and address 0x02000000, 4 bytes
at 0x30 '\000\004\000\000\000\000\070\002\000\000\070\002\004\000\000\000' # ARM7: at 0x400, 0x02380000
at 0x80 '\000\010\000\000'; at 0x84 '\000\002\000\000'
at 0x200 '\376\377\377\352'; at 0x400 '\376\377\377\352'

play() { ./host "$core" "$dir/$1" "$dir/$2" 60 "$3" >/dev/null; }
mkdir a b c
cp one.nds two.nds
cp one.nds c/one.nds
play one.nds a a.ram
play two.nds b b.ram
play c/one.nds c c.ram
cmp -l a.ram b.ram >differs || true
{
	printf 'one.nds and a copy two.nds: main memory differs in %d bytes, from 0x%08x to 0x%08x\n' "$(wc -l <differs)" \
		$((0x02000000 - 1 + $(awk 'NR == 1 { print $1 }' differs))) $((0x02000000 - 1 + $(awk '{ at = $1 } END { print at }' differs)))
	cmp -s a.ram c.ram && echo "one.nds and a copy one.nds in another folder: main memory is equal"
} | tee seen
[ "$(tail -c +$((0x3e0000 + 1)) b.ram | head -c 12)" = fat:/two.nds ] && [ "$(wc -l <seen)" = 2 ] && [ "$(wc -l <differs)" = 3 ] || {
	echo "changed: main memory no longer holds the name of the ROM's file, or more than that" >&2
	exit 1
}
