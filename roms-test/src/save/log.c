#include "log.h"

#include "eeprom.h"

// Must match save.go.
#define MAGIC 0x5653504Eu // "NPSV"
#define HEADS 2
#define HEAD_SIZE 32
#define LOG_AT 0x100

struct head {
	u32 magic, version, steps, check;
};

u32 steps, found, found_bad, write_errors, store_hash;

static u8 store[EEPROM_SIZE] __attribute__((aligned(4)));
static int pending;

static struct entry *slot(u32 number) {
	return (struct entry *)(store + LOG_AT) + (number - 1) % LOG_SLOTS;
}

static struct head *head(u32 n) {
	return (struct head *)(store + n % HEADS * HEAD_SIZE);
}

static u32 head_check(const struct head *h) {
	return mix(mix(mix(HASH_START, h->magic), h->version), h->steps);
}

static u16 entry_check(const struct entry *e) {
	return (u16)mix(mix(mix(mix(HASH_START, e->number), e->keys), e->frame), e->clock);
}

static int head_good(const struct head *h) {
	return h->magic == MAGIC && h->version == 1 && h->check == head_check(h);
}

// blank is memory that was never written: all ones, or all zeroes where the emulator
// begins with those.
static int blank(const u8 *p, u32 n) {
	for (u32 i = 1; i < n; i++)
		if (p[i] != p[0]) return 0;
	return p[0] == 0 || p[0] == 0xFF;
}

void log_start(void) {
	eeprom_start();
	eeprom_read(0, store, EEPROM_SIZE);
	store_hash = HASH_START;
	for (u32 i = 0; i < EEPROM_SIZE / 4; i++) store_hash = mix(store_hash, ((u32 *)store)[i]);
	for (u32 i = 0; i < HEADS; i++)
		if (head_good(head(i)) && head(i)->steps > steps) steps = head(i)->steps;
	found = steps;
	if (!found && !blank(store, EEPROM_SIZE)) found_bad++;
	for (u32 i = 0; i < LOG_KEPT && i < found; i++) {
		const struct entry *e = slot(found - i);
		if (e->number != found - i || e->check != entry_check(e)) found_bad++;
	}
}

static u32 clock_word(void) {
	return now.second | now.minute << 6 | now.hour << 12 | (u32)now.day << 17 | (u32)now.month << 22 |
	       (u32)now.year << 26;
}

void log_step(u16 keys) {
	steps++;
	struct entry *e = slot(steps);
	*e = (struct entry){.number = steps, .keys = keys, .frame = frame, .clock = clock_word()};
	e->check = entry_check(e);
	struct head *h = head(steps);
	*h = (struct head){.magic = MAGIC, .version = 1, .steps = steps};
	h->check = head_check(h);
	pending = 1;
}

// keep writes n bytes of the copy in RAM and reads them back. A ROM that is broken
// on purpose writes another bit than it means to.
static void keep(const void *from, u32 n) {
	u8 buffer[EEPROM_PAGE];
	const u8 *p = from;
	u32 at = (u32)(p - store);
	for (u32 i = 0; i < n; i++) buffer[i] = p[i];
	if (broken()) buffer[4] ^= 1;
	eeprom_write(at, buffer, n);
	eeprom_read(at, buffer, n);
	for (u32 i = 0; i < n; i++) {
		if (buffer[i] == p[i]) continue;
		write_errors++;
		break;
	}
}

void log_commit(void) {
	if (!pending) return;
	pending = 0;
	keep(slot(steps), sizeof(struct entry));
	keep(head(steps), sizeof(struct head));
}

struct entry log_entry(u32 number) {
	return *slot(number);
}
