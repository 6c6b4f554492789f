// The frame of every ROM's main loop on the ARM9: wait, sample, hash, show.
#ifndef FRAME_H
#define FRAME_H

#include "draw.h"
#include "shared.h"

extern u32 frame;               // frames begun, from 1
extern u32 hash;                // over everything the program has seen so far
extern u32 disagreements;       // times that the ARM7's hash was another
extern u32 rng;                 // stirred by every frame's timer and every change of the keys
extern u16 timer;               // TIMER0 as it stood at the start of this frame
extern struct sample now, then; // this frame's input and the last one's
extern struct firmware owner;   // whose console this is

void start(int top_is_bitmap); // once, first thing
void next_frame(void);         // halts until VBlank and takes the frame's sample into the hash
void see(u32 word);            // adds a word of the ROM's own to this frame's record, at most SEEN_WORDS
void end_frame(void);          // completes the record; shows hash and check below STATUS_Y

#define SEEN_WORDS 4
#define VALUE 8      // column in which a field's value begins
#define STATUS_Y 172 // the bottom screen's rows from here on are end_frame's

static inline u16 pressed(void) { // buttons that went down in this frame
	return now.keys & ~then.keys & KEY_BUTTONS;
}

int broken(void);                                     // the flag word asks for it and the time has come
const char *nickname(char *to);                       // of 11 bytes; what the font lacks becomes '?'
const char *clock_text(char *to);                     // of 20 bytes: 2026-01-02 10:11:12
const char *key_names(char *to, u16 keys, int width); // A+UP, cut or filled to width <= COLUMNS

// The ROMs' common look: a title bar, and lines of a label and a value.
extern colour accent; // the owner's colour
void title(colour *screen, const char *name);
void field(colour *screen, int y, const char *label, const char *value, colour c);
void show_stylus(colour *screen, int y);
void show_keys(colour *screen, int y);

#endif
