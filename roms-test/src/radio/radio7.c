#include "radio7.h"

u8 own_mac[6], own_name[NAME_LENGTH], own_colour;
static int works;
static u32 heard_hash = HASH_START, heard_count;

int same_mac(const u8 *a, const u8 *b) {
	for (int i = 0; i < 6; i++)
		if (a[i] != b[i]) return 0;
	return 1;
}

int lower_mac(const u8 *a, const u8 *b) {
	for (int i = 0; i < 6; i++)
		if (a[i] != b[i]) return a[i] < b[i];
	return 0;
}

void copy_bytes(volatile u8 *to, const u8 *from, u32 n) {
	while (n--) *to++ = *from++;
}

static void know_owner(void) {
	volatile struct firmware *f = &SHARED->firmware;
	for (int i = 0; i < 6; i++) own_mac[i] = f->mac[i];
	for (int i = 0; i < NAME_LENGTH; i++) {
		u16 c = i < f->nickname_length ? f->nickname[i] : 0;
		own_name[i] = (u8)(c == 0 || (c >= 32 && c < 127) ? c : '?');
	}
	own_colour = f->colour;
}

static void show(void) {
	link_view->works = (u32)works;
	link_view->hash = heard_hash;
	link_view->heard = heard_count;
	link_view->sent = wifi_sent;
}

void radio_start(void) {
	know_owner();
	works = wifi_start(own_mac);
	link_clear();
	show();
}

static void hash_frame(const struct heard *h) {
	heard_hash = mix(heard_hash, h->flags | (u32)h->length << 16);
	for (u32 i = 0; i < h->length; i += 2)
		heard_hash = mix(heard_hash, h->data[i] | (u32)h->data[i + 1] << 8);
	heard_count++;
}

void radio_serve(void) {
	static struct heard h;
	if (!works) return;
	if (IF & IRQ_WIFI) {
		IF = IRQ_WIFI;
		do {
			while (wifi_heard(&h)) {
				hash_frame(&h);
				if (h.length >= HEADER) link_heard(&h);
			}
			wifi_sending();
		} while (wifi_acknowledge());
	}
	if (wifi_rang()) link_rang();
}

void radio_frame(void) {
	if (!works) return;
	radio_serve();
	wifi_sending();
	link_frame();
	show();
}
