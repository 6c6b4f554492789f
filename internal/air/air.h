/*
 * The air: the radio between the consoles of one machine. doc.go says
 * what its words mean and why it is right; this file has the layout.
 *
 * The struct lies in memory shared by the parent and all workers. Any of them
 * may be killed at any instruction, so everything that decides is in np_state,
 * of which there are two copies: the holder of the lock works on a private copy,
 * writes it to the spare one and then turns `current` over. Packets lie beside
 * it where only the new copy refers to them.
 *
 * Any of them may also be hostile. A private copy is checked before it is used
 * (np_air_check), and a length or index outside it is read once, then bounded.
 */
#ifndef NETTPLAY_AIR_H
#define NETTPLAY_AIR_H

#include <stddef.h>
#include <stdint.h>

#define NP_AIR_SEATS 16
#define NP_AIR_PACKET 2400  /* bytes of a packet; an 802.11 frame of a DS is shorter */
#define NP_AIR_OUTBOX 32    /* packets a console may send between two stops */
#define NP_AIR_QUEUE 256    /* packets that wait for a console; the oldest falls off */
#define NP_AIR_SLOTS 1024   /* of a queue: no slot is used again in the decision that frees it */
#define NP_AIR_RECORDS 4096 /* of the trace; older ones are overwritten */
/* ... of which so many can be read: the others may be half overwritten by a worker that died in a decision */
#define NP_AIR_KEPT (NP_AIR_RECORDS - NP_AIR_SEATS * NP_AIR_OUTBOX)
#define NP_AIR_EVERYONE 0xffff
#define NP_AIR_SKEW_MAX 16
#define NP_AIR_GRANT 56 /* give-ups in a grant: 448 us of a console that polls every 8 us */
#define NP_AIR_IDLE 2   /* polls of its host that a grant needs; they are 512 us apart */
#define NP_AIR_NO_HOST 0xffu
#define NP_AIR_UNKNOWN 0xffu /* polls, of a console about whose time nothing is known */
#define NP_AIR_LONG 0xffffu  /* polls, more than there are in a frame */
#define NP_AIR_SILENT 2      /* frames without a packet after which the air is silent */
#define NP_AIR_STRIDE 8      /* of so many polls on a silent air a console stands at one */
#define NP_AIR_FRAME_MAX ((int64_t)1 << 60)
#define NP_AIR_PARENT NP_AIR_SEATS /* as owner of a lock */

_Static_assert(NP_AIR_SLOTS >= NP_AIR_QUEUE + (NP_AIR_SEATS - 1) * NP_AIR_OUTBOX, "slots are used again too early");
_Static_assert((NP_AIR_SLOTS & (NP_AIR_SLOTS - 1)) == 0, "slot numbers wrap");

enum np_where {
	NP_ABSENT,
	NP_OFF,     /* off the air: runs freely */
	NP_WAITING, /* off the air, stands at its first radio operation */
	NP_RUNNING, /* on the air, here and below */
	NP_POLLING, /* stands at a poll that does not block */
	NP_BLOCKED, /* stands at one that does */
	NP_PARKED,  /* has finished a frame */
};

enum np_event {
	NP_NOTHING, /* only see whether a decision can be taken */
	NP_SEND,    /* first operation of a console off the air; others need no event */
	NP_POLL,
	NP_BLOCK,
	NP_HOST_BLOCK, /* as NP_BLOCK, by a game host that awaits replies: for counting */
	NP_END,        /* of a frame with a radio operation in it */
	NP_END_SILENT,
	NP_GONE, /* its worker is dead */
};

enum np_answer {
	NP_NONE,    /* to a poll: no packet now. To a send: go ahead */
	NP_PACKET,  /* one packet, in the door */
	NP_GIVE_UP, /* to a blocking poll: nothing is coming */
};

/* Schedules that are wrong on purpose, to see tests fail, where NP_FAULTS is defined. */
enum np_break {
	NP_BREAK_EARLY = 1, /* decide while somebody runs */
	NP_BREAK_ORDER = 2, /* merge in the order of arrival */
};

/* Where a worker dies on purpose that has the lock, where NP_FAULTS is defined. */
enum np_death {
	NP_DEATH_LOCKED = 1, /* it has done nothing yet */
	NP_DEATH_DECIDED,    /* packets and answers are written, the state is not */
	NP_DEATH_COMMITTED,  /* the state is, but nobody's door is open */
	NP_DEATH_OPENED,     /* all is done, and nobody called */
	NP_DEATH_STUCK,      /* it has done nothing yet, and lives, but never goes on */
};

struct np_seat {
	int64_t frame;       /* frames done: the number of the one it is in or will begin */
	uint32_t head, tail; /* packets taken from its queue and put there */
	uint32_t merged;     /* packets taken from its outbox */
	uint32_t turn;       /* how often it was let run */
	uint8_t where;       /* enum np_where */
	uint8_t at;          /* enum np_event at which it stands: WAITING, POLLING, BLOCKED */
	uint8_t idle;        /* polls in a row without a packet, sent or got, and within a frame */
	uint8_t known;       /* what its outbox says of its time is newer than the last stop of all */
	uint8_t zero[4];
	/* only counted */
	uint64_t sent, heard, fallen, give_ups, host_give_ups, grants, high_water;
};

struct np_state {
	uint64_t round;   /* decisions taken */
	uint64_t chain;   /* hash of all records of the trace so far */
	uint64_t records; /* number of them */
	int64_t open;     /* frames from this one on may not be begun yet */
	int64_t stop;     /* frames from this one on are not begun: consoles stop there */
	int64_t noise;    /* the highest frame that somebody was in when a packet was sent, or that
			   * of the last stop of all */
	uint32_t skew;
	uint16_t broken; /* enum np_break */
	uint16_t plain;  /* no grants and no leaves */
	struct np_seat seat[NP_AIR_SEATS];
};

struct np_packet {
	uint32_t len;
	uint16_t from, to; /* seats; NP_AIR_EVERYONE */
	uint8_t data[NP_AIR_PACKET];
};

/* The packets sent, in the order (round, seat, sequence). */
struct np_record {
	int64_t frame; /* of the sender */
	uint64_t round;
	uint64_t hash; /* of the bytes */
	uint32_t len;
	uint16_t seat, to;
};

/* Where a stopped console waits; only its worker and the one that decides use it. */
struct np_door {
	uint32_t turn;   /* futex: np_seat.turn, once everything is ready */
	uint32_t answer; /* enum np_answer */
	uint32_t mute;   /* answer polls yourself until your frame ends */
	uint32_t grant;  /* this many further blocking polls are given up by yourself */
	uint32_t leave;  /* this many further polls that do not block get nothing, by yourself */
	uint32_t stride; /* so do those whose number in the frame is no multiple of this */
	struct np_packet packet;
} __attribute__((aligned(64)));

/* Written by one worker while it runs, read while it stands. */
struct np_outbox {
	uint32_t count;  /* packets ever put here */
	uint32_t host;   /* the seat whose command it follows, or NP_AIR_NO_HOST */
	uint32_t behind; /* polls of the host that it may be ahead of it */
	uint32_t ahead;  /* see np_radio_follow */
	uint32_t own;    /* polls since it was let run that it has answered by itself */
	struct np_packet slot[NP_AIR_OUTBOX];
} __attribute__((aligned(64)));

struct np_queue {
	struct np_packet slot[NP_AIR_SLOTS];
};

/* Packets and answers: all that a decision touches outside np_state. */
struct np_post {
	struct np_door door[NP_AIR_SEATS];
	struct np_outbox out[NP_AIR_SEATS];
	struct np_record record[NP_AIR_RECORDS];
	struct np_queue queue[NP_AIR_SEATS];
};

struct np_air {
	uint32_t lock;                               /* futex; see lock.c */
	uint32_t baton __attribute__((aligned(64))); /* futex: held by the one that runs, in serial mode */
	uint32_t serial;
	uint32_t current; /* which np_state */
#ifdef NP_FAULTS
	struct {
		int64_t frame;
		uint32_t seat, where; /* enum np_death */
	} death;
#endif
	struct np_state state[2] __attribute__((aligned(64)));
	struct np_post post;
};

/* --- rules.c, packets.c, doors.c, grants.c: the decision. Nothing here waits, allocates or fails. --- */

/* np_air_check makes any bytes a state on which the rest is safe. */
void np_air_check(struct np_state *s);

/* np_air_arrive notes what a console has come to. */
void np_air_arrive(struct np_state *s, struct np_post *p, int seat, enum np_event e);

/* np_air_decide takes the decision that ends the round, if it can be taken now.
 * It returns whether a console was let run. last: the one that arrived last; it has no
 * influence but in a broken schedule. */
int np_air_decide(struct np_state *s, struct np_post *p, int last);

/* --- wait.c: the meeting point --- */

/* A worker's end. One thread; its memory is the worker's own. */
struct np_radio {
	struct np_air *air;
	int seat;
	int in_frame;                 /* between begin and end; nothing reaches the air outside */
	int on;                       /* on the air */
	int used;                     /* a radio operation in this frame */
	int mute;                     /* polls of this frame are answered here */
	uint32_t grant;               /* so are this many blocking ones */
	uint32_t leave;               /* and this many that do not block */
	uint32_t stride;              /* and those whose number is no multiple of this */
	uint32_t polls;               /* in this frame, that do not block */
	uint32_t own;                 /* answered here since the last stop */
	unsigned host, behind, ahead; /* see np_radio_follow */
	struct np_packet packet;      /* the last one received */
};

void np_radio_open(struct np_radio *r, struct np_air *air, int seat);

/* np_radio_begin is called before each frame is run. A console that is parked
 * waits in it until it may go on. */
void np_radio_begin(struct np_radio *r);

/* np_radio_send puts a packet on the air: to a seat or NP_AIR_EVERYONE. It returns
 * -1, having done nothing, for one of no or more than NP_AIR_PACKET bytes. */
int np_radio_send(struct np_radio *r, const void *data, size_t len, unsigned to);

/* np_radio_follow says whose game this console is a client of: a seat, or
 * NP_AIR_NO_HOST, which no longer holds once it is said otherwise. With a host it
 * may be granted give-ups, and then it passes time while its host does. This is
 * exact if it blocks at an emulated time not later than that of the last packet
 * from its host, its length, and behind times 512 us.
 *
 * ahead, of a console with a host: not 0 if what it heard last, from that host, was
 * an ack, at a blocking poll (so the ack is meant for it), and it has neither polled
 * nor sent since: it runs on and is quiet. Of
 * one without: how many idle polls it is away from the second one at which all have
 * run on for as long as its last ack allowed; NP_AIR_UNKNOWN if it has sent or heard
 * anything since, or more than that. */
void np_radio_follow(struct np_radio *r, unsigned host, unsigned behind, unsigned ahead);

/* np_radio_poll asks for a packet, which is then in r->packet until the next
 * call. e: NP_POLL, NP_BLOCK or NP_HOST_BLOCK. NP_GIVE_UP comes only for the
 * blocking ones, which never get NP_NONE. */
enum np_answer np_radio_poll(struct np_radio *r, enum np_event e);

/* np_radio_end is called when a frame has been run. It never waits for others. */
void np_radio_end(struct np_radio *r);

/* --- wait.c: for the parent. dead: the seats whose workers are dead, a bit for each, which may
 * become more while a call waits: what those have kept is taken from them. The owner that is
 * returned, or in *owner, has kept the lock for too long and is not among them, so the state is as it
 * was; -1: there is none --- */

/* np_air_mend frees what dead workers held, wakes those that may have missed a call, and takes the
 * dead off the air. */
int np_air_mend(struct np_air *air, const uint32_t *dead);

/* np_air_event is an arrival without waiting for the turn. */
int np_air_event(struct np_air *air, int seat, enum np_event e);

/* np_air_enter takes the lock and copies the current state, checked; np_air_leave
 * gives the lock back after putting s in its place, unless s is NULL. */
int np_air_enter(struct np_air *air, const uint32_t *dead, struct np_state *s);
void np_air_leave(struct np_air *air, struct np_state *s);

/* np_air_trace copies records from number *next on, which it moves, and returns
 * how many there are; it leaves out those that have been overwritten. */
int np_air_trace(struct np_air *air, const uint32_t *dead, uint64_t *next, struct np_record to[NP_AIR_RECORDS],
                 int *owner);

#endif
