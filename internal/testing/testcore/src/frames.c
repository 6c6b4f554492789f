#include "frames.h"

#include <string.h>

#include "fault.h"
#include "options.h"
#include "state.h"

#define RATE 0x14

const uint8_t mac_command[6] = {0x03, 0x09, 0xBF, 0x00, 0x00, 0x00};
const uint8_t mac_reply[6] = {0x03, 0x09, 0xBF, 0x00, 0x00, 0x10};
const uint8_t mac_ack[6] = {0x03, 0x09, 0xBF, 0x00, 0x00, 0x03};

uint32_t reply_us(void) {
	return PREAMBLE_US + air_us(MAC_HEADER + 16 + (uint32_t)option_number(OPT_radio_payload));
}

// emit builds a frame and gives it to the frontend. status is the start of the
// hardware header, which melonDS leaves as it finds it in some frames.
static void emit(uint8_t type, uint16_t fc, const uint8_t *a1, const uint8_t *a3, const uint8_t status[8],
                 const void *body, uint32_t len) {
	struct wifi *w = &con.w;
	uint8_t f[FRAME_MAX];
	memcpy(f, status, 8);
	f[8] = RATE;
	f[9] = CHANNEL;
	put16(f + 10, MAC_HEADER + len);
	put16(f + 12, fc);
	put16(f + 14, 0);
	memcpy(f + 16, a1, 6);
	memcpy(f + 22, con.m.fw.mac, 6);
	memcpy(f + 28, a3, 6);
	put16(f + 34, (uint32_t)w->seq++ << 4);
	if (len) memcpy(f + BODY, body, len);
	net_send(w->us, type == PACKET_REPLY ? (uint8_t)w->aid : 0, type, f, (uint16_t)(BODY + len));
}

static const uint8_t nothing[8];

void frame_plain(const struct outgoing *o) {
	emit(PACKET_OTHER, o->fc, o->to, con.m.fw.mac, nothing, o->body, o->len);
}

// A command's body begins with the reply window and the mask.
void frame_command(struct wifi *w) {
	uint8_t body[BODY_MAX];
	put16(body, reply_us());
	put16(body + 2, w->mask);
	game_stamp(w->command.body);
	memcpy(body + 4, w->command.body, w->command.len);
	emit(PACKET_COMMAND, FC_COMMAND, mac_command, con.m.fw.mac, nothing, body, w->command.len + 4u);
}

void frame_ack(struct wifi *w) {
	uint8_t status[8] = {0}, body[8] = {0};
	uint32_t run = PREAMBLE_US, left = w->command_left_us;
	if (!w->failed) {
		uint32_t margin = air_us(ACK_BYTES) + (left < 1000 ? 210 : 0);
		run = left > margin ? left - margin : 0;
	}
	if (!option_on(OPT_radio_runahead)) run = 0;
	put32(status, run);
	fault_garbage(status + 4, 4);
	put16(body, (w->command_left_us + 9) / 10);
	put16(body + 2, w->failed);
	emit(PACKET_COMMAND, FC_ACK, mac_ack, con.m.fw.mac, status, body, ACK_BYTES - MAC_HEADER);
}

// The reply that the game has ready, else the empty one whose header nobody writes.
uint32_t frame_reply(struct wifi *w) {
	if (w->reply_set) {
		w->reply_set = 0;
		emit(PACKET_REPLY, FC_REPLY, w->bssid, mac_reply, nothing, w->reply.body, w->reply.len);
		return MAC_HEADER + w->reply.len;
	}
	uint8_t status[8] = {0};
	fault_garbage(status, 8);
	emit(PACKET_REPLY, FC_REPLY_EMPTY, w->bssid, mac_reply, status, nothing, 4);
	return MAC_HEADER + 4;
}
