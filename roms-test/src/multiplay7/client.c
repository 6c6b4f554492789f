// A client: authentication, association, then a reply to each CMD.
#include "parts.h"

#define TRIES 60 // then it looks for another game

static u8 host[6];
static enum { AUTHENTICATING, ASSOCIATING, JOINED } step;
static u32 next_try, host_heard_at, in_game_at;
static u16 game, keys[2], last_exchange;
static u32 round; // the next one
static int heard_one, ack_due;

void client_join(const u8 *mac, const struct person *p) {
	nothing_played();
	copy_bytes(host, mac, 6);
	played.people[0] = *p;
	step = AUTHENTICATING;
	next_try = now_frame;
	host_heard_at = in_game_at = now_frame;
	game = 0;
	heard_one = ack_due = 0;
	wifi_network(host, 0);
}

static void leave(int join_again) {
	u8 frame[HEADER + 4];
	u8 *p = wifi_frame(frame, DEAUTH, host, own_mac, host);
	p[0] = 3, p[1] = 0, p[2] = 0, p[3] = 0;
	wifi_send(frame, sizeof frame);
	enter_lobby(join_again);
}

// ---- joining ----

static void ask_auth(void) {
	u8 frame[HEADER + 8];
	u8 *p = wifi_frame(frame, AUTH, host, own_mac, host);
	for (int i = 0; i < 8; i++) p[i] = 0;
	p[2] = 1; // first of two
	wifi_send(frame, sizeof frame);
}

static void ask_association(void) {
	u8 frame[HEADER + 36];
	u8 *p = wifi_frame(frame, ASSOC_REQUEST, host, own_mac, host), *end = p + 36;
	*p++ = CAPABILITY, *p++ = 0, *p++ = 1, *p++ = 0;
	*p++ = 1, *p++ = 2, *p++ = 0x82, *p++ = 0x84;
	p = put_element(p, &own);
	while (p < end) *p++ = 0;
	wifi_send(frame, sizeof frame);
}

// A host that waits for replies throws away everything else. Tries come at other
// times of a frame, each at another one, so that they cannot all meet such a wait.
static void try(void) {
	u32 n = played.tries++;
	next_try = now_frame + 4 + (n * 3 + own_mac[5]) % 5;
	wifi_alarm(1 + (n * 2477 + own_mac[5] * 911u) % 14000);
}

void client_rang(void) {
	if (step == AUTHENTICATING) ask_auth();
	if (step == ASSOCIATING) ask_association();
}

static void hear_association(const u8 *body) {
	u16 number = (u16)(body[4] | body[5] << 8) & 0x3FFF;
	if (body[2] || body[3] || number == 0 || number >= PLAYERS) return;
	step = JOINED;
	played.number = number;
	in_game_at = now_frame;
	wifi_network(host, number);
}

// ---- playing ----

// prepare lays the reply for the next round ready.
static void prepare(void) {
	u8 frame[HEADER + sizeof(struct reply)];
	struct report r = last_report();
	struct reply reply = {
		.game = game,
		.told = r.game == game ? (u16)r.round : 0,
		.round = round,
		.keys = {keys[0], keys[1]},
		.hash = r.hash,
	};
	copy_bytes(wifi_frame(frame, REPLY, host, own_mac, reply_mac), (const u8 *)&reply, sizeof reply);
	if (!(MULTIPLAY->broken && round % 16 == 0)) wifi_reply(frame, sizeof frame);
}

static void advance(const struct turn *t) {
	give_turn(t);
	round = t->round + 1;
	keys[1] = keys[0];
	keys[0] = own_keys();
}

static void count(const struct turn *t) {
	played.exchanges++;
	if (heard_one) played.lost += (u16)(t->exchange - last_exchange - 1);
	if (ack_due) played.lost++;
	heard_one = ack_due = 1;
	last_exchange = t->exchange;
}

static void hear_command(const struct heard *h) {
	static struct turn t;
	if (h->length < HEADER + TURN_AT + sizeof t) return;
	copy_bytes((u8 *)&t, h->data + HEADER + TURN_AT, sizeof t);
	count(&t);
	if (t.named < PLAYERS) played.people[t.named] = t.person;
	if (t.members >> played.number & 1) {
		in_game_at = now_frame;
		played.members = t.members;
		if (t.game != game && t.round == 0) {
			game = t.game;
			keys[0] = 0;
			advance(&t);
		} else if (t.game == game && t.round == round) {
			advance(&t);
		}
	}
	prepare();
}

void client_heard(const struct heard *h) {
	u16 kind = h->flags & RX_KIND, control = h->data[0];
	if (!same_mac(h->data + 10, host)) return;
	host_heard_at = now_frame;
	if (kind == RX_CMD && step == JOINED)
		hear_command(h);
	else if (kind == RX_ACK)
		ack_due = 0;
	else if (control == AUTH && step == AUTHENTICATING && h->data[HEADER + 2] == 2)
		step = ASSOCIATING, next_try = now_frame;
	else if (control == ASSOC_RESPONSE && step == ASSOCIATING)
		hear_association(h->data + HEADER);
	else if (control == DEAUTH && step == JOINED)
		leave(1);
}

void client_frame(void) {
	if (now_frame - host_heard_at > GONE || played.tries > TRIES)
		leave(0);
	else if (now_frame - in_game_at > 2 * GONE)
		leave(1); // it has forgotten us
	else if (step != JOINED && (s32)(now_frame - next_try) >= 0)
		try();
}
