// The ARM7 of broadcast.nds: says its word once a frame and keeps count of what
// the others say.
#include "../broadcast/air.h"
#include "../radio/radio7.h"

volatile struct view *const link_view = &BROADCAST->view;

static struct station stations[STATIONS];

void link_clear(void) {
	volatile u8 *p = (volatile u8 *)BROADCAST;
	for (u32 i = 0; i < sizeof(struct broadcast); i++) p[i] = 0;
}

static struct station *find(const u8 *mac) {
	struct station *s = stations;
	while (s < stations + STATIONS && s->heard && !same_mac(s->mac, mac)) s++;
	return s < stations + STATIONS ? s : 0;
}

void link_heard(const struct heard *h) {
	struct word w;
	if ((h->flags & RX_KIND) != RX_DATA || h->length < HEADER + sizeof w) return;
	copy_bytes((u8 *)&w, h->data + HEADER, sizeof w);
	struct station *s = find(h->data + 10);
	if (w.magic != WORD_MAGIC || !s) return;
	if (s->heard && w.number > s->number)
		s->lost += w.number - s->number - 1; // else it was switched off and on
	s->number = w.number;
	s->heard++;
	s->heard_at = SHARED->sample.frame;
	s->hash = w.hash;
	s->keys = w.keys;
	s->x = w.x;
	s->y = w.y;
	copy_bytes(s->mac, h->data + 10, 6);
	copy_bytes(s->name, w.name, NAME_LENGTH);
	s->colour = w.colour;
}

static void say(void) {
	static u32 number;
	u8 frame[HEADER + sizeof(struct word)];
	volatile struct sample *now = &SHARED->sample;
	number++;
	if (BROADCAST->broken && number % 16 == 0) return;
	struct word w = {
		.magic = WORD_MAGIC,
		.number = number,
		.hash = SHARED->check_hash,
		.keys = now->keys,
		.x = now->x,
		.y = now->y,
		.colour = own_colour,
	};
	copy_bytes(w.name, own_name, NAME_LENGTH);
	copy_bytes(wifi_frame(frame, DATA, everyone, own_mac, everyone), (u8 *)&w, sizeof w);
	wifi_send(frame, sizeof frame);
}

// Consoles whose frames begin at the same time speak one after the other.
#define STEP_US 600

void link_frame(void) {
	volatile u8 *to = (volatile u8 *)BROADCAST->stations;
	copy_bytes(to, (u8 *)stations, sizeof stations);
	if (!BROADCAST->quiet) wifi_alarm(1 + (own_mac[5] & 15u) * STEP_US);
}

void link_rang(void) {
	say();
}
