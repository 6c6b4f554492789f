// How a host is found: in the lobby a console says hello and listens. A opens a game at once,
// B joins the first one there is. Without a key it joins what it has heard after
// CHOICE frames, or opens a game if nobody here has a lower address. There is one
// game in a room: a host that hears another one with a lower address closes its own.
#include "parts.h"

#define CHOICE 180 // frames, 3 s
#define HELLO_EVERY 8
#define MEMORY 60 // frames for which a beacon or hello counts
#define OTHERS 16

volatile struct view *const link_view = &MULTIPLAY->view;
u32 now_frame;
struct person own;
struct played played;

static enum state state;
static u32 in_lobby; // frames
static int wants_join;

static struct other {
	u8 mac[6];
	u8 is_game, used;
	u32 heard_at;
	struct person person;
} others[OTHERS];

void link_clear(void) {
	volatile u32 *p = (volatile u32 *)MULTIPLAY;
	for (u32 i = 0; i < sizeof(struct multiplay) / 4; i++) p[i] = 0;
	copy_bytes(own.name, own_name, NAME_LENGTH);
	own.colour = own_colour;
	own.used = 1;
	MULTIPLAY->choice = CHOICE;
}

void nothing_played(void) {
	u8 *p = (u8 *)&played;
	for (u32 i = 0; i < sizeof played; i++) p[i] = 0;
}

struct report last_report(void) {
	volatile struct report *r = &MULTIPLAY->reports[MULTIPLAY->report & 1];
	return (struct report){r->game, r->round, r->hash};
}

u16 own_keys(void) {
	return SHARED->sample.keys & KEY_BUTTONS;
}

void give_turn(const struct turn *t) {
	u32 n = MULTIPLAY->turns_written;
	copy_bytes((volatile u8 *)&MULTIPLAY->turns[n % TURNS], (const u8 *)t, sizeof *t);
	MULTIPLAY->turns_written = n + 1;
}

// ---- our element ----

static const u8 tag[TAG_LENGTH] = ELEMENT_TAG;

u8 *put_element(u8 *to, const struct person *p) {
	*to++ = ELEMENT;
	*to++ = TAG_LENGTH + sizeof *p;
	copy_bytes(to, tag, TAG_LENGTH);
	copy_bytes(to + TAG_LENGTH, (const u8 *)p, sizeof *p);
	return to + TAG_LENGTH + sizeof *p;
}

static int is_ours(const u8 *element) {
	for (int i = 0; i < TAG_LENGTH; i++)
		if (element[2 + i] != tag[i]) return 0;
	return element[0] == ELEMENT && element[1] == TAG_LENGTH + sizeof(struct person);
}

const u8 *find_element(const u8 *from, const u8 *end, struct person *p) {
	while (from + 2 + TAG_LENGTH + sizeof *p <= end) {
		if (is_ours(from)) {
			copy_bytes((u8 *)p, from + 2 + TAG_LENGTH, sizeof *p);
			return from;
		}
		from += 2 + from[1];
	}
	return 0;
}

// ---- the others ----

// note remembers another console; one that has not been heard for long makes room.
static void note(const u8 *mac, const struct person *p, int is_game) {
	struct other *o = 0;
	for (int i = OTHERS - 1; i >= 0; i--) {
		struct other *at = &others[i];
		if (!at->used || now_frame - at->heard_at > GONE) o = at;
	}
	for (int i = 0; i < OTHERS; i++)
		if (others[i].used && same_mac(others[i].mac, mac)) o = &others[i];
	if (!o) return;
	copy_bytes(o->mac, mac, 6);
	o->used = 1;
	o->is_game = (u8)is_game;
	o->heard_at = now_frame;
	o->person = *p;
}

static int is_here(const struct other *o) {
	return o->used && now_frame - o->heard_at <= MEMORY;
}

// lowest finds the game, or the console in the lobby, with the lowest address.
static const struct other *lowest(int game, u32 *count) {
	const struct other *best = 0;
	*count = 0;
	for (int i = 0; i < OTHERS; i++) {
		const struct other *o = &others[i];
		if (!is_here(o) || o->is_game != game) continue;
		++*count;
		if (!best || lower_mac(o->mac, best->mac)) best = o;
	}
	return best;
}

#define BEACON_BODY 12 // timestamp, interval, capability

static void hear_others(const struct heard *h) {
	const u8 *body = h->data + HEADER;
	if ((h->flags & RX_KIND) == RX_BEACON) {
		struct person p;
		if (h->length > HEADER + BEACON_BODY &&
		    find_element(body + BEACON_BODY, h->data + h->length, &p))
			note(h->data + 10, &p, 1);
	} else if ((h->flags & RX_KIND) == RX_DATA && h->length >= HEADER + sizeof(struct hello)) {
		struct hello he;
		copy_bytes((u8 *)&he, body, sizeof he);
		if (he.magic == HELLO_MAGIC) note(h->data + 10, &he.person, 0);
	}
}

// ---- the lobby ----

static void say_hello(void) {
	u8 frame[HEADER + sizeof(struct hello)];
	struct hello he = {.magic = HELLO_MAGIC, .person = own};
	copy_bytes(wifi_frame(frame, DATA, everyone, own_mac, everyone), (u8 *)&he, sizeof he);
	wifi_send(frame, sizeof frame);
}

void enter_lobby(int join) {
	nothing_played();
	for (int i = 0; i < OTHERS; i++) others[i].used = 0;
	wifi_network(everyone, 0);
	state = LOBBY;
	in_lobby = 0;
	wants_join = join;
}

static void open(void) {
	state = HOST;
	host_open();
}

static void join(const struct other *game) {
	state = JOINING;
	MULTIPLAY->game_host = game->person;
	client_join(game->mac, &game->person);
}

static void lobby(void) {
	u32 games, consoles;
	const struct other *game = lowest(1, &games), *peer = lowest(0, &consoles);
	int late = ++in_lobby >= CHOICE;
	if (in_lobby % HELLO_EVERY == (own_mac[5] & (HELLO_EVERY - 1))) say_hello();
	if (own_keys() & KEY_B) wants_join = 1;
	MULTIPLAY->choice = late ? 0 : CHOICE - in_lobby;
	MULTIPLAY->wants_join = (u32)wants_join;
	MULTIPLAY->games = games;
	MULTIPLAY->consoles = consoles;
	if (own_keys() & KEY_A && !wants_join)
		open();
	else if (game && (late || wants_join))
		join(game);
	else if (late && !wants_join && !(peer && lower_mac(peer->mac, own_mac)))
		open();
}

// ---- every frame ----

void link_heard(const struct heard *h) {
	hear_others(h);
	if (state == HOST) host_heard(h);
	if (state == JOINING || state == CLIENT) client_heard(h);
}

void link_rang(void) {
	if (state == JOINING) client_rang();
}

// yield closes our game if there is one with a lower address.
static void yield(void) {
	u32 games;
	const struct other *game = lowest(1, &games);
	if (!game || !lower_mac(game->mac, own_mac)) return;
	host_close();
	enter_lobby(1);
}

static void show(void) {
	volatile struct multiplay *m = MULTIPLAY;
	m->state = state;
	m->tries = played.tries;
	m->number = played.number;
	m->members = played.members;
	m->exchanges = played.exchanges;
	m->lost = played.lost;
	copy_bytes((volatile u8 *)m->people, (const u8 *)played.people, sizeof played.people);
}

void link_frame(void) {
	now_frame = SHARED->sample.frame;
	switch (state) {
	case LOBBY:
		lobby();
		break;
	case HOST:
		host_frame();
		yield();
		break;
	default:
		client_frame();
	}
	if (state == JOINING && played.number) state = CLIENT;
	show();
}
