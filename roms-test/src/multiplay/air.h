// The packets of multiplay.nds, and the messages between its two processors.
//
// A game has rounds. In each, the host sends one CMD with the turn: what everybody
// held in the round before. Each client answers with what it holds in this one; a
// REPLY must lie ready before its CMD comes, so it also shows that the client has
// heard the CMD before. The host goes on to the next round when it has all replies,
// else it sends the same round again. So nobody ever misses a turn, and all play
// the same game; only time is lost, and that is counted.
//
//	host    CMD 7: keys of round 6            CMD 8: keys of round 7
//	client               REPLY: keys of 7                  REPLY: keys of 8
//	host                              ACK                               ACK
//
// A console that comes in starts a new game with everybody in it, at round 0.
#ifndef MULTIPLAY_AIR_H
#define MULTIPLAY_AIR_H

#include "../radio/view.h"

#define PLAYERS 16 // the host is number 0, clients have their association number

struct person {
	u8 name[NAME_LENGTH];
	u8 colour, used;
};

// A player's move in a round, and his view of the game.
struct move {
	u16 keys;
	u16 told; // lower half of the round whose hash this is, 0: none yet
	u32 hash; // of his game after that round
};

struct turn {
	u16 exchange; // counts CMDs, also those that repeat a round
	u16 game;     // counts from 1
	u16 members;  // a bit for each player of this game
	u16 seed;
	u32 round;
	struct move moves[PLAYERS]; // keys of round - 1
	u16 named, zero;
	struct person person; // the person with number `named`: a different one in each CMD
};

// A CMD's body: two half-words of the controller (how long a client has, who is
// asked), then the turn.
#define TURN_AT 4

struct reply {
	u16 game, told;
	u32 round;   // the one this is meant for
	u16 keys[2]; // of that round, and of the one before
	u32 hash;
};

// A console that is in no game says so to everyone, as broadcast.nds does.
struct hello {
	u32 magic;
	struct person person;
};

#define HELLO_MAGIC 0x314D504Eu // "NPM1"

// The element by which a beacon, and a request to join, are known as ours: 221,
// length, then this.
#define ELEMENT 0xDD
#define ELEMENT_TAG \
	{ 0x00, 0x09, 0xBF, 'N', 'P', 'M' }
#define TAG_LENGTH 6

// ---- the mailbox ----

enum state { LOBBY, JOINING, CLIENT, HOST };

#define TURNS 8

struct multiplay {
	struct view view;

	// Once a frame, as struct view.
	u32 state;      // enum state
	u32 choice;     // LOBBY: frames until it chooses by itself
	u32 wants_join; // LOBBY: B was pressed
	u32 consoles;   // LOBBY: others that are in no game
	u32 games;      // LOBBY: games that can be joined
	u32 tries;      // JOINING
	u32 number;     // this player's
	u32 members;    // as in the last turn
	u32 exchanges;  // CMDs sent or heard
	u32 lost;       // HOST: rounds sent again; CLIENT: CMDs and ACKs not heard
	struct person people[PLAYERS];
	struct person game_host; // of the game that is joined or could be

	// Turns, in order: the ARM7 writes turns[n % TURNS], then n + 1 to turns_written.
	struct turn turns[TURNS];
	u32 turns_written;

	// From the ARM9: its hash after its last turn: reports[n & 1], then n.
	struct report {
		u32 game, round, hash;
	} reports[2];
	u32 report;
	u32 broken; // do not answer now and then
};

#define MULTIPLAY ((volatile struct multiplay *)RADIO_PAGE)

_Static_assert(sizeof(struct multiplay) <= 0x1000 - 0x200, "the mailbox page is full");
_Static_assert(sizeof(struct turn) % 4 == 0, "turns are copied by words");

#endif
