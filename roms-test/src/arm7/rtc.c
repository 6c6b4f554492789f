// The real-time clock, a chip on three pins driven by hand ("DS Real-Time Clock").
#include "arm7.h"

#define DATA 0x01
#define CLOCK 0x02
#define SELECT 0x04
#define DATA_OUT 0x10
#define OUT (0x60 | DATA_OUT) // clock and select are always outputs

#define READ_STATUS1 0x61
#define READ_DATE_TIME 0x65
#define STATUS1_24H 0x02 // hours run 0-23, not 0-11 with PM in bit 6
#define HOUR 4
#define PM 0x40

// The chip wants about a microsecond between edges.
static void pins(u8 value) {
	RTC_PINS = value;
	for (volatile int i = 0; i < 4; i++) {
	}
}

// A command goes out with its highest bit first.
static void command(u8 byte) {
	pins(OUT | CLOCK);
	pins(OUT | CLOCK | SELECT);
	for (int bit = 7; bit >= 0; bit--) {
		u8 data = byte >> bit & DATA;
		pins(OUT | SELECT | data);
		pins(OUT | SELECT | CLOCK | data);
	}
}

// Data comes in with its lowest bit first.
static u8 input(void) {
	u8 byte = 0;
	for (int bit = 0; bit < 8; bit++) {
		pins((OUT | SELECT) & ~DATA_OUT);
		pins((OUT | SELECT | CLOCK) & ~DATA_OUT);
		byte |= (u8)((RTC_PINS & DATA) << bit);
	}
	return byte;
}

static void done(void) {
	pins(OUT | CLOCK);
}

static u8 binary(u8 bcd) {
	return (u8)((bcd >> 4) * 10 + (bcd & 15));
}

void rtc_read(u8 to[7]) {
	static const u8 mask[7] = {0xFF, 0x1F, 0x3F, 0x07, 0x3F, 0x7F, 0x7F};
	command(READ_STATUS1);
	u8 status = input();
	done();
	command(READ_DATE_TIME);
	u8 pm = 0;
	for (int i = 0; i < 7; i++) {
		u8 bcd = input();
		if (i == HOUR) pm = bcd & PM;
		to[i] = binary(bcd & mask[i]);
	}
	done();
	if (pm && !(status & STATUS1_24H)) to[HOUR] += 12;
}
