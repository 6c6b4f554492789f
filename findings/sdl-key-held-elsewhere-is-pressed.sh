#!/bin/sh
# SDL on X11: a key that was pressed in another window is pressed anew, as no repetition, in the one that gets the focus; of two that are held one stays up.
#
# Package:  libsdl2-2.0-0, libsdl2-dev 2.26.5+dfsg-1, libxtst6, libxtst-dev 2:1.2.3-1.1, openbox 3.6.1-10, xvfb (Debian 12).
# Guess:    SDL_KEYDOWN is for a key that goes down while the window has the focus. What goes on being held from before is not heard of until it is pressed
#           anew, or SDL brings it up to date when the focus comes, as it does with Shift; at most it is marked as a repetition.
# Seen:     X repeats the key that was pressed last, and SDL takes the first repetition that it sees for a press: repeat is 0. Whoever answers
#           a chat with Return, while the game's window comes up by itself, presses what has the focus there. And who looks
#           away for a moment with two keys held has let both of them go; when the focus comes back only the one that was pressed last is down
#           again, and the console walks on without the button, or stands. Do not let a window that comes up by itself have a button
#           on which Return does harm.
#           nettplay's comes up when the player has opened a link or a file with it; otherwise it flashes.
# Output:   Return held in another window, ours gets the focus: Return down, repeat 0
#           X, then Y held, another window has the focus:       X up, Y up
#           ours has it again, both still held:                 Y down, repeat 0; X is up, Y is down
#
# Needs what the packages need (apt-get install openbox xvfb libsdl2-2.0-0 libx11-dev brings it). Takes 10 s.
. "$(dirname "$0")/begin.inc"
. "$here/desktop.inc"
fetch libsdl2-2.0-0=2.26.5+dfsg-1 libsdl2-dev=2.26.5+dfsg-1 libxtst6=2:1.2.3-1.1 libxtst-dev=2:1.2.3-1.1
lib=$(dirname "$(find root -name 'libSDL2-2.0.so.0' | head -n 1)")
headers=$(dirname "$(dirname "$(find root -name _real_SDL_config.h)")")
cat >keys.c <<'C'
#include <SDL.h>
#include <X11/Xlib.h>
#include <X11/keysym.h>
#include <X11/extensions/XTest.h>
#include <stdio.h>

static Display *x;
static Window other;
static SDL_Window *ours;

/* turn has a key go down or up, as a player's finger does. */
static void turn(KeySym key, int down)
{
	XTestFakeKeyEvent(x, XKeysymToKeycode(x, key), down, 0);
	XSync(x, 0);
}

/* focus gives the focus to our window, or to the other one. */
static void focus(int us)
{
	if (us)
		SDL_RaiseWindow(ours);
	else
		XSetInputFocus(x, other, RevertToParent, CurrentTime);
	XSync(x, 0);
}

/* events tells what comes until nothing has come for two seconds, without repetitions, after those that are passed over. */
static void events(const char *when, int tell)
{
	const char *between = "";
	SDL_Event e;
	if (tell)
		printf("%-51s", when);
	for (Uint32 last = SDL_GetTicks(); SDL_GetTicks() - last < 2000; SDL_Delay(5))
		while (SDL_PollEvent(&e)) {
			if ((e.type != SDL_KEYDOWN && e.type != SDL_KEYUP) || e.key.repeat)
				continue;
			last = SDL_GetTicks();
			if (!tell)
				continue;
			printf("%s %s %s", between, SDL_GetKeyName(e.key.keysym.sym), e.type == SDL_KEYDOWN ? "down, repeat 0" : "up");
			between = e.type == SDL_KEYDOWN ? ";" : ",";
		}
}

int main(void)
{
	x = XOpenDisplay(NULL);
	other = XCreateSimpleWindow(x, DefaultRootWindow(x), 600, 0, 100, 100, 0, 0, 0);
	XMapWindow(x, other);
	XSync(x, 0);
	if (SDL_Init(SDL_INIT_VIDEO) || !(ours = SDL_CreateWindow("ours", 0, 0, 300, 300, 0)))
		return 2;
	events("", 0);
	focus(0);
	events("", 0);
	turn(XK_Return, 1);
	SDL_Delay(200);
	focus(1);
	events("Return held in another window, ours gets the focus:", 1);
	puts("");
	turn(XK_Return, 0);
	events("", 0);

	turn(XK_x, 1);
	turn(XK_y, 1);
	events("", 0);
	focus(0);
	events("X, then Y held, another window has the focus:", 1);
	puts("");
	focus(1);
	events("ours has it again, both still held:", 1);
	const Uint8 *state = SDL_GetKeyboardState(NULL);
	printf("; X is %s, Y is %s\n", state[SDL_SCANCODE_X] ? "down" : "up", state[SDL_SCANCODE_Y] ? "down" : "up");
	return 0;
}
C
gcc -O1 -Wall -I"$headers" -Iroot/usr/include/SDL2 -Iroot/usr/include -o keys keys.c "$lib/libSDL2-2.0.so.0" "$(find root -name libXtst.so.6)" -lX11
desktop
./keys | tee seen
[ "$(sed 's/^[^:]*: *//' seen | paste -sd'|')" = "Return down, repeat 0|X up, Y up|Y down, repeat 0; X is up, Y is down" ] || {
	echo "changed: keys that are held when the focus comes are told otherwise" >&2
	exit 1
}
