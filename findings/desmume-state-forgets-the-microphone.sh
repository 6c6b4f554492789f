#!/bin/sh
# DeSmuME: how far the microphone's noise has come is in no state: who joins by one, or goes back, hears other noise than the rest.
#
# Package:  libretro-desmume 0.9.11+git20160819+dfsg1-2 (Debian 12).
# Guess:    the noise that a game hears while the microphone's button is down is a fixed sample, and starts when the button goes down, or where the
#           state has it, which has a part for the microphone: a console and one that goes on from its state hear the same.
# Seen:     the part is empty. The sample of 32 values goes round in the process, for as long as that runs, and so does a buffer of 320 in front of it:
#           a new process begins with the first value, and one that goes back in time hears on from where it was. All else of a state goes on
#           as it should, so that machines are alike until somebody blows: then the friend who joined late differs, by a game that was fine in
#           each test without a microphone. Have all machines load the state, each in a new process; or let no
#           state be loaded in a game that blows.
#           nettplay does the former.
# Output:   main memory a half second after a state, where the game has listened:
#           silence, the state loaded by another process: as if it had gone on
#           noise, the state loaded by another process:   other than if it had gone on
#           noise, the state loaded by the same process:  other than if it had gone on
#           noise, two other processes:                   like each other
#
# Needs what arm-none-eabi-as needs (apt-get install binutils-arm-none-eabi brings it).
. "$(dirname "$0")/begin.inc"
. "$here/arm-rom.inc"
# The libraries that the core needs are Debian's, installed or not.
fetch libretro-desmume=0.9.11+git20160819+dfsg1-2 libpcap0.8 libtinyxml2.6.2v5 binutils-arm-none-eabi=2.40-2+18+b1
core=$dir/$(find root -name desmume_libretro.so)
gcc -O1 -Wall -o host "$here/desmume-host.c" -ldl
# A ROM whose ARM7 asks the touch screen's chip for what the microphone hears, without end, and keeps a sum and a count.
cat >arm9.s <<'S9'
halt:	b halt
S9
cat >arm7.s <<'S7'
	mov r4, #0x02000000
	add r4, r4, #0x2000
	mov r5, #0
	mov r6, #0
	mov r3, #0x04000000
	add r3, r3, #0x1c0
next:	ldr r0, =0x8a00 @ SPI on, device 2, which stays selected
	mov r1, #0xec @ measure input 6 in 8 bits
	bl send
	mov r1, #0
	bl send
	and r7, r1, #0x7f
	ldr r0, =0x8200 @ the last byte of it
	mov r1, #0
	bl send
	lsl r7, r7, #1
	orr r7, r7, r1, lsr #7
	rsb r5, r5, r5, lsl #5 @ 31 times the sum
	add r5, r5, r7
	add r6, r6, #1
	stm r4, {r5, r6}
	b next
send:	strh r0, [r3]
	strh r1, [r3, #2]
busy:	ldrh r2, [r3]
	tst r2, #0x80
	bne busy
	ldrh r1, [r3, #2]
	and r1, r1, #0xff
	bx lr
S7
rom mic MICR

play() { # FRAMES: what the game has heard by then
	mkdir s
	./host "$core" "$dir/mic.nds" "$dir/s" "$1" memory >/dev/null
	rm -r s
	[ "$(od -An -tu4 -j 8196 -N4 memory)" -gt 10000 ] && od -An -tx4 -j 8192 -N8 memory
}
compare() { [ "$1" = "$2" ] && echo "$3" || echo "$4"; }
{
	echo "main memory a half second after a state, where the game has listened:"
	on=$(STATE=30 KEEP=state play 60)
	echo "silence, the state loaded by another process: $(compare "$on" "$(FROM=state play 30)" "as" "other than") if it had gone on"
	export HOLD=14 # L3
	on=$(STATE=30 KEEP=state play 60)
	echo "noise, the state loaded by another process:   $(compare "$on" "$(FROM=state play 30)" "as" "other than") if it had gone on"
	echo "noise, the state loaded by the same process:  $(compare "$on" "$(STATE=30 play 60)" "as" "other than") if it had gone on"
	echo "noise, two other processes:                   $(compare "$(FROM=state play 30)" "$(FROM=state play 30)" "like" "unlike") each other"
} | tee seen
[ "$(sed -n 's/.*: *\([a-z]*\) .*/\1/p' seen | paste -sd' ')" = "as other other like" ] || {
	echo "changed: the state has the microphone, or there is no noise" >&2
	exit 1
}
