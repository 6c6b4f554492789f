/* Consoles: each with a copy of the core and a stack of its own. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness.h"

static int copies;

static void *load_copy(void)
{
	char path[64], command[4096];

	snprintf(path, sizeof path, "./copy%d.so", copies++);
	snprintf(command, sizeof command, "cp '%s' %s", core_path, path);
	if (system(command))
		die("cannot copy %s", core_path);
	void *so = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!so)
		die("%s", dlerror());
	unlink(path);
	return so;
}

static void open_core(struct console *c)
{
	void *so = load_copy();

#define GET(name)                                                        \
	if (!(c->name = (__typeof__(c->name))dlsym(so, "retro_" #name))) \
	die("no retro_" #name)
	GET(set_environment);
	GET(set_video_refresh);
	GET(set_audio_sample);
	GET(set_audio_sample_batch);
	GET(set_input_poll);
	GET(set_input_state);
	GET(init);
	GET(load_game);
	GET(run);
	GET(reset);
	GET(serialize_size);
	GET(serialize);
	GET(unserialize);
	GET(get_memory_data);
	GET(get_memory_size);
#undef GET
}

static void start(struct console *c)
{
	struct retro_game_info game = {"/nowhere/game.nds", rom, rom_size, NULL};

	open_core(c);
	current = c;
	c->set_environment(environment);
	c->set_video_refresh(video);
	c->set_audio_sample(sample);
	c->set_audio_sample_batch(batch);
	c->set_input_poll(poll_input);
	c->set_input_state(input);
	c->init();
	if (!c->load_game(&game))
		die("load_game failed");
	if (c->net.start)
		c->net.start(0, send_packet, poll_packets);
	current = NULL;
	if (!c->stack) {
		c->stack = malloc(STACK);
		c->queue = calloc(QUEUE, sizeof *c->queue);
		c->saved_queue = calloc(QUEUE, sizeof *c->queue);
	}
	c->stop = PARKED;
	c->radio = -2;
	getcontext(&c->context);
	c->context.uc_stack.ss_sp = c->stack;
	c->context.uc_stack.ss_size = STACK;
	makecontext(&c->context, live, 0);
}

void start_all(void)
{
	for (int i = 0; i < seats; i++)
		start(&consoles[i]);
}

void save(struct console *c)
{
	current = c;
	free(c->state);
	c->state_size = c->serialize_size();
	c->state = calloc(1, c->state_size);
	if (!c->serialize(c->state, c->state_size))
		die("serialize failed");
	current = NULL;
	memcpy(c->saved_queue, c->queue, QUEUE * sizeof *c->queue);
	c->saved_head = c->head;
	c->saved_used = c->used;
	c->saved_pad = c->pad;
	c->saved_frame = c->frame;
	c->saved_radio = c->radio;
}

void load(struct console *c, int times)
{
	current = c;
	c->pad = c->saved_pad;
	c->frame = c->saved_frame;
	c->radio = c->saved_radio;
	while (times-- > 0)
		if (!c->unserialize(c->state, c->state_size))
			die("unserialize failed");
	current = NULL;
	memcpy(c->queue, c->saved_queue, QUEUE * sizeof *c->queue);
	c->head = c->saved_head;
	c->used = c->saved_used;
}

/* A state that was spoilt must be refused, and leave the console alone. */
void refuse(struct console *c)
{
	uint8_t *bytes = c->state;

	current = c;
	bytes[1000] ^= 1;
	if (c->unserialize(bytes, c->state_size))
		die("took a spoilt state");
	bytes[1000] ^= 1;
	if (c->unserialize(bytes, c->state_size / 2))
		die("took half a state");
	current = NULL;
}
