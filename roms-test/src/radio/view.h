// The ARM7's account of its radio, in the mailbox page behind struct shared
// (shared.h). It writes all of this once a frame, right after the frame's sample,
// so the ARM9 never reads what is just being written.
#ifndef VIEW_H
#define VIEW_H

#include "shared.h"

#define NAME_LENGTH 10

struct view {
	u32 works; // 0: there is no radio in this console
	u32 hash;  // over every byte of every frame heard
	u32 heard, sent;
};

#define RADIO_PAGE (0x023F0200)

#endif
