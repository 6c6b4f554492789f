// The roles of the console: when it has which, and what each does and hears.
#include <string.h>

#include "fault.h"
#include "options.h"
#include "state.h"

#define DATA_AT_US 1000u
#define CLOSE_AT_US 8000u

struct broadcast {
	uint64_t hash;
	uint32_t magic, frame;
	uint32_t input, pad;
};

static uint32_t role_of_options(void) {
	if (option_is(OPT_radio, "idle")) return ROLE_IDLE;
	if (option_is(OPT_radio, "broadcast")) return ROLE_BROADCAST;
	if (option_is(OPT_radio, "host")) return ROLE_HOST;
	if (option_is(OPT_radio, "client")) return ROLE_CLIENT;
	if (option_is(OPT_radio, "mac")) return con.m.fw.mac[5] & 15 ? ROLE_CLIENT : ROLE_HOST;
	return ROLE_NONE;
}

void game_power_on(void) { con.g.shared = 1; }

// begin starts afresh in a role, with the radio on unless there is none.
static void begin(uint32_t role) {
	struct game *g = &con.g, old = *g;
	memset(g, 0, sizeof *g);
	g->shared = 1;
	g->role = role;
	g->closed = old.closed;
	g->rounds = old.rounds;
	g->lost = old.lost;
	g->disagreed = old.disagreed;
	g->heard = old.heard;
	g->commands = old.commands;
	g->stretched = old.stretched;
	wifi_power(role != ROLE_NONE);
	g->beacon_us = con.w.us;
}

static void role_from_input(void) {
	uint16_t pressed = con.m.keys & ~con.m.before;
	if (pressed & KEY_START) begin(ROLE_HOST);
	if (pressed & KEY_SELECT) begin(ROLE_CLIENT);
	if (pressed & KEY_X) begin(ROLE_NONE);
}

static uint64_t on_at(void) {
	return (uint64_t)(option_number(OPT_radio_on_at) +
	                  option_number(OPT_radio_stagger) * con.m.fw.mac[5]);
}

void game_frame(void) {
	struct game *g = &con.g;
	g->due = 0;
	g->data_sent = 0;
	if (option_is(OPT_radio, "input"))
		role_from_input();
	else if (con.m.frame == on_at())
		begin(role_of_options());
	else if (g->closed == 1 && g->reopen && con.m.frame >= g->reopen) {
		g->closed = 2;
		begin(role_of_options());
	}
	if (g->role == ROLE_CLIENT) client_frame();
}

static void close_radio(void) {
	uint64_t wait = (uint64_t)option_number(OPT_radio_close_for);
	begin(ROLE_NONE);
	con.g.closed = 1;
	con.g.reopen = wait ? con.m.frame + wait : 0;
}

static bool closing(void) {
	int64_t at = option_number(OPT_radio_close_at);
	return at >= 0 && con.m.frame >= (uint64_t)at && !con.g.closed && con.w.on && fault_here();
}

void game_amid_exchange(void) {
	if (closing()) close_radio();
}

static void send_data(void) {
	struct broadcast b = {con.m.hash, GAME_MAGIC, (uint32_t)con.m.frame, game_input(), 0};
	wifi_queue(FC_DATA, mac_broadcast, &b, sizeof b);
	con.g.data_sent = 1;
}

void game_tick(uint32_t now_us) {
	uint32_t role = con.g.role;
	if (role == ROLE_NONE) return;
	if (role == ROLE_HOST) host_tick(now_us);
	if (role == ROLE_CLIENT) client_tick(now_us);
	if (role == ROLE_BROADCAST && now_us >= DATA_AT_US && !con.g.data_sent) send_data();
	if (role <= ROLE_BROADCAST && now_us >= CLOSE_AT_US && closing()) close_radio();
}

static void heard_data(const uint8_t from[6], const uint8_t *body, uint16_t len) {
	struct broadcast b;
	if (len < sizeof b) return;
	memcpy(&b, body, sizeof b);
	if (b.magic != GAME_MAGIC) return;
	uint32_t *last = &con.g.last[from[5] & AID_MAX];
	con.g.heard++;
	if (*last && b.frame > *last + 1) con.g.lost += b.frame - *last - 1;
	*last = b.frame;
	con.g.shared = game_turn(con.g.shared, b.frame, 1, &b.input);
}

void game_heard(uint16_t fc, const uint8_t from[6], const uint8_t *body, uint16_t len) {
	mix(fc ^ (uint64_t)len << 32);
	if (fc == FC_DATA && con.g.role == ROLE_BROADCAST) heard_data(from, body, len);
	if (con.g.role == ROLE_HOST) host_heard(fc, from, body, len);
	if (con.g.role == ROLE_CLIENT) client_heard(fc, from, body, len);
}

void game_report(struct report *p) {
	const struct game *g = &con.g;
	const struct queue *q = &con.q;
	p->shared = g->shared;
	p->rounds = g->rounds;
	p->lost = g->lost;
	p->disagreed = g->disagreed;
	p->heard = g->heard;
	p->polls = q->polls;
	p->waits = q->waits;
	p->timeouts = q->timeouts;
	p->sent = q->sent;
	p->received = q->received;
	p->bad = q->bad;
	p->role = g->role | g->stage << 8;
	p->members = g->members;
	p->aid = con.w.aid;
	p->settled = g->settled;
	p->stretched = g->stretched;
	p->phase_us = g->phase_us;
}
