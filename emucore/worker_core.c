/*
 * The libretro host: loads a core and drives it. worker_io.c has what the core
 * shows, plays and reads in a frame.
 */
#include <stdio.h>
#include <string.h>

#include "worker_parts.h"

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
	size_t (*retro_serialize_size)(void);
	bool (*retro_serialize)(void *, size_t);
	bool (*retro_unserialize)(const void *, size_t);
	void *(*retro_get_memory_data)(unsigned);
	size_t (*retro_get_memory_size)(unsigned);
	/* may be missing */
	void (*retro_cheat_reset)(void);
	void (*retro_cheat_set)(unsigned, bool, const char *);
} core;

struct symbol {
	const char *name;
	void *at;
};

static const struct symbol symbols[] = {
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
	{SYMBOL(retro_serialize_size)},
	{SYMBOL(retro_serialize)},
	{SYMBOL(retro_unserialize)},
	{SYMBOL(retro_get_memory_data)},
	{SYMBOL(retro_get_memory_size)},
};

static const struct symbol optional[] = {
	{SYMBOL(retro_cheat_reset)},
	{SYMBOL(retro_cheat_set)},
#undef SYMBOL
};

static struct {
	const struct np_setup *setup;
	struct np_words *words;
	uint8_t *blob;

	int64_t frame;     /* frames done */
	size_t state_size; /* the largest state, as promised after load */
} host;

/* --- loading --- */

static void lay_out(uint8_t *shared)
{
	host.words = (struct np_words *)(shared + NP_OFF_WORDS);
	host.blob = shared + NP_OFF_BLOB;
}

static int find_symbols(void *library)
{
	for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
		void *f = np_sys_symbol(library, symbols[i].name);

		if (!f)
			return np_fail("not a libretro core: it has no %s", symbols[i].name);
		memcpy(symbols[i].at, &f, sizeof f);
	}
	for (size_t i = 0; i < sizeof optional / sizeof *optional; i++) {
		void *f = np_sys_symbol(library, optional[i].name);

		memcpy(optional[i].at, &f, sizeof f);
	}
	if (core.retro_api_version() != RETRO_API_VERSION)
		return np_fail("speaks libretro version %u, not %u", core.retro_api_version(), RETRO_API_VERSION);
	return NP_OK;
}

/* np_core_open loads the library and lets it see its host. */
int np_core_open(struct np_setup *setup, void *shared)
{
	const char *why;
	void *library;
	int status;

	host.setup = setup;
	np_env.setup = setup;
	lay_out(shared);
	np_io_open(setup, shared);
	status = np_net_open(setup);
	if (status != NP_OK)
		return status;
	library = np_sys_library(setup->core_path, &why);
	if (!library)
		return np_fail("cannot be loaded: %s", why);
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

static int load_game(int need_fullpath)
{
	static char path[sizeof NP_DIR + NP_NAME_MAX];
	static struct retro_game_info game;

	snprintf(path, sizeof path, "%s/%s", NP_DIR, host.setup->rom_name);
	game = (struct retro_game_info){.path = path, .size = host.setup->rom_size};
	if (!need_fullpath && !(game.data = np_sys_rom(game.size)))
		return np_fail("cannot map the ROM: %s", np_sys_error());
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

/* set_cheats has the core run the console's cheats from its next frame on. They are no part of a
 * state; nor is it said that a core keeps them over a state that it loads: so they are set again
 * then, which changes nothing where it does. DeSmuME would run those twice that are not reset,
 * and takes no notice of what it is told is off. */
static int set_cheats(void)
{
	const char *code = host.setup->cheats, *end = code + host.setup->cheat_bytes;
	unsigned index = 0;

	if (code == end)
		return NP_OK;
	if (!core.retro_cheat_reset || !core.retro_cheat_set)
		return np_fail("takes no cheats");
	core.retro_cheat_reset();
	for (; code < end; code += strlen(code) + 1)
		core.retro_cheat_set(index++, true, code);
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
	core.retro_set_video_refresh(np_io_video);
	core.retro_set_audio_sample(np_io_sample);
	core.retro_set_audio_sample_batch(np_io_batch);
	core.retro_set_input_poll(np_io_poll);
	core.retro_set_input_state(np_io_state);
	status = load_game(np_env.need_fullpath >= 0 ? np_env.need_fullpath : info.need_fullpath);
	if (status == NP_OK)
		status = fill_sram();
	if (status == NP_OK)
		status = set_cheats();
	if (status != NP_OK)
		return status;
	np_io_choose();
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

/* A game can switch its console off. Some cores ask their host to be shut down then, others just
 * stand still, which the parent finds out. From there on the core does not run any more: frames
 * pass, dark and silent, and off the air. */
/* np_core_step runs frames. */
void np_core_step(const struct np_request *q, struct np_reply *r)
{
	np_io_begin();
	np_env.off |= q->off != 0;
	for (uint32_t i = 0; i < q->count; i++) {
		np_clock_set(host.frame);
		np_net_begin();
		if (np_env.off) {
			np_io_dark(host.frame);
		} else {
			np_io_input(q);
			np_net_poll();
			np_clock_reads();
			core.retro_run();
			np_env.seen |= np_clock_reads();
		}
		np_net_end();
		host.frame++;
	}
	np_clock_set(host.frame);
	r->samples = np_io_samples();
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
		np_heap_clear(0);
	done = core.retro_serialize(host.blob, host.state_size);
	np_heap_clear(1);
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
	np_env.off = q->off != 0;
	np_net_tune(q->tuned);
	np_clock_set(host.frame);
	for (int i = 0; i < q->repeat; i++)
		if (!core.retro_unserialize(host.blob, q->size))
			return np_fail("refused the state");
	set_cheats();
	np_io_restore(q->edges);
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

/* np_core_options puts the declared options into the blob. */
void np_core_options(struct np_reply *r)
{
	r->size = np_env_options((char *)host.blob, NP_OPTIONS_ROOM);
}

/* np_core_status fills what every reply says. */
void np_core_status(struct np_reply *r)
{
	r->frame = host.frame;
	r->off = (uint32_t)np_env.off;
	r->tuned = np_net_tuned();
	r->seen = np_env.seen;
	np_io_status(r);
	r->has_netpacket = (uint32_t)np_env.has_netpacket;
	r->fps = np_env.av.timing.fps;
	r->sample_rate = np_env.av.timing.sample_rate;
}
