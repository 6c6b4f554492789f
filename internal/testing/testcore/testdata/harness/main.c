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
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

struct console consoles[SEATS], *current;
int seats;
const char *core_path, *options[OPTIONS];
int option_count;
uint8_t *rom;
size_t rom_size;
int64_t watch;
static const char *rom_path;

int seat_of(const struct console *c)
{
	return (int)(c - consoles);
}

uint64_t digest(uint64_t h, const void *p, size_t n)
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

void die(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fprintf(stderr, "\n");
	exit(9);
}

void print(struct console *c)
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
