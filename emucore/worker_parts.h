/*
 * The parts of the worker, and what each offers to the others.
 */
#ifndef NETTPLAY_WORKER_PARTS_H
#define NETTPLAY_WORKER_PARTS_H

#include "libretro.h"
#include "protocol.h"

#ifdef __MINGW32__ /* whose plain printf is that of an old C */
#define NP_PRINTF __attribute__((format(gnu_printf, 1, 2)))
#else
#define NP_PRINTF __attribute__((format(printf, 1, 2)))
#endif

/* worker.c */
void np_worker_run(void *shared) __attribute__((noreturn));

/* worker_fail.c */
void np_fail_enter(void *shared);
int np_fail(const char *fmt, ...) NP_PRINTF; /* notes why a request failed, for the reply */
void np_die(const char *fmt, ...) __attribute__((noreturn)) NP_PRINTF;

/* worker_end_linux.c, worker_sys_windows.c: the last words, in the log, and the end */
void np_sys_print(const char *text, size_t n);
void np_sys_exit(int status) __attribute__((noreturn));

/* worker_sys_linux.c, worker_sys_windows.c: what a worker asks of the system */
void np_sys_receive(struct np_request *q);
void np_sys_reply(const struct np_reply *r);
const void *np_sys_rom(size_t size); /* the content, resident for as long as the worker lives */
void *np_sys_air(size_t size);
const char *np_sys_error(void); /* why one of the last two gave NULL */
void *np_sys_library(const char *path, const char **why);
void *np_sys_symbol(void *library, const char *name);

/* worker_world_linux.c, worker_world_windows.c: the fixed surroundings of a core */
void np_world_enter(const struct np_setup *setup);
int np_world_seal(int may_compile);

/* worker_heap_linux.c, worker_heap_windows.c: memory that malloc has cleared when it gives it out, or as it is */
void np_heap_clear(int on);

/* worker_trap_linux.c: system calls answered here */
void np_trap_enter(const char *save_name);

/* worker_shm_linux.c: memory that a core shares with itself */
void np_shm_enter(void);
int np_shm_open(void);

/* worker_seccomp_linux.c */
void np_seccomp_enter(void);
void np_seccomp_seal(int may_compile);

/* worker_core.c: the libretro host */
int np_core_open(struct np_setup *setup, void *shared);
void np_core_probe(void);
int np_core_load(struct np_reply *r);
void np_core_step(const struct np_request *q, struct np_reply *r);
int np_core_save(const struct np_request *q, struct np_reply *r);
int np_core_restore(const struct np_request *q);
int np_core_memory(const struct np_request *q, struct np_reply *r);
void np_core_options(struct np_reply *r);
void np_core_status(struct np_reply *r);

/* worker_io.c: pictures, sound and input; the first five are the core's to call */
void np_io_video(const void *data, unsigned width, unsigned height, size_t pitch);
size_t np_io_batch(const int16_t *data, size_t frames);
void np_io_sample(int16_t left, int16_t right);
void np_io_poll(void);
int16_t np_io_state(unsigned port, unsigned device, unsigned index, unsigned id);
void np_io_open(const struct np_setup *setup, void *shared);
void np_io_choose(void);
void np_io_begin(void);
uint32_t np_io_samples(void);
void np_io_dark(int64_t frame);
void np_io_input(const struct np_request *q);
void np_io_restore(struct np_edges edges);
void np_io_status(struct np_reply *r);

/* worker_radio.c: the netpacket interface */
int np_net_open(const struct np_setup *setup);
void np_net_start(void);
void np_net_begin(void);
void np_net_poll(void);
void np_net_end(void);
int64_t np_net_waited(void);
struct np_tuned np_net_tuned(void);
void np_net_tune(struct np_tuned t);

/* worker_env.c: environment calls */
struct np_env {
	const struct np_setup *setup;
	enum retro_pixel_format format;
	int format_fixed; /* a picture has been made with it */
	int has_netpacket;
	struct retro_netpacket_callback netpacket;
	int want_hardware; /* it asked for a graphics API */
	unsigned seen;     /* bits of NP_SEEN_* */
	int off;           /* the console is switched off */
	int need_fullpath; /* -1: as retro_get_system_info says */
	struct retro_system_av_info av;
	int described;                /* it has said what its buttons are */
	char label[16][NP_LABEL_MAX]; /* of the first player's joypad */
};
extern struct np_env np_env;
bool np_environment(unsigned cmd, void *data);
size_t np_env_options(char *to, size_t room);

/* The private directories under a name that is the same on every machine, and on Linux
 * stays right if a core changes its working directory. */
#ifdef _WIN32
#define NP_DIR "."
#else
#define NP_DIR "/proc/self/fd/5"
_Static_assert(NP_FD_DIR == 5, "NP_DIR names it");
#endif
static const char np_save_dir[] = NP_DIR "/save";
static const char np_system_dir[] = NP_DIR "/system";

/* clock.c: how the virtual clock moves; clock_linux.c and clock_windows.c show it to the core, and have the real one */
void np_clock_start(int64_t rtc);
void np_clock_set(int64_t frame);
unsigned np_clock_reads(void);
int np_clock_asked(void);
void np_clock_give_up(void);
int np_clock_virtual(void);
int64_t np_clock_wall(int64_t *ns);
int64_t np_clock_up(void);
int64_t np_clock_used(void);
void np_clock_slept(void);
int64_t np_real_ns(void);

#endif
