// Registers of the Nintendo DS that the test ROMs use, and the few words of C
// that both processors share. Names and bits follow GBATEK
// (https://problemkaputt.de/gbatek.htm), chapters "DS I/O Maps" and those named
// below; nothing here comes from a library.
#ifndef NDS_H
#define NDS_H

#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef int32_t s32;

#define REG8(a) (*(volatile u8 *)(a))
#define REG16(a) (*(volatile u16 *)(a))
#define REG32(a) (*(volatile u32 *)(a))

// "DS Video": the beam, seen by both processors.
#define DISPSTAT REG16(0x04000004) // bit 3 VBlank IRQ, 5 line IRQ, 8-15 that line
#define VCOUNT REG16(0x04000006)

// "DS Timers".
#define TM0CNT_L REG16(0x04000100)
#define TM0CNT_H REG16(0x04000102) // bit 7 run; bits 0-1 = 0: one tick each 33.5 MHz clock

// "DS Keypad": a zero is a pressed key.
#define KEYINPUT REG16(0x04000130) // A B SELECT START RIGHT LEFT UP DOWN R L
#define EXTKEYIN REG16(0x04000136) // ARM7 only: 0 X, 1 Y, 6 pen, 7 lid (one: closed)

// "DS Interrupts". The ROMs take no interrupt: they halt until a flag is up.
#define IME REG32(0x04000208)
#define IE REG32(0x04000210)
#define IF REG32(0x04000214)
#define IRQ_VBLANK (1u << 0)
#define IRQ_LINE (1u << 2)

// "DS IPC": four bits each way; the ARM7 says with them that it is up.
#define IPCSYNC REG16(0x04000180)

// "DS Real-Time Clock" (ARM7).
#define RTC_PINS REG8(0x04000138)

// "DS Serial Peripheral Interface Bus" (ARM7).
#define SPICNT REG16(0x040001C0)
#define SPIDATA REG16(0x040001C2)

// "DS Cartridge Backup": the cartridge's own SPI bus.
#define AUXSPICNT REG16(0x040001A0)
#define AUXSPIDATA REG16(0x040001A2)
#define EXMEMCNT REG16(0x04000204) // bit 11: the cartridge belongs to 0 ARM9, 1 ARM7

// "DS Video", engines A (top screen) and B (bottom screen).
#define DISPCNT_A REG32(0x04000000)
#define DISPCNT_B REG32(0x04001000)
#define BGCNT_A(n) REG16(0x04000008 + 2 * (n))
#define BGCNT_B(n) REG16(0x04001008 + 2 * (n))
#define BG3_AFFINE_B(n) REG16(0x04001030 + 2 * (n)) // PA PB PC PD
#define BG3X_B REG32(0x04001038)
#define BG3Y_B REG32(0x0400103C)
#define BRIGHT_A REG16(0x0400006C)
#define BRIGHT_B REG16(0x0400106C)
#define POWCNT1 REG16(0x04000304)
#define VRAMCNT(n) REG8(0x04000240 + (n)) // 0 is A, 2 is C

// Every ROM keeps this from its first frame to its last.
//
// mix takes one word into a running hash. For a given word it maps hashes one
// to one, so two consoles whose hashes have once differed and that see the same
// words from then on stay different: a test may look as late as it likes.
static inline u32 mix(u32 h, u32 w) {
	h = (h ^ w) * 0x9E3779B1u;
	return h ^ (h >> 15);
}

#define HASH_START 0x6E747031u

#endif
