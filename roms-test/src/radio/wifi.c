#include "wifi.h"

#include "../arm7/arm7.h"
#include "../arm7/radio.h"

#define POWCNT2 REG16(0x04000304)     // bit 1: the wireless controller has power
#define WIFIWAITCNT REG16(0x04000206) // access times of the two windows below
#define W(r) REG16(0x04800000 + (r))
#define RAM(a) REG16(0x04800000 + (a)) // 8 KB at 4000h: rings and buffers, by half-words

enum { // "DS Wireless Communications", I/O map
	W_ID = 0x000,
	W_MODE_RST = 0x004,
	W_MODE_WEP = 0x006,
	W_TXSTATCNT = 0x008,
	W_IF = 0x010,
	W_IE = 0x012,
	W_MACADDR = 0x018,
	W_BSSID = 0x020,
	W_AID_LOW = 0x028,
	W_AID_FULL = 0x02A,
	W_TX_RETRYLIMIT = 0x02C,
	W_RXCNT = 0x030,
	W_WEP_CNT = 0x032,
	W_POWER_US = 0x036,
	W_POWER_TX = 0x038,
	W_POWERSTATE = 0x03C,
	W_POWERFORCE = 0x040,
	W_POWERDOWN = 0x048,
	W_RXBUF_BEGIN = 0x050,
	W_RXBUF_END = 0x052,
	W_RXBUF_WRCSR = 0x054,
	W_RXBUF_WR_ADDR = 0x056,
	W_RXBUF_READCSR = 0x05A,
	W_RXBUF_GAP = 0x062,
	W_RXBUF_GAPDISP = 0x064,
	W_TXBUF_GAPDISP = 0x076,
	W_TXBUF_BEACON = 0x080,
	W_BEACONINT = 0x08C,
	W_LISTENINT = 0x08E,
	W_TXBUF_CMD = 0x090,
	W_TXBUF_REPLY1 = 0x094,
	W_TXBUF_REPLY2 = 0x098,
	W_TXBUF_LOC3 = 0x0A8,
	W_TXREQ_RESET = 0x0AC,
	W_TXREQ_SET = 0x0AE,
	W_TXBUF_RESET = 0x0B4,
	W_TXBUSY = 0x0B6,
	W_PREAMBLE = 0x0BC,
	W_CMD_TOTALTIME = 0x0C0,
	W_CMD_REPLYTIME = 0x0C4,
	W_RXFILTER = 0x0D0,
	W_RX_LEN_CROP = 0x0DA,
	W_RXFILTER2 = 0x0E0,
	W_US_COUNTCNT = 0x0E8,
	W_US_COMPARECNT = 0x0EA,
	W_CMD_COUNTCNT = 0x0EE,
	W_US_COUNT0 = 0x0F8,
	W_PRE_BEACON = 0x110,
	W_CMD_COUNT = 0x118,
	W_BEACON_COUNT = 0x11C,
	W_POST_BEACON = 0x134,
	W_BB_CNT = 0x158,
	W_BB_WRITE = 0x15A,
	W_BB_READ = 0x15C,
	W_BB_BUSY = 0x15E,
	W_BB_MODE = 0x160,
	W_BB_POWER = 0x168,
	W_RF_DATA2 = 0x17C,
	W_RF_DATA1 = 0x17E,
	W_RF_BUSY = 0x180,
	W_RF_CNT = 0x184,
	W_TX_HDR_CNT = 0x194,
};

#define IRQ_RECEIVED 0x0001
#define IRQ_SENT 0x0002
#define IRQ_CMD_OVER 0x1000

// Where things lie in the controller's RAM. A frame to be sent has a header of 12
// bytes before it and a checksum of 4 behind, which the controller fills in.
#define TX_BEACON 0x4000
#define TX_GENERAL 0x4200
#define TX_CMD 0x4400
#define TX_REPLY_A 0x4600
#define TX_REPLY_B 0x4800
#define RX_BEGIN 0x4C00
#define RX_END 0x5F60
#define TX_HEADER 12
#define RX_HEADER 12
#define CHECKSUM 4
#define RATE_1M 10
#define RATE_2M 20

const u8 everyone[6] = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
const u8 cmd_mac[6] = {0x03, 0x09, 0xBF, 0x00, 0x00, 0x00};
const u8 reply_mac[6] = {0x03, 0x09, 0xBF, 0x00, 0x00, 0x10};
u32 wifi_sent;

static u8 firmware[0x200]; // its header and wifi calibration

// ---- time ----

#define TICKS_PER_MS 524 // of timer 0 at clock / 64

void wifi_alarm(u32 us) {
	TM0CNT_H = 0;
	TM0CNT_L = (u16)(0x10000 - (us * TICKS_PER_MS / 1000 + 1));
	IF = IRQ_TIMER0;
	TM0CNT_H = 0xC1; // run, interrupt, clock / 64
}

int wifi_rang(void) {
	if (!(IF & IRQ_TIMER0)) return 0;
	TM0CNT_H = 0; // before the flag, or a short alarm rings twice
	IF = IRQ_TIMER0;
	return 1;
}

static void wait_ms(u32 ms) {
	wifi_alarm(ms * 1000);
	while (!wifi_rang()) {
	}
}

// ---- start ----

// The two chips behind the controller answer within microseconds; one that never
// does must not hang the program.
static void wait_while_busy(u16 reg) {
	for (int i = 0; i < 10000 && W(reg) & 1; i++) {
	}
}

static u8 bb_read(u8 reg) {
	wait_while_busy(W_BB_BUSY);
	W(W_BB_CNT) = 0x6000 | reg;
	wait_while_busy(W_BB_BUSY);
	return (u8)W(W_BB_READ);
}

static void bb_write(u8 reg, u8 value) {
	wait_while_busy(W_BB_BUSY);
	W(W_BB_WRITE) = value;
	W(W_BB_CNT) = 0x5000 | reg;
	wait_while_busy(W_BB_BUSY);
}

static void rf_write(u32 value) {
	wait_while_busy(W_RF_BUSY);
	W(W_RF_DATA1) = (u16)value;
	W(W_RF_DATA2) = (u16)(value >> 16);
	wait_while_busy(W_RF_BUSY);
}

static u16 fw16(u32 at) {
	return (u16)(firmware[at] | firmware[at + 1] << 8);
}

static u32 fw24(u32 at) {
	return fw16(at) | (u32)firmware[at + 2] << 16;
}

#define FW_RF_TYPE 0x40
#define FW_RF_BITS 0x41
#define FW_RF_ENTRIES 0x42
#define FW_RF_PER_CHANNEL 0x43
#define FW_CONFIG 0x44
#define FW_BB 0x64
#define BB_REGISTERS 0x69
#define FW_RF 0xCE
#define RF_TYPE_BYTES(t) ((t) == 3 || (t) == 5) // registers of a byte, written by command 5

static void init_registers(void) {
	static const u16 values[][2] = {
		{W_MODE_RST, 0},
		{W_TXSTATCNT, 0},
		{0x00A, 0},
		{W_IE, 0},
		{W_IF, 0xFFFF},
		{0x254, 0},
		{W_TXBUF_RESET, 0xFFFF},
		{W_TXBUF_BEACON, 0},
		{W_AID_FULL, 0},
		{W_AID_LOW, 0},
		{W_US_COUNTCNT, 0},
		{W_US_COMPARECNT, 0},
		{W_CMD_COUNTCNT, 1},
		{0x0EC, 0x3F03},
		{0x1A2, 1},
		{0x1A0, 0},
		{W_PRE_BEACON, 0x0800},
		{W_PREAMBLE, 1},
		{0x0D4, 3},
		{0x0D8, 4},
		{W_RX_LEN_CROP, 0x0602},
		{W_TXBUF_GAPDISP, 0},
	};
	static const u16 calibrated[16] = {
		0x146, 0x148, 0x14A, 0x14C, 0x120,      0x122, 0x154, 0x144,
		0x130, 0x132, 0x140, 0x142, W_POWER_TX, 0x124, 0x128, 0x150,
	};
	for (u32 i = 0; i < sizeof values / sizeof values[0]; i++) W(values[i][0]) = values[i][1];
	for (u32 i = 0; i < 16; i++) W(calibrated[i]) = fw16(FW_CONFIG + 2 * i);
}

static void init_chips(void) {
	u32 bits = firmware[FW_RF_BITS], bytes = (bits + 7) / 8, entries = firmware[FW_RF_ENTRIES];
	W(W_RF_CNT) = (u16)((bits & 0x80) << 1 | (bits & 0x7F));
	for (u32 i = 0; i < entries; i++) {
		if (RF_TYPE_BYTES(firmware[FW_RF_TYPE]))
			rf_write(0x050000 | i << 8 | firmware[FW_RF + i]);
		else
			rf_write(bytes == 3 ? fw24(FW_RF + 3 * i) : fw16(FW_RF + bytes * i));
	}
	W(W_BB_MODE) = 0x0100;
	for (u32 i = 0; i < BB_REGISTERS; i++) bb_write((u8)i, firmware[FW_BB + i]);
}

// set_channel takes the channel's values from the firmware's tables: of 14 columns,
// each behind the number of its register, or two RF words and one of BB.
static void set_channel(u32 channel) {
	u32 column = channel - 1, at = FW_RF + firmware[FW_RF_ENTRIES];
	if (!RF_TYPE_BYTES(firmware[FW_RF_TYPE])) {
		rf_write(fw24(0xF2 + 6 * column));
		rf_write(fw24(0xF5 + 6 * column));
		bb_write(0x1E, firmware[0x146 + column]);
		return;
	}
	u32 bb = firmware[at++], rf = firmware[FW_RF_PER_CHANNEL];
	for (; bb + rf > 0 && at + 15 <= sizeof firmware; at += 15) {
		u8 reg = firmware[at], value = firmware[at + 1 + column];
		if (bb > 0)
			bb--, bb_write(reg, value);
		else
			rf--, rf_write(0x050000 | (u32)reg << 8 | value);
	}
}

static void init_ring(void) {
	W(W_RXCNT) = 0x8000;
	W(W_RXBUF_BEGIN) = RX_BEGIN;
	W(W_RXBUF_END) = RX_END;
	W(W_RXBUF_WR_ADDR) = (RX_BEGIN - 0x4000) / 2;
	W(W_RXBUF_READCSR) = (RX_BEGIN - 0x4000) / 2;
	W(W_RXBUF_GAP) = RX_END - 2;
	W(W_RXBUF_GAPDISP) = 0;
	W(W_RXCNT) = 0x8001; // the write cursor becomes that address
}

// receive switches the receiver on. The mode must be written while W_POWER_TX still
// has the firmware's value: with it, mode 2 wakes the transceiver up.
static void receive(void) {
	W(W_MODE_RST) = 1;
	W(W_MODE_WEP) = 2;
	W(W_WEP_CNT) = 0x8000;
	W(W_POST_BEACON) = 0xFFFF;
	W(W_PREAMBLE) = 6; // short ones, 96 us
	W(W_TX_RETRYLIMIT) = 0x0707;
	W(W_TX_HDR_CNT) = 0;
	W(W_RXFILTER) = 0x0F81; // beacons and frames of all networks, ACKs, empty replies
	W(W_RXFILTER2) = 0x0008;
	W(W_US_COUNTCNT) = 1;
	W(W_US_COMPARECNT) = 1;
	W(W_POWER_TX) = 0;
	W(W_IF) = 0xFFFF;
	W(W_IE) = IRQ_RECEIVED | IRQ_SENT | IRQ_CMD_OVER;
	W(W_TXREQ_SET) = 0x000D;
}

u16 wifi_chip(void) {
	return W(W_ID);
}

// works says whether there is a radio behind the registers: it has one of the two
// names, its base band chip answers, its clock runs. An emulator without a radio
// may give back what was written, but not that.
static int works(void) {
	u16 before = W(W_US_COUNT0);
	wait_ms(3);
	u16 passed = (u16)(W(W_US_COUNT0) - before);
	return (wifi_chip() == 0x1440 || wifi_chip() == 0xC340) && bb_read(0) == 0x6D && passed > 1000;
}

int wifi_start(const u8 mac[6]) {
	POWCNT2 |= 2;
	WIFIWAITCNT = 0x30;
	firmware_read(0, firmware, sizeof firmware);
	W(W_IE) = 0;
	W(W_POWER_US) = 0;
	wait_ms(8);
	W(W_BB_POWER) = 0;
	u8 power = bb_read(1);
	bb_write(1, power & 0x7F);
	bb_write(1, power);
	wait_ms(30);
	init_registers();
	init_chips();
	set_channel(CHANNEL);
	for (u32 i = 0; i < 3; i++) W(W_MACADDR + 2 * i) = (u16)(mac[2 * i] | mac[2 * i + 1] << 8);
	init_ring();
	receive();
	return works();
}

// ---- receive ----

static u32 read_at = RX_BEGIN;

static u16 ring(u32 offset) {
	u32 at = read_at + offset;
	return RAM(at < RX_END ? at : at - (RX_END - RX_BEGIN));
}

int wifi_acknowledge(void) {
	u16 flags = W(W_IF) & W(W_IE);
	W(W_IF) = flags;
	return flags != 0;
}

int wifi_heard(struct heard *h) {
	if (W(W_RXBUF_WRCSR) == (read_at - 0x4000) / 2) return 0;
	h->flags = ring(0);
	u32 length = ring(8);
	for (u32 i = 0; i < length && i < FRAME_MAX; i += 2) {
		u16 half = ring(RX_HEADER + i);
		h->data[i] = (u8)half;
		h->data[i + 1] = (u8)(half >> 8);
	}
	h->length = (u16)(length < FRAME_MAX ? length : FRAME_MAX);
	read_at += (RX_HEADER + length + 3) & ~3u;
	if (read_at >= RX_END) read_at -= RX_END - RX_BEGIN;
	W(W_RXBUF_READCSR) = (u16)((read_at - 0x4000) / 2);
	return 1;
}

// ---- send ----

u8 *wifi_frame(u8 *to, u16 control, const u8 *to_mac, const u8 *from_mac, const u8 *network) {
	for (int i = 0; i < HEADER; i++) to[i] = 0;
	to[0] = (u8)control;
	to[1] = (u8)(control >> 8);
	for (int i = 0; i < 6; i++) {
		to[4 + i] = to_mac[i];
		to[10 + i] = from_mac[i];
		to[16 + i] = network[i];
	}
	return to + HEADER;
}

// put copies a frame into the controller's RAM and returns what names it there.
static u16 put(u32 at, const u8 *frame, u32 length, u16 rate) {
	for (u32 i = 0; i < TX_HEADER; i += 2) RAM(at + i) = 0;
	RAM(at + 8) = rate;
	RAM(at + 10) = (u16)(length + CHECKSUM);
	for (u32 i = 0; i < length; i += 2)
		RAM(at + TX_HEADER + i) = (u16)(frame[i] | (i + 1 < length ? frame[i + 1] : 0) << 8);
	return (u16)(0x8000 | (at - 0x4000) / 2);
}

#define QUEUE 16

static struct {
	u32 length;
	u8 data[128];
} queue[QUEUE];
static u32 queued, taken;
static int on_its_way;

int wifi_send(const u8 *frame, u32 length) {
	if (queued - taken == QUEUE || length > sizeof queue[0].data) return 0;
	queue[queued % QUEUE].length = length;
	for (u32 i = 0; i < length; i++) queue[queued % QUEUE].data[i] = frame[i];
	queued++;
	wifi_sending();
	return 1;
}

void wifi_sending(void) {
	W(W_TXREQ_SET) = 0x000D; // a beacon's interrupt clears these
	if (W(W_TXBUF_LOC3) & 0x8000) return;
	if (on_its_way) wifi_sent++;
	on_its_way = taken != queued;
	if (!on_its_way) return;
	W(W_TXBUF_LOC3) = put(TX_GENERAL, queue[taken % QUEUE].data, queue[taken % QUEUE].length, RATE_2M);
	taken++;
	W(W_TXREQ_SET) = 0x000D;
}

// ---- multiplay ----

void wifi_network(const u8 mac[6], u16 aid) {
	for (u32 i = 0; i < 3; i++) W(W_BSSID + 2 * i) = (u16)(mac[2 * i] | mac[2 * i + 1] << 8);
	W(W_AID_LOW) = aid;
	W(W_AID_FULL) = aid;
}

void wifi_beacon(const u8 *frame, u32 length, u16 interval) {
	if (!length) {
		W(W_TXBUF_BEACON) = 0;
		return;
	}
	u16 name = put(TX_BEACON, frame, length, RATE_1M);
	if (wifi_beacon_is_on()) return; // only another text
	W(W_BEACONINT) = interval;
	W(W_BEACON_COUNT) = interval;
	W(W_TXBUF_BEACON) = name;
}

int wifi_beacon_is_on(void) {
	return (W(W_TXBUF_BEACON) & 0x8000) != 0;
}

#define BYTE_US 4 // at 2 Mbit/s
#define PREAMBLE_US 96
#define BETWEEN_US 32 // from a CMD to a reply, with room to spare
#define RUN_US 12000  // no CMD of ours comes for so long

int wifi_commanding(void) {
	return (W(W_TXBUF_CMD) & 0x8000) != 0;
}

int wifi_command(const u8 *frame, u32 length, u16 clients, u32 reply_bytes) {
	if (wifi_commanding()) return 0;
	u32 n = 0, reply = PREAMBLE_US + (reply_bytes + CHECKSUM) * BYTE_US + BETWEEN_US;
	for (u16 c = clients; c; c &= (u16)(c - 1)) n++;
	u16 name = put(TX_CMD, frame, length, RATE_2M);
	RAM(TX_CMD + TX_HEADER + HEADER) = (u16)reply; // how long each client has
	RAM(TX_CMD + TX_HEADER + HEADER + 2) = clients;
	W(W_CMD_TOTALTIME) = (u16)(0xEA + 0x0A + (reply + 10) * n);
	W(W_CMD_REPLYTIME) = (u16)reply;
	W(W_CMD_COUNT) = RUN_US / 10; // more than all of it takes, or it is not begun
	W(W_TXBUF_CMD) = name;
	W(W_TXREQ_SET) = 0x0002;
	return 1;
}

// While a reply goes out (REPLY2), the next one is written to the other buffer.
void wifi_reply(const u8 *frame, u32 length) {
	static u32 at = TX_REPLY_A;
	at = at == TX_REPLY_A ? TX_REPLY_B : TX_REPLY_A;
	W(W_TXBUF_REPLY1) = put(at, frame, length, RATE_2M);
}
