#!/bin/sh
# SDL on Wayland: what is copied before the window has had a key or a click is copied for the window alone, and hides from it what others copy.
#
# Package:  libsdl2-2.0-0, libsdl2-dev 2.26.5+dfsg-1, sway 1.7-6, libwlroots10 0.15.1-6, wl-clipboard 2.1.0-0.1+b1, wtype 0.4-3 (Debian 12).
# Guess:    SDL_SetClipboardText returns 0 when the text is there for all, and an error when it is not; or it is kept until the program may copy, with the
#           next key. SDL_GetClipboardText gives what was copied last, by whomever.
# Seen:     a program on Wayland may copy only as the answer to a key or a click. Without one SDL returns 0, tells nobody, and takes itself for the owner: it
#           goes on pasting its own text when another program has copied another one, also behind a key, until it copies anew. Somebody who hosts a game by
#           a controller alone presses "Copy the invitation", reads that it was copied, and pastes nothing in the chat; and who copies
#           an invitation from there pastes the old one into the game. Do not copy, and say so, before the first key or click.
#           nettplay said "copied"; it says what to do instead.
# Output:   copied, no key yet:   SDL_SetClipboardText 0, pasted here "invitation", elsewhere "No selection"
#           by another program:   pasted here "invitation", elsewhere "another"
#           behind a key:         pasted here "invitation", elsewhere "another"
#           copied anew:          SDL_SetClipboardText 0, pasted here "invitation", elsewhere "invitation"
#           by another program:   pasted here "another", elsewhere "another"
#
# Needs root, to start sway as nobody, what the packages need (apt-get install sway wl-clipboard wtype libsdl2-2.0-0 brings it), and Mesa
# (libgl1-mesa-dri). No display, no graphics card. Takes 20 s.
. "$(dirname "$0")/begin.inc"
. "$here/sway.inc"
sway_fetch wl-clipboard=2.1.0-0.1+b1 wtype=0.4-3

cat >copies.c <<'C'
#include <SDL.h>
#include <stdio.h>
#include <stdlib.h>

static SDL_Renderer *renderer;
static int keys;

/* run has the window live until a command has ended, and some time more. */
static void run(const char *command)
{
	char line[200];
	remove("ended");
	snprintf(line, sizeof line, "(%s; touch ended) >said.now 2>&1 &", command);
	if (system(line))
		exit(2);
	for (int left = 50; left > 0; SDL_Delay(10)) {
		SDL_Event e;
		while (SDL_PollEvent(&e))
			keys += e.type == SDL_KEYDOWN;
		SDL_RenderClear(renderer);
		SDL_RenderPresent(renderer);
		FILE *ended = fopen("ended", "r");
		if (ended) {
			fclose(ended);
			left--;
		}
	}
}

static void paste(const char *when, int copied)
{
	char text[60] = "";
	run("timeout 20 wl-paste -n");
	FILE *said = fopen("said.now", "r");
	if (!said || !fgets(text, sizeof text, said))
		strcpy(text, "an empty text");
	text[strcspn(text, "\n")] = 0;
	char *own = SDL_GetClipboardText();
	printf("%-21s ", when);
	if (copied)
		printf("SDL_SetClipboardText %d, ", copied - 1);
	printf("pasted here \"%s\", elsewhere \"%s\"\n", own, text);
	fflush(stdout);
	SDL_free(own);
}

int main(void)
{
	SDL_Window *window;
	if (SDL_Init(SDL_INIT_VIDEO) || !(window = SDL_CreateWindow("game", 0, 0, 400, 300, 0)) || !(renderer = SDL_CreateRenderer(window, -1, 0)))
		return 2;
	run("true");
	paste("copied, no key yet:", 1 + SDL_SetClipboardText("invitation"));
	run("wl-copy another");
	paste("by another program:", 0);
	run("wtype -s 1000 a -s 1000"); /* a keyboard of its own, which is there for a while before and behind the key */
	if (!keys)
		return 3;
	paste("behind a key:", 0);
	paste("copied anew:", 1 + SDL_SetClipboardText("invitation"));
	run("wl-copy another");
	run("wtype -s 1000 a -s 1000");
	paste("by another program:", 0);
	return 0;
}
C
compile copies
sway_begin
sdl copies | tee seen
[ "$(sed 's/.*: *//' seen)" = 'SDL_SetClipboardText 0, pasted here "invitation", elsewhere "No selection"
pasted here "invitation", elsewhere "another"
pasted here "invitation", elsewhere "another"
SDL_SetClipboardText 0, pasted here "invitation", elsewhere "invitation"
pasted here "another", elsewhere "another"' ] || {
	echo "changed: what is copied without a key is there for all, or SDL says that it is not" >&2
	exit 1
}
