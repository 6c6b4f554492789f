// The ARM7 program of all test ROMs: once a frame it samples everything that
// only this processor can see, hashes again what the ARM9 has hashed, and
// halts until the next frame.
#include "arm7.h"
#include "radio.h"

// Firmware user settings, which the boot code leaves in main RAM
// ("DS Firmware User Settings").
#define USER ((const u8 *)0x027FFC80)
#define FIRMWARE_MAC 0x36

static u16 half(const u8 *p) {
	return (u16)(p[0] | p[1] << 8);
}

static void read_firmware(void) {
	volatile struct firmware *to = &SHARED->firmware;
	u8 mac[6];
	firmware_read(FIRMWARE_MAC, mac, sizeof mac);
	for (int i = 0; i < 6; i++) to->mac[i] = mac[i];
	to->colour = USER[0x02] & 15;
	to->birth_month = USER[0x03];
	to->birth_day = USER[0x04];
	to->nickname_length = USER[0x1A] <= 10 ? USER[0x1A] : 10;
	for (int i = 0; i < 10; i++)
		to->nickname[i] = i < to->nickname_length ? half(USER + 0x06 + 2 * i) : 0;
	to->language = USER[0x64] & 7;
	to->pad = 0;
}

static u16 read_keys(void) {
	u16 ext = EXTKEYIN;
	u16 keys = ~KEYINPUT & 0x3FF;
	if (!(ext & 0x01)) keys |= KEY_X;
	if (!(ext & 0x02)) keys |= KEY_Y;
	if (!(ext & 0x40)) keys |= KEY_PEN;
	if (ext & 0x80) keys |= KEY_LID;
	return keys;
}

// pixel maps a measurement to the screen by the two points at which the user
// calibrated it: measurements at +0 and +6, pixels (from 1) at +4 and +10.
static u8 pixel(int adc, const u8 *cal, int axis, int limit) {
	int adc1 = half(cal + 2 * axis), adc2 = half(cal + 6 + 2 * axis);
	int scr1 = cal[4 + axis], scr2 = cal[10 + axis];
	if (adc1 == adc2) return 0;
	int px = (adc - adc1) * (scr2 - scr1) / (adc2 - adc1) + scr1 - 1;
	return (u8)(px < 0 ? 0 : px > limit ? limit : px);
}

static void read_clock(volatile struct sample *to) {
	u8 t[7];
	rtc_read(t);
	to->year = t[0];
	to->month = t[1];
	to->day = t[2];
	to->weekday = t[3];
	to->hour = t[4];
	to->minute = t[5];
	to->second = t[6];
}

static void take_sample(u32 frame) {
	volatile struct sample *to = &SHARED->sample;
	const u8 *cal = USER + 0x58;
	to->frame = frame;
	to->keys = read_keys();
	to->x = to->keys & KEY_PEN ? pixel(touch_measure(TOUCH_X), cal, 0, 255) : 0;
	to->y = to->keys & KEY_PEN ? pixel(touch_measure(TOUCH_Y), cal, 1, 191) : 0;
	for (int i = 0; i < MIC_SAMPLES; i++) to->mic[i] = mic_sample();
	read_clock(to);
}

static void check_record(void) {
	volatile struct shared *s = SHARED;
	if (s->record_number == s->checked) return;
	u32 h = s->checked ? s->check_hash : HASH_START;
	for (u32 i = 0; i < s->record.count; i++) h = mix(h, s->record.words[i]);
	s->check_hash = h;
	s->checked = s->record_number;
}

// halt waits for the line: BIOS call 6 stops this processor until an enabled
// interrupt is flagged, whether it may be taken or not.
static void wait_line(void) {
	IF = IRQ_LINE;
	while (!(IF & IRQ_LINE)) {
		__asm__ volatile("swi 0x06" ::: "r0", "r1", "r2", "r3", "memory");
		radio_serve();
	}
}

int main(void) {
	volatile u32 *word = (volatile u32 *)SHARED;
	for (u32 i = 0; i < sizeof(struct shared) / 4; i++) word[i] = 0;
	read_firmware();
	mic_on();
	radio_start();

	DISPSTAT = SAMPLE_LINE << 8 | 1 << 5;
	IE = IRQ_LINE | RADIO_IRQS;
	IME = 1;
	IPCSYNC = SYNC_UP << 8;
	for (u32 frame = 1;; frame++) {
		wait_line();
		take_sample(frame);
#ifdef POWER_BUTTON
		if ((SHARED->sample.keys & (KEY_SELECT | KEY_START)) == (KEY_SELECT | KEY_START))
			power_off();
#endif
		check_record();
		radio_frame();
	}
}
