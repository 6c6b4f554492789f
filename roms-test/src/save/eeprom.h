// The cartridge's EEPROM of 8 KB.
#ifndef EEPROM_H
#define EEPROM_H

#include "nds.h"

#define EEPROM_SIZE 8192
#define EEPROM_PAGE 32 // a write must stay within a page

void eeprom_start(void);
void eeprom_read(u32 address, u8 *to, u32 n);
void eeprom_write(u32 address, const u8 *from, u32 n);

#endif
