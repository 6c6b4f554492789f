/*
 * Memory that holds nothing but zeros, given back before a worker copies itself: a copy costs
 * time for each page that there is. malloc clears what it gives out a second time, and a core clears
 * what it has, so there are many pages of nothing. They read the same when they are gone.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "worker_family.h"

#define PAGE 4096u
#define MAPS_MAX (1u << 20)

static int is_zero(const uint8_t *page)
{
	return page[0] == 0 && memcmp(page, page + 1, PAGE - 1) == 0;
}

static void give_back(uint8_t *from, uint8_t *to)
{
	while (from < to) {
		uint8_t *end = from;

		while (end < to && is_zero(end))
			end += PAGE;
		if (end > from)
			madvise(from, (size_t)(end - from), MADV_DONTNEED);
		from = end + PAGE;
	}
}

/* anonymous tells whether a line of the list of mappings is of memory that is this process's
 * own and of no file, but for stacks. */
static int anonymous(const char *line, unsigned long *from, unsigned long *to)
{
	char rights[5], name[8] = "";
	unsigned long inode;

	if (sscanf(line, "%lx-%lx %4s %*x %*s %lu %7s", from, to, rights, &inode, name) < 4)
		return 0;
	return rights[0] == 'r' && rights[1] == 'w' && rights[3] == 'p' && inode == 0 &&
	       (!name[0] || strcmp(name, "[heap]") == 0 || strncmp(name, "[anon", 5) == 0);
}

/* np_zeros_give_back does so with all of this process's memory. Not beside gcc's address sanitizer,
 * which has mapped terabytes and lets nobody read between variables. */
void np_zeros_give_back(void)
{
#ifndef __SANITIZE_ADDRESS__
	char *text = mmap(NULL, MAPS_MAX, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	size_t have = 0;
	ssize_t n;

	if (text == MAP_FAILED)
		return;
	lseek(NP_FD_MAPS, 0, SEEK_SET);
	while (have < MAPS_MAX - 1 && (n = read(NP_FD_MAPS, text + have, MAPS_MAX - 1 - have)) > 0)
		have += (size_t)n;
	for (char *line = text; line < text + have;) {
		char *end = strchr(line, '\n');
		unsigned long from, to;

		if (!end)
			break; /* the last one is cut */
		*end = '\0';
		if (anonymous(line, &from, &to) && from != (unsigned long)text)
			give_back((uint8_t *)from, (uint8_t *)to);
		line = end + 1;
	}
	munmap(text, MAPS_MAX);
#endif
}
