#include "gx.h"

static int16_t quarter[65];

// table fills a quarter of a sine by Bhaskara's approximation, good to 0.2 %:
// sin(pi t) is about 16 t (1-t) / (5 - 4 t (1-t)).
static void table(void) {
	for (int i = 0; i <= 64; i++) {
		int p = i * (128 - i);
		quarter[i] = (int16_t)(ONE * 16 * p / (5 * 128 * 128 - 4 * p));
	}
}

s32 sine(int turn) {
	turn &= 255;
	int half = turn & 127;
	s32 s = quarter[half <= 64 ? half : 128 - half];
	return turn < 128 ? s : -s;
}

s32 cosine(int turn) {
	return sine(turn + 64);
}

static void load(const s32 *m, int command, int n) {
	for (int i = 0; i < n; i++) GX(command) = (u32)m[i];
}

void gx_start(void) {
	// 60 degrees high, 4:3, from 0.5 to 32: cot(30) is 1.7321.
	static const s32 projection[16] = {
		5321, 0, 0, 0, 0, 7094, 0, 0, 0, 0, -4226, -ONE, 0, 0, -4161, 0,
	};
	table();
	while (GXSTAT & 1u << 27) {
	}
	DISP3DCNT = 1 << 4; // smooth edges
	CLEAR_COLOUR = 2 | 3 << 5 | 5 << 10 | 31 << 16 | 63u << 24;
	CLEAR_DEPTH = 0x7FFF;
	GX(VIEWPORT) = 0 | 0 << 8 | 255 << 16 | 191u << 24;
	GX(MTX_MODE) = MODE_PROJECTION;
	load(projection, MTX_LOAD_4X4, 16);
	GX(MTX_MODE) = MODE_BOTH;
}

void gx_rotate_x(int turn) {
	s32 s = sine(turn), c = cosine(turn);
	const s32 m[9] = {ONE, 0, 0, 0, c, s, 0, -s, c};
	load(m, MTX_MULT_3X3, 9);
}

void gx_rotate_y(int turn) {
	s32 s = sine(turn), c = cosine(turn);
	const s32 m[9] = {c, 0, -s, 0, ONE, 0, s, 0, c};
	load(m, MTX_MULT_3X3, 9);
}

void gx_rotate_z(int turn) {
	s32 s = sine(turn), c = cosine(turn);
	const s32 m[9] = {c, s, 0, -s, c, 0, 0, 0, ONE};
	load(m, MTX_MULT_3X3, 9);
}

void gx_move(s32 x, s32 y, s32 z) {
	GX(MTX_TRANS) = (u32)x;
	GX(MTX_TRANS) = (u32)y;
	GX(MTX_TRANS) = (u32)z;
}

void gx_scale(s32 by) {
	for (int i = 0; i < 3; i++) GX(MTX_SCALE) = (u32)by;
}

void gx_vertex(s32 x, s32 y, s32 z) {
	GX(VTX_16) = (u32)(x & 0xFFFF) | (u32)y << 16;
	GX(VTX_16) = (u32)(z & 0xFFFF);
}

static u32 nine(s32 v) { // a sign and nine bits of fraction
	v >>= 3;
	return (u32)(v > 511 ? 511 : v < -511 ? -511 : v) & 0x3FF;
}

u32 gx_normal(s32 x, s32 y, s32 z) {
	return nine(x) | nine(y) << 10 | nine(z) << 20;
}

void gx_material(u16 diffuse, u16 ambient, u16 specular, u16 emission) {
	GX(DIF_AMB) = (u32)(diffuse & 0x7FFF) | (u32)(ambient & 0x7FFF) << 16;
	GX(SPE_EMI) = (u32)(specular & 0x7FFF) | (u32)(emission & 0x7FFF) << 16;
}

u32 gx_finish(void) {
	while (GXSTAT & 1u << 27) {
	}
	u32 count = RAM_COUNT;
	GX(SWAP_BUFFERS) = 0;
	return count;
}
