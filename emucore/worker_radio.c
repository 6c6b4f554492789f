/*
 * The radio of a console: libretro's netpacket interface, between the core and
 * the air (internal/air, whose C is linked into this executable and runs here).
 *
 *   core                       here                        air.h
 *     start <----------------- once, after load
 *     send(bytes, to) -------> scrub ---------------------> np_radio_send
 *     poll_receive() --------> does it block? ------------> np_radio_poll
 *     receive(bytes, from) <-- at most one a poll <-------- NP_PACKET
 *     clock() <--------------- 30 ms later <--------------- NP_GIVE_UP
 *
 * A client id is a seat number. Whether a poll blocks shows in clock.c only; what
 * else is read out of packets is how melonDS DS makes them: 10 bytes of its own
 * (u64 time in emulated microseconds, u8 AID, u8 type), 12 of the hardware, then
 * the frame. It is used for when consoles run, never for what they hear.
 *
 * A worker ends by being killed, so the interface's stop is never called; nor
 * are connected and disconnected, of which the cores we know have none.
 */
#include <string.h>

#include "../internal/air/air.h"
#include "worker_parts.h"

#define AT_TYPE 9
#define TYPE_COMMAND 2 /* a game host's command or ack */
#define AT_RUNAHEAD 10 /* of an ack: how many microseconds clients may run on */
#define AT_RECEIVER 26 /* of the frame: its first address */
#define POLL_US 512    /* between two polls of an idle radio */
#define RUNS_ON 1      /* of a client: as np_radio_follow's ahead */

static const uint8_t ack_address[6] = {0x03, 0x09, 0xbf, 0x00, 0x00, 0x03};

static struct {
	const struct np_setup *setup;
	int open;
	struct np_radio radio;
	struct np_tuned tuned;
	int64_t waited_ns; /* of this request, for other consoles */
} net = {.tuned.host = NP_AIR_NO_HOST, .tuned.ahead = NP_AIR_UNKNOWN};

/* np_net_open maps the air. Nothing is done to it before the first frame. */
int np_net_open(const struct np_setup *setup)
{
	void *air;

	net.setup = setup;
	if (!setup->has_radio)
		return NP_OK;
	air = np_sys_air(sizeof(struct np_air));
	if (!air)
		return np_fail("cannot map its radio: %s", np_sys_error());
	np_radio_open(&net.radio, air, (int)setup->seat);
	net.open = 1;
	return NP_OK;
}

/* scrub clears what a core is known to leave uninitialised. */
static void scrub(uint8_t *b, size_t len)
{
	for (uint32_t i = 0; i < net.setup->scrubs && len > AT_TYPE; i++) {
		const struct np_scrub *s = &net.setup->scrub[i];

		if (b[AT_TYPE] == s->type && len == s->size && s->from < s->to && s->to <= len)
			memset(b + s->from, 0, s->to - s->from);
	}
}

static uint8_t polls(uint64_t n)
{
	return (uint8_t)(n < NP_AIR_UNKNOWN ? n : NP_AIR_UNKNOWN);
}

static void follow(unsigned host, uint64_t behind, uint64_t ahead)
{
	net.tuned.host = (uint8_t)host;
	net.tuned.behind = polls(behind);
	net.tuned.ahead = polls(ahead);
	np_radio_follow(&net.radio, net.tuned.host, net.tuned.behind, net.tuned.ahead);
}

static uint32_t get32(const uint8_t *b)
{
	return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static int is_command(const uint8_t *b, size_t len)
{
	return len > AT_TYPE && b[AT_TYPE] == TYPE_COMMAND;
}

/* runs_on is for how many polls clients may run on after a command or an ack. */
static uint64_t runs_on(const uint8_t *b, size_t len)
{
	if (len < AT_RECEIVER + 6 || memcmp(b + AT_RECEIVER, ack_address, 6) != 0)
		return 0;
	return (get32(b + AT_RUNAHEAD) + POLL_US - 1ull) / POLL_US;
}

/* tell notes what a packet of ours says of our clients' time. */
static void tell(const uint8_t *b, size_t len)
{
	uint64_t n = 0;

	net.tuned.sent = len > AT_TYPE ? b[AT_TYPE] : 0;
	if (is_command(b, len)) {
		n = runs_on(b, len);
		follow(NP_AIR_NO_HOST, 0, n ? n + NP_AIR_IDLE : NP_AIR_UNKNOWN);
	} else if (net.tuned.host == NP_AIR_NO_HOST) {
		follow(NP_AIR_NO_HOST, 0, NP_AIR_UNKNOWN);
	} else {
		follow(net.tuned.host, net.tuned.behind, 0);
	}
}

static void send_packet(int flags, const void *buf, size_t len, uint16_t to)
{
	uint8_t copy[NP_AIR_PACKET];
	int64_t start;

	(void)flags; /* everything arrives, in order */
	if (!buf || len == 0 || len > sizeof copy)
		return;
	memcpy(copy, buf, len);
	np_env.seen |= NP_SEEN_PACKET;
	if (len <= AT_TYPE || copy[AT_TYPE] > TYPE_COMMAND)
		np_env.seen |= NP_SEEN_STRANGE;
	scrub(copy, len);
	tell(copy, len);
	start = np_real_ns();
	np_radio_send(&net.radio, copy, len, to);
	net.waited_ns += np_real_ns() - start;
}

/* listen notes whose game this console is in: that of the last command or ack it
 * heard. An ack lets clients run on before they block. After a packet of somebody
 * else nothing is known of the host's time. */
static void listen(const struct np_packet *p, enum np_event e)
{
	if (is_command(p->data, p->len)) {
		uint64_t n = runs_on(p->data, p->len);

		follow(p->from, n, n && e == NP_BLOCK ? RUNS_ON : 0);
	} else if (net.tuned.host != NP_AIR_NO_HOST) {
		follow(net.tuned.host, p->from == net.tuned.host ? 0 : NP_AIR_UNKNOWN, 0);
	} else {
		follow(NP_AIR_NO_HOST, 0, NP_AIR_UNKNOWN);
	}
}

/* pass notes that time has come for another poll. */
static void pass(enum np_event e)
{
	uint8_t n = net.tuned.ahead;

	if (net.tuned.host != NP_AIR_NO_HOST)
		n = 0;
	else if (e != NP_POLL)
		n = NP_AIR_UNKNOWN;
	else if (n && n < NP_AIR_UNKNOWN)
		n--;
	if (n != net.tuned.ahead)
		follow(net.tuned.host, net.tuned.behind, n);
}

static enum np_event manner(void)
{
	if (!np_clock_asked())
		return NP_POLL;
	return net.tuned.sent == TYPE_COMMAND ? NP_HOST_BLOCK : NP_BLOCK;
}

static void poll_receive(void)
{
	enum np_event e = manner();
	int64_t start = net.radio.mute || net.radio.leave || net.radio.grant ? 0 : np_real_ns();
	enum np_answer a;

	pass(e);
	a = np_radio_poll(&net.radio, e);
	if (start)
		net.waited_ns += np_real_ns() - start;
	if (a == NP_GIVE_UP)
		np_clock_give_up();
	if (a != NP_PACKET)
		return;
	listen(&net.radio.packet, e);
	np_env.netpacket.receive(net.radio.packet.data, net.radio.packet.len, net.radio.packet.from);
}

/* np_net_start switches the interface on, once the game is loaded. A core without
 * it still tells the air of its frames: others wait to hear that it is silent. */
void np_net_start(void)
{
	const struct retro_netpacket_callback *c = &np_env.netpacket;

	if (net.open && np_env.has_netpacket && c->start && c->receive)
		c->start((uint16_t)net.setup->seat, send_packet, poll_receive);
}

/* np_net_begin comes before each frame, np_net_end after it. */
void np_net_begin(void)
{
	int64_t start;

	if (!net.open)
		return;
	start = np_real_ns();
	np_radio_follow(&net.radio, net.tuned.host, net.tuned.behind, net.tuned.ahead);
	np_radio_begin(&net.radio);
	net.waited_ns += np_real_ns() - start;
}

/* np_net_poll lets the core send and hear before its frame. */
void np_net_poll(void)
{
	if (net.open && np_env.has_netpacket && np_env.netpacket.poll)
		np_env.netpacket.poll();
}

void np_net_end(void)
{
	int64_t start;

	if (!net.open)
		return;
	start = np_real_ns();
	np_radio_end(&net.radio);
	net.waited_ns += np_real_ns() - start;
}

/* np_net_waited is the real time that went by waiting since it was asked last. */
int64_t np_net_waited(void)
{
	int64_t ns = net.waited_ns;

	net.waited_ns = 0;
	return ns;
}

struct np_tuned np_net_tuned(void)
{
	return net.tuned;
}

void np_net_tune(struct np_tuned t)
{
	net.tuned = t;
}
