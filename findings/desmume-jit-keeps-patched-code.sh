#!/bin/sh
# DeSmuME with its JIT: a cheat that changes an instruction acts only in a console that has loaded a state since.
#
# Package:  libretro-desmume 0.9.11+git20160819+dfsg1-2 (Debian 12), x86-64.
# Guess:    a code writes to memory as the console does, by a write that drops what was compiled of that address: it acts
#           from the next time on that the instruction runs, as with the interpreter; and a state and the console that
#           made it go on alike.
# Seen:     the write drops what begins at its address, and a block of several instructions begins before it. The program goes
#           on as it was compiled, while its memory says otherwise. In a console that loads a state everything is compiled
#           anew: there the cheat acts. So a console and its own state go on differently, and by the interpreter both do as
#           the cheat says.
# Output:   interpreter: 7 from the start, 7 from a state
#           jit: 0 from the start, 7 from a state
. "$(dirname "$0")/begin.inc"
fetch libretro-desmume=0.9.11+git20160819+dfsg1-2 libpcap0.8 libtinyxml2.6.2v5
core=$dir/$(find root -name desmume_libretro.so)
gcc -O1 -Wall -o host "$here/desmume-host.c" -ldl
# A ROM whose ARM9 copies the word at 0x02001100, 0, to 0x02001200, again and again. Its ARM7 stands.
head -c 32768 /dev/zero >copy.nds
at() { printf "$2" | dd of=copy.nds bs=1 seek=$(($1)) conv=notrunc status=none; }
at 0x00 'COPY'; at 0x0c 'COPY00'
at 0x20 '\000\002\000\000\000\000\000\002\000\000\000\002\040\000\000\000' # ARM9: at 0x200, entry and address 0x02000000
at 0x30 '\000\004\000\000\000\000\070\002\000\000\070\002\004\000\000\000' # ARM7: at 0x400, 0x02380000
at 0x200 '\024\000\237\345\000\020\240\343' #        ldr r0, =0x02001000; mov r1, #0
at 0x208 '\001\020\201\342\000\020\200\345' # count: add r1, r1, #1; str r1, [r0]
at 0x210 '\000\041\220\345\000\042\200\345' #        ldr r2, [r0, #0x100]; str r2, [r0, #0x200]
at 0x218 '\372\377\377\352\000\020\000\002' #        b count; 0x02001000
at 0x400 '\376\377\377\352'
# At 0x02000010: mov r2, #7 in the place of the load.
echo 1 02000010E3A02007 >cheats
shown() { od -An -tu4 -j$((0x1200)) -N4 memory | tr -d ' '; }
for cpu in interpreter jit; do
	CPU=$cpu ./host "$core" copy.nds "$dir" 30 memory cheats
	start=$(shown)
	CPU=$cpu STATE=30 ./host "$core" copy.nds "$dir" 60 memory cheats
	echo "$cpu: $start from the start, $(shown) from a state" | tee -a seen
done
printf 'interpreter: 7 from the start, 7 from a state\njit: 0 from the start, 7 from a state\n' | cmp - seen
