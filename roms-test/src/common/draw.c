#include "draw.h"

#include "font.h"

void screens_on(int top_is_bitmap) {
	POWCNT1 = 0x820F; // both engines, 3D, engine A on top
	VRAMCNT(0) = 0x80;
	VRAMCNT(2) = 0x84;
	if (top_is_bitmap) DISPCNT_A = 0x00020000;
	DISPCNT_B = 0x00010805; // mode 5 with background 3
	BGCNT_B(3) = 0x4084;    // 256x256 bitmap of direct colours
	BG3_AFFINE_B(0) = 0x100;
	BG3_AFFINE_B(1) = 0;
	BG3_AFFINE_B(2) = 0;
	BG3_AFFINE_B(3) = 0x100;
	BG3X_B = 0;
	BG3Y_B = 0;
	BRIGHT_A = 0;
	BRIGHT_B = 0;
	if (top_is_bitmap) fill(TOP, 0, 0, WIDTH, HEIGHT, NIGHT);
	fill(BOTTOM, 0, 0, WIDTH, HEIGHT, NIGHT);
}

// The sixteen favourite colours of the firmware menu, in its order, as lights
// on a dark ground.
colour accent_of(u8 n) {
	static const colour accents[16] = {
		RGB(18, 22, 26), RGB(26, 17, 10), RGB(31, 9, 9),   RGB(31, 17, 25),
		RGB(31, 18, 4),  RGB(31, 28, 6),  RGB(22, 30, 6),  RGB(8, 29, 9),
		RGB(4, 24, 12),  RGB(6, 27, 20),  RGB(10, 25, 31), RGB(9, 17, 31),
		RGB(13, 13, 31), RGB(21, 12, 31), RGB(28, 12, 31), RGB(31, 11, 21),
	};
	return accents[n & 15];
}

colour blend(colour a, colour b, int n, int of) {
	colour c = 0x8000;
	for (int shift = 0; shift < 15; shift += 5) {
		int p = a >> shift & 31, q = b >> shift & 31;
		c |= (colour)((p + (q - p) * n / of) << shift);
	}
	return c;
}

void fill(colour *screen, int x, int y, int w, int h, colour c) {
	for (colour *row = screen + y * WIDTH + x; h > 0; h--, row += WIDTH)
		for (int i = 0; i < w; i++) row[i] = c;
}

// inset says how far a circle's row stands in from the circle's box: y counts
// rows from the edge of a circle of this radius.
static int inset(int radius, int y) {
	int dy = 2 * (radius - y) - 1, dx = 0;
	while ((dx + 2) * (dx + 2) + dy * dy <= 4 * radius * radius) dx += 2;
	return radius - dx / 2;
}

void panel(colour *screen, int x, int y, int w, int h, int radius, colour c) {
	for (int i = 0; i < h; i++) {
		int edge = i < h - 1 - i ? i : h - 1 - i;
		int in = edge < radius ? inset(radius, edge) : 0;
		fill(screen, x + in, y + i, w - 2 * in, 1, c);
	}
}

void disc(colour *screen, int cx, int cy, int radius, colour c) {
	panel(screen, cx - radius, cy - radius, 2 * radius, 2 * radius, radius, c);
}

static const u8 *glyph(char c) {
	u8 n = (u8)c - 32;
	return font[n < 96 ? n : 95];
}

// The contents of each cell of the two screens, by the lines that fit on one.
static struct cell {
	colour fg, bg;
	char c;
} shown[2][HEIGHT / 8][COLUMNS];

void forget(colour *screen) {
	struct cell *c = &shown[screen == BOTTOM][0][0];
	for (int i = 0; i < HEIGHT / 8 * COLUMNS; i++) c[i].c = 0;
}

// pairs gives the two pixels, the left one in the low half, for two bits of a row.
static void pairs(u32 pair[4], colour fg, colour bg) {
	for (int i = 0; i < 4; i++) pair[i] = (i & 2 ? fg : bg) | (u32)(i & 1 ? fg : bg) << 16;
}

static void cell(colour *screen, int column, int y, char c, colour fg, colour bg) {
	struct cell *is = &shown[screen == BOTTOM][y / 8][column];
	if (is->c == c && is->fg == fg && is->bg == bg) return;
	*is = (struct cell){fg, bg, c};

	const u8 *bits = glyph(c);
	u32 pair[4];
	pairs(pair, fg, bg);
	u32 *to = (u32 *)(screen + y * WIDTH + column * 8);
	for (int i = 0; i < 8; i++, to += WIDTH / 2) {
		u8 b = bits[i];
		to[0] = pair[b >> 6];
		to[1] = pair[b >> 4 & 3];
		to[2] = pair[b >> 2 & 3];
		to[3] = pair[b & 3];
	}
}

void text(colour *screen, int column, int y, const char *s, colour fg, colour bg) {
	for (; *s && column < COLUMNS; s++, column++) cell(screen, column, y, *s, fg, bg);
}

void letters(colour *screen, int x, int y, const char *s, colour c) {
	for (; *s; s++, x += 8) {
		const u8 *bits = glyph(*s);
		for (int i = 0; i < 64; i++)
			if (bits[i >> 3] << (i & 7) & 0x80)
				screen[(y + (i >> 3)) * WIDTH + x + (i & 7)] = c;
	}
}

static int dot(const u8 *bits, int x, int y) {
	return x >= 0 && x < 8 && y >= 0 && y < 8 && bits[y] << x & 0x80;
}

// corner decides one corner of a pixel that grows to several: a corner takes the
// colour of the two neighbours that meet there when they agree with each other
// and not with those on the other sides, which rounds steps and keeps straight
// edges.
static int corner(const u8 *bits, int x, int y, int dx, int dy) {
	int p = dot(bits, x, y), h = dot(bits, x + dx, y), v = dot(bits, x, y + dy);
	return h == v && h != dot(bits, x - dx, y) && v != dot(bits, x, y - dy) ? h : p;
}

// grown is the pixel (i, j) of the scale x scale block that (x, y) grows to.
static int grown(const u8 *bits, int x, int y, int i, int j, int scale) {
	int right = i == scale - 1, left = i == 0, low = j == scale - 1, high = j == 0;
	if (!(right || left) || !(low || high)) return dot(bits, x, y);
	return corner(bits, x, y, right ? 1 : -1, low ? 1 : -1);
}

#define LARGEST 3

// Each large glyph is worked out once: 24 rows of 24 bits at most.
static struct {
	u32 rows[8 * LARGEST];
	u8 ready;
} grown_glyphs[2][96];

static const u32 *large_glyph(char c, int scale) {
	u8 n = (u8)c - 32;
	__typeof__(&grown_glyphs[0][0]) g = &grown_glyphs[scale == LARGEST][n < 96 ? n : 95];
	if (g->ready) return g->rows;
	const u8 *bits = glyph(c);
	for (int y = 0; y < 8 * scale; y++) {
		u32 row = 0;
		for (int x = 0; x < 8 * scale; x++)
			row = row << 1 |
			      (grown(bits, x / scale, y / scale, x % scale, y % scale, scale) ? 1 : 0);
		g->rows[y] = row << (32 - 8 * scale);
	}
	g->ready = 1;
	return g->rows;
}

// Two pixels go into video memory at a time.
void large(colour *screen, int x, int y, int scale, const char *s, colour fg, colour bg) {
	u32 pair[4];
	pairs(pair, fg, bg);
	for (; *s; s++, x += 8 * scale) {
		const u32 *rows = large_glyph(*s, scale);
		for (int j = 0; j < 8 * scale; j++) {
			u32 bits = rows[j], *to = (u32 *)(screen + (y + j) * WIDTH + x);
			for (int i = 0; i < 4 * scale; i++, bits <<= 2) *to++ = pair[bits >> 30];
		}
	}
}

// Must match barcode.go.
#define BARCODE_Y 184
#define BARCODE_H 8
#define GUARD 0xAAAAAAAAu

void barcode(u32 value) {
	const u32 light = 0x7FFF7FFFu | 0x80008000u, dark = RGB(1, 1, 2) * 0x10001u;
	u32 *to = (u32 *)(BOTTOM + BARCODE_Y * WIDTH);
	for (int y = 0; y < BARCODE_H; y++) {
		u32 bits = y == 0 ? GUARD : y == BARCODE_H - 1 ? ~GUARD : value;
		for (int i = 0; i < 32; i++, bits <<= 1) {
			u32 c = bits >> 31 ? light : dark;
			for (int k = 0; k < 4; k++) *to++ = c;
		}
	}
}

char *put_text(char *to, const char *s) {
	while ((*to = *s++)) to++;
	return to;
}

char *put_hex(char *to, u32 value, int digits) {
	for (int i = digits - 1; i >= 0; i--) *to++ = "0123456789ABCDEF"[value >> (4 * i) & 15];
	*to = 0;
	return to;
}

char *put_dec(char *to, u32 value, int digits) {
	for (int i = digits - 1; i >= 0; i--, value /= 10) to[i] = (char)('0' + value % 10);
	to[digits] = 0;
	return to + digits;
}
