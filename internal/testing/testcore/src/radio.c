// The radio as time passes: it sends and receives frames, and tells the game.
#include <string.h>

#include "fault.h"
#include "frames.h"
#include "state.h"

#define IDLE_POLL_MASK 0x1F8u // a poll every 512 us

enum { TX_FRAME, TX_COMMAND, TX_REPLY };

static bool idle(const struct wifi *w) { return !w->receiving && !w->sending; }
static uint32_t clients(uint16_t mask) { return (uint32_t)__builtin_popcount(mask); }

// collect blocks until every client asked has replied, or nothing comes any
// more. The clock of this console stands still meanwhile.
static void collect(struct wifi *w) {
	uint16_t got = 0;
	memset(w->replies, 0, sizeof w->replies);
	memset(w->reply_len, 0, sizeof w->reply_len);
	while ((got & w->mask) != w->mask) {
		struct packet p;
		if (!net_wait(&p)) break;
		if (p.type != PACKET_REPLY || p.time + 32 < w->us || p.aid > AID_MAX) continue;
		got |= (uint16_t)(1u << p.aid);
		if (!p.aid || p.len < BODY) continue;
		uint16_t len = (uint16_t)(p.len - BODY);
		if (len > REPLY_MAX) len = REPLY_MAX;
		memcpy(w->replies[p.aid - 1], p.data + BODY, len);
		w->reply_len[p.aid - 1] = len;
	}
	w->failed = w->mask & ~got;
}

static void tx_begin(struct wifi *w, uint32_t kind, uint32_t us) {
	w->sending = 1;
	w->tx_kind = kind;
	w->tx_phase = 0;
	w->tx_left = us;
}

static void tx_end(struct wifi *w) {
	w->sending = 0;
	w->idle_us = 0;
}

static void tx_next(struct wifi *w, uint32_t us) {
	w->tx_phase++;
	w->tx_left = us;
}

static void step_frame(struct wifi *w) {
	struct outgoing *o = &w->tx[w->tx_head];
	if (w->tx_phase == 0) {
		frame_plain(o);
		tx_next(w, air_us(MAC_HEADER + o->len));
		return;
	}
	memset(o, 0, sizeof *o);
	w->tx_head = (w->tx_head + 1) % TX_MAX;
	w->tx_used--;
	tx_end(w);
}

// A command goes through: preamble, frame, replies, their window on the air,
// ack.
static void step_command(struct wifi *w) {
	switch (w->tx_phase) {
	case 0:
		frame_command(w);
		tx_next(w, air_us(MAC_HEADER + 4 + w->command.len));
		fault_at(AT_COMMAND, con.g.commands++);
		game_amid_exchange();
		return;
	case 1:
		if (w->mask) collect(w);
		tx_next(w, WINDOW_US + clients(w->mask) * (WINDOW_MARGIN_US + reply_us()));
		return;
	case 2:
		frame_ack(w);
		tx_next(w, air_us(ACK_BYTES));
		return;
	}
	w->command_set = 0;
	tx_end(w);
	game_round_done(w->mask, w->failed);
}

static void tx_step(struct wifi *w) {
	w->tx_left = w->tx_left > TICK_US ? w->tx_left - TICK_US : 0;
	if (w->tx_left) return;
	if (w->tx_kind == TX_FRAME)
		step_frame(w);
	else if (w->tx_kind == TX_COMMAND)
		step_command(w);
	else
		tx_end(w);
}

static bool tx_start(struct wifi *w) {
	if (w->tx_used)
		tx_begin(w, TX_FRAME, PREAMBLE_US);
	else if (w->command_set)
		tx_begin(w, TX_COMMAND, PREAMBLE_US);
	return w->sending;
}

static bool acceptable(const struct wifi *w, const struct packet *p) {
	if (p->len < BODY || get16(p->data + 10) != p->len - HW_HEADER) return false;
	if (p->data[9] != CHANNEL) return false;
	const uint8_t *a1 = p->data + 16, *a3 = p->data + 28;
	return w->client || !(same(a1, mac_command) || same(a1, mac_ack) || same(a3, mac_reply));
}

static void rx_begin(struct wifi *w) {
	w->rx_wait = 0;
	w->receiving = 1;
	w->rx_left = air_us(w->rx.len - HW_HEADER);
}

// schedule has a client take in a frame at the time it was sent, and works out
// how far the client may run before it must hear from its host again.
static void schedule(struct wifi *w) {
	const uint8_t *f = w->rx.data, *a1 = f + 16;
	w->rx_wait = 1;
	w->rx_at = w->rx.time > w->us ? w->rx.time : w->us;
	w->sync_at = w->rx_at + air_us(w->rx.len - HW_HEADER);
	if (same(a1, mac_command) && w->rx.len >= BODY + 4)
		w->sync_at += WINDOW_US +
		              clients((uint16_t)get16(f + BODY + 2)) * (WINDOW_MARGIN_US + get16(f + BODY));
	else if (same(a1, mac_ack))
		w->sync_at += get32(f);
}

// associate makes this console a client: its radio takes over the host's clock.
static void associate(struct wifi *w) {
	const uint8_t *f = w->rx.data;
	w->client = 1;
	w->aid = (uint16_t)get16(f + BODY + 4) & AID_MAX;
	memcpy(w->bssid, f + 22, 6);
	w->us = w->sync_at = w->rx.time;
	rx_begin(w);
}

static void listen(struct wifi *w, bool wait) {
	do {
		if (!(wait ? net_wait(&w->rx) : net_poll(&w->rx))) return;
	} while (!acceptable(w, &w->rx));
	const uint8_t *f = w->rx.data;
	bool mine = (f[16] & 1) || same(f + 16, con.m.fw.mac);
	if (get16(f + 12) == FC_ASSOC_RESP && mine && w->rx.len >= BODY + 6 && get16(f + BODY + 4))
		associate(w);
	else if (mine && w->client)
		schedule(w);
	else
		rx_begin(w);
}

static void answer(struct wifi *w, uint32_t window, uint16_t mask) {
	if (!w->aid || !(mask & 1u << w->aid)) {
		// So that the host has something to receive.
		net_send(w->us, 0, PACKET_REPLY, NULL, 0);
		return;
	}
	uint32_t before = clients((uint16_t)(mask & ((1u << w->aid) - 1)));
	uint32_t bytes = frame_reply(w);
	tx_begin(w, TX_REPLY, 16 + (window + WINDOW_MARGIN_US) * before + PREAMBLE_US + air_us(bytes));
}

static void rx_end(struct wifi *w) {
	const uint8_t *f = w->rx.data, *body = f + BODY;
	uint16_t fc = (uint16_t)get16(f + 12), len = (uint16_t)(w->rx.len - BODY);
	w->receiving = 0;
	w->idle_us = 0;
	if (!(f[16] & 1) && !same(f + 16, con.m.fw.mac)) return;
	if (fc != FC_COMMAND) {
		game_heard(fc, f + 22, body, len);
		return;
	}
	if (!w->client || len < 4 || !same(f + 22, w->bssid)) return;
	fault_at(AT_REPLY, con.g.commands++);
	game_amid_exchange();
	if (!w->on) return;
	answer(w, get16(body), (uint16_t)get16(body + 2));
	game_commanded(body + 4, len - 4, w->rx.time);
}

void wifi_tick(void) {
	struct wifi *w = &con.w;
	if (!w->on) return;
	w->us += TICK_US;
	w->command_left_us -= w->command_left_us < TICK_US ? w->command_left_us : TICK_US;
	if (w->client && idle(w)) {
		if (w->rx_wait && w->us >= w->rx_at) rx_begin(w);
		if (idle(w) && w->us >= w->sync_at) listen(w, true);
	}
	if (idle(w) && !w->rx_wait && !tx_start(w)) {
		if ((!w->client || w->us > w->sync_at) && !(w->idle_us & IDLE_POLL_MASK)) listen(w, false);
		w->idle_us += TICK_US;
	}
	if (w->sending) tx_step(w);
	if (w->sending || !w->receiving) return;
	w->rx_left = w->rx_left > TICK_US ? w->rx_left - TICK_US : 0;
	if (!w->rx_left) rx_end(w);
}
