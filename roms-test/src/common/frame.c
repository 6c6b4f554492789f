#include "frame.h"

extern volatile const u32 rom_flags; // start9.S

#define FLAG_BROKEN 1
#define BROKEN_FROM 60 // frames that a broken ROM works well, so that it can be seen to stop

u32 frame, hash = HASH_START, disagreements, rng = 0x2545F491;
u16 timer;
struct sample now, then;
struct firmware owner;
colour accent;

static u32 words[RECORD_WORDS], count;

int broken(void) {
	return rom_flags & FLAG_BROKEN && frame >= BROKEN_FROM;
}

static void copy(volatile const void *from, void *to, u32 n) {
	volatile const u8 *p = from;
	u8 *q = to;
	while (n--) *q++ = *p++;
}

static void add(u32 word) {
	if (count < RECORD_WORDS) words[count++] = word;
}

void see(u32 word) {
	add(word);
}

// compare looks at what the ARM7 made of the last record. It hashes at line
// SAMPLE_LINE, this runs at the start of VBlank, so neither ever reads what the
// other is writing.
static void compare(void) {
	if (SHARED->checked != SHARED->record_number || SHARED->check_hash != hash) disagreements++;
}

// publish takes the record into the hash and gives it to the ARM7 to check. A ROM
// that is broken on purpose hashes one bit wrong now and then.
static void publish(void) {
	volatile struct shared *s = SHARED;
	for (u32 i = 0; i < count; i++) {
		s->record.words[i] = words[i];
		hash = mix(hash, words[i]);
	}
	if (broken() && frame % 16 == 0) hash ^= 1;
	s->record.count = count;
	s->record_number++;
	count = 0;
}

static void wait_vblank(void) {
	IF = IRQ_VBLANK;
	while (!(IF & IRQ_VBLANK)) __asm__ volatile("mcr p15, 0, %0, c7, c0, 4" ::"r"(0) : "memory");
}

static u32 bytes(const u8 *p) {
	return p[0] | p[1] << 8 | p[2] << 16 | (u32)p[3] << 24;
}

void start(int top_is_bitmap) {
	screens_on(top_is_bitmap);
	fill(BOTTOM, 0, STATUS_Y, WIDTH, HEIGHT - STATUS_Y, PANEL);
	TM0CNT_L = 0;
	TM0CNT_H = 0x80;
	DISPSTAT = 1 << 3;
	IE = IRQ_VBLANK;
	IME = 1;
	while ((IPCSYNC & 15) != SYNC_UP) {
	}

	copy(&SHARED->firmware, &owner, sizeof owner);
	accent = accent_of(owner.colour);
	const u8 *p = (const u8 *)&owner;
	for (u32 i = 0; i < sizeof owner; i += 4) add(bytes(p + i));
	publish();
	do wait_vblank();
	while (SHARED->sample.frame == 0);
}

static void stir(void) {
	rng ^= timer;
	if (now.keys != then.keys) rng += 0x9E3779B9u * (frame + now.keys);
	rng ^= rng << 13;
	rng ^= rng >> 17;
	rng ^= rng << 5;
	if (!rng) rng = 1;
}

void next_frame(void) {
	wait_vblank();
	timer = TM0CNT_L;
	compare();
	frame++;
	then = now;
	copy(&SHARED->sample, &now, sizeof now);
	stir();

	add(frame);
	add(now.frame);
	add(now.keys | (u32)now.x << 16 | (u32)now.y << 24);
	add(bytes(now.mic));
	add(bytes(now.mic + 4));
	add(bytes(&now.year));
	add(bytes(&now.hour));
	add(timer);
	add(rng);
}

void end_frame(void) {
	char line[COLUMNS + 1], *p;
	publish();
	barcode(broken() ? hash ^ 0x00010000 : hash);
	put_hex(put_text(line, "hash "), hash, 8);
	text(BOTTOM, 1, STATUS_Y + 2, line, TEXT, PANEL);
	if (disagreements) {
		p = put_text(line, "check BAD ");
		put_dec(p, disagreements, 5);
		text(BOTTOM, 16, STATUS_Y + 2, line, BAD, PANEL);
	} else {
		text(BOTTOM, 16, STATUS_Y + 2, "       check ok", GOOD, PANEL);
	}
}

const char *nickname(char *to) {
	for (int i = 0; i < 10; i++) {
		u16 c = i < owner.nickname_length ? owner.nickname[i] : 0;
		to[i] = (char)(c == 0 || (c >= 32 && c < 127) ? c : '?');
	}
	to[10] = 0;
	return to;
}

const char *clock_text(char *to) {
	char *p = put_dec(put_text(to, "20"), now.year, 2);
	p = put_dec(put_text(p, "-"), now.month, 2);
	p = put_dec(put_text(p, "-"), now.day, 2);
	p = put_dec(put_text(p, " "), now.hour, 2);
	p = put_dec(put_text(p, ":"), now.minute, 2);
	put_dec(put_text(p, ":"), now.second, 2);
	return to;
}

const char *key_names(char *to, u16 keys, int width) {
	static const char names[12][7] = {
		"A", "B", "SELECT", "START", "RIGHT", "LEFT", "UP", "DOWN", "R", "L", "X", "Y",
	};
	char line[80], *p = put_text(line, "");
	for (int i = 0; i < 12; i++)
		if (keys >> i & 1) p = put_text(p == line ? p : put_text(p, "+"), names[i]);
	while (p < line + width) p = put_text(p, " ");
	line[width] = 0;
	put_text(to, line);
	return to;
}

void title(colour *screen, const char *name) {
	fill(screen, 0, 0, WIDTH, 23, PANEL);
	fill(screen, 0, 23, WIDTH, 1, EDGE);
	fill(screen, 0, 0, 4, 23, accent);
	large(screen, 12, 4, 2, "nettplay", TEXT, PANEL);
	large(screen, 156, 4, 2, name, accent, PANEL);
}

void field(colour *screen, int y, const char *label, const char *value, colour c) {
	text(screen, 1, y, label, DIM, PANEL);
	text(screen, VALUE, y, value, c, PANEL);
}

void show_stylus(colour *screen, int y) {
	char line[8];
	put_dec(put_text(put_dec(line, now.x, 3), ","), now.y, 3);
	field(screen, y, "stylus", now.keys & KEY_PEN ? line : "up     ",
	      now.keys & KEY_PEN ? accent : TEXT);
}

void show_keys(colour *screen, int y) {
	char line[COLUMNS];
	u16 keys = now.keys & KEY_BUTTONS;
	key_names(line, keys, COLUMNS - VALUE - 1);
	if (!keys) line[0] = 'n', line[1] = 'o', line[2] = 'n', line[3] = 'e';
	field(screen, y, "keys", line, keys ? accent : TEXT);
}
