// The ARM7's wireless controller: power it up, send and receive 802.11 frames.
// The content of the frames is the caller's.
//
// Registers, names and the order of the start follow GBATEK, chapters
// "DS Wireless Communications": "DS Wifi Initialization", "... Control", "...
// Interrupts", "... Receive", "... Transmit", "DS Firmware Wifi Calibration Data".
#ifndef WIFI_H
#define WIFI_H

#include "shared.h"

#define CHANNEL 7
#define FRAME_MAX 320 // bytes of a frame that is sent or taken in, without the checksum

// wifi_start powers the radio up, tunes it and begins to receive. It takes 40 ms.
// It returns 0 if there is no radio that works.
int wifi_start(const u8 mac[6]);
u16 wifi_chip(void); // what the chip calls itself: 1440h or C340h

#define HEADER 24 // bytes of an 802.11 header

// A frame that was heard, without its checksum.
struct heard {
	u16 flags; // RX_ below
	u16 length;
	u8 data[FRAME_MAX];
};

// The controller's word for what it received: bits 0-3 the kind.
enum {
	RX_MANAGEMENT = 0x0,
	RX_BEACON = 0x1,
	RX_DATA = 0x8,
	RX_CMD = 0xC,
	RX_ACK = 0xD,
	RX_REPLY = 0xE,
	RX_EMPTY_REPLY = 0xF,
	RX_KIND = 0xF,
	RX_MINE = 0x8000, // of the network that wifi_network names
};

// wifi_acknowledge clears the controller's interrupts and says whether there were
// any; the next one comes as an edge only after it has said no.
int wifi_acknowledge(void);

// wifi_heard takes the oldest frame from the receive ring; 0: there is none.
int wifi_heard(struct heard *h);

// Frame controls, the first half-word of a frame: kind, subtype, direction.
enum {
	ASSOC_REQUEST = 0x0000,
	ASSOC_RESPONSE = 0x0010,
	BEACON = 0x0080,
	AUTH = 0x00B0,
	DEAUTH = 0x00C0,
	DATA = 0x0008,
	CMD = 0x0228,
	REPLY = 0x0118,
	ACK = 0x0218,
};

// wifi_frame writes a header and returns where the body begins.
u8 *wifi_frame(u8 *to, u16 control, const u8 *to_mac, const u8 *from_mac, const u8 *network);

extern const u8 everyone[6], cmd_mac[6], reply_mac[6];

// wifi_send queues a frame, to be sent as soon as the air is free. It returns 0
// if the queue is full. wifi_sending must be called now and then: it sends the
// next one, and again what a beacon has put off.
int wifi_send(const u8 *frame, u32 length);
void wifi_sending(void);
extern u32 wifi_sent; // frames that were queued and have gone out

// A multiplay network (GBATEK, "DS Wifi Nintendo Multiplay"). A network is named by its host's address.
void wifi_network(const u8 mac[6], u16 aid);                 // aid: 1 to 15, 0: the host, or not yet in it
void wifi_beacon(const u8 *frame, u32 length, u16 interval); // in units of 1024 us; length 0: no more
int wifi_beacon_is_on(void);

// The host: wifi_command sends a CMD to the clients in the mask, collects their
// replies, and acknowledges them, all by itself. reply_bytes: of a client's
// longest frame, without its checksum. It returns 0 if the last one is not over.
int wifi_command(const u8 *frame, u32 length, u16 clients, u32 reply_bytes);
int wifi_commanding(void); // the last one is not over

// The client: what the controller answers to the next CMD that asks it.
void wifi_reply(const u8 *frame, u32 length);

void wifi_alarm(u32 us); // a timer interrupt, once; at most 100,000 us; wifi_rang says whether
int wifi_rang(void);

#endif
