// From the state to the frontend: picture, sound, sizes; right, or wrong in the
// way an option asks for.
#include <math.h>
#include <string.h>

#include "core.h"
#include "fault.h"
#include "options.h"
#include "state.h"

#define SAMPLE_RATE 32768u
#define SAMPLES_MAX 1024u // of one frame, however stretched
#define FRAME_RATE ((double)CLOCK_HZ / FRAME_CYCLES)
#define WILD ((const void *)0x10)

bool bad_now(void) { return con.m.frame > (uint64_t)option_number(OPT_bad_from) && fault_here(); }

// --- the picture ---

static uint16_t pixels16[SCREEN_W * SCREEN_H];

static size_t convert(const uint32_t *from, enum retro_pixel_format format) {
	for (int i = 0; i < SCREEN_W * SCREEN_H; i++) {
		uint32_t r = from[i] >> 16 & 0xFF, g = from[i] >> 8 & 0xFF, b = from[i] & 0xFF;
		pixels16[i] = format == RETRO_PIXEL_FORMAT_RGB565
		                      ? (uint16_t)(r >> 3 << 11 | g >> 2 << 5 | b >> 3)
		                      : (uint16_t)(r >> 3 << 10 | g >> 3 << 5 | b >> 3);
	}
	return SCREEN_W * sizeof *pixels16;
}

void bad_picture(struct picture *p) {
	if (option_is(OPT_bad_video, "null")) p->data = NULL;
	if (option_is(OPT_bad_video, "zero")) p->width = p->height = 0;
	if (option_is(OPT_bad_video, "huge")) p->width = p->height = 65535, p->pitch = 65535 * 4;
	if (option_is(OPT_bad_video, "pitch_small")) p->pitch = 1;
	if (option_is(OPT_bad_video, "pitch_huge")) p->pitch = SIZE_MAX / 2;
	if (option_is(OPT_bad_video, "wild")) p->data = WILD;
	if (option_is(OPT_bad_video, "odd")) p->width -= 1, p->height -= 3;
}

void show_picture(retro_video_refresh_t video, enum retro_pixel_format format) {
	const uint32_t *drawn = screen_draw();
	struct picture p = {drawn, SCREEN_W, SCREEN_H, SCREEN_W * sizeof *drawn};
	bool bad = !option_is(OPT_bad_video, "off");
	if ((int64_t)con.m.frame - 1 == option_number(OPT_desync_at) &&
	    option_is(OPT_desync_what, "video") && fault_here())
		((uint32_t *)drawn)[0] ^= 0x808080;
#ifdef TESTCORE_FLIP_AT // a build that shows one pixel otherwise, in one frame
	if (con.m.frame - 1 == TESTCORE_FLIP_AT) ((uint32_t *)drawn)[0] ^= 0x808080;
#endif
	if (format != RETRO_PIXEL_FORMAT_XRGB8888) {
		p.pitch = convert(drawn, format);
		p.data = pixels16;
	}
	if (bad && bad_now()) {
		if (option_is(OPT_bad_video, "none")) return;
		if (option_is(OPT_bad_video, "twice")) video(p.data, p.width, p.height, p.pitch);
		bad_picture(&p);
	}
	video(p.data, p.width, p.height, p.pitch);
}

// --- the sound ---

// A tone whose pitch follows the hash, for as long as a key is down.
static size_t make_sound(int16_t *out) {
	struct machine *m = &con.m;
	uint64_t cycles = FRAME_CYCLES + (uint64_t)m->stretch * LINE_CYCLES;
	uint64_t total = m->audio_acc + cycles * SAMPLE_RATE;
	size_t n = (size_t)(total / CLOCK_HZ);
	m->audio_acc = (uint32_t)(total % CLOCK_HZ);
	if (n > SAMPLES_MAX) n = SAMPLES_MAX;
	unsigned period = 32 + (unsigned)(m->hash & 63);
	for (size_t i = 0; i < n; i++) {
		int16_t v = m->keys ? (i / (period / 2) & 1 ? 2000 : -2000) : 0;
		out[2 * i] = v;
		out[2 * i + 1] = (int16_t)-v;
	}
	return n;
}

static void bad_sound(retro_audio_sample_batch_t batch, retro_audio_sample_t sample, const int16_t *data,
                      size_t n) {
	if (option_is(OPT_bad_audio, "null")) batch(NULL, n);
	if (option_is(OPT_bad_audio, "huge")) batch(data, 1u << 24);
	if (option_is(OPT_bad_audio, "max")) batch(data, SIZE_MAX);
	if (option_is(OPT_bad_audio, "wild")) batch(WILD, n);
	if (option_is(OPT_bad_audio, "single"))
		for (size_t i = 0; i < n; i++) sample(data[2 * i], data[2 * i + 1]);
	if (option_is(OPT_bad_audio, "many"))
		for (int i = 0; i < 1000; i++) batch(data, n);
}

void show_sound(retro_audio_sample_batch_t batch, retro_audio_sample_t sample) {
	static int16_t out[SAMPLES_MAX * 2];
	size_t n = make_sound(out);
	if (!option_is(OPT_bad_audio, "off") && bad_now())
		bad_sound(batch, sample, out, n);
	else
		batch(out, n);
}

// --- sizes and rates ---

void bad_av(struct retro_system_av_info *av) {
	struct retro_system_timing *t = &av->timing;
	struct retro_game_geometry *g = &av->geometry;
	if (option_is(OPT_bad_av, "zero")) *av = (struct retro_system_av_info){0};
	if (option_is(OPT_bad_av, "nan")) t->fps = t->sample_rate = NAN;
	if (option_is(OPT_bad_av, "negative")) t->fps = t->sample_rate = -1;
	if (option_is(OPT_bad_av, "huge")) {
		t->fps = t->sample_rate = HUGE_VAL;
		g->base_width = g->base_height = g->max_width = g->max_height = 0xFFFFFFFF;
	}
}

void show_av_info(struct retro_system_av_info *av) {
	*av = (struct retro_system_av_info){
		.geometry = {SCREEN_W, SCREEN_H, SCREEN_W, SCREEN_H, (float)SCREEN_W / SCREEN_H},
		.timing = {FRAME_RATE, SAMPLE_RATE},
	};
	bad_av(av);
}
