#include "eeprom.h"

// "DS Cartridge Backup": the bus runs at 4 MHz; a command lasts while the chip is
// held selected.
#define AUX_ON 0xA000
#define AUX_HOLD 0x0040
#define AUX_BUSY 0x0080

#define WRITE 0x02
#define READ 0x03
#define STATUS 0x05
#define ALLOW_WRITE 0x06
#define STATUS_WRITING 0x01

// The last byte of a command goes out without hold. DeSmuME sees the command's end
// only where hold has been on before, also when the command is one byte.
static u8 exchange(u8 out, int hold) {
	AUXSPICNT = AUX_ON | AUX_HOLD;
	if (!hold) AUXSPICNT = AUX_ON;
	AUXSPIDATA = out;
	while (AUXSPICNT & AUX_BUSY) {
	}
	return (u8)AUXSPIDATA;
}

static void address(u8 command, u32 a) {
	exchange(command, 1);
	exchange((u8)(a >> 8), 1);
	exchange((u8)a, 1);
}

// DeSmuME learns how many address bytes a chip takes from the first command it
// sees: it takes all but one of the bytes that follow it. So the first command reads
// one byte. As it is the last one, the emulator's file is 8 KB long.
void eeprom_start(void) {
	u8 last;
	EXMEMCNT &= (u16) ~(1 << 11); // the cartridge bus is the ARM9's
	eeprom_read(EEPROM_SIZE - 1, &last, 1);
	eeprom_read(EEPROM_SIZE - 1, &last, 1);
}

void eeprom_read(u32 a, u8 *to, u32 n) {
	address(READ, a);
	for (u32 i = 0; i < n; i++) to[i] = exchange(0, i + 1 < n);
}

static int writing(void) {
	exchange(STATUS, 1);
	return exchange(0, 0) & STATUS_WRITING;
}

#define PATIENCE 10000 // polls; a write takes some hundred on a real chip

void eeprom_write(u32 a, const u8 *from, u32 n) {
	exchange(ALLOW_WRITE, 0);
	address(WRITE, a);
	for (u32 i = 0; i < n; i++) exchange(from[i], i + 1 < n);
	for (int i = 0; i < PATIENCE && writing(); i++) {
	}
}
