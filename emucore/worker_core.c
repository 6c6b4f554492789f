/*
 * The libretro host: loads a core and drives it. Pictures and sound are copied
 * into the shared memory as they come; input is what the current request says.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "worker.h"

/* The functions of a core that are used here. */
static struct {
	void (*retro_set_environment)(retro_environment_t);
	void (*retro_set_video_refresh)(retro_video_refresh_t);
	void (*retro_set_audio_sample)(retro_audio_sample_t);
	void (*retro_set_audio_sample_batch)(retro_audio_sample_batch_t);
	void (*retro_set_input_poll)(retro_input_poll_t);
	void (*retro_set_input_state)(retro_input_state_t);
	unsigned (*retro_api_version)(void);
	void (*retro_get_system_info)(struct retro_system_info *);
	void (*retro_get_system_av_info)(struct retro_system_av_info *);
	void (*retro_init)(void);
	bool (*retro_load_game)(const struct retro_game_info *);
	void (*retro_run)(void);
	void (*retro_reset)(void);
	size_t (*retro_serialize_size)(void);
	bool (*retro_serialize)(void *, size_t);
	bool (*retro_unserialize)(const void *, size_t);
	void *(*retro_get_memory_data)(unsigned);
	size_t (*retro_get_memory_size)(unsigned);
} core;

static const struct {
	const char *name;
	void *at;
} symbols[] = {
#define SYMBOL(name) #name, &core.name
	{SYMBOL(retro_set_environment)},
	{SYMBOL(retro_set_video_refresh)},
	{SYMBOL(retro_set_audio_sample)},
	{SYMBOL(retro_set_audio_sample_batch)},
	{SYMBOL(retro_set_input_poll)},
	{SYMBOL(retro_set_input_state)},
	{SYMBOL(retro_api_version)},
	{SYMBOL(retro_get_system_info)},
	{SYMBOL(retro_get_system_av_info)},
	{SYMBOL(retro_init)},
	{SYMBOL(retro_load_game)},
	{SYMBOL(retro_run)},
	{SYMBOL(retro_reset)},
	{SYMBOL(retro_serialize_size)},
	{SYMBOL(retro_serialize)},
	{SYMBOL(retro_unserialize)},
	{SYMBOL(retro_get_memory_data)},
	{SYMBOL(retro_get_memory_size)},
#undef SYMBOL
};

static struct {
	const struct np_setup *setup;
	struct np_words *words;
	int16_t *audio;
	uint8_t *video;
	uint8_t *blob;

	int64_t frame;          /* frames done */
	size_t state_size;      /* the largest state, as promised after load */
	uint32_t width, height; /* of the picture in video, 0: none */
	uint32_t samples;       /* in audio */

	/* the input of the frame that runs */
	uint16_t pad;
	int16_t x, y;
	int touch;
	struct np_edges edges;
} host;

/* --- callbacks --- */

/* copy_rows packs a picture and clears the bits that carry no colour, so that
 * equal pictures are equal bytes. */
static void copy_rows(const uint8_t *from, size_t pitch, uint32_t width, uint32_t height)
{
	uint8_t *to = host.video;

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
			for (uint32_t x = 0; x < width; x++)
				((uint32_t *)to)[x] = ((const uint32_t *)from)[x] & 0xffffff;
			to += width * 4;
			break;
		}
	}
}

static void video_refresh(const void *data, unsigned width, unsigned height, size_t pitch)
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
	host.width = width;
	host.height = height;
	copy_rows(data, pitch, width, height);
}

static size_t audio_batch(const int16_t *data, size_t frames)
{
	size_t room = NP_AUDIO_MAX - host.samples;
	size_t n = frames < room ? frames : room;

	memcpy(host.audio + 2 * host.samples, data, n * 4);
	host.samples += (uint32_t)n;
	return frames;
}

static void audio_sample(int16_t left, int16_t right)
{
	audio_batch((int16_t[]){left, right}, 1);
}

static void input_poll(void) {}

static int16_t joypad(unsigned id)
{
	if (id == RETRO_DEVICE_ID_JOYPAD_MASK)
		return (int16_t)host.pad;
	return id < 16 ? (int16_t)(host.pad >> id & 1) : 0;
}

static int16_t pointer(unsigned id)
{
	switch (id) {
	case RETRO_DEVICE_ID_POINTER_X:
		return host.x;
	case RETRO_DEVICE_ID_POINTER_Y:
		return host.y;
	case RETRO_DEVICE_ID_POINTER_PRESSED:
	case RETRO_DEVICE_ID_POINTER_COUNT:
		return (int16_t)host.touch;
	}
	return 0;
}

static int16_t input_state(unsigned port, unsigned device, unsigned index, unsigned id)
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

/* --- input --- */

/* press brings a level to the core: as a button held down, or, where a press
 * turns the level over, as one frame's press whenever it must change and the
 * core is ready for another press. */
static uint16_t press(const struct np_button *b, int level, uint8_t *now, uint8_t *wait)
{
	if (b->id < 0)
		return 0;
	if (!b->toggle)
		return level ? (uint16_t)(1u << b->id) : 0;
	if (*wait > 0) {
		--*wait;
		return 0;
	}
	if (*now == level)
		return 0;
	*now = (uint8_t)level;
	*wait = b->rest > 0 ? (uint8_t)b->rest : 1; /* up at least once, or it is no new press */
	return (uint16_t)(1u << b->id);
}

static void take_input(const struct np_request *q)
{
	struct np_edges *e = &host.edges;

	host.pad = q->pad;
	host.pad |= press(&host.setup->lid, q->lid, &e->lid_level, &e->lid_wait);
	host.pad |= press(&host.setup->mic, q->mic, &e->mic_level, &e->mic_wait);
	host.touch = q->touch;
	host.x = q->x;
	host.y = q->y;
}

/* --- loading --- */

static void lay_out(void *shared)
{
	uint8_t *p = shared;

	host.words = (struct np_words *)(p + NP_OFF_WORDS);
	host.audio = (int16_t *)(p + NP_OFF_AUDIO);
	host.video = p + NP_OFF_VIDEO;
	host.blob = p + NP_OFF_BLOB;
}

static int find_symbols(void *library)
{
	for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
		void *f = dlsym(library, symbols[i].name);

		if (!f)
			return np_fail("not a libretro core: it has no %s", symbols[i].name);
		memcpy(symbols[i].at, &f, sizeof f);
	}
	if (core.retro_api_version() != RETRO_API_VERSION)
		return np_fail("speaks libretro version %u, not %u", core.retro_api_version(), RETRO_API_VERSION);
	return NP_OK;
}

/* np_core_open loads the library and lets it see its host. */
int np_core_open(struct np_setup *setup, void *shared)
{
	void *library;
	int status;

	host.setup = setup;
	np_env.setup = setup;
	lay_out(shared);
	status = np_net_open(setup);
	if (status != NP_OK)
		return status;
	library = dlopen(setup->core_path, RTLD_NOW | RTLD_LOCAL);
	if (!library)
		return np_fail("cannot be loaded: %s", dlerror());
	status = find_symbols(library);
	if (status == NP_OK)
		core.retro_set_environment(np_environment);
	return status;
}

static void copy_name(char to[NP_NAME_MAX], const char *from)
{
	snprintf(to, NP_NAME_MAX, "%s", from ? from : "");
}

/* np_core_probe tells what the core says of itself. */
void np_core_probe(void)
{
	struct retro_system_info info = {0};

	core.retro_get_system_info(&info);
	copy_name(host.words->library_name, info.library_name);
	copy_name(host.words->library_version, info.library_version);
	copy_name(host.words->extensions, info.valid_extensions);
}

/* map_rom makes the content resident for as long as the worker lives. */
static const void *map_rom(size_t size)
{
	void *p = mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, NP_FD_ROM, 0);

	return p == MAP_FAILED ? NULL : p;
}

static int load_game(int need_fullpath)
{
	static char path[sizeof NP_DIR + NP_NAME_MAX];
	static struct retro_game_info game;

	snprintf(path, sizeof path, "%s/%s", NP_DIR, host.setup->rom_name);
	game = (struct retro_game_info){.path = path, .size = host.setup->rom_size};
	if (!need_fullpath && !(game.data = map_rom(game.size)))
		return np_fail("cannot map the ROM: %s", strerror(errno));
	if (!core.retro_load_game(&game))
		return np_fail("refused the ROM");
	if (np_env.want_hardware)
		return np_fail("wants to draw through a graphics API");
	return NP_OK;
}

static size_t memory(unsigned id, void **data)
{
	*data = core.retro_get_memory_data(id);
	return *data ? core.retro_get_memory_size(id) : 0;
}

/* fill_sram puts the cartridge's backup memory where the game will look for
 * it, before the first frame. */
static int fill_sram(void)
{
	void *sram;
	size_t size = memory(RETRO_MEMORY_SAVE_RAM, &sram);

	if (host.setup->sram_size == 0)
		return NP_OK;
	if (size != host.setup->sram_size)
		return np_fail("has %zu bytes of backup memory for this ROM, the save has %u", size,
		               host.setup->sram_size);
	memcpy(sram, host.blob, size);
	return NP_OK;
}

/* np_core_load builds the console of the setup. */
int np_core_load(struct np_reply *r)
{
	struct retro_system_info info = {0};
	void *ram;
	int status;

	host.frame = host.setup->frame;
	np_clock_set(host.frame);
	core.retro_get_system_info(&info);
	core.retro_init();
	core.retro_set_video_refresh(video_refresh);
	core.retro_set_audio_sample(audio_sample);
	core.retro_set_audio_sample_batch(audio_batch);
	core.retro_set_input_poll(input_poll);
	core.retro_set_input_state(input_state);
	status = load_game(np_env.need_fullpath >= 0 ? np_env.need_fullpath : info.need_fullpath);
	if (status == NP_OK)
		status = fill_sram();
	if (status != NP_OK)
		return status;
	np_net_start();
	core.retro_get_system_av_info(&np_env.av);
	host.state_size = core.retro_serialize_size();
	if (host.state_size > NP_BLOB_MAX)
		return np_fail("has states of %zu bytes", host.state_size);
	r->size = host.state_size;
	r->ram_size = memory(RETRO_MEMORY_SYSTEM_RAM, &ram);
	r->sram_size = memory(RETRO_MEMORY_SAVE_RAM, &ram);
	return NP_OK;
}

/* --- running --- */

static void forget_picture(void)
{
	host.width = host.height = 0;
}

static void survive(void)
{
	if (np_env.shut_down)
		np_die("worker: the core asked to be shut down");
}

/* np_core_step runs frames. */
void np_core_step(const struct np_request *q, struct np_reply *r)
{
	host.samples = 0;
	for (uint32_t i = 0; i < q->count; i++) {
		take_input(q);
		np_clock_set(host.frame);
		np_net_begin();
		core.retro_run();
		np_net_end();
		host.frame++;
		survive();
	}
	np_clock_set(host.frame);
	r->samples = host.samples;
}

/* np_core_reset presses the reset button between two frames: the clock goes on,
 * as a battery-backed clock does; the lid is open after it, in all known cores. */
void np_core_reset(void)
{
	core.retro_reset();
	host.edges = (struct np_edges){0};
	forget_picture();
	survive();
}

/* np_core_save serializes into the blob. A state that is not kept need not have
 * equal bytes where the core writes none, which makes it cheaper. */
int np_core_save(const struct np_request *q, struct np_reply *r)
{
	bool done;

	if (host.state_size == 0)
		return NP_INVALID;
	if (q->keep)
		memset(host.blob, 0, host.state_size);
	else
		np_world_perturb(0);
	done = core.retro_serialize(host.blob, host.state_size);
	np_world_perturb(1);
	if (!done)
		return np_fail("could not save its state");
	r->size = host.state_size;
	return NP_OK;
}

/* np_core_restore puts the console into a saved state, and back in time. */
int np_core_restore(const struct np_request *q)
{
	if (q->size != host.state_size || q->size == 0)
		return NP_INVALID;
	host.frame = q->frame;
	host.edges = q->edges;
	np_net_tune(q->tuned);
	np_clock_set(host.frame);
	for (int i = 0; i < q->repeat; i++)
		if (!core.retro_unserialize(host.blob, q->size))
			return np_fail("refused the state");
	forget_picture();
	return NP_OK;
}

/* np_core_memory copies regions one after the other to the start of the blob. */
int np_core_memory(const struct np_request *q, struct np_reply *r)
{
	void *ram = NULL, *sram = NULL;

	r->size = q->regions & NP_REGION_RAM ? memory(RETRO_MEMORY_SYSTEM_RAM, &ram) : 0;
	r->sram_size = q->regions & NP_REGION_SRAM ? memory(RETRO_MEMORY_SAVE_RAM, &sram) : 0;
	if (r->size > NP_BLOB_MAX || r->sram_size > NP_BLOB_MAX - r->size)
		return np_fail("has %llu bytes of memory", (unsigned long long)r->size + r->sram_size);
	if (r->size)
		memcpy(host.blob, ram, r->size);
	if (r->sram_size)
		memcpy(host.blob + r->size, sram, r->sram_size);
	return NP_OK;
}

/* np_core_status fills what every reply says. */
void np_core_status(struct np_reply *r)
{
	r->frame = host.frame;
	r->edges = host.edges;
	r->tuned = np_net_tuned();
	r->width = host.width;
	r->height = host.height;
	r->format = np_env.format;
	r->has_netpacket = (uint32_t)np_env.has_netpacket;
	r->fps = np_env.av.timing.fps;
	r->sample_rate = np_env.av.timing.sample_rate;
}
