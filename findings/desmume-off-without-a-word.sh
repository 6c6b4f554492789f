#!/bin/sh
# DeSmuME: a game that switches its console off stands still for ever, and nobody is told.
#
# Package:  libretro-desmume 0.9.11+git20160819+dfsg1-2 (Debian 12).
# Guess:    when a game sets the bit "system off" of the power management chip, the core asks the frontend to shut down
#           (RETRO_ENVIRONMENT_SHUTDOWN), as melonDS DS does; or it says so in its log; or it does not know that
#           bit, and both processors run on.
# Seen:     none of these. Both processors stand at once, retro_run goes on giving frames, and neither the log nor the
#           environment hears of it. A frontend learns of it from a state alone. (At the start the log has one line
#           about ROMs that are read from disk, which is there for any homebrew.)
# Output:   frames  30: the ARM9 counts, the ARM7 has switched the console off
#           frames  60: the ARM9 stands, calls for a shutdown: 0, lines of the log since frame 30: 0
#           frames 240: the ARM9 stands, calls for a shutdown: 0, lines of the log since frame 30: 0
#
# Needs what arm-none-eabi-as needs (apt-get install binutils-arm-none-eabi brings it).
. "$(dirname "$0")/begin.inc"
. "$here/arm-rom.inc"
# The libraries that the core needs are Debian's, installed or not.
fetch libretro-desmume=0.9.11+git20160819+dfsg1-2 libpcap0.8 libtinyxml2.6.2v5 binutils-arm-none-eabi=2.40-2+18+b1
core=$dir/$(find root -name desmume_libretro.so)
gcc -O1 -Wall -o host "$here/desmume-host.c" -ldl
# A ROM whose ARM9 counts in main memory, and whose ARM7 sets register 0 of the power management chip to 0x40, by
# SPI, after a while, and would count beside it.
cat >arm9.s <<'S'
	mov r0, #0x02000000
	add r0, r0, #0x1000
	mov r1, #0
count:	add r1, r1, #1
	str r1, [r0]
	b count
S
cat >arm7.s <<'S'
	mov r1, #0x100000
wait:	subs r1, r1, #1
	bne wait
	mov r0, #0x04000000
	add r0, r0, #0x1c0
	ldr r1, =0x8802 @ SPI on, device 0, which stays selected
	strh r1, [r0]
	mov r1, #0 @ register 0
	strh r1, [r0, #2]
busy:	ldrh r1, [r0]
	tst r1, #0x80
	bne busy
	ldr r1, =0x8002
	strh r1, [r0]
	mov r1, #0x40 @ system off
	strh r1, [r0, #2]
	mov r0, #0x02000000
	add r0, r0, #0x2000
	mov r1, #0
count:	add r1, r1, #1
	str r1, [r0]
	b count
S
rom off SOFF

word() { od -An -tu4 -j $(($2)) -N4 "$1" | tr -d ' '; }
for frames in 2 30 60 240; do
	mkdir s
	./host "$core" "$dir/off.nds" "$dir/s" $frames ram$frames >/dev/null
	rm -r s
	mv heard heard$frames
done
{
	[ "$(word ram2 0x1000)" -gt 0 ] && [ "$(word ram30 0x1000)" -gt "$(word ram2 0x1000)" ] && [ "$(word ram30 0x2000)" = 0 ] &&
		echo "frames  30: the ARM9 counts, the ARM7 has switched the console off"
	for frames in 60 240; do
		[ "$(word ram$frames 0x1000)" = "$(word ram30 0x1000)" ] && [ "$(word ram$frames 0x2000)" = 0 ] &&
			printf 'frames %3d: the ARM9 stands, %s\n' $frames "$(cat heard$frames)"
	done
} | tee seen || true
[ "$(grep -c 'stands, calls for a shutdown: 0, lines of the log since frame 30: 0' seen)" = 2 ] && [ "$(wc -l <seen)" = 3 ] || {
	echo "changed: the processors run on, or somebody is told" >&2
	exit 1
}
