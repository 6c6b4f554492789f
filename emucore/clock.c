/*
 * The virtual clock of a worker. It advances with frames only: frame n of a DS
 * begins n * 560190 / 33513982 seconds after frame 0, and during a frame the clock
 * stands still. So what a core does with the time cannot depend on the speed of its machine or
 * on when the game is played. clock_linux.c and clock_windows.c show it to the core.
 */
#include "worker_parts.h"

#define CYCLES_PER_SECOND 33513982 /* ARM7 clock of the DS, Hz */
#define CYCLES_PER_FRAME 560190    /* 355 dots * 6 cycles * 263 lines */
#define NS 1000000000LL

/* A console has been up for this long at frame 0. Not 0: some code takes a time
 * of zero for "never". */
#define UPTIME_NS (60 * NS)

static int virtual_clock; /* set once, in a worker, while it has one thread */
static int64_t start_s;
static int64_t elapsed_ns;

/* A core that waits for a packet calls clock() to see whether it has waited
 * long enough; there is no other sign of a wait. These are cleared at the end of each
 * frame, as no wait lasts longer, so they are not part of a console's state. */
static int asked;                   /* clock() has been called since the last poll */
static int forgiven;                /* its next call shows nothing: see np_clock_give_up */
static int64_t waited_ns;           /* by which clock() is ahead of the frame's start */
#define GIVE_UP_NS (30 * NS / 1000) /* the longest wait known is 25 ms */

static unsigned reads; /* bits of NP_SEEN_*, since they were asked for */

/* np_clock_reads returns which clocks have been read since its last call. */
unsigned np_clock_reads(void)
{
	unsigned was = reads;

	reads = 0;
	return was;
}

void np_clock_start(int64_t rtc)
{
	start_s = rtc;
	elapsed_ns = 0;
	virtual_clock = 1;
}

void np_clock_set(int64_t frame)
{
	elapsed_ns = (int64_t)((__int128)frame * CYCLES_PER_FRAME * NS / CYCLES_PER_SECOND);
	asked = forgiven = 0;
	waited_ns = 0;
}

/* np_clock_asked reports whether clock() has been called since its last call. */
int np_clock_asked(void)
{
	int was = asked;

	asked = forgiven = 0;
	return was;
}

/* np_clock_give_up brings a core to the end of its wait. Its loop looks at the
 * clock once more before it ends, which is no sign of another wait. */
void np_clock_give_up(void)
{
	waited_ns += GIVE_UP_NS;
	forgiven = 1;
}

/* np_clock_virtual reports whether this is a worker. */
int np_clock_virtual(void)
{
	return virtual_clock;
}

/* np_clock_wall is the time of day: seconds since 1970, and nanoseconds beyond them. */
int64_t np_clock_wall(int64_t *ns)
{
	reads |= NP_SEEN_WALL;
	*ns = elapsed_ns % NS;
	return start_s + elapsed_ns / NS;
}

/* np_clock_up returns how long the console has been up, in nanoseconds. */
int64_t np_clock_up(void)
{
	reads |= NP_SEEN_UP;
	return UPTIME_NS + elapsed_ns;
}

/* np_clock_slept notes that a core slept, which took no time. */
void np_clock_slept(void)
{
	reads |= NP_SEEN_SLEEP;
}

/* np_clock_used is the processor time used, as if the core kept the processor busy all the
 * time. To ask for it is what np_clock_asked tells of. */
int64_t np_clock_used(void)
{
	reads |= NP_SEEN_USED;
	asked = !forgiven;
	forgiven = 0;
	return UPTIME_NS + elapsed_ns + waited_ns;
}
