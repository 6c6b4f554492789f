// The mailbox: what the two processors tell each other, in a page of main RAM that
// the ARM9 does not cache (start9.S), so nothing has to be flushed.
#ifndef SHARED_H
#define SHARED_H

#include "nds.h"

// Bits of sample.keys: the order that nettplay's input scripts and wire use.
enum {
	KEY_A = 1 << 0,
	KEY_B = 1 << 1,
	KEY_SELECT = 1 << 2,
	KEY_START = 1 << 3,
	KEY_RIGHT = 1 << 4,
	KEY_LEFT = 1 << 5,
	KEY_UP = 1 << 6,
	KEY_DOWN = 1 << 7,
	KEY_R = 1 << 8,
	KEY_L = 1 << 9,
	KEY_X = 1 << 10,
	KEY_Y = 1 << 11,
	KEY_PEN = 1 << 12,
	KEY_LID = 1 << 13,
	KEY_BUTTONS = (1 << 12) - 1
};

#define MIC_SAMPLES 8

// The ARM7 finds this out once a frame, at line SAMPLE_LINE.
struct sample {
	u32 frame;                                               // counts from 1: the ARM7's frames
	u16 keys;                                                // KEY_ bits, one is pressed
	u8 x, y;                                                 // stylus in pixels, 0 while the pen is up
	u8 mic[MIC_SAMPLES];                                     // raw microphone samples
	u8 year, month, day, weekday, hour, minute, second, pad; // binary; year since 2000
};

#define SAMPLE_LINE 160

// These are set for good when the ARM7 says it is up.
struct firmware {
	u8 mac[6];
	u8 language, colour, birth_month, birth_day;
	u8 nickname_length; // in UTF-16 units, at most 10
	u8 pad;
	u16 nickname[10];
};

#define RECORD_WORDS 15

// The words that the ARM9 took into its hash in one frame. The ARM7 hashes the same ones
// by itself; that the two agree is the ROM's check of itself.
struct record {
	u32 count;
	u32 words[RECORD_WORDS];
};

struct shared {
	struct sample sample;
	struct firmware firmware;
	struct record record;
	u32 record_number; // ARM9: record is complete; counts from 1
	u32 checked;       // ARM7: number of the last record it hashed
	u32 check_hash;    // ARM7: its hash after that record
};

// The last 64 KB of main RAM hold what the firmware and the emulators leave
// there (user settings, header); the mailbox stands below them.
#define SHARED ((volatile struct shared *)0x023F0000)

#define SYNC_UP 7 // the ARM7's IPCSYNC bits once the mailbox is valid

#endif
