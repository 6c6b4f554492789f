// The radio's hardware: sends and receives frames in emulated time, polls when
// melonDS' does and blocks where it does (radio.c). wifi.c is what a game asks of it.
//
//   on, not a client   one poll every 512 us while idle
//   client             when it has used up what the last frame allowed it to run
//                      (sync_at), a blocking receive every 8 us tick
//   host               blocks once at the end of each command, for all replies
#ifndef TESTCORE_WIFI_H
#define TESTCORE_WIFI_H

#include <stdbool.h>
#include <stdint.h>

#include "net.h"

#define HW_HEADER 12u  // before each frame: 0-7 status, 8 rate, 9 channel, 10-11 length
#define MAC_HEADER 24u // frame control, duration, three addresses, sequence number
#define BODY (HW_HEADER + MAC_HEADER)
#define BODY_MAX (FRAME_MAX - BODY)
#define US_PER_BYTE 4u
#define PREAMBLE_US 96u
#define ACK_BYTES 32u
#define AID_MAX 15u
#define REPLY_MAX 128u // bytes kept of a reply's body
#define TX_MAX 4u

// Frame controls, little end first.
enum {
	FC_ASSOC_REQ = 0x0000,
	FC_ASSOC_RESP = 0x0010,
	FC_BEACON = 0x0080,
	FC_AUTH = 0x00B0,
	FC_DATA = 0x0008,
	FC_COMMAND = 0x0228,
	FC_REPLY = 0x0118,
	FC_REPLY_EMPTY = 0x0158,
	FC_ACK = 0x0218,
};

struct outgoing {
	uint16_t fc, len;
	uint8_t to[6];
	uint8_t body[BODY_MAX - 2];
};

struct wifi {
	uint64_t us;               // the radio's clock; a client takes over its host's
	uint64_t rx_at, sync_at;   // client: when the frame begins, how far it may run
	uint32_t idle_us;          // since the radio was last busy
	uint32_t rx_left, tx_left; // microseconds
	uint32_t tx_phase, tx_kind;
	uint16_t mask, failed; // clients asked in this command, those without reply
	uint16_t aid, seq;
	uint8_t on, client, rx_wait, receiving, sending, pad[3];
	uint8_t bssid[6], pad2[2];
	struct packet rx;
	struct outgoing tx[TX_MAX]; // plain frames waiting
	uint32_t tx_head, tx_used;
	struct outgoing command, reply;
	uint8_t command_set, reply_set, pad3[6];
	uint32_t command_left_us; // until the host's next command, for its ack
	uint8_t replies[AID_MAX][REPLY_MAX];
	uint16_t reply_len[AID_MAX], pad4;
};

extern const uint8_t mac_broadcast[6];

void wifi_power(bool on);
void wifi_tick(void);

// wifi_queue has a plain frame sent when the air is free. A full queue drops it.
void wifi_queue(uint16_t fc, const uint8_t to[6], const void *body, uint16_t len);
// wifi_command starts a round: the clients in mask are asked to reply.
// next_us is the time until the next command.
bool wifi_command(uint16_t mask, const void *body, uint16_t len, uint32_t next_us);
// wifi_set_reply is what the next command that asks us will be answered with.
void wifi_set_reply(const void *body, uint16_t len);
// wifi_leave ends being a client.
void wifi_leave(void);

#endif
