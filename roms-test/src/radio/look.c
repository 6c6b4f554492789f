#include "look.h"

void headline(const char *name) {
	fill(TOP, 0, 0, WIDTH, 23, PANEL);
	fill(TOP, 0, 23, WIDTH, 1, EDGE);
	fill(TOP, 0, 0, 4, 23, accent);
	large(TOP, 12, 4, 2, name, accent, PANEL);
	letters(TOP, 164, 4, "nettplay", TEXT);
	letters(TOP, 164, 13, "wireless", DIM);
}

colour colour_of(int player) {
	static const u8 order[16] = {10, 2, 7, 5, 13, 4, 9, 3, 11, 6, 15, 12, 8, 14, 1, 0};
	return accent_of(order[player & 15]);
}

void no_radio(void) {
	panel(BOTTOM, 16, 40, 224, 88, 8, PANEL);
	fill(BOTTOM, 16, 56, 4, 56, BAD);
	large(BOTTOM, 32, 54, 3, "NO RADIO", BAD, PANEL);
	text(BOTTOM, 4, 88, "This console has no local", TEXT, PANEL);
	text(BOTTOM, 4, 98, "wireless. Play on a core", TEXT, PANEL);
	text(BOTTOM, 4, 108, "that has: melonDS DS.", TEXT, PANEL);
}

const char *name_text(char *to, volatile const u8 *name) {
	int i = 0;
	for (; i < NAME_LENGTH && name[i]; i++)
		to[i] = (char)(name[i] >= 32 && name[i] < 127 ? name[i] : '?');
	for (; i < NAME_LENGTH; i++) to[i] = ' ';
	to[NAME_LENGTH] = 0;
	return to;
}

struct view take_view(volatile const struct view *from) {
	return (struct view){from->works, from->hash, from->heard, from->sent};
}
