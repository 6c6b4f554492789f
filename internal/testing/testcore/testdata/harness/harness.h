/*
 * Shared by the parts of the harness: main.c reads commands and prints, console.c
 * starts, saves and loads consoles, calls.c is what cores see of their host, air.c the
 * schedule.
 */
#ifndef HARNESS_H
#define HARNESS_H

#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

#include "../../../../../emucore/libretro.h"
#include "../../src/console.h"

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

/* main.c */
extern struct console consoles[SEATS], *current; /* current: the one whose core runs, or NULL */
extern int seats;
extern const char *core_path, *options[OPTIONS];
extern int option_count;
extern uint8_t *rom;
extern size_t rom_size;
extern int64_t watch;
int seat_of(const struct console *c);
uint64_t digest(uint64_t h, const void *p, size_t n);
void die(const char *fmt, ...) __attribute__((noreturn, format(printf, 1, 2)));
void print(struct console *c);

/* calls.c */
bool environment(unsigned cmd, void *data);
void video(const void *data, unsigned width, unsigned height, size_t pitch);
size_t batch(const int16_t *data, size_t n);
void sample(int16_t l, int16_t r);
void poll_input(void);
int16_t input(unsigned port, unsigned device, unsigned index, unsigned id);

/* air.c */
extern int skew;
extern uint64_t input_seed, trace, packets, give_ups, host_give_ups, bend;
void send_packet(int flags, const void *buf, size_t len, uint16_t to);
void poll_packets(void);
void live(void);
void run(int64_t frames);

/* console.c */
void start_all(void);
void save(struct console *c);
void load(struct console *c, int times);
void refuse(struct console *c);

#endif
