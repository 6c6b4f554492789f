// The wireless game the console plays: nothing, an idle radio, raw broadcasts,
// or a shared game of one host and up to 15 clients.
//
// In the shared game the host commands a round (some) times a frame with
// everyone's inputs of the round before; each client works out the same shared
// value from them and sends back its own input and that value. A client that
// works out another value than its host is counted: in a healthy game nobody
// ever is.
#ifndef TESTCORE_GAME_H
#define TESTCORE_GAME_H

#include <stdbool.h>
#include <stdint.h>

#include "console.h"
#include "wifi.h"

enum { ROLE_NONE, ROLE_IDLE, ROLE_BROADCAST, ROLE_HOST, ROLE_CLIENT };
enum { CLIENT_SCAN, CLIENT_AUTH, CLIENT_ASSOC, CLIENT_PLAY };

struct game {
	uint64_t shared, before; // the game's value, and that of the round before
	uint64_t beacon_us;      // host: when the next one is due
	uint64_t reopen;         // frame at which a closed radio comes back
	uint32_t role, stage;    // ROLE_*, CLIENT_*
	uint32_t round, have;    // client: have says that round is known
	uint32_t due;            // host: commands that were due in this frame
	uint32_t rounds, lost, disagreed, heard, commands;
	uint32_t retry, retry_us, tries, silent; // client: the next try's frame, and time in it
	uint32_t settled, stretched, phase_us;
	uint16_t members, took; // bit n: AID n is there, AID n's input is in the last round
	uint8_t closed, data_sent, pad[2];
	uint8_t macs[AID_MAX + 1][6];
	uint32_t inputs[AID_MAX + 1]; // the host's own is number 0
	uint32_t missing[AID_MAX + 1];
	uint32_t since[AID_MAX + 1]; // frame from which a member is asked
	uint32_t last[AID_MAX + 1];  // broadcast: newest frame heard, by the MAC's low bits
	uint8_t host[6], pad2[2];
};

void game_power_on(void);
void game_frame(void);             // at the start of each frame
void game_tick(uint32_t now_us);   // every 8 us
void game_amid_exchange(void);     // a command was just sent or heard
void game_stamp(uint8_t *command); // a command goes out now
void game_report(struct report *p);

// Calls of the radio. The body is everything after the MAC header, with a
// command's first four bytes (reply window, mask) taken off.
void game_heard(uint16_t fc, const uint8_t from[6], const uint8_t *body, uint16_t len);
void game_commanded(const uint8_t *body, uint16_t len, uint64_t sent);
void game_round_done(uint16_t mask, uint16_t failed);

// The two halves, in host.c and client.c; roles.c has the rest.
void host_tick(uint32_t now_us);
void host_heard(uint16_t fc, const uint8_t from[6], const uint8_t *body, uint16_t len);
void client_frame(void);
void client_tick(uint32_t now_us);
void client_heard(uint16_t fc, const uint8_t from[6], const uint8_t *body, uint16_t len);

#define GAME_MAGIC 0x54434E50u // in every body that is ours
#define FRAME_US 16715u

// The body of a command, after the reply window and mask.
struct command {
	uint64_t shared;
	uint32_t round;
	uint16_t now_us, took;
	uint32_t inputs[AID_MAX + 1];
};

// The start of a reply's body; filling follows.
struct reply {
	uint64_t shared;
	uint32_t round, input;
};

// game_turn is what one round makes of the shared value.
uint64_t game_turn(uint64_t shared, uint32_t round, uint16_t took, const uint32_t *inputs);
uint32_t game_input(void); // this console's input, as it goes over the air

#endif
