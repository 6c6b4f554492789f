// The part of the ARM7's radio that the ROMs share: it starts the controller, keeps
// the hash of all that is heard, and hands the rest to a link, which knows what the
// frames mean: broadcast7/ and multiplay7/ are the two links.
#ifndef RADIO7_H
#define RADIO7_H

#include "../arm7/radio.h"
#include "view.h"
#include "wifi.h"

extern u8 own_mac[6], own_name[NAME_LENGTH], own_colour;

// The functions of a link; none of them is called where there is no radio.
void link_heard(const struct heard *h);
void link_rang(void);  // wifi_alarm's time has come
void link_frame(void); // once a frame, after its sample

extern volatile struct view *const link_view; // where in the mailbox
void link_clear(void);                        // makes the link's part of the mailbox valid, at the start

int same_mac(const u8 *a, const u8 *b);
int lower_mac(const u8 *a, const u8 *b);
void copy_bytes(volatile u8 *to, const u8 *from, u32 n);

#endif
