// broadcast.nds: each console says once a frame, to everyone, what it holds pressed
// and its hash, and shows what it hears from the others.
//
// Top screen: a line for each console heard: name, hash, frames heard and lost.
// Bottom screen: a small pad for each console, this one first, whose keys light up.
#include "../radio/look.h"
#include "air.h"

enum { RADIO_Y = 27, SENT_Y = 36, HEAD_Y = 50, ROWS_Y = 60, ROW = 8 };

extern volatile const u32 rom_flags; // start9.S

#define FLAG_QUIET 2

static struct station stations[STATIONS];

static void take(void) {
	volatile const u8 *from = (volatile const u8 *)BROADCAST->stations;
	u8 *to = (u8 *)stations;
	for (u32 i = 0; i < sizeof stations; i++) to[i] = from[i];
	BROADCAST->broken = (u32)broken();
	BROADCAST->quiet = rom_flags & FLAG_QUIET;
}

// ---- top screen ----

static void draw_top(void) {
	headline("broadcast");
	panel(TOP, 4, RADIO_Y - 3, 248, 22, 4, PANEL);
	panel(TOP, 4, HEAD_Y - 3, 248, 192 - HEAD_Y, 4, PANEL);
	text(TOP, 1, HEAD_Y, "name       its hash heard  lost", DIM, PANEL);
}

static void show_counts(const struct view *v) {
	char line[COLUMNS + 1];
	u32 n = 0, lost = 0;
	for (int i = 0; i < STATIONS; i++) n += stations[i].heard != 0, lost += stations[i].lost;
	if (v->works)
		put_text(put_dec(put_text(line, "on, hears "), n, 2), n == 1 ? " console " : " consoles");
	else
		put_text(line, "NO RADIO");
	field(TOP, RADIO_Y, "radio", line, !v->works ? BAD : n ? GOOD : TEXT);
	put_dec(line, frame, 8);
	field(TOP, SENT_Y, "frame", line, TEXT);
	put_dec(put_text(line, "sent "), v->sent, 6);
	put_text(line + 11, " ");
	text(TOP, 18, SENT_Y, line, TEXT, PANEL);
}

#define SILENT 30 // frames after which a console is shown as gone

static void show_station(int i) {
	const struct station *s = &stations[i];
	char line[COLUMNS + 1];
	if (!s->heard) return;
	int gone = now.frame - s->heard_at > SILENT, y = ROWS_Y + ROW * i;
	text(TOP, 1, y, name_text(line, s->name), gone ? EDGE : colour_of(i + 1), PANEL);
	put_hex(line, s->hash, 8);
	text(TOP, 12, y, line, gone ? EDGE : TEXT, PANEL);
	put_dec(line, s->heard, 6);
	text(TOP, 21, y, line, gone ? EDGE : TEXT, PANEL);
	put_dec(line, s->lost, 4);
	text(TOP, 28, y, line, s->lost ? BAD : gone ? EDGE : GOOD, PANEL);
}

// ---- bottom screen: 16 small pads ----

#define PAD_W 126
#define PAD_H 20

// Where a key's lamp is in a pad.
static const struct lamp {
	u16 key;
	u8 x, y, w, h;
} lamps[] = {
	{KEY_UP, 86, 3, 4, 4},    {KEY_LEFT, 81, 8, 4, 4},    {KEY_RIGHT, 91, 8, 4, 4},
	{KEY_DOWN, 86, 13, 4, 4}, {KEY_X, 113, 3, 4, 4},      {KEY_Y, 108, 8, 4, 4},
	{KEY_A, 118, 8, 4, 4},    {KEY_B, 113, 13, 4, 4},     {KEY_L, 79, 1, 6, 2},
	{KEY_R, 118, 1, 6, 2},    {KEY_SELECT, 97, 15, 4, 3}, {KEY_START, 103, 15, 4, 3},
	{KEY_PEN, 97, 4, 10, 8},
};

static struct {
	u16 keys;
	u8 drawn, gone;
} pads[STATIONS + 1];

static void draw_pad(int i, const char *name, u16 keys, colour c) {
	int x = 1 + i % 2 * 128, y = 1 + i / 2 * 21;
	panel(BOTTOM, x, y, PAD_W, PAD_H, 4, PANEL);
	fill(BOTTOM, x, y + 4, 2, PAD_H - 8, c);
	letters(BOTTOM, x + 5, y + 6, name, c);
	for (u32 k = 0; k < sizeof lamps / sizeof lamps[0]; k++) {
		const struct lamp *l = &lamps[k];
		fill(BOTTOM, x + l->x, y + l->y, l->w, l->h, keys & l->key ? c : EDGE);
	}
}

static void show_pad(int i, const char *name, u16 keys, int gone) {
	if (pads[i].drawn && pads[i].keys == keys && pads[i].gone == gone) return;
	pads[i].drawn = 1;
	pads[i].keys = keys;
	pads[i].gone = (u8)gone;
	draw_pad(i, name, keys, gone ? DIM : colour_of(i));
}

static void show_pads(void) {
	char name[NAME_LENGTH + 1];
	show_pad(0, nickname(name), now.keys, 0);
	for (int i = 0; i < STATIONS; i++) {
		const struct station *s = &stations[i];
		if (s->heard)
			show_pad(i + 1, name_text(name, s->name), s->keys,
			         now.frame - s->heard_at > SILENT);
	}
}

int main(void) {
	start(1);
	draw_top();
	for (;;) {
		next_frame();
		struct view v = take_view(&BROADCAST->view);
		take();
		see(v.hash);
		see(v.heard);
		see(v.sent);
		end_frame();
		show_counts(&v);
		for (int i = 0; i < STATIONS; i++) show_station(i);
		if (v.works)
			show_pads();
		else if (frame == 1)
			no_radio();
	}
}
