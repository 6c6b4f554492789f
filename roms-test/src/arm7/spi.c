// The ARM7's SPI bus: power management, firmware flash and touch screen
// controller ("DS Serial Peripheral Interface Bus" and the chapters after it).
#include "arm7.h"

#define SPI_ON 0x8000
#define SPI_HOLD 0x0800 // keep the chip selected after this byte
#define SPI_BUSY 0x0080

#define POWER (SPI_ON | 0x0000 | 2)    // 1 MHz
#define FIRMWARE (SPI_ON | 0x0100 | 0) // 4 MHz
#define TOUCH (SPI_ON | 0x0200 | 1)    // 2 MHz

// SPIDATA is full duplex: each byte written gives one back.
static u8 spi(u16 device, u8 out) {
	while (SPICNT & SPI_BUSY) {
	}
	SPICNT = device;
	SPIDATA = out;
	while (SPICNT & SPI_BUSY) {
	}
	return (u8)SPIDATA;
}

void mic_on(void) {
	spi(POWER | SPI_HOLD, 2); // register 2: microphone amplifier
	spi(POWER, 1);
	spi(POWER | SPI_HOLD, 3); // register 3: its gain
	spi(POWER, 1);
}

#ifdef POWER_BUTTON
void power_off(void) {
	spi(POWER | SPI_HOLD, 0); // register 0: what has power
	spi(POWER, 0x40);         // the whole console has none
}
#endif

// measure starts a conversion and returns its two bytes, the first in bits 8-15.
static u16 measure(u8 command) {
	spi(TOUCH | SPI_HOLD, command);
	u16 high = spi(TOUCH | SPI_HOLD, 0);
	return (u16)(high << 8 | spi(TOUCH, 0));
}

u16 touch_measure(u8 command) {
	return measure(command) >> 3 & 0xFFF;
}

u8 mic_sample(void) {
	return (u8)(measure(0xEC) >> 7); // auxiliary input in 8-bit mode
}

void firmware_read(u32 address, u8 *to, u32 n) {
	spi(FIRMWARE | SPI_HOLD, 3); // read
	for (int shift = 16; shift >= 0; shift -= 8) spi(FIRMWARE | SPI_HOLD, (u8)(address >> shift));
	for (u32 i = 0; i < n; i++) to[i] = spi(FIRMWARE | (i + 1 < n ? SPI_HOLD : 0), 0);
}
