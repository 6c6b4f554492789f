#include <string.h>

#include "state.h"

const uint8_t mac_broadcast[6] = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};

void wifi_power(bool on) {
	struct wifi *w = &con.w;
	uint64_t us = w->us;
	memset(w, 0, sizeof *w);
	w->us = us;
	w->on = on;
	if (!on) net_forget();
}

void wifi_leave(void) {
	con.w.client = con.w.rx_wait = con.w.reply_set = 0;
	con.w.aid = 0;
	con.w.sync_at = 0;
}

void wifi_queue(uint16_t fc, const uint8_t to[6], const void *body, uint16_t len) {
	struct wifi *w = &con.w;
	if (w->tx_used == TX_MAX || len > sizeof w->tx[0].body) return;
	struct outgoing *o = &w->tx[(w->tx_head + w->tx_used++) % TX_MAX];
	o->fc = fc;
	o->len = len;
	memcpy(o->to, to, 6);
	memcpy(o->body, body, len);
}

bool wifi_command(uint16_t mask, const void *body, uint16_t len, uint32_t next_us) {
	struct wifi *w = &con.w;
	if (!w->on || w->command_set || len > BODY_MAX - 4) return false;
	w->command_set = 1;
	w->mask = mask;
	w->failed = mask;
	w->command.len = len;
	memcpy(w->command.body, body, len);
	w->command_left_us = next_us;
	return true;
}

void wifi_set_reply(const void *body, uint16_t len) {
	con.w.reply_set = 1;
	con.w.reply.len = len;
	memcpy(con.w.reply.body, body, len);
}
