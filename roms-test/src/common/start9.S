@ Start of the ARM9 program. The packer puts it at 0x02000000, where the loader
@ copies it, and enters it at _start.
@
@ +0x00  an undefined instruction: what a decrypted secure area begins with, so
@        that emulators take a ROM with save memory for a decrypted cartridge
@ +0x20  "NPTF" and the flag word: package romstest sets its bit 0 to get the
@        variant of the ROM that is broken on purpose (see common/frame.c)
@ +0x40  _start

	.section .start, "ax"
	.cpu arm946e-s
	.arm
	.global _start
	.global rom_flags

	.word 0xE7FFDEFF
	.space 0x1C
	.ascii "NPTF"
rom_flags:
	.word 0
	.space 0x18

_start:
	msr cpsr_c, #0xDF               @ system mode, both interrupts masked for good

	@ "DS System Control Coprocessor": caches and protection off while they change.
	ldr r0, =0x00002078
	mcr p15, 0, r0, c1, c0, 0
	mov r0, #0
	mcr p15, 0, r0, c7, c5, 0       @ forget the instruction cache
	mcr p15, 0, r0, c7, c6, 0       @ forget the data cache
	mcr p15, 0, r0, c7, c10, 4      @ drain the write buffer

	@ Three regions are enough, the higher number ruling where they overlap: all of
	@ memory; in it main RAM, which is cached; in that the mailbox, which is not,
	@ because the ARM7 reads and writes it too.
	mov r0, #0x3F                   @ 4 GB at 0
	mcr p15, 0, r0, c6, c0, 0
	ldr r0, =0x0200002F             @ 16 MB at 0x02000000
	mcr p15, 0, r0, c6, c1, 0
	ldr r0, =0x023F0017             @ 4 KB at 0x023F0000, see shared.h
	mcr p15, 0, r0, c6, c2, 0
	mov r0, #0
	mcr p15, 0, r0, c6, c3, 0
	mcr p15, 0, r0, c6, c4, 0
	mcr p15, 0, r0, c6, c5, 0
	mcr p15, 0, r0, c6, c6, 0
	mcr p15, 0, r0, c6, c7, 0
	mov r0, #2                      @ region 1
	mcr p15, 0, r0, c2, c0, 0       @ has its data cached,
	mcr p15, 0, r0, c2, c0, 1       @ its instructions cached
	mcr p15, 0, r0, c3, c0, 0       @ and its writes buffered
	ldr r0, =0x333
	mcr p15, 0, r0, c5, c0, 2       @ read and write everywhere
	mcr p15, 0, r0, c5, c0, 3       @ execute everywhere

	ldr r0, =0x0B00000A             @ 16 KB of data TCM at 0x0B000000: the stack
	mcr p15, 0, r0, c9, c1, 0
	ldr r0, =0x0001307D             @ protection, both caches, data TCM, high vectors
	mcr p15, 0, r0, c1, c0, 0
	ldr sp, =0x0B003FF0

	ldr r0, =__bss_start
	ldr r1, =__bss_end
	mov r2, #0
1:	cmp r0, r1
	strlo r2, [r0], #4
	blo 1b

	ldr r0, =main
	blx r0
2:	b 2b
