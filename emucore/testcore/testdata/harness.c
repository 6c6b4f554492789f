/*
 * A small libretro host for the test core's own tests: several consoles in one
 * process and one thread, each with its own copy of the core and its own stack,
 * so that one can stop in the middle of a frame. Their radios meet in the
 * simplest schedule that can be right: run everyone until it stops, then decide,
 * in seat order.
 *
 *   harness CORE ROM CONSOLES [SEAT:]KEY=VALUE... -- COMMAND...
 *
 *   run=N    N frames on every console     input=N  player-like input from seed N
 *   save     a state of all consoles       load=N   load it N times
 *   refuse   spoilt states must be refused
 *   fresh    start new copies of the core  reset=N  reset console N
 *   skew=N   frames a parked console may run ahead (default 1)
 *   bend=N   spoil the schedule: the nth delivery comes a poll late, or after a
 *            blocking poll has given up
 *   print    a line of key=value for each console and for the air
 *   watch=N  print a console every N frames while it runs
 *   history  each console's hashes of the last frames
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "../../libretro.h"
#include "../src/console.h"

#define SEATS 16
#define OPTIONS 128
#define QUEUE 256
#define STACK (1 << 20)
#define PACKET_BYTES 2048

enum stop { PARKED, POLLING, BLOCKED, RUNNING };

struct packet {
	uint16_t from;
	size_t len;
	uint8_t data[PACKET_BYTES];
};

struct console {
	/* the core */
	void (*set_environment)(retro_environment_t);
	void (*set_video_refresh)(retro_video_refresh_t);
	void (*set_audio_sample)(retro_audio_sample_t);
	void (*set_audio_sample_batch)(retro_audio_sample_batch_t);
	void (*set_input_poll)(retro_input_poll_t);
	void (*set_input_state)(retro_input_state_t);
	void (*init)(void);
	bool (*load_game)(const struct retro_game_info *);
	void (*run)(void);
	void (*reset)(void);
	size_t (*serialize_size)(void);
	bool (*serialize)(void *, size_t);
	bool (*unserialize)(const void *, size_t);
	void *(*get_memory_data)(unsigned);
	size_t (*get_memory_size)(unsigned);
	struct retro_netpacket_callback net;

	ucontext_t context;
	char *stack;
	enum stop stop;
	int64_t frame;
	int asked_clock; /* clock() was called since the last poll, so the next one blocks; */
	int told;        /* not counting the call by which a core sees that time is up */
	int64_t gave_up; /* how far its clock() has jumped, microseconds */

	struct packet *queue;
	unsigned head, used;
	int64_t radio; /* the last frame in which it sent or polled */

	struct pad {
		uint64_t rng;
		uint16_t keys;
		int16_t x, y;
		int touch;
	} pad, saved_pad;
	uint64_t video, samples, pictures;
	unsigned width, height;
	size_t pitch;
	void *state;
	size_t state_size;
	struct packet *saved_queue;
	unsigned saved_head, saved_used;
	int64_t saved_frame, saved_radio;
};

static struct console consoles[SEATS], *current;
static int seats, skew = 1, copies;
static ucontext_t scheduler;
static const char *core_path, *rom_path, *options[OPTIONS];
static int option_count;
static uint8_t *rom;
static size_t rom_size;
static uint64_t input_seed, trace, packets, give_ups, host_give_ups, deliveries, bend;
static int64_t watch;

static void print(struct console *c);

static int seat_of(const struct console *c)
{
	return (int)(c - consoles);
}

static uint64_t digest(uint64_t h, const void *p, size_t n)
{
	const uint8_t *b = p;
	uint64_t v;

	for (; n >= sizeof v; n -= sizeof v, b += sizeof v) {
		memcpy(&v, b, sizeof v);
		h = (h ^ v) * 0x9E3779B97F4A7C15u;
		h ^= h >> 32;
	}
	for (; n; n--)
		h = (h ^ *b++) * 0x9E3779B97F4A7C15u;
	return h;
}

static void die(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fprintf(stderr, "\n");
	exit(9);
}

/* --- the clock that the cores see --- */

#define EPOCH 1000000000

static int64_t now_us(void)
{
	return current ? (int64_t)((__int128)current->frame * 560190 * 1000000 / 33513982) : 0;
}

time_t time(time_t *out)
{
	time_t t = EPOCH + now_us() / 1000000;

	if (out)
		*out = t;
	return t;
}

int gettimeofday(struct timeval *restrict tv, void *restrict tz)
{
	(void)tz;
	*tv = (struct timeval){EPOCH + now_us() / 1000000, now_us() % 1000000};
	return 0;
}

int clock_gettime(clockid_t id, struct timespec *t)
{
	(void)id;
	*t = (struct timespec){EPOCH + now_us() / 1000000, now_us() % 1000000 * 1000};
	return 0;
}

clock_t clock(void)
{
	if (!current)
		return 0;
	if (current->told)
		current->told = 0;
	else
		current->asked_clock = 1;
	return (clock_t)(now_us() + current->gave_up);
}

/* --- what the cores call --- */

static void yield(enum stop why)
{
	struct console *c = current;

	c->stop = why;
	swapcontext(&c->context, &scheduler);
}

static const char *option_of(int seat, const char *key)
{
	const char *found = NULL;

	for (int i = 0; i < option_count; i++) {
		const char *o = options[i];
		char *end;
		long only = strtol(o, &end, 10);

		if (*end == ':' && end != o) {
			if (only != seat)
				continue;
			o = end + 1;
		}
		if (strncmp(o, key, strlen(key)) == 0 && o[strlen(key)] == '=')
			found = o + strlen(key) + 1;
	}
	return found;
}

static void log_line(enum retro_log_level level, const char *fmt, ...)
{
	(void)level;
	(void)fmt;
}

static bool environment(unsigned cmd, void *data)
{
	static char name[16];
	struct retro_variable *v = data;

	switch (cmd) {
	case RETRO_ENVIRONMENT_GET_CORE_OPTIONS_VERSION:
		*(unsigned *)data = 2;
		return true;
	case RETRO_ENVIRONMENT_SET_CORE_OPTIONS_V2:
	case RETRO_ENVIRONMENT_SET_CONTENT_INFO_OVERRIDE:
	case RETRO_ENVIRONMENT_SET_PIXEL_FORMAT:
	case RETRO_ENVIRONMENT_GET_INPUT_BITMASKS:
		return true;
	case RETRO_ENVIRONMENT_GET_VARIABLE:
		v->value = strncmp(v->key, "testcore_", 9) ? NULL : option_of(seat_of(current), v->key + 9);
		return v->value != NULL;
	case RETRO_ENVIRONMENT_GET_LOG_INTERFACE:
		((struct retro_log_callback *)data)->log = log_line;
		return true;
	case RETRO_ENVIRONMENT_GET_SAVE_DIRECTORY:
		*(const char **)data = getenv("HARNESS_SAVES");
		return *(const char **)data != NULL;
	case RETRO_ENVIRONMENT_GET_USERNAME:
		snprintf(name, sizeof name, "Seat%d", seat_of(current));
		*(const char **)data = name;
		return true;
	case RETRO_ENVIRONMENT_SET_NETPACKET_INTERFACE:
		current->net = *(struct retro_netpacket_callback *)data;
		return true;
	}
	return false;
}

static void video(const void *data, unsigned width, unsigned height, size_t pitch)
{
	uint64_t h = 1;

	current->pictures++;
	current->width = width;
	current->height = height;
	current->pitch = pitch;
	if (!data || width != SCREEN_W || height != SCREEN_H || pitch != SCREEN_W * 4)
		return;
	for (unsigned y = 0; y < height; y++)
		h = digest(h, (const uint8_t *)data + y * pitch, width * 4);
	current->video = h;
}

static size_t batch(const int16_t *data, size_t n)
{
	(void)data;
	current->samples += n;
	return n;
}

static void sample(int16_t l, int16_t r)
{
	(void)l;
	(void)r;
	current->samples++;
}

static void poll_input(void) {}

static int16_t input(unsigned port, unsigned device, unsigned index, unsigned id)
{
	if (port || index)
		return 0;
	if (device == RETRO_DEVICE_JOYPAD)
		return id == RETRO_DEVICE_ID_JOYPAD_MASK ? (int16_t)current->pad.keys
		                                         : (int16_t)(current->pad.keys >> id & 1);
	if (device != RETRO_DEVICE_POINTER)
		return 0;
	return id == RETRO_DEVICE_ID_POINTER_X   ? current->pad.x
	       : id == RETRO_DEVICE_ID_POINTER_Y ? current->pad.y
	                                         : (int16_t)current->pad.touch;
}

/* --- the air --- */

/* A console whose radio is silent hears nothing; of one that does not keep up
 * the oldest is lost. */
static void push(struct console *to, const void *buf, size_t len)
{
	if (to->radio + 1 < to->frame)
		return;
	if (to->used == QUEUE) {
		to->head = (to->head + 1) % QUEUE;
		to->used--;
	}
	struct packet *p = &to->queue[(to->head + to->used++) % QUEUE];
	p->from = (uint16_t)seat_of(current);
	p->len = len;
	memcpy(p->data, buf, len);
}

static void send_packet(int flags, const void *buf, size_t len, uint16_t to)
{
	(void)flags;
	if (!buf || len == 0)
		return;
	if (len > PACKET_BYTES)
		die("a packet of %zu bytes", len);
	current->radio = current->frame;
	int from = seat_of(current);
	packets++;
	trace = digest(digest(digest(trace, &from, sizeof from), &current->frame, sizeof current->frame), buf, len);
	for (int i = 0; i < seats; i++)
		if (i != from && (to == RETRO_NETPACKET_BROADCAST || to == i))
			push(&consoles[i], buf, len);
}

static void deliver(struct console *c)
{
	if (!c->used)
		return;
	if (++deliveries == bend) {
		c->gave_up += 30000;
		c->told = c->stop == BLOCKED;
		return;
	}
	struct packet *p = &c->queue[c->head];
	c->head = (c->head + 1) % QUEUE;
	c->used--;
	current = c;
	c->net.receive(p->data, p->len, p->from);
	current = NULL;
}

static void poll_packets(void)
{
	struct console *c = current;
	int blocks = c->asked_clock;

	c->asked_clock = 0;
	c->radio = c->frame;
	yield(blocks ? BLOCKED : POLLING);
}

static void wake(struct console *c)
{
	c->stop = RUNNING;
	current = c;
	swapcontext(&scheduler, &c->context);
	current = NULL;
}

static void live(void)
{
	for (;;) {
		current->run();
		current->frame++;
		if (watch && current->frame % watch == 0)
			print(current);
		yield(PARKED);
	}
}

static int64_t lowest(void)
{
	int64_t f = consoles[0].frame;

	for (int i = 1; i < seats; i++)
		if (consoles[i].frame < f)
			f = consoles[i].frame;
	return f;
}

/* A player who holds things for about eight frames. */
static void next_input(struct console *c)
{
	struct pad *p = &c->pad;

	p->rng = p->rng * 6364136223846793005u + 1442695040888963407u;
	if (!input_seed || p->rng >> 61)
		return;
	p->keys = (uint16_t)(p->rng >> 40 & 0x5fff);
	p->touch = p->rng >> 32 & 1;
	p->x = (int16_t)(p->rng >> 16);
	p->y = (int16_t)(p->rng >> 8 & 0x7fff);
}

/* one_round wakes whoever may go on, and says whether anybody did. */
static int one_round(int64_t until)
{
	int woken = 0, blocked = 0, quiet = 1;
	enum stop was[SEATS];
	int64_t low = lowest();
	int all_parked = 1;

	for (int i = 0; i < seats; i++) {
		was[i] = consoles[i].stop;
		all_parked &= was[i] == PARKED;
		blocked += was[i] == BLOCKED;
		quiet &= was[i] != POLLING && !(was[i] == BLOCKED && consoles[i].used);
	}
	for (int i = 0; i < seats; i++) {
		struct console *c = &consoles[i];
		int ahead = was[i] == PARKED && c->frame < until && quiet && blocked && c->frame - low <= skew;
		int begins = was[i] == PARKED && c->frame < until && all_parked && c->frame == low;

		if (was[i] == POLLING || (was[i] == BLOCKED && c->used))
			deliver(c);
		else if (begins || ahead)
			next_input(c);
		else
			continue;
		wake(c);
		woken++;
	}
	return woken;
}

/* No packet and nobody to bring one: the lowest blocked seat goes on without. */
static int give_up(void)
{
	for (int i = 0; i < seats; i++) {
		struct console *c = &consoles[i];

		if (c->stop != BLOCKED)
			continue;
		give_ups++;
		host_give_ups += ((struct report *)c->get_memory_data(RETRO_MEMORY_SYSTEM_RAM))->aid == 0;
		c->gave_up += 30000;
		c->told = 1;
		wake(c);
		return 1;
	}
	return 0;
}

static void run(int64_t frames)
{
	int64_t until = consoles[0].frame;

	for (int i = 1; i < seats; i++)
		if (consoles[i].frame > until)
			until = consoles[i].frame;
	until += frames;
	while (lowest() < until)
		if (!one_round(until) && !give_up())
			die("nobody can go on");
}

/* --- consoles --- */

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

static void start_all(void)
{
	for (int i = 0; i < seats; i++)
		start(&consoles[i]);
}

static void save(struct console *c)
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

static void load(struct console *c, int times)
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
static void refuse(struct console *c)
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

static void print(struct console *c)
{
	struct report *p = c->get_memory_data(RETRO_MEMORY_SYSTEM_RAM);

	printf("seat=%d frame=%llu hash=%016llx video=%016llx ram=%016llx sram=%016llx state=%016llx", seat_of(c),
	       (unsigned long long)p->frame, (unsigned long long)p->hash, (unsigned long long)c->video,
	       (unsigned long long)digest(1, p, RAM_SIZE),
	       (unsigned long long)digest(1, c->get_memory_data(RETRO_MEMORY_SAVE_RAM),
	                                  c->get_memory_size(RETRO_MEMORY_SAVE_RAM)),
	       (unsigned long long)(c->state ? digest(1, c->state, c->state_size) : 0));
	printf(" pictures=%llu width=%u height=%u pitch=%zu", (unsigned long long)c->pictures, c->width, c->height,
	       c->pitch);
	printf(" size=%zu samples=%llu ticks=%llu rtc=%llu keys=%u x=%u y=%u stray=%u", c->state_size,
	       (unsigned long long)c->samples, (unsigned long long)p->ticks, (unsigned long long)p->rtc, p->keys, p->x,
	       p->y, p->stray);
	printf(" shared=%016llx rounds=%u lost=%u disagreed=%u heard=%u polls=%u waits=%u timeouts=%u sent=%u "
	       "received=%u bad=%u",
	       (unsigned long long)p->shared, p->rounds, p->lost, p->disagreed, p->heard, p->polls, p->waits,
	       p->timeouts, p->sent, p->received, p->bad);
	printf(" role=%u stage=%u members=%u aid=%u settled=%u stretched=%u phase=%u saves=%u granted=%u escaped=%u "
	       "spilled=%u name=%s\n",
	       p->role & 255, p->role >> 8, p->members, p->aid, p->settled, p->stretched, p->phase_us, p->saves,
	       p->granted, p->escaped, p->spilled, p->fw.nickname);
}

static void print_history(struct console *c)
{
	const uint8_t *memory = c->get_memory_data(RETRO_MEMORY_SYSTEM_RAM);
	uint64_t h;

	for (int64_t f = 1; f <= c->frame && f < HISTORY_FRAMES; f++) {
		memcpy(&h, memory + AT_HISTORY + f * 8, 8);
		printf("%s%016llx", f > 1 ? " " : "", (unsigned long long)h);
	}
	printf("\n");
}

static void each(void (*f)(struct console *))
{
	for (int i = 0; i < seats; i++)
		f(&consoles[i]);
}

static void command(const char *text)
{
	const char *eq = strchr(text, '=');
	long n = eq ? strtol(eq + 1, NULL, 10) : 0;
#define IS(word) (strncmp(text, word, strlen(word)) == 0)

	if (IS("run"))
		run(n);
	else if (IS("input")) {
		input_seed = (uint64_t)n;
		for (int i = 0; i < seats; i++)
			consoles[i].pad.rng = input_seed * 1000003 + (uint64_t)i;
	} else if (IS("save"))
		each(save);
	else if (IS("load"))
		for (int i = 0; i < seats; i++)
			load(&consoles[i], (int)n);
	else if (IS("refuse"))
		each(refuse);
	else if (IS("fresh"))
		start_all();
	else if (IS("reset")) {
		current = &consoles[n];
		consoles[n].reset();
		current = NULL;
	} else if (IS("skew"))
		skew = (int)n;
	else if (IS("watch"))
		watch = n;
	else if (IS("bend"))
		bend = (uint64_t)n;
	else if (IS("history"))
		each(print_history);
	else if (IS("print")) {
		each(print);
		printf("air packets=%llu trace=%016llx giveups=%llu hostgiveups=%llu\n", (unsigned long long)packets,
		       (unsigned long long)trace, (unsigned long long)give_ups, (unsigned long long)host_give_ups);
	} else
		die("what is %s?", text);
}

static void read_rom(void)
{
	FILE *f = fopen(rom_path, "rb");

	if (!f)
		die("no %s", rom_path);
	rom = malloc(64 << 20);
	rom_size = fread(rom, 1, 64 << 20, f);
	fclose(f);
}

int main(int argc, char **argv)
{
	int i = 4;

	if (argc < 4)
		die("usage: harness CORE ROM CONSOLES [SEAT:]KEY=VALUE... -- COMMAND...");
	core_path = argv[1];
	rom_path = argv[2];
	seats = atoi(argv[3]);
	if (seats < 1 || seats > SEATS)
		die("1 to %d consoles", SEATS);
	for (; i < argc && strcmp(argv[i], "--"); i++)
		options[option_count++] = argv[i];
	read_rom();
	start_all();
	while (++i < argc)
		command(argv[i]);
	fflush(stdout);
	return 0;
}
