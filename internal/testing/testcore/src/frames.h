// Frames as they go out: their bytes and their times on the air.
#ifndef TESTCORE_FRAMES_H
#define TESTCORE_FRAMES_H

#include <string.h>

#include "wifi.h"

#define CHANNEL 7
#define WINDOW_US 112u       // between a command and its ack, besides the replies
#define WINDOW_MARGIN_US 10u // besides each reply

extern const uint8_t mac_command[6], mac_reply[6], mac_ack[6];

static inline void put16(uint8_t *p, uint32_t v) { p[0] = (uint8_t)v, p[1] = (uint8_t)(v >> 8); }
static inline void put32(uint8_t *p, uint32_t v) { put16(p, v), put16(p + 2, v >> 16); }
static inline uint32_t get16(const uint8_t *p) { return p[0] | (uint32_t)p[1] << 8; }
static inline uint32_t get32(const uint8_t *p) { return get16(p) | get16(p + 2) << 16; }
static inline bool same(const uint8_t *a, const uint8_t *b) { return !memcmp(a, b, 6); }
static inline uint32_t air_us(uint32_t bytes) { return bytes * US_PER_BYTE; }

uint32_t reply_us(void); // the longest a client may take for its reply

void frame_plain(const struct outgoing *o);
void frame_command(struct wifi *w);
void frame_ack(struct wifi *w);
uint32_t frame_reply(struct wifi *w); // returns its bytes from the MAC header on

#endif
