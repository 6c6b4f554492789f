// pad.nds shows everything that a console can be told: keys, stylus, lid,
// microphone, clock, owner; and the hash of it all.
//
// Top screen: the hash in large figures, a strip with one column a frame whose
// colours are the hash of that frame (two consoles that agree show the same
// strip), and what there is to know in words. Bottom screen: a console whose
// keys light up, and a trail behind the stylus.
#include "frame.h"

// ---- top screen ----

#define STRIP_X 8
#define STRIP_Y 68
#define STRIP_W 240
#define STRIP_H 12

enum { // lines of text
	NAME_Y = 87,
	MAC_Y = 97,
	SPEAKS_Y = 107,
	CLOCK_Y = 126,
	FRAME_Y = 136,
	RANDOM_Y = 146,
	STYLUS_Y = 156,
	KEYS_Y = 166,
	SOUND_Y = 176,
};

#define SECOND 19 // column of a line's second value

static void show_owner(void) {
	static const char *const languages[8] = {
		"Japanese", "English", "French", "German", "Italian", "Spanish", "Chinese", "Korean",
	};
	char line[COLUMNS + 1], *p = line;
	field(TOP, NAME_Y, "name", nickname(line), accent);
	for (int i = 0; i < 6; i++) p = put_hex(i ? put_text(p, ":") : p, owner.mac[i], 2);
	field(TOP, MAC_Y, "mac", line, TEXT);
	p = put_text(put_text(line, languages[owner.language]), ", born ");
	p = put_dec(p, owner.birth_day, 2);
	put_dec(put_text(p, "."), owner.birth_month, 2);
	field(TOP, SPEAKS_Y, "speaks", line, TEXT);
}

static void draw_top(void) {
	title(TOP, "pad");
	letters(TOP, 216, 9, "test", DIM);
	letters(TOP, 28, 29, "all that this console saw", DIM);
	panel(TOP, STRIP_X - 2, STRIP_Y - 2, STRIP_W + 4, STRIP_H + 4, 2, PANEL);
	panel(TOP, 4, NAME_Y - 4, 248, SPEAKS_Y - NAME_Y + 16, 4, PANEL);
	panel(TOP, 4, CLOCK_Y - 4, 248, SOUND_Y - CLOCK_Y + 16, 4, PANEL);
	show_owner();
}

static void show_hash(void) {
	char line[10];
	put_hex(line, hash, 8);
	large(TOP, 32, 40, 3, line, TEXT, NIGHT);
}

// strip draws this frame's column, a piece for each byte of the hash, and a light
// line that runs ahead.
static void strip(void) {
	int x = (int)(frame % STRIP_W);
	for (int i = 0; i < 4; i++) {
		u32 byte = hash >> (8 * i) & 255;
		colour c =
			blend(blend(accent, RGB(31, 31, 31), byte & 15, 30), PANEL, (int)(byte >> 4), 16);
		fill(TOP, STRIP_X + x, STRIP_Y + i * STRIP_H / 4, 1, STRIP_H / 4, c);
	}
	fill(TOP, STRIP_X + (x + 1) % STRIP_W, STRIP_Y, 1, STRIP_H, TEXT);
}

static void show_time(void) {
	static const char *const days[8] = {"Sun ", "Mon ", "Tue ", "Wed ", "Thu ", "Fri ", "Sat ", "??? "};
	char line[COLUMNS + 1];
	clock_text(put_text(line, days[now.weekday]));
	field(TOP, CLOCK_Y, "clock", line, TEXT);
	put_dec(line, frame, 8);
	field(TOP, FRAME_Y, "frame", line, TEXT);
	put_hex(put_text(line, "timer   "), timer, 4);
	text(TOP, SECOND, FRAME_Y, line, DIM, PANEL);
	put_hex(line, rng, 8);
	field(TOP, RANDOM_Y, "random", line, TEXT);
}

static void show_lid(void) {
	if (now.keys & KEY_LID)
		text(TOP, SECOND, STYLUS_Y, "lid closed", accent, PANEL);
	else
		text(TOP, SECOND, STYLUS_Y, "lid open  ", DIM, PANEL);
}

// loudness is how far apart the microphone's samples are, 0 in silence.
static int loudness(void) {
	int sum = 0;
	for (int i = 1; i < MIC_SAMPLES; i++) {
		int step = now.mic[i] - now.mic[i - 1];
		sum += step < 0 ? -step : step;
	}
	return sum;
}

#define BARS 23

static void show_sound(void) {
	char line[BARS + 1];
	int bars = (loudness() + 31) / 32;
	for (int i = 0; i < BARS; i++) line[i] = i < bars ? '|' : '.';
	line[BARS] = 0;
	field(TOP, SOUND_Y, "sound", line, bars ? accent : EDGE);
}

// ---- bottom screen ----

// The ground under the trail: the bottom screen above the status; and the same with
// every key lit, from which a key is taken when it is pressed.
#define GROUND_H STATUS_Y
typedef colour picture[GROUND_H * WIDTH];
static picture ground, dark, lit;

static void copy_box(const colour *from, colour *to, int x, int y, int w, int h) {
	if (x < 0) w += x, x = 0;
	if (y < 0) h += y, y = 0;
	if (x + w > WIDTH) w = WIDTH - x;
	if (y + h > GROUND_H) h = GROUND_H - y;
	from += y * WIDTH + x, to += y * WIDTH + x;
	for (; h > 0; h--, from += WIDTH, to += WIDTH)
		for (int i = 0; i < w; i++) to[i] = from[i];
}

// The keys of the picture: rounded boxes with a name or an arrow in the middle. Pen
// and lid are no keys but are shown like them.
static const struct key {
	u8 x, y, w, h, radius;
	u16 bit;
	char name[7];
} keys[] = {
	{8, 8, 60, 18, 6, KEY_L, "L"},
	{188, 8, 60, 18, 6, KEY_R, "R"},
	{78, 10, 36, 14, 7, KEY_PEN, "pen"},
	{142, 10, 36, 14, 7, KEY_LID, "lid"},
	{36, 58, 22, 22, 4, KEY_UP, "\1"},
	{14, 80, 22, 22, 4, KEY_LEFT, "\2"},
	{58, 80, 22, 22, 4, KEY_RIGHT, "\3"},
	{36, 102, 22, 22, 4, KEY_DOWN, "\4"},
	{195, 54, 26, 26, 13, KEY_X, "X"},
	{169, 80, 26, 26, 13, KEY_Y, "Y"},
	{221, 80, 26, 26, 13, KEY_A, "A"},
	{195, 106, 26, 26, 13, KEY_B, "B"},
	{62, 145, 62, 16, 8, KEY_SELECT, "SELECT"},
	{132, 145, 62, 16, 8, KEY_START, "START"},
};

#define KEYS (sizeof keys / sizeof keys[0])

// arrow draws a triangle around (cx, cy): 1 up, 2 left, 3 right, 4 down.
static void arrow(colour *to, int cx, int cy, int way, colour c) {
	for (int i = 0; i < 6; i++) {
		int at = way == 1 || way == 2 ? i - 3 : 2 - i;
		if (way == 1 || way == 4)
			fill(to, cx - i, cy + at, 2 * i, 1, c);
		else
			fill(to, cx + at, cy - i, 1, 2 * i, c);
	}
}

static void draw_key(colour *to, const struct key *k, colour edge, colour face, colour ink) {
	int length = 0;
	while (length < 6 && k->name[length]) length++;
	panel(to, k->x, k->y, k->w, k->h, k->radius, edge);
	panel(to, k->x + 1, k->y + 1, k->w - 2, k->h - 2, k->radius - 1, face);
	if (k->name[0] <= 4)
		arrow(to, k->x + k->w / 2, k->y + k->h / 2, k->name[0], ink);
	else
		letters(to, k->x + (k->w - 8 * length) / 2, k->y + (k->h - 7) / 2, k->name, ink);
}

static void draw_ground(colour *to, colour edge, colour face, colour ink) {
	fill(to, 0, 0, WIDTH, GROUND_H, NIGHT);
	for (int y = 8; y < GROUND_H; y += 16)
		for (int x = 8; x < WIDTH; x += 16) to[y * WIDTH + x] = EDGE;
	panel(to, 36, 80, 22, 22, 0, EDGE); // the middle of the cross
	panel(to, 37, 81, 20, 20, 0, PANEL);
	for (u32 i = 0; i < KEYS; i++) draw_key(to, &keys[i], edge, face, ink);
}

static void draw_bottom(void) {
	draw_ground(dark, EDGE, PANEL, TEXT);
	draw_ground(lit, accent, accent, NIGHT);
	copy_box(dark, ground, 0, 0, WIDTH, GROUND_H);
	copy_box(dark, BOTTOM, 0, 0, WIDTH, GROUND_H);
}

static void light_keys(void) {
	u16 changed = now.keys ^ then.keys;
	for (u32 i = 0; i < KEYS; i++) {
		const struct key *k = &keys[i];
		if (!(changed & k->bit)) continue;
		const colour *from = now.keys & k->bit ? lit : dark;
		copy_box(from, ground, k->x, k->y, k->w, k->h);
		copy_box(from, BOTTOM, k->x, k->y, k->w, k->h);
	}
}

// The trail: dots that shrink and fade with age. Everything must be drawn while the
// beam is in VBlank, or it would show half a trail.
#define DOTS 48
#define LIFE 40
#define DOT_MAX 4
#define STEPS 4 // dots on the way from one place to the next

static struct dot {
	s32 x, y;
	u32 born; // 0: none
	int radius;
} dots[DOTS];
static u32 next_dot;

static void drop(int x, int y) {
	dots[next_dot++ % DOTS] = (struct dot){x, y, frame, DOT_MAX};
}

// follow drops a dot under the stylus, and some on the way from the last one.
static void follow(void) {
	if (!(now.keys & KEY_PEN)) return;
	if (then.keys & KEY_PEN) {
		int dx = now.x - then.x, dy = now.y - then.y;
		int far = (dx < 0 ? -dx : dx) + (dy < 0 ? -dy : dy),
		    steps = far / 6 < STEPS ? far / 6 : STEPS;
		for (int i = 1; i <= steps; i++)
			drop(then.x + dx * i / (steps + 1), then.y + dy * i / (steps + 1));
	}
	drop(now.x, now.y);
}

// rub_out shows again what lies under a dot.
static void rub_out(const struct dot *d) {
	copy_box(ground, BOTTOM, d->x - d->radius, d->y - d->radius, 2 * d->radius + 1, 2 * d->radius + 1);
}

static void draw_dot(struct dot *d) {
	static const u8 reach[DOT_MAX + 1][DOT_MAX + 1] = {
		// half widths of the rows from the middle
		{0}, {1, 0}, {2, 2, 1}, {3, 3, 2, 1}, {4, 4, 3, 3, 1},
	};
	int age = (int)(frame - d->born);
	d->radius = 1 + (DOT_MAX - 1) * (LIFE - age) / LIFE;
	colour c = blend(accent, EDGE, age, LIFE);
	for (int dy = -d->radius; dy <= d->radius; dy++) {
		int y = d->y + dy, w = reach[d->radius][dy < 0 ? -dy : dy];
		int from = d->x - w < 0 ? 0 : d->x - w, to = d->x + w >= WIDTH ? WIDTH - 1 : d->x + w;
		if (y >= 0 && y < GROUND_H) fill(BOTTOM, from, y, to - from + 1, 1, c);
	}
}

static void trail(void) {
	for (int i = 0; i < DOTS; i++)
		if (dots[i].born) rub_out(&dots[i]);
	light_keys();
	follow();
	for (u32 i = 0; i < DOTS; i++) { // the oldest first
		struct dot *d = &dots[(next_dot + i) % DOTS];
		if (!d->born) continue;
		if (frame - d->born < LIFE)
			draw_dot(d);
		else
			d->born = 0;
	}
}

int main(void) {
	start(1);
	draw_top();
	draw_bottom();
	for (;;) {
		next_frame();
		end_frame();
		trail();
		show_hash();
		strip();
		show_time();
		show_stylus(TOP, STYLUS_Y);
		show_lid();
		show_keys(TOP, KEYS_Y);
		show_sound();
	}
}
