// draw3d.nds keeps the 3D engine busy: a torus of 576 triangles, twelve stones of 8,
// one for each key, and 96 flakes that fall. The D-pad turns the torus, the stylus
// tilts the scene, a pressed key makes its stone glow.
//
// Top screen: the scene. Bottom screen: what there is to know in words.
#include "frame.h"
#include "gx.h"

static int spin, roll, tilt_x, tilt_y; // in 1/16 of a turn's 256 parts

// ---- torus ----

#define RINGS 24
#define SIDES 12
#define TORUS_R (ONE * 17 / 10)
#define TUBE_R (ONE * 6 / 10)

static struct point {
	int16_t x, y, z;
	u32 normal;
} torus[RINGS][SIDES];

static s32 times(s32 a, s32 b) {
	return a * b / ONE;
}

static void make_torus(void) {
	for (int i = 0; i < RINGS; i++) {
		int u = i * 256 / RINGS;
		for (int j = 0; j < SIDES; j++) {
			int v = j * 256 / SIDES;
			s32 out = TORUS_R + times(TUBE_R, cosine(v));
			torus[i][j] = (struct point){
				(int16_t)times(out, cosine(u)),
				(int16_t)times(TUBE_R, sine(v)),
				(int16_t)times(out, sine(u)),
				gx_normal(times(cosine(v), cosine(u)), sine(v), times(cosine(v), sine(u))),
			};
		}
	}
}

static void torus_point(int ring, int side) {
	const struct point *p = &torus[ring % RINGS][side % SIDES];
	GX(NORMAL) = p->normal;
	gx_vertex(p->x, p->y, p->z);
}

static void draw_torus(void) {
	colour deep = blend(accent, NIGHT, 1, 3);
	for (int i = 0; i < RINGS; i++) {
		gx_material(i & 1 ? accent : deep, RGB(4, 4, 6), RGB(14, 14, 14), 0);
		GX(BEGIN_VTXS) = TRIANGLE_STRIP;
		for (int j = 0; j <= SIDES; j++) {
			torus_point(i + 1, j);
			torus_point(i, j);
		}
		GX(END_VTXS) = 0;
	}
}

// ---- stones ----

#define STONES 12
#define ORBIT (ONE * 32 / 10)

// stone_side draws the side towards (x, y, z), each 1 or -1; seen from outside its
// corners run the same way round on all sides.
static void stone_side(s32 x, s32 y, s32 z) {
	GX(NORMAL) = gx_normal(x * 2365, y * 2365, z * 2365); // 1/sqrt(3)
	gx_vertex(0, y * ONE * 3 / 2, 0);
	if (x * y * z < 0) gx_vertex(x * ONE, 0, 0);
	gx_vertex(0, 0, z * ONE);
	if (x * y * z > 0) gx_vertex(x * ONE, 0, 0);
}

static void draw_stone(int key) {
	int lit = now.keys >> key & 1;
	GX(MTX_PUSH) = 0;
	gx_rotate_y(key * 256 / STONES + spin / 64);
	gx_move(ORBIT, lit ? ONE / 3 : times(sine(key * 40 + (int)frame), ONE / 6), 0);
	gx_rotate_y((int)frame * 2 + key * 21);
	gx_scale(lit ? ONE * 45 / 100 : ONE / 4);
	if (lit)
		gx_material(RGB(31, 31, 31), RGB(8, 8, 8), RGB(31, 31, 31), blend(accent, NIGHT, 1, 2));
	else
		gx_material(RGB(17, 18, 22), RGB(4, 4, 6), RGB(12, 12, 12), 0);
	GX(BEGIN_VTXS) = TRIANGLES;
	for (int i = 0; i < 8; i++) stone_side(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
	GX(END_VTXS) = 0;
	GX(MTX_POP) = 1;
}

// ---- flakes ----

#define FLAKES 96

static struct flake { int x, y, z, speed, turn; } flakes[FLAKES];

static int between(u32 *seed, int low, int high) {
	*seed = *seed * 1664525u + 1013904223u;
	return low + (int)((*seed >> 16) % (u32)(high - low));
}

static void make_flakes(void) {
	u32 seed = 0x5EED;
	for (int i = 0; i < FLAKES; i++)
		flakes[i] = (struct flake){
			between(&seed, -6 * ONE, 6 * ONE),
			between(&seed, -5 * ONE, 5 * ONE),
			between(&seed, -6 * ONE, 3 * ONE),
			between(&seed, 12, 60),
			between(&seed, 0, 256),
		};
}

static void draw_flakes(void) {
	GX(POLYGON_ATTR) = 0x001F00C0; // both sides, no light
	GX(BEGIN_VTXS) = TRIANGLES;
	for (int i = 0; i < FLAKES; i++) {
		struct flake *f = &flakes[i];
		f->y -= f->speed;
		if (f->y < -5 * ONE) f->y += 10 * ONE;
		s32 s = sine(f->turn + (int)frame * 3) / 12, c = cosine(f->turn + (int)frame * 3) / 12;
		GX(COLOUR) = blend(DIM, NIGHT, i % 8, 12);
		gx_vertex(f->x + s, f->y + c, f->z);
		gx_vertex(f->x - c, f->y + s, f->z + s);
		gx_vertex(f->x + c, f->y - s, f->z - s);
	}
	GX(END_VTXS) = 0;
}

// ---- scene ----

static void light(void) {
	GX(LIGHT_VECTOR) = gx_normal(-2300, -2900, -1800);
	GX(LIGHT_COLOUR) = RGB(31, 31, 29) & 0x7FFF;
	GX(LIGHT_VECTOR) = gx_normal(3000, 1200, -2400) | 1u << 30;
	GX(LIGHT_COLOUR) = (RGB(6, 8, 12) & 0x7FFF) | 1u << 30;
}

// towards moves a sixteenth of the way, and at least by one.
static int towards(int from, int to) {
	int step = (to - from) / 16;
	if (step == 0 && to != from) step = to > from ? 1 : -1;
	return from + step;
}

static void steer(void) {
	int pen = now.keys & KEY_PEN;
	tilt_y = towards(tilt_y, pen ? (now.x - 128) * 6 : 0);
	tilt_x = towards(tilt_x, pen ? (now.y - 96) * 6 : 0);
	spin += 12 + (now.keys & KEY_RIGHT ? 48 : 0) - (now.keys & KEY_LEFT ? 48 : 0);
	roll += 7 + (now.keys & KEY_DOWN ? 48 : 0) - (now.keys & KEY_UP ? 48 : 0);
}

static u32 draw_scene(void) {
	GX(MTX_IDENTITY) = 0;
	light();
	gx_move(0, 0, -7 * ONE);
	draw_flakes();
	GX(POLYGON_ATTR) = 0x001F0083; // front sides, lights 0 and 1
	gx_rotate_x(20 + tilt_x / 16);
	gx_rotate_y(tilt_y / 16);
	for (int i = 0; i < STONES; i++) draw_stone(i);
	gx_rotate_x(roll / 16);
	gx_rotate_y(spin / 16);
	draw_torus();
	return gx_finish();
}

// ---- bottom screen ----

enum { // lines of text
	CLOCK_Y = 38,
	FRAME_Y = 48,
	RANDOM_Y = 58,
	STYLUS_Y = 77,
	KEYS_Y = 87,
	SHAPES_Y = 106,
	SAYS_Y = 130,
};

static void draw_bottom(void) {
	title(BOTTOM, "3D");
	panel(BOTTOM, 4, CLOCK_Y - 5, 248, RANDOM_Y - CLOCK_Y + 17, 4, PANEL);
	panel(BOTTOM, 4, STYLUS_Y - 5, 248, KEYS_Y - STYLUS_Y + 17, 4, PANEL);
	panel(BOTTOM, 4, SHAPES_Y - 5, 248, 17, 4, PANEL);
	letters(BOTTOM, 8, SAYS_Y, "the D-pad turns the ring,", DIM);
	letters(BOTTOM, 8, SAYS_Y + 10, "the stylus tilts it all,", DIM);
	letters(BOTTOM, 8, SAYS_Y + 20, "each key has its stone", DIM);
}

static void show_words(u32 shapes) {
	char line[COLUMNS + 1];
	field(BOTTOM, CLOCK_Y, "clock", clock_text(line), TEXT);
	put_dec(line, frame, 8);
	field(BOTTOM, FRAME_Y, "frame", line, TEXT);
	put_hex(put_text(line, "timer "), timer, 4);
	text(BOTTOM, 20, FRAME_Y, line, DIM, PANEL);
	put_hex(line, rng, 8);
	field(BOTTOM, RANDOM_Y, "random", line, TEXT);
	show_stylus(BOTTOM, STYLUS_Y);
	show_keys(BOTTOM, KEYS_Y);
	put_text(put_dec(line, shapes & 0xFFF, 4), " triangles");
	field(BOTTOM, SHAPES_Y, "shapes", line, TEXT);
}

int main(void) {
	u32 shapes = 0;
	start(0);
	DISPCNT_A = 0x00010108; // background 0, drawn by the 3D engine
	gx_start();
	make_torus();
	make_flakes();
	draw_bottom();
	for (;;) {
		next_frame();
		steer();
		see(shapes); // of the last frame
		see((u32)spin ^ (u32)roll << 16);
		see((u32)tilt_x ^ (u32)tilt_y << 16);
		end_frame();
		show_words(shapes);
		shapes = draw_scene();
	}
}
