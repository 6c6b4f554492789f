#!/bin/sh
# SDL on X11: a size that the window manager refuses is the window's from then on, for the program alone.
#
# Package:  libsdl2-2.0-0, libsdl2-dev 2.26.5+dfsg-1, openbox 3.6.1-10, xvfb (Debian 12).
# Guess:    SDL_SetWindowSize asks, and SDL_GetWindowSize and SDL_WINDOWEVENT_SIZE_CHANGED say what came of it: a maximised window that
#           the desktop keeps maximised stays as large as it is, or is restored. In full screen the size is that of the
#           window afterwards.
# Seen:     the call waits a tenth of a second for X, and then takes the size that it asked for to be there: it sends the event, and
#           says so until the window changes in some other way, while the flag says that it is maximised. The program draws into a
#           corner, and has the mouse elsewhere. In full screen the size is forgotten. Restore a maximised window before,
#           and set a size behind full screen anew.
#           nettplay set the size of a maximised window; it restores it first now.
# Output:   made at 640x480:             SDL says 640x480, X says 640x480
#           maximised:                   SDL says 1280x779, X says 1280x779
#           set to 800x600 meanwhile:    SDL says 800x600, X says 1280x779
#           restored:                    SDL says 640x480, X says 640x480
#           full screen:                 SDL says 1280x800, X says 1280x800
#           set to 800x600 meanwhile:    SDL says 1280x800, X says 1280x800
#           no longer full screen:       SDL says 640x480, X says 640x480
#           restored, then set:          SDL says 800x600, X says 800x600
#
# Needs what the packages need (apt-get install openbox xvfb libsdl2-2.0-0 libx11-dev brings it). Takes 10 s.
. "$(dirname "$0")/begin.inc"
. "$here/desktop.inc"
fetch libsdl2-2.0-0=2.26.5+dfsg-1 libsdl2-dev=2.26.5+dfsg-1
lib=$(dirname "$(find root -name 'libSDL2-2.0.so.0' | head -n 1)")
headers=$(dirname "$(dirname "$(find root -name _real_SDL_config.h)")")

cat >size.c <<'C'
#include <SDL.h>
#include <SDL_syswm.h>
#include <stdio.h>

static SDL_Window *w;

static void settle(void)
{
	SDL_Event e;
	for (int i = 0; i < 50; i++, SDL_Delay(10))
		while (SDL_PollEvent(&e))
			;
}

static void say(const char *what)
{
	SDL_SysWMinfo info;
	XWindowAttributes is;
	int width, height;
	settle();
	SDL_VERSION(&info.version);
	SDL_GetWindowWMInfo(w, &info);
	XGetWindowAttributes(info.info.x11.display, info.info.x11.window, &is);
	SDL_GetWindowSize(w, &width, &height);
	printf("%-28s SDL says %dx%d, X says %dx%d\n", what, width, height, is.width, is.height);
}

int main(void)
{
	if (SDL_Init(SDL_INIT_VIDEO))
		return 2;
	w = SDL_CreateWindow("a window", 100, 100, 640, 480, SDL_WINDOW_RESIZABLE);
	say("made at 640x480:");
	SDL_MaximizeWindow(w);
	say("maximised:");
	SDL_SetWindowSize(w, 800, 600);
	say("set to 800x600 meanwhile:");
	SDL_RestoreWindow(w);
	say("restored:");
	SDL_SetWindowFullscreen(w, SDL_WINDOW_FULLSCREEN_DESKTOP);
	say("full screen:");
	SDL_SetWindowSize(w, 800, 600);
	say("set to 800x600 meanwhile:");
	SDL_SetWindowFullscreen(w, 0);
	say("no longer full screen:");
	SDL_MaximizeWindow(w);
	settle();
	SDL_RestoreWindow(w);
	SDL_SetWindowSize(w, 800, 600);
	say("restored, then set:");
	SDL_Quit();
	return 0;
}
C
gcc -O1 -Wall -I"$headers" -Iroot/usr/include/SDL2 -Iroot/usr/include -o size size.c "$lib/libSDL2-2.0.so.0" -l:libX11.so.6
desktop
./size | tee seen
[ "$(sed 's/.*SDL says //; s/, X says /=/' seen | paste -sd' ')" = \
	"640x480=640x480 1280x779=1280x779 800x600=1280x779 640x480=640x480 1280x800=1280x800 1280x800=1280x800 640x480=640x480 800x600=800x600" ] || {
	echo "changed: SDL says what size there is" >&2
	exit 1
}
