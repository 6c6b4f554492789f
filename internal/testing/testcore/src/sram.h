// Backup memory: a counter, and a log of the hash at each save. It is either
// SAVE_RAM or a file "<content>.tcs" in the save directory, raw with a footer of
// 16 bytes, written through as DeSmuME does.
#ifndef TESTCORE_SRAM_H
#define TESTCORE_SRAM_H

#include "console.h"

void sram_open(const char *content_name); // sizes it by the options, reads the file
void sram_close(void);
void sram_record(struct machine *m); // the game saves
// sram_see takes all of it into the hash: at power on.
void sram_see(void);

#endif
