// The ARM7 of multiplay.nds, in three parts: link.c decides which of the others is
// in charge, host.c and client.c play.
#ifndef PARTS_H
#define PARTS_H

#include "../multiplay/air.h"
#include "../radio/radio7.h"

#define GONE 120 // frames of silence after which somebody is given up
#define CAPABILITY 0x0021

extern u32 now_frame; // SHARED->sample.frame
extern struct person own;

// The game so far, as the ARM9 sees it.
struct report last_report(void);
// The keys that this console's player holds, as they go into the game.
u16 own_keys(void);
// give hands a turn to the ARM9.
void give_turn(const struct turn *t);

// The last element of a body: writes or finds what is ours. Each returns the end,
// or 0 if there is none.
u8 *put_element(u8 *to, const struct person *p);
const u8 *find_element(const u8 *from, const u8 *end, struct person *p);

void enter_lobby(int join); // join: as if B had been pressed

void host_open(void);
void host_heard(const struct heard *h);
void host_frame(void);
void host_close(void); // tells the clients

void client_join(const u8 *host, const struct person *p);
void client_heard(const struct heard *h);
void client_frame(void);
void client_rang(void);

// The contents of the screens.
struct played {
	u32 tries, number, members, exchanges, lost;
	struct person people[PLAYERS];
};
extern struct played played;
void nothing_played(void);

#endif
