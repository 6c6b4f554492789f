// The picture: what the console is and has seen, as text, and its hash as the
// barcode of the test ROMs.
#include <stdio.h>
#include <string.h>

#include "core.h"
#include "state.h"

#define CELL_W 8 // a glyph of 3x5, twice as large
#define CELL_H 12
#define GLYPH_W 3
#define GLYPH_H 5

#define GROUND 0x101420u
#define TEXT 0xE8ECF4u
#define DIM 0x606878u
#define LIT 0x70E080u
#define LIGHT 0xFFFFFFu
#define DARK 0x080810u

// Bar code: 32 bars of 8 pixels in the last 8 rows, the highest bit left; the
// first row is a guard of 10101010..., the last its opposite.
#define BARCODE_Y (SCREEN_H - 8)
#define BARCODE_H 8
#define GUARD 0xAAAAAAAAu

static uint32_t picture[SCREEN_W * SCREEN_H];

// Rows of three bits from the top, highest bits first: a digit of octal is a row.
static const uint16_t glyphs[128] = {
	['0'] = 075557, ['1'] = 026227, ['2'] = 071747, ['3'] = 071317, ['4'] = 055711, ['5'] = 074717,
	['6'] = 074757, ['7'] = 071222, ['8'] = 075757, ['9'] = 075717, ['A'] = 025755, ['B'] = 065656,
	['C'] = 034443, ['D'] = 065556, ['E'] = 074647, ['F'] = 074644, ['G'] = 034553, ['H'] = 055755,
	['I'] = 072227, ['J'] = 011152, ['K'] = 055655, ['L'] = 044447, ['M'] = 057755, ['N'] = 065555,
	['O'] = 025552, ['P'] = 065644, ['Q'] = 025563, ['R'] = 065655, ['S'] = 034216, ['T'] = 072222,
	['U'] = 055557, ['V'] = 055552, ['W'] = 055775, ['X'] = 055255, ['Y'] = 055222, ['Z'] = 071247,
	['.'] = 000002, [','] = 000024, [':'] = 002020, ['-'] = 000700, ['+'] = 002720, ['/'] = 011244,
	['='] = 007070, ['?'] = 061202, ['!'] = 022202,
};

static void dot(int x, int y, uint32_t colour) {
	for (int j = 0; j < 2; j++)
		for (int i = 0; i < 2; i++) picture[(y + j) * SCREEN_W + x + i] = colour;
}

static void letter(int x, int y, unsigned char c, uint32_t colour) {
	if (c >= 'a' && c <= 'z') c -= 32;
	uint16_t bits = c < 128 ? glyphs[c] : 0;
	for (int n = 0; n < GLYPH_W * GLYPH_H; n++)
		if (bits >> (GLYPH_W * GLYPH_H - 1 - n) & 1)
			dot(x + n % GLYPH_W * 2, y + n / GLYPH_W * 2, colour);
}

// line writes text at a row of the 32 by 32 that fit; what is beyond the edge is
// cut off.
static void line(int row, const char *text, uint32_t colour) {
	for (int i = 0; text[i] && i < SCREEN_W / CELL_W; i++)
		letter(i * CELL_W + 1, row * CELL_H + 1, (unsigned char)text[i], colour);
}

#define LINE(row, colour, ...)                              \
	do {                                                \
		char text_[40];                             \
		snprintf(text_, sizeof text_, __VA_ARGS__); \
		line(row, text_, colour);                   \
	} while (0)

static void keys(const struct report *p) {
	static const char names[] = "ABESRLUDRLXYTLM";
	line(3, "KEYS", TEXT);
	for (int i = 0; names[i]; i++)
		letter(48 + i * CELL_W, 3 * CELL_H + 1, (unsigned char)names[i],
		       p->keys >> i & 1 ? LIT : DIM);
}

static void top_screen(const struct report *p) {
	const struct firmware *fw = &p->fw;
	LINE(0, TEXT, "NETTPLAY TEST CORE  %.12s", p->name);
	LINE(1, TEXT, "FRAME %llu", (unsigned long long)p->frame);
	LINE(2, LIT, "HASH  %016llX", (unsigned long long)p->hash);
	keys(p);
	LINE(4, TEXT, "TOUCH %3u,%3u   STRAY %u", p->x, p->y, p->stray);
	LINE(5, TEXT, "TIME  %llu:%02llu:%02llu:%02llu", (unsigned long long)p->rtc / 86400,
	     (unsigned long long)p->rtc / 3600 % 24, (unsigned long long)p->rtc / 60 % 60,
	     (unsigned long long)p->rtc % 60);
	LINE(6, TEXT, "RNG   %016llX", (unsigned long long)p->rng);
	LINE(7, TEXT, "NAME  %.22s", fw->nickname);
	LINE(8, TEXT, "MAC   %02X:%02X:%02X:%02X:%02X:%02X", fw->mac[0], fw->mac[1], fw->mac[2], fw->mac[3],
	     fw->mac[4], fw->mac[5]);
	LINE(9, TEXT, "LANG  %u  COLOUR %u  BORN %u/%u", fw->language, fw->colour, fw->birth_day,
	     fw->birth_month);
	LINE(10, TEXT, "SAVES %u", p->saves);
	LINE(11, TEXT, "GRANTED %X  ESCAPED %u", p->granted, p->escaped);
}

static void bottom_screen(const struct report *p) {
	static const char *const roles[] = {"OFF", "IDLE", "BROADCAST", "HOST", "CLIENT"};
	uint32_t role = p->role & 0xFF;
	LINE(16, TEXT, "RADIO %s  AID %u  WITH %04X", role <= ROLE_CLIENT ? roles[role] : "?", p->aid,
	     p->members);
	LINE(17, LIT, "GAME  %016llX", (unsigned long long)p->shared);
	LINE(18, TEXT, "ROUNDS %u  LOST %u  BAD %u", p->rounds, p->lost, p->disagreed);
	LINE(19, TEXT, "SENT %u  GOT %u  HEARD %u", p->sent, p->received, p->heard);
	LINE(20, TEXT, "POLLS %u  WAITS %u", p->polls, p->waits);
	LINE(21, TEXT, "GIVE-UPS %u  GARBLED %u", p->timeouts, p->bad);
	LINE(22, TEXT, "PHASE %5u US  STRETCHED %u", p->phase_us, p->stretched);
	LINE(23, TEXT, "SETTLED %u", p->settled);
}

static void stylus(const struct report *p) {
	if (!(p->keys & KEY_TOUCH)) return;
	for (int i = 0; i < SCREEN_H / 2; i++) picture[(SCREEN_H / 2 + i) * SCREEN_W + p->x] = LIT;
	for (int i = 0; i < SCREEN_W; i++) picture[(SCREEN_H / 2 + p->y) * SCREEN_W + i] = LIT;
}

static void barcode(uint32_t value) {
	for (int y = 0; y < BARCODE_H; y++) {
		uint32_t bits = y == 0 ? GUARD : y == BARCODE_H - 1 ? ~GUARD : value;
		uint32_t *to = picture + (BARCODE_Y + y) * SCREEN_W;
		for (int x = 0; x < SCREEN_W; x++) to[x] = bits << x / 8 >> 31 ? LIGHT : DARK;
	}
}

const uint32_t *screen_draw(void) {
	const struct report *p = report();
	for (int i = 0; i < SCREEN_W * SCREEN_H; i++) picture[i] = GROUND;
	if (p->keys & KEY_LID) memset(picture, 0, sizeof picture);
	top_screen(p);
	bottom_screen(p);
	stylus(p);
	barcode((uint32_t)(p->hash ^ p->hash >> 32));
	return picture;
}
