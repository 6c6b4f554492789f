#!/bin/sh
# SDL on Wayland: a window on another workspace lets a game draw six to ten pictures a second, and no event says why.
#
# Package:  libsdl2-2.0-0, libsdl2-dev 2.26.5+dfsg-1, sway 1.7-6, libwlroots10 0.15.1-6 (Debian 12).
# Guess:    a window that nobody sees is hidden or minimised: SDL_WINDOWEVENT_HIDDEN or _MINIMIZED comes, or the flags say so. With vsync
#           SDL_RenderPresent waits for a display as long as one shows the window, and otherwise for nothing, or at most for one refresh, since
#           SDL makes up for a compositor that asks for no pictures.
# Seen:     the compositor asks for none, and SDL waits for it for a tenth of a second and more at each picture. All flags and the focus stay as they
#           are. Whoever runs a frame, or sends an input, for each picture that was presented plays at a tenth of the speed then, and the friends
#           with him, because he has looked something up on another workspace. Run the game apart from the window; and take a present that
#           lasts longer than any refresh for a window that is not seen.
#           nettplay does both, and paints once a second then.
# Output:   shown:                  161 pictures in 3 s
#           on another workspace:   20 pictures in 3 s, events 0, flags as before
#           shown again:            165 pictures in 3 s, events 0, flags as before
#
# Needs root, to start sway as nobody, what the packages need (apt-get install sway libsdl2-2.0-0 brings it), and Mesa (libgl1-mesa-dri). No
# display, no graphics card. Takes 20 s.
. "$(dirname "$0")/begin.inc"
. "$here/sway.inc"
sway_fetch

cat >unseen.c <<'C'
#include <SDL.h>
#include <stdio.h>
#include <stdlib.h>

static SDL_Window *window;
static SDL_Renderer *renderer;
static Uint32 flags;

/* pictures presents pictures for three seconds, and tells how many. */
static void pictures(const char *where)
{
	int n = 0, events = 0;
	for (Uint32 begin = SDL_GetTicks(); SDL_GetTicks() - begin < 3000; n++) {
		SDL_Event e;
		while (SDL_PollEvent(&e))
			events += e.type == SDL_WINDOWEVENT;
		SDL_SetRenderDrawColor(renderer, n, 0, 0, 255);
		SDL_RenderClear(renderer);
		SDL_RenderPresent(renderer);
	}
	printf("%-23s %d pictures in 3 s", where, n);
	if (flags)
		printf(", events %d, flags %s", events, SDL_GetWindowFlags(window) == flags ? "as before" : "others");
	puts("");
	fflush(stdout);
	flags = SDL_GetWindowFlags(window);
}

int main(void)
{
	if (SDL_Init(SDL_INIT_VIDEO) || !(window = SDL_CreateWindow("game", 0, 0, 400, 300, SDL_WINDOW_RESIZABLE)) ||
	    !(renderer = SDL_CreateRenderer(window, -1, SDL_RENDERER_PRESENTVSYNC)))
		return 2;
	pictures("shown:");
	if (system("compositor workspace 2"))
		return 2;
	pictures("on another workspace:");
	if (system("compositor workspace 1"))
		return 2;
	pictures("shown again:");
	SDL_Quit();
	return 0;
}
C
compile unseen
sway_begin
sdl unseen | tee seen
awk '{ sub(/.*: */, ""); n[NR] = $1; bad = bad || NR > 1 && $0 !~ /events 0, flags as before/ }
	END { exit !(NR == 3 && !bad && n[2] <= 31 && n[2] < n[1] && n[2] < n[3]) }' seen || {
	echo "changed: an unseen window holds nobody up, or is told of" >&2
	exit 1
}
