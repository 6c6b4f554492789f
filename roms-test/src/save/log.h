// The log of save.nds in the EEPROM. The layout is drawn in save.go.
#ifndef LOG_H
#define LOG_H

#include "frame.h"

#define LOG_SLOTS 496
#define LOG_KEPT (LOG_SLOTS - 1) // while the next entry is written, the oldest does not count

struct entry {
	u32 number; // from 1
	u16 keys;   // the buttons that went down
	u16 check;
	u32 frame;
	u32 clock; // second 6 bits, minute 6, hour 5, day 5, month 4, year since 2000 6
};

extern u32 steps;        // ever made, in this run and before
extern u32 found;        // of them at boot
extern u32 found_bad;    // entries at boot whose check is wrong; 1 if the memory is neither ours nor blank
extern u32 write_errors; // writes that did not read back as written
extern u32 store_hash;   // over the whole memory as it was at boot

void log_start(void);    // reads the memory
void log_step(u16 keys); // makes one step, in RAM
void log_commit(void);   // writes it, if there is one to write: the entry, then the head
struct entry log_entry(u32 number);

#endif
