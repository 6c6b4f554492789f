/*
 * A frame as the core shows, plays and reads it: pictures and sound are copied into the
 * shared memory as they come; input is what the current request says.
 */
#include <string.h>

#include "worker_parts.h"

static struct {
	const struct np_setup *setup;
	int16_t *audio;
	uint8_t *video;

	uint32_t width, height; /* of the picture in video, 0: none */
	uint32_t samples;       /* in audio */

	/* the input of the frame that runs */
	uint16_t pad;
	int16_t x, y;
	int touch;
	struct np_edges edges;

	const struct np_button *lid, *mic; /* NULL: the core has none */
} io;

void np_io_open(const struct np_setup *setup, void *shared)
{
	uint8_t *p = shared;

	io.setup = setup;
	io.audio = (int16_t *)(p + NP_OFF_AUDIO);
	io.video = p + NP_OFF_VIDEO;
}

/* --- pictures and sound --- */

/* colours is a row without the bits that carry no colour. The inner loop is of a length that compilers make vectors of. */
static void colours(uint32_t *restrict to, const uint32_t *restrict from, uint32_t n)
{
	uint32_t x = 0;

	for (; x + 16 <= n; x += 16)
		for (uint32_t i = x; i < x + 16; i++)
			to[i] = from[i] & 0xffffff;
	for (; x < n; x++)
		to[x] = from[x] & 0xffffff;
}

/* copy_rows packs a picture and clears the bits that carry no colour, so that
 * equal pictures are equal bytes. */
static void copy_rows(const uint8_t *from, size_t pitch, uint32_t width, uint32_t height)
{
	uint8_t *to = io.video;

	for (uint32_t y = 0; y < height; y++, from += pitch) {
		switch (np_env.format) {
		case RETRO_PIXEL_FORMAT_RGB565:
			memcpy(to, from, width * 2);
			to += width * 2;
			break;
		case RETRO_PIXEL_FORMAT_0RGB1555:
			for (uint32_t x = 0; x < width; x++)
				((uint16_t *)to)[x] = ((const uint16_t *)from)[x] & 0x7fff;
			to += width * 2;
			break;
		case RETRO_PIXEL_FORMAT_XRGB8888:
			colours((uint32_t *)to, (const uint32_t *)from, width);
			to += width * 4;
			break;
		}
	}
}

void np_io_video(const void *data, unsigned width, unsigned height, size_t pitch)
{
	size_t bytes = np_env.format == RETRO_PIXEL_FORMAT_XRGB8888 ? 4 : 2;

	if (!data) /* the same picture again */
		return;
	if (data == RETRO_HW_FRAME_BUFFER_VALID)
		np_die("worker: the core draws through a graphics API");
	if (width == 0 || height == 0 || width > NP_VIDEO_MAX_SIDE || height > NP_VIDEO_MAX_SIDE ||
	    width * height * bytes > NP_VIDEO_MAX || pitch < width * bytes)
		np_die("worker: the core made a picture of %ux%u, %zu bytes a row", width, height, pitch);
	np_env.format_fixed = 1;
	io.width = width;
	io.height = height;
	copy_rows(data, pitch, width, height);
}

size_t np_io_batch(const int16_t *data, size_t frames)
{
	size_t room = NP_AUDIO_MAX - io.samples;
	size_t n = frames < room ? frames : room;

	memcpy(io.audio + 2 * io.samples, data, n * 4);
	io.samples += (uint32_t)n;
	return frames;
}

void np_io_sample(int16_t left, int16_t right)
{
	np_io_batch((int16_t[]){left, right}, 1);
}

/* np_io_begin comes before the frames of a request, whose sound is one piece. */
void np_io_begin(void)
{
	io.samples = 0;
}

uint32_t np_io_samples(void)
{
	return io.samples;
}

/* np_io_dark is a frame of a console that is off: black, and as much silence as the core makes
 * sound. The picture is a DS's, whatever the core's last one was: a console that loads a state
 * has none. */
void np_io_dark(int64_t frame)
{
	double rate = np_env.av.timing.sample_rate / np_env.av.timing.fps;
	uint32_t room = NP_AUDIO_MAX - io.samples, n = 0;

	io.width = 256;
	io.height = 384;
	memset(io.video, 0, 256u * 384 * (np_env.format == RETRO_PIXEL_FORMAT_XRGB8888 ? 4 : 2));
	if (rate >= 1 && rate < room)
		n = (uint32_t)((int64_t)((double)(frame + 1) * rate) - (int64_t)((double)frame * rate));
	if (n > room)
		n = room;
	memset(io.audio + 2 * io.samples, 0, n * 4);
	io.samples += n;
}

/* --- input --- */

void np_io_poll(void) {}

static int16_t joypad(unsigned id)
{
	if (id == RETRO_DEVICE_ID_JOYPAD_MASK)
		return (int16_t)io.pad;
	return id < 16 ? (int16_t)(io.pad >> id & 1) : 0;
}

static int16_t pointer(unsigned id)
{
	switch (id) {
	case RETRO_DEVICE_ID_POINTER_X:
		return io.x;
	case RETRO_DEVICE_ID_POINTER_Y:
		return io.y;
	case RETRO_DEVICE_ID_POINTER_PRESSED:
	case RETRO_DEVICE_ID_POINTER_COUNT:
		return (int16_t)io.touch;
	}
	return 0;
}

int16_t np_io_state(unsigned port, unsigned device, unsigned index, unsigned id)
{
	if (port != 0 || index != 0)
		return 0;
	switch (device & RETRO_DEVICE_MASK) {
	case RETRO_DEVICE_JOYPAD:
		return joypad(id);
	case RETRO_DEVICE_POINTER:
		return pointer(id);
	}
	return 0;
}

/* fitting is the first of some buttons that the core calls what it should be called. */
static const struct np_button *fitting(const struct np_button list[NP_BUTTONS_MAX])
{
	for (size_t i = 0; i < NP_BUTTONS_MAX; i++) {
		const struct np_button *b = &list[i];

		if (b->id >= 0 && b->id < 16 &&
		    (!b->label[0] || !np_env.described || strcmp(b->label, np_env.label[b->id]) == 0))
			return b;
	}
	return NULL;
}

/* np_io_choose finds out which buttons are the lid's and the microphone's, once the core has
 * described them. */
void np_io_choose(void)
{
	io.lid = fitting(io.setup->lid);
	io.mic = fitting(io.setup->mic);
	np_env.seen |= (io.lid ? NP_SEEN_LID : 0u) | (io.mic ? NP_SEEN_MIC : 0u);
}

/* press brings a level to the core: as a button held down, or, where a press
 * turns the level over, as one frame's press whenever it must change and the
 * core is ready for another press. */
static uint16_t press(const struct np_button *b, int level, uint8_t *now, uint8_t *wait)
{
	uint16_t pressed;

	if (!b)
		return 0;
	pressed = (uint16_t)(1u << b->id | b->held);
	if (!b->toggle)
		return level ? pressed : 0;
	if (*wait > 0) {
		--*wait;
		return 0;
	}
	if (*now == level)
		return 0;
	*now = (uint8_t)level;
	*wait = b->rest > 0 ? (uint8_t)b->rest : 1; /* up at least once, or it is no new press */
	return pressed;
}

/* np_io_input takes the input of the next frame. */
void np_io_input(const struct np_request *q)
{
	struct np_edges *e = &io.edges;

	io.pad = q->pad;
	io.pad |= press(io.lid, q->lid, &e->lid_level, &e->lid_wait);
	io.pad |= press(io.mic, q->mic, &e->mic_level, &e->mic_wait);
	io.touch = q->touch;
	io.x = q->x;
	io.y = q->y;
}

/* --- between two frames --- */

/* np_io_restore makes past inputs those of another state. Its picture comes with its next
 * frame. */
void np_io_restore(struct np_edges edges)
{
	io.edges = edges;
	io.width = io.height = 0;
}

void np_io_status(struct np_reply *r)
{
	r->edges = io.edges;
	r->width = io.width;
	r->height = io.height;
	r->format = np_env.format;
}
