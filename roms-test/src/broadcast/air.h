// The packets of broadcast.nds, and the messages of its ARM7 to its ARM9.
#ifndef BROADCAST_AIR_H
#define BROADCAST_AIR_H

#include "../radio/view.h"

// The body of each frame: data frames to everyone, one from each console in each
// video frame. All numbers are little-endian, as the processors are.
struct word {
	u32 magic;
	u32 number; // of this frame, from 1: what is missing was lost
	u32 hash;   // the sender's, as of its last video frame
	u16 keys;   // KEY_ bits
	u8 x, y;    // stylus
	u8 name[NAME_LENGTH];
	u8 colour, zero;
};

#define WORD_MAGIC 0x3142504Eu // "NPB1"

#define STATIONS 15

// Another console, in the order in which they were first heard.
struct station {
	u32 number;   // of its last frame
	u32 heard;    // 0: none here
	u32 lost;     // numbers that did not come
	u32 heard_at; // our frame
	u32 hash;
	u16 keys;
	u8 x, y;
	u8 mac[6];
	u8 name[NAME_LENGTH];
	u8 colour, zero[3];
};

struct broadcast {
	struct view view;
	struct station stations[STATIONS];
	u32 broken; // from the ARM9: leave out a number now and then
	u32 quiet;  // from the ARM9: say nothing
};

#define BROADCAST ((volatile struct broadcast *)RADIO_PAGE)

#endif
