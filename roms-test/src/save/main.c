// save.nds counts key presses in the cartridge's EEPROM and keeps a log of them, one
// step a press.
//
// Top screen: how many steps there are, what was found at boot, whether writing
// works. Bottom screen: the newest entries of the log.
#include "log.h"

enum { // lines of text
	FOUND_Y = 91,
	LOG_Y = 101,
	WRITE_Y = 111,
	CLOCK_Y = 130,
	FRAME_Y = 140,
	RANDOM_Y = 150,
	KEYS_Y = 160,
	SAYS_Y = 179,
	LIST_Y = 8,
	LIST_PITCH = 10,
	LINES = 15,
};

static void draw_top(void) {
	title(TOP, "save");
	letters(TOP, 40, 31, "steps in the cartridge", DIM);
	panel(TOP, 4, FOUND_Y - 5, 248, WRITE_Y - FOUND_Y + 18, 4, PANEL);
	panel(TOP, 4, CLOCK_Y - 5, 248, KEYS_Y - CLOCK_Y + 18, 4, PANEL);
	text(TOP, 1, SAYS_Y, "each key press is one step", DIM, NIGHT);
}

static void show_found(void) {
	char line[COLUMNS + 1];
	put_text(put_dec(line, found, 8), found ? " steps" : " blank");
	field(TOP, FOUND_Y, "found", line, TEXT);
	if (found_bad) {
		put_dec(put_text(line, "BAD "), found_bad, 6);
		field(TOP, LOG_Y, "log", line, BAD);
	} else {
		field(TOP, LOG_Y, "log", "ok", GOOD);
	}
}

static void show_top(void) {
	char line[COLUMNS + 1];
	put_dec(line, steps, 6);
	large(TOP, 56, 46, 3, line, steps != found ? accent : TEXT, NIGHT);
	if (write_errors) {
		put_dec(put_text(line, "BAD "), write_errors, 6);
		field(TOP, WRITE_Y, "write", line, BAD);
	} else {
		field(TOP, WRITE_Y, "write", steps == found ? "none yet" : "ok      ",
		      steps == found ? TEXT : GOOD);
	}
	field(TOP, CLOCK_Y, "clock", clock_text(line), TEXT);
	put_dec(line, frame, 8);
	field(TOP, FRAME_Y, "frame", line, TEXT);
	put_hex(line, rng, 8);
	field(TOP, RANDOM_Y, "random", line, TEXT);
	show_keys(TOP, KEYS_Y);
}

// list_line shows an entry as: number, time of day, keys.
static void list_line(int y, u32 number, int age) {
	struct entry e = log_entry(number);
	char line[COLUMNS + 1], *p;
	colour c = age == 0 ? accent : blend(TEXT, EDGE, age, LINES + 3);
	p = put_dec(line, e.number, 6);
	p = put_dec(put_text(p, "  "), e.clock >> 12 & 31, 2);
	p = put_dec(put_text(p, ":"), e.clock >> 6 & 63, 2);
	p = put_dec(put_text(p, ":"), e.clock & 63, 2);
	p = put_text(p, "  ");
	key_names(p, e.keys, 12);
	text(BOTTOM, 1, y, line, c, NIGHT);
}

static void show_list(void) {
	static u32 listed;
	if (listed == steps && frame > 1) return;
	listed = steps;
	text(BOTTOM, 1, LIST_Y, "step    time      keys", DIM, NIGHT);
	for (u32 i = 0; i < LINES && i < steps; i++)
		list_line(LIST_Y + LIST_PITCH * (int)(i + 1), steps - i, (int)i);
}

int main(void) {
	start(1);
	log_start();
	draw_top();
	show_found();
	for (;;) {
		next_frame();
		if (pressed()) log_step(pressed());
		see(steps);
		see(store_hash + found_bad);
		see(write_errors);
		end_frame();
		show_top();
		show_list();
		log_commit(); // last, because it may take longer than the rest of the frame
	}
}
