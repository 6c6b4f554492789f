// multiplay.nds: a game for up to 16 consoles over the DS's own multiplay: beacon,
// association, then a CMD, its REPLYs and an ACK in each video frame.
//
// Top screen: the state of the network, and a line for each player: name, the hash of
// his game, his score, and whether his hash was ever another than ours for the same
// round. Bottom screen: what can be chosen, then the common field (game.h).
#include "../radio/look.h"
#include "game.h"

// ---- the game ----

static struct game game;
static struct turn turn; // the last one
static u32 turns_read;
static u32 differ[PLAYERS], all_differ;
static int in_game;

#define REMEMBERED 64

static struct report mine[REMEMBERED]; // by round

static void remember(void) {
	u32 n = MULTIPLAY->report + 1;
	struct report r = {turn.game, turn.round, game.hash};
	mine[turn.round % REMEMBERED] = r;
	MULTIPLAY->reports[n & 1].game = r.game;
	MULTIPLAY->reports[n & 1].round = r.round;
	MULTIPLAY->reports[n & 1].hash = r.hash;
	MULTIPLAY->report = n;
}

// compare looks at what the others have told of this game.
static void compare_reports(void) {
	for (int i = 0; i < PLAYERS; i++) {
		const struct move *m = &turn.moves[i];
		const struct report *r = &mine[m->told % REMEMBERED];
		if (!m->told || r->game != turn.game || (u16)r->round != m->told || r->hash == m->hash)
			continue;
		differ[i]++;
		all_differ++;
	}
}

static void take_turn(volatile const struct turn *from) {
	volatile const u32 *p = (volatile const u32 *)from;
	u32 *to = (u32 *)&turn;
	for (u32 i = 0; i < sizeof turn / 4; i++) to[i] = p[i];
	if (turn.round == 0) {
		game_begin(&game, &turn);
		for (int i = 0; i < PLAYERS; i++) differ[i] = 0;
	} else {
		game_play(&game, &turn);
		compare_reports();
	}
	if (broken() && turn.round % 64 == 40) game.rng ^= 1;
	remember();
}

static void take_turns(void) {
	while (turns_read != MULTIPLAY->turns_written) take_turn(&MULTIPLAY->turns[turns_read++ % TURNS]);
	MULTIPLAY->broken = (u32)broken();
}

// ---- top screen ----

enum { STATE_Y = 24, FRAME_Y = 32, ROUND_Y = 40, HEARD_Y = 48, HEAD_Y = 56, ROWS_Y = 64, SECOND = 18 };

static int count_bits(u32 bits) {
	int n = 0;
	for (; bits; bits &= bits - 1) n++;
	return n;
}

static void draw_top(void) {
	headline("multiplay");
	fill(TOP, 0, STATE_Y, WIDTH, HEIGHT - STATE_Y, PANEL);
	text(TOP, 1, HEAD_Y, "nr name       its hash score", DIM, PANEL);
}

static void fill_up(char *line, char *p) {
	while (p < line + COLUMNS - VALUE) *p++ = ' ';
	*p = 0;
}

static colour state_text(char *line, const struct view *v, u32 state) {
	char *p = line;
	int players = count_bits(MULTIPLAY->members);
	colour c = GOOD;
	if (!v->works)
		p = put_text(p, "NO RADIO"), c = BAD;
	else if (state == LOBBY)
		p = put_text(p, MULTIPLAY->wants_join ? "looking for a game" : "choose: A or B"), c = TEXT;
	else if (state == JOINING)
		p = put_dec(put_text(p, "joining, try "), MULTIPLAY->tries, 2), c = TEXT;
	else if (state == HOST && players < 2)
		p = put_text(p, "host, alone"), c = TEXT;
	else if (state == HOST)
		p = put_dec(put_text(p, "host, players "), (u32)players, 2);
	else
		p = put_dec(put_text(put_dec(put_text(p, "client "), MULTIPLAY->number, 2), ", players "),
		            (u32)players, 2);
	fill_up(line, p);
	return c;
}

static void second(int y, const char *label, u32 value, colour c) {
	char line[8];
	put_dec(line, value, 6);
	text(TOP, SECOND, y, label, DIM, PANEL);
	text(TOP, 25, y, line, c, PANEL);
}

static void show_counts(const struct view *v, u32 state) {
	char line[COLUMNS + 1];
	colour c = state_text(line, v, state);
	field(TOP, STATE_Y, "state", line, c);
	put_dec(line, frame, 8);
	field(TOP, FRAME_Y, "frame", line, TEXT);
	second(FRAME_Y, "game", turn.game, TEXT);
	put_dec(line, turn.round, 8);
	field(TOP, ROUND_Y, "round", line, TEXT);
	second(ROUND_Y, "lost", MULTIPLAY->lost, MULTIPLAY->lost ? BAD : GOOD);
	put_dec(line, v->heard, 8);
	field(TOP, HEARD_Y, "heard", line, TEXT);
	second(HEARD_Y, "differ", all_differ, all_differ ? BAD : GOOD);
}

static void show_player(int n, int own) {
	char line[COLUMNS + 1];
	int y = ROWS_Y + 8 * n, here = in_game && turn.members >> n & 1;
	if (!here) {
		text(TOP, 1, y, "                               ", TEXT, PANEL);
		return;
	}
	put_dec(line, (u32)n, 2);
	text(TOP, 1, y, line, colour_of(n), PANEL);
	text(TOP, 4, y, name_text(line, MULTIPLAY->people[n].name), colour_of(n), PANEL);
	put_hex(line, own ? game.hash : turn.moves[n].hash, 8);
	text(TOP, 15, y, line, own ? TEXT : DIM, PANEL);
	put_dec(line, (u32)game_score(&game, n), 4);
	text(TOP, 24, y, line, TEXT, PANEL);
	if (own)
		text(TOP, 29, y, "you", DIM, PANEL);
	else
		text(TOP, 29, y, differ[n] ? "BAD" : "ok ", differ[n] ? BAD : GOOD, PANEL);
}

// ---- bottom screen ----

#define FIELD_X 8
#define FIELD_Y 12
#define NOT_DRAWN 0xFFFF

static u16 drawn[FIELD_H][FIELD_W]; // cell, and in the upper half the player on it plus 1

static void draw_cell(int x, int y, u16 what, int own) {
	static char digit[2];
	int px = FIELD_X + 8 * x, py = FIELD_Y + 8 * y, painter = OWNER(what);
	colour paper = painter ? blend(colour_of(painter - 1), NIGHT, 5, 9) : PANEL;
	if (what >> 8) {
		int n = (what >> 8) - 1;
		fill(BOTTOM, px, py, 8, 8, n == own ? TEXT : colour_of(n)); // ours is white
		digit[0] = "0123456789ABCDEF"[n];
		letters(BOTTOM, px, py, digit, NIGHT);
		return;
	}
	fill(BOTTOM, px, py, 7, 7, paper);
	fill(BOTTOM, px + 7, py, 1, 8, NIGHT);
	fill(BOTTOM, px, py + 7, 8, 1, NIGHT);
	if (what & STAR) {
		fill(BOTTOM, px + 3, py + 1, 1, 5, RGB(31, 30, 14));
		fill(BOTTOM, px + 1, py + 3, 5, 1, RGB(31, 30, 14));
		fill(BOTTOM, px + 2, py + 2, 3, 3, RGB(31, 31, 24));
	}
}

static void show_field(int own) {
	static u16 now_there[FIELD_H][FIELD_W];
	for (int y = 0; y < FIELD_H; y++)
		for (int x = 0; x < FIELD_W; x++) now_there[y][x] = game.cells[y][x];
	for (int i = PLAYERS; i >= 0; i--) { // this console's player last: on top
		int n = i ? i - 1 : own;
		const struct player *p = &game.players[n];
		if (p->here) now_there[p->y][p->x] = (u16)((now_there[p->y][p->x] & 0xFF) | (n + 1) << 8);
	}
	for (int y = 0; y < FIELD_H; y++)
		for (int x = 0; x < FIELD_W; x++)
			if (drawn[y][x] != now_there[y][x])
				draw_cell(x, y, drawn[y][x] = now_there[y][x], own);
}

enum screen { NOTHING, SILENT, CHOICE, TRYING, WAITING, FIELD };

static void choice_line(int y, const char *key, colour c, const char *what, const char *more) {
	panel(BOTTOM, 16, y, 224, 34, 8, PANEL);
	disc(BOTTOM, 40, y + 17, 13, c);
	letters(BOTTOM, 36, y + 13, key, NIGHT);
	text(BOTTOM, 8, y + 7, what, TEXT, PANEL);
	text(BOTTOM, 8, y + 19, more, DIM, PANEL);
}

// draw_ground draws what of a screen does not change.
static void draw_ground(enum screen s) {
	fill(BOTTOM, 0, 0, WIDTH, STATUS_Y, NIGHT);
	forget(BOTTOM);
	if (s == SILENT) no_radio();
	if (s == CHOICE) {
		choice_line(10, "A", GOOD, "open a game", "others can join it");
		choice_line(50, "B", accent, "join a game", "the first there is");
	}
	if (s == FIELD) letters(BOTTOM, 8, 2, "cross paints A leaps B splashes", DIM);
	if (s == TRYING || s == WAITING) panel(BOTTOM, 16, 50, 224, 60, 8, PANEL);
	for (int y = 0; y < FIELD_H; y++)
		for (int x = 0; x < FIELD_W; x++) drawn[y][x] = NOT_DRAWN;
}

static void show_choice(void) {
	char line[COLUMNS + 1];
	put_text(put_dec(line, MULTIPLAY->games, 2), " games can be joined");
	text(BOTTOM, 4, 96, line, MULTIPLAY->games ? GOOD : DIM, NIGHT);
	put_text(put_dec(line, MULTIPLAY->consoles, 2), " others have not chosen");
	text(BOTTOM, 4, 108, line, MULTIPLAY->consoles ? TEXT : DIM, NIGHT);
	if (MULTIPLAY->wants_join)
		put_text(line, "joins as soon as there is one");
	else if (MULTIPLAY->choice)
		put_text(put_dec(put_text(line, "chooses by itself in "), MULTIPLAY->choice / 60 + 1, 1),
		         " s    ");
	else
		put_text(line, "waits for somebody to open one");
	text(BOTTOM, 1, 132, line, TEXT, NIGHT);
}

static void show_waiting(u32 state) {
	char line[COLUMNS + 1], name[NAME_LENGTH + 1];
	if (state == HOST) {
		text(BOTTOM, 4, 62, "Your game is open.", TEXT, PANEL);
		text(BOTTOM, 4, 76, "It begins when somebody", DIM, PANEL);
		text(BOTTOM, 4, 88, "joins.", DIM, PANEL);
		return;
	}
	text(BOTTOM, 4, 62, "Joining the game of", TEXT, PANEL);
	text(BOTTOM, 4, 76, name_text(name, MULTIPLAY->game_host.name), accent, PANEL);
	put_dec(put_text(line, "try "), MULTIPLAY->tries, 2);
	text(BOTTOM, 4, 90, line, DIM, PANEL);
}

static enum screen which(const struct view *v, u32 state) {
	if (!v->works) return SILENT;
	if (state == LOBBY) return CHOICE;
	if (in_game) return FIELD;
	return state == HOST ? WAITING : TRYING;
}

static void show_bottom(const struct view *v, u32 state, int own) {
	static enum screen shown;
	enum screen s = which(v, state);
	if (s != shown) draw_ground(shown = s);
	if (s == CHOICE) show_choice();
	if (s == TRYING || s == WAITING) show_waiting(state);
	if (s == FIELD) show_field(own);
}

int main(void) {
	start(1);
	draw_top();
	for (;;) {
		next_frame();
		struct view v = take_view(&MULTIPLAY->view);
		take_turns();
		u32 state = MULTIPLAY->state;
		int own = state == HOST ? 0 : (int)MULTIPLAY->number % PLAYERS;
		u32 members = MULTIPLAY->members;
		in_game = (state == HOST || state == CLIENT) && turn.game && members >> own & 1 &&
		          count_bits(members) > 1;
		see(v.hash);
		see(v.heard | v.sent << 16);
		see(game.hash);
		see(state | MULTIPLAY->lost << 8);
		end_frame();
		show_bottom(&v, state, own);
		show_counts(&v, state);
		for (int n = 0; n < PLAYERS; n++) show_player(n, n == own);
	}
}
