#ifndef HOSTILE_H
#define HOSTILE_H

#define ATTACK(f) \
	{ #f, f }

extern char report[1 << 15];

/* core.c */
void note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* attacks.c */
long reads(const char *name);
long changes(const char *name, int flags);
void try_attacks(const char *when);

/* memory.c */
void try_memory(const char *when);

#endif
