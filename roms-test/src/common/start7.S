@ Start of the ARM7 program, which lives in the ARM7's own 64 KB at 0x03800000.

	.section .start, "ax"
	.cpu arm7tdmi
	.arm
	.global _start

_start:
	msr cpsr_c, #0xD3               @ supervisor mode: the BIOS calls want a stack
	ldr sp, =0x0380FFC0
	msr cpsr_c, #0xDF               @ system mode, both interrupts masked for good
	ldr sp, =0x0380FD80

	ldr r0, =__bss_start
	ldr r1, =__bss_end
	mov r2, #0
1:	cmp r0, r1
	strlo r2, [r0], #4
	blo 1b

	ldr r0, =main
	mov lr, pc
	bx r0
2:	b 2b
