// The frontend's packets: the netpacket interface (environment call 78), with
// the manners of melonDS DS.
//
// A packet is 10 bytes of header (big-endian u64 emulated microseconds, u8 AID,
// u8 type) and a frame. Polling with nothing queued flushes, polls once and
// looks again. A blocking receive does that for 25 ms of clock(), which is what
// tells a frontend that the poll blocks.
#ifndef TESTCORE_NET_H
#define TESTCORE_NET_H

#include <stdbool.h>
#include <stdint.h>

#include "../../../../emucore/libretro.h"

enum { PACKET_OTHER, PACKET_REPLY, PACKET_COMMAND };

#define NET_HEADER 10u
#define FRAME_MAX 488u // of a frame with its hardware header
#define QUEUE_MAX 8u

struct packet {
	uint64_t time;
	uint16_t from, len; // netpacket client id of the sender; bytes of data
	uint8_t aid, type;
	uint8_t pad[2];
	uint8_t data[FRAME_MAX];
};

struct queue {
	struct packet packets[QUEUE_MAX];
	uint32_t head, used;
	uint32_t last_host, has_host; // sender of the last command heard
	uint32_t polls, waits, timeouts, sent, received, bad;
};

void net_announce(retro_environment_t env);
void net_forget(void); // the queue, when the radio is switched off
bool net_ready(void);

void net_send_odd(void); // of a form that no frontend knows
void net_send(uint64_t time, uint8_t aid, uint8_t type, const void *frame, uint16_t len);
bool net_poll(struct packet *p); // does not wait
bool net_wait(struct packet *p); // waits for 25 ms of clock()

#endif
