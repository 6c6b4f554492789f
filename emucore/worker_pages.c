/*
 * Snapshots: of each page that the console has, an image as it was at the newest one, and for
 * each snapshot the images of those pages that have changed until the next.
 *
 *   oldest                          newest        now
 *   place 3 -- log: pages 5, 9 -- place 0 -- pages that the system tells
 *
 * To go back, images are put where they belong from the newest log to that of the place, and each page is
 * written once. A page that changes is not protected again until it has stayed as it is for a few
 * snapshots: to compare it is cheaper than to be told. Some hundred are written in each frame with what they hold already: they are
 * found by how soon they are written again, and protected ever more seldom.
 *
 * Images and logs lie in one heap of pages that is never put back. Image 0 is a page of zeros, as
 * most are.
 */
#include <string.h>

#include "worker_pages.h"

#define COOL 8      /* snapshots for which a page stays as it is until it is protected again */
#define DOUBLINGS 4 /* of COOL, at most, for a page that was soon written again each time */

struct entry {
	uint32_t page, image;
};

#define ENTRIES (NP_PAGE / sizeof(struct entry) - 1)

struct chunk {
	uint32_t next, n; /* next: 0 for none */
	struct entry entry[ENTRIES];
};

_Static_assert(sizeof(struct chunk) == NP_PAGE, "a chunk is a page of the heap");

struct place {
	uint32_t log; /* its last chunk, 0 for none: pages as they were at this snapshot, changed since */
	_Alignas(16) uint8_t rest[NP_REST_MAX];
};

/* A habit is how a page is written. */
struct habit {
	uint32_t at;     /* the count of snapshots when it was protected */
	uint8_t same;    /* snapshots for which it has stayed as it is */
	uint8_t doubled; /* how often COOL is doubled for it */
	uint8_t asleep;  /* it is protected */
};

static struct pages {
	uint32_t count;
	uint32_t *image;          /* of each page */
	uint32_t *stamp, stamped; /* pages with this stamp are in a set that is being made */
	struct habit *habit;      /* of each page */
	uint32_t snapshots;       /* their count */
	uint32_t *list, *other;   /* room for all pages */
	uint32_t put;             /* so many in other are to be written */
	uint32_t *older;          /* the log that takes over another one's entries */

	uint8_t *heap;
	uint32_t heap_end, heap_max, unused, unused_n; /* unused: a list of pages, each with the next */

	struct place place[NP_SNAPSHOTS];
	uint32_t chain[NP_SNAPSHOTS], n; /* places that hold a snapshot, from the oldest on */
} * p;

static const uint8_t zeros[NP_PAGE];

/* --- the heap --- */

static void *at(uint32_t i)
{
	return p->heap + (size_t)i * NP_PAGE;
}

static const void *image(uint32_t i)
{
	return i ? at(i) : zeros;
}

static uint32_t room(void)
{
	return p->heap_max - p->heap_end + p->unused_n;
}

static uint32_t take(void)
{
	uint32_t i = p->unused;

	if (!i)
		return p->heap_end++;
	memcpy(&p->unused, at(i), sizeof p->unused);
	p->unused_n--;
	return i;
}

static void give(uint32_t i)
{
	if (!i)
		return;
	memcpy(at(i), &p->unused, sizeof p->unused);
	p->unused = i;
	p->unused_n++;
}

/* --- logs --- */

static void note(uint32_t *log, struct entry e)
{
	struct chunk *c = *log ? at(*log) : NULL;

	if (!c || c->n == ENTRIES) {
		uint32_t i = take();

		c = at(i);
		c->next = *log;
		c->n = 0;
		*log = i;
	}
	c->entry[c->n++] = e;
}

/* drain takes a log apart: all is given to use. */
static void drain(uint32_t *log, void (*use)(struct entry e))
{
	while (*log) {
		uint32_t i = *log;
		struct chunk *c = at(i);

		for (uint32_t k = 0; k < c->n; k++)
			use(c->entry[k]);
		*log = c->next;
		give(i);
	}
}

static void begin_set(void)
{
	if (++p->stamped == 0) {
		memset(p->stamp, 0, p->count * sizeof *p->stamp);
		p->stamped = 1;
	}
}

/* joins says whether a page is new to the set. */
static int joins(uint32_t page)
{
	int is_new = p->stamp[page] != p->stamped;

	p->stamp[page] = p->stamped;
	return is_new;
}

/* --- places --- */

static void hand_down(struct entry e)
{
	if (joins(e.page))
		note(p->older, e);
	else
		give(e.image);
}

static void forget(struct entry e)
{
	give(e.image);
}

static uint32_t find(uint32_t place)
{
	uint32_t i = 0;

	while (i < p->n && p->chain[i] != place)
		i++;
	return i;
}

/* drop gives up the snapshot number i of the chain. What changed since then has changed since the one
 * before it, too. */
static void drop(uint32_t i)
{
	uint32_t *log = &p->place[p->chain[i]].log;

	if (i == 0) {
		drain(log, forget);
	} else {
		begin_set();
		p->older = &p->place[p->chain[i - 1]].log;
		for (uint32_t k = *p->older; k; k = ((struct chunk *)at(k))->next)
			for (uint32_t e = 0; e < ((struct chunk *)at(k))->n; e++)
				joins(((struct chunk *)at(k))->entry[e].page);
		drain(log, hand_down);
	}
	memmove(p->chain + i, p->chain + i + 1, (--p->n - i) * sizeof *p->chain);
}

/* wake is for a page that was written once it had been protected. */
static void wake(struct habit *h)
{
	if (p->snapshots - h->at > COOL)
		h->doubled = 0;
	else if (h->doubled < DOUBLINGS)
		h->doubled++;
	h->asleep = 0;
}

/* cools says whether a page that has stayed as it is gets protected. */
static int cools(struct habit *h)
{
	if (++h->same < COOL << h->doubled)
		return 0;
	*h = (struct habit){.at = p->snapshots, .doubled = h->doubled, .asleep = 1};
	return 1;
}

static int snapshot(uint32_t place)
{
	uint32_t n = np_track_written(p->list), cold = 0, i;
	uint32_t *log = p->n ? &p->place[p->chain[p->n - 1]].log : NULL;

	if (room() < n + 4 * (p->count / ENTRIES + 1))
		return np_fail("writes more than there is room for in snapshots");
	p->snapshots++;
	for (i = 0; i < n; i++) {
		uint32_t page = p->list[i], had = p->image[page];
		struct habit *h = &p->habit[page];

		if (h->asleep)
			wake(h);
		if (np_track_same(page, image(had))) {
			if (cools(h))
				p->other[cold++] = page;
			continue;
		}
		h->same = 0;
		if (!log && had) {
			np_track_copy(at(had), page);
			continue;
		}
		p->image[page] = take();
		np_track_copy(at(p->image[page]), page);
		if (log)
			note(log, (struct entry){page, had});
	}
	np_track_protect(p->other, cold);
	i = find(place);
	if (i < p->n)
		drop(i);
	p->chain[p->n++] = place;
	np_track_note(p->place[place].rest);
	return NP_OK;
}

static void undo(struct entry e)
{
	give(p->image[e.page]);
	p->image[e.page] = e.image;
	if (joins(e.page))
		p->other[p->put++] = e.page;
}

static int back(uint32_t place)
{
	uint32_t i = find(place), n;

	if (i == p->n)
		return np_fail("has no snapshot at that place");
	n = np_track_written(p->list);
	begin_set();
	p->put = 0;
	for (uint32_t k = 0; k < n; k++)
		if (!np_track_same(p->list[k], image(p->image[p->list[k]])) && joins(p->list[k]))
			p->other[p->put++] = p->list[k];
	for (uint32_t k = p->n; k-- > i;)
		drain(&p->place[p->chain[k]].log, undo);
	p->n = i + 1;
	for (uint32_t k = 0; k < p->put; k++)
		np_track_put(p->other[k], image(p->image[p->other[k]]));
	np_track_bring(p->place[place].rest);
	return NP_OK;
}

int np_pages_snapshot(uint32_t place)
{
	return p && place < NP_SNAPSHOTS ? np_track_apart(snapshot, place) : NP_INVALID;
}

int np_pages_back(uint32_t place)
{
	return p && place < NP_SNAPSHOTS ? np_track_apart(back, place) : NP_INVALID;
}

int np_pages_init(void)
{
	uint32_t n = np_track_pages();
	struct pages *own = np_track_memory(sizeof *own);

	if (!own)
		return np_fail("has no room for snapshots");
	own->count = n;
	own->heap_end = 1;
	own->heap_max = n + (128u << 20) / NP_PAGE;
	own->image = np_track_memory(n * sizeof *own->image);
	own->stamp = np_track_memory(n * sizeof *own->stamp);
	own->habit = np_track_memory(n * sizeof *own->habit);
	own->list = np_track_memory(n * sizeof *own->list);
	own->other = np_track_memory(n * sizeof *own->other);
	own->heap = np_track_memory((size_t)own->heap_max * NP_PAGE);
	if (!own->image || !own->stamp || !own->habit || !own->list || !own->other || !own->heap)
		return np_fail("has %u pages, and no room for snapshots of them", n);
	p = own;
	return NP_OK;
}

int np_pages_image(uint32_t page)
{
	if (np_track_same(page, zeros))
		return 0;
	p->image[page] = take();
	np_track_copy(at(p->image[page]), page);
	return 1;
}
