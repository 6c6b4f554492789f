// The host: beacons, lets consoles in, and sends a CMD a frame.
#include "parts.h"

#define BEACON_INTERVAL 100

static struct client {
	u8 mac[6];
	u8 here;
	u8 fresh;         // has come in, or come again, since the game began
	u8 answered;      // the round that is being played
	u32 silent_since; // frame
	struct move move;
	struct person person;
} clients[PLAYERS]; // [0] is the host itself

static struct turn turn;
static int playing; // turn is a round of a game
static u16 games;   // so many have begun

// ---- the consoles that are here ----

static void beacon(void) {
	static u8 frame[HEADER + 64];
	u8 *p = wifi_frame(frame, BEACON, everyone, own_mac, own_mac);
	for (int i = 0; i < 8; i++) *p++ = 0; // the controller's clock goes here
	*p++ = BEACON_INTERVAL, *p++ = 0, *p++ = CAPABILITY, *p++ = 0;
	*p++ = 1, *p++ = 2, *p++ = 0x82, *p++ = 0x84; // 1 and 2 Mbit/s
	*p++ = 3, *p++ = 1, *p++ = CHANNEL;           // the channel
	p = put_element(p, &own);
	while ((p - frame) % 4) *p++ = 0;
	wifi_beacon(frame, (u32)(p - frame), BEACON_INTERVAL);
}

void host_open(void) {
	nothing_played();
	for (int i = 0; i < PLAYERS; i++) clients[i] = (struct client){0};
	playing = 0;
	clients[0].here = 1;
	clients[0].person = played.people[0] = own;
	wifi_network(own_mac, 0);
	beacon();
}

static void deauth(const u8 *mac) {
	u8 frame[HEADER + 4];
	u8 *p = wifi_frame(frame, DEAUTH, mac, own_mac, own_mac);
	p[0] = 3, p[1] = 0, p[2] = 0, p[3] = 0; // reason: the sender leaves
	wifi_send(frame, sizeof frame);
}

void host_close(void) {
	wifi_beacon(0, 0, 0);
	deauth(everyone);
}

static int find(const u8 *mac) {
	for (int i = 1; i < PLAYERS; i++)
		if (clients[i].here && same_mac(clients[i].mac, mac)) return i;
	return 0;
}

// let_in gives a console its number; one that is here already, and asks again, has
// been switched off and on, or has not heard the answer.
static int let_in(const u8 *mac, const struct person *p) {
	int n = find(mac);
	if (!n)
		for (n = 1; n < PLAYERS && clients[n].here; n++) {
		}
	if (n == PLAYERS) return 0;
	clients[n] = (struct client){.here = 1, .fresh = 1, .silent_since = now_frame, .person = *p};
	copy_bytes(clients[n].mac, mac, 6);
	clients[n].person.used = 1;
	return n;
}

// drop: the others hear of it with the next round, not with a repeated one, which
// some may have heard already.
static void drop(int n) {
	clients[n].here = 0;
}

// ---- what comes in ----

static void answer_auth(const struct heard *h) {
	u8 frame[HEADER + 8];
	const u8 *mac = h->data + 10;
	if (h->length < HEADER + 6 || h->data[HEADER + 2] != 1) return;
	u8 *p = wifi_frame(frame, AUTH, mac, own_mac, own_mac);
	for (int i = 0; i < 8; i++) p[i] = 0; // open system, no error
	p[2] = 2;
	wifi_send(frame, sizeof frame);
}

#define ASSOC_BODY 4 // capability, listen interval

static void answer_association(const struct heard *h) {
	u8 frame[HEADER + 12];
	struct person person;
	const u8 *mac = h->data + 10;
	if (!find_element(h->data + HEADER + ASSOC_BODY, h->data + h->length, &person)) return;
	int n = let_in(mac, &person);
	u8 *p = wifi_frame(frame, ASSOC_RESPONSE, mac, own_mac, own_mac);
	for (int i = 0; i < 12; i++) p[i] = 0;
	p[0] = CAPABILITY;
	p[2] = n ? 0 : 17; // 17: full
	p[4] = (u8)n;
	p[5] = n ? 0xC0 : 0;
	p[6] = 1, p[7] = 2, p[8] = 0x82, p[9] = 0x84;
	wifi_send(frame, sizeof frame);
}

// take notes a reply. Its entry for the round may be the older of its two keys:
// then the client had heard this round before, and we its reply not.
static void take(struct client *c, const struct reply *r) {
	c->silent_since = now_frame;
	if (!playing || r->game != turn.game || c->answered) return;
	if (r->round != turn.round && r->round != turn.round + 1) return;
	c->answered = 1;
	c->move = (struct move){.keys = r->keys[r->round != turn.round], .told = r->told, .hash = r->hash};
}

static void hear_reply(const struct heard *h) {
	struct reply r;
	int n = find(h->data + 10);
	if (!n || h->length < HEADER + sizeof r) return;
	copy_bytes((u8 *)&r, h->data + HEADER, sizeof r);
	take(&clients[n], &r);
}

void host_heard(const struct heard *h) {
	u16 control = (u16)(h->data[0] | h->data[1] << 8) & 0xFF;
	if (!same_mac(h->data + 4, own_mac)) return;
	if ((h->flags & RX_KIND) == RX_REPLY)
		hear_reply(h);
	else if ((h->flags & RX_KIND) == RX_EMPTY_REPLY)
		return;
	else if (control == AUTH)
		answer_auth(h);
	else if (control == ASSOC_REQUEST)
		answer_association(h);
	else if (control == DEAUTH && find(h->data + 10))
		drop(find(h->data + 10));
}

// ---- rounds ----

static u16 here(void) {
	u16 all = 0;
	for (int i = 0; i < PLAYERS; i++) all |= (u16)(clients[i].here << i);
	return all;
}

static int all_answered(void) {
	for (int i = 1; i < PLAYERS; i++)
		if (turn.members & here() & 1 << i && !clients[i].answered) return 0;
	return 1;
}

static int somebody_fresh(void) {
	for (int i = 1; i < PLAYERS; i++)
		if (clients[i].here && clients[i].fresh) return 1;
	return 0;
}

// begin starts a new game with all consoles that are here.
static void begin(void) {
	u16 exchange = turn.exchange;
	turn = (struct turn){.exchange = exchange,
	                     .game = ++games,
	                     .members = here(),
	                     .seed = (u16)(now_frame * 40503u)};
	for (int i = 1; i < PLAYERS; i++) {
		if (!clients[i].here) continue;
		played.people[i] = clients[i].person;
		clients[i].move = (struct move){0};
		clients[i].fresh = 0;
	}
	playing = 1;
	clients[0].move = (struct move){0};
}

static void next_round(void) {
	turn.members &= here();
	for (int i = 0; i < PLAYERS; i++)
		turn.moves[i] = turn.members >> i & 1 ? clients[i].move : (struct move){0};
	turn.round++;
}

// The host's own move of a round is made when the round is sent first.
static void move(void) {
	struct report r = last_report();
	clients[0].move.keys = own_keys();
	clients[0].move.told = r.game == turn.game ? (u16)r.round : 0;
	clients[0].move.hash = r.hash;
	for (int i = 1; i < PLAYERS; i++) clients[i].answered = 0;
}

static void forget_silent(void) {
	for (int i = 1; i < PLAYERS; i++)
		if (clients[i].here && now_frame - clients[i].silent_since > GONE) drop(i);
}

static void send(void) {
	static u8 frame[HEADER + TURN_AT + sizeof(struct turn)];
	do turn.named = (u16)((turn.named + 1) % PLAYERS);
	while (!(turn.members >> turn.named & 1));
	turn.person = played.people[turn.named];
	turn.exchange++;
	u8 *p = wifi_frame(frame, CMD, cmd_mac, own_mac, own_mac);
	copy_bytes(p + TURN_AT, (const u8 *)&turn, sizeof turn);
	wifi_command(frame, sizeof frame, turn.members & here() & 0xFFFE, HEADER + sizeof(struct reply));
	played.exchanges++;
}

// advance decides what the next CMD is about. It returns 0 if nobody is there.
static int advance(void) {
	if (here() == 1) {
		playing = 0;
		turn.members = 1;
		return 0;
	}
	if (!playing || somebody_fresh())
		begin();
	else if (all_answered())
		next_round();
	else {
		played.lost += turn.round > 0; // at round 0 no reply can lie ready
		return 1;
	}
	move();
	give_turn(&turn);
	return 1;
}

void host_frame(void) {
	forget_silent();
	if (wifi_commanding()) return; // the last one is not over: wait a frame
	if (advance()) send();
	played.members = turn.members;
}
