#!/bin/sh
# SDL on X11: when a display's resolution changes SDL goes on giving the one of the program's start, and no event.
#
# Package:  libsdl2-2.0-0, libsdl2-dev 2.26.5+dfsg-1, x11-xserver-utils 7.7+9+b1, openbox 3.6.1-10, xvfb (Debian 12).
# Guess:    a resolution chosen in the desktop's settings, or by another game, is an SDL_DISPLAYEVENT, or at least what SDL_GetDisplayBounds and
#           SDL_GetDesktopDisplayMode say from then on: they ask X. SDL_WINDOWPOS_CENTERED is the middle of what there is.
# Seen:     SDL keeps what it found at SDL_Init, until a display is plugged in or out. Only SDL_GetDisplayUsableBounds asks anew, so that
#           a display can use an area that is larger or smaller than itself. A new window is centred on what the display was, and may hang
#           out of it. SDL_WINDOW_FULLSCREEN_DESKTOP is of the right size, since the window manager sees to that. Place windows by
#           the usable area.
#           nettplay does.
# Output:   bounds 1280x800, usable 1280x800, desktop mode 1280x800
#           the display is set to 800x600: 0 display events
#           bounds 1280x800, usable 800x600, desktop mode 1280x800
#           a window of 640x480 in the middle is at 321,182, full screen it has 800x600
#
# Needs what the packages need (apt-get install openbox xvfb x11-xserver-utils libsdl2-2.0-0 brings it). Takes 5 s.
. "$(dirname "$0")/begin.inc"
. "$here/desktop.inc"
fetch libsdl2-2.0-0=2.26.5+dfsg-1 libsdl2-dev=2.26.5+dfsg-1 x11-xserver-utils=7.7+9+b1
lib=$(dirname "$(find root -name 'libSDL2-2.0.so.0' | head -n 1)")
headers=$(dirname "$(dirname "$(find root -name _real_SDL_config.h)")")

cat >display.c <<'C'
#include <SDL.h>
#include <stdio.h>
#include <stdlib.h>

static int display_events;

static void settle(void)
{
	SDL_Event e;
	for (int i = 0; i < 100; i++, SDL_Delay(10))
		while (SDL_PollEvent(&e))
			display_events += e.type == SDL_DISPLAYEVENT;
}

static void tell(void)
{
	SDL_Rect all, usable;
	SDL_DisplayMode mode;
	SDL_GetDisplayBounds(0, &all);
	SDL_GetDisplayUsableBounds(0, &usable);
	SDL_GetDesktopDisplayMode(0, &mode);
	printf("bounds %dx%d, usable %dx%d, desktop mode %dx%d\n", all.w, all.h, usable.w, usable.h, mode.w, mode.h);
}

/* display COMMAND: what SDL says of the display before and after the command. */
int main(int argc, char **argv)
{
	int x, y, w, h;
	if (argc != 2 || SDL_Init(SDL_INIT_VIDEO))
		return 2;
	SDL_Window *window = SDL_CreateWindow("a window", 0, 0, 320, 240, SDL_WINDOW_RESIZABLE);
	settle();
	tell();
	fflush(stdout);
	display_events = 0;
	if (system(argv[1]))
		return 2;
	settle();
	printf("the display is set to 800x600: %d display events\n", display_events);
	tell();
	SDL_DestroyWindow(window);
	window = SDL_CreateWindow("another window", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, 640, 480, SDL_WINDOW_RESIZABLE);
	settle();
	SDL_GetWindowPosition(window, &x, &y);
	SDL_SetWindowFullscreen(window, SDL_WINDOW_FULLSCREEN_DESKTOP);
	settle();
	SDL_GetWindowSize(window, &w, &h);
	printf("a window of 640x480 in the middle is at %d,%d, full screen it has %dx%d\n", x, y, w, h);
	return 0;
}
C
gcc -O1 -Wall -I"$headers" -Iroot/usr/include/SDL2 -Iroot/usr/include -o display display.c "$lib/libSDL2-2.0.so.0"
desktop
xrandr=$(find root -name xrandr -type f)
$xrandr --newmode small 0 800 0 0 800 600 0 0 600
$xrandr --addmode screen small
./display "$xrandr --output screen --mode small" | tee seen
cat >want <<'W'
bounds 1280x800, usable 1280x800, desktop mode 1280x800
the display is set to 800x600: 0 display events
bounds 1280x800, usable 800x600, desktop mode 1280x800
a window of 640x480 in the middle is at 321,182, full screen it has 800x600
W
cmp -s seen want || {
	echo "changed: SDL follows the display's resolution" >&2
	exit 1
}
