#!/bin/sh
# DeSmuME: a loop of an Action Replay code runs once more than it says, and a cheat that is set as off is on.
#
# Package:  libretro-desmume 0.9.11+git20160819+dfsg1-2 (Debian 12).
# Guess:    "C0000000 00000002 ... D1000000 00000000" runs what stands between three times, as GBATEK has it ("FOR
#           loopcount=0 to YYYYYYYY, execute Y+1 times") and as melonDS does; and a cheat given to retro_cheat_set with
#           enabled false does nothing, as the interface has it.
# Seen:     four times. The count is compared before it is raised, and once more after the last jump. And the cheat that is
#           off acts: the core takes no notice of enabled, nor of the index, so that a cheat set twice acts twice.
# Output:   words written by a loop of three: 4
#           a cheat that is off has written: 1
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
# From 0x02300000 on so many words, each one more than the last; and a word at 0x02310000, switched off.
{
	echo 1 D5000000000000010000000000000000C000000000000002D600000002300000D400000000000001D100000000000000
	echo 0 0231000000000001
} >cheats
./host "$core" still.nds "$dir" 10 memory cheats
words=$(od -An -v -tx4 -w4 -j$((0x300000)) -N64 memory | grep -vc ' 00000000')
off=$(od -An -tu4 -j$((0x310000)) -N4 memory | tr -d ' ')
echo "words written by a loop of three: $words"
echo "a cheat that is off has written: $off"
[ "$words" = 4 ] && [ "$off" = 1 ]
