#!/bin/sh
# SDL on X11: as soon as a controller is plugged in, opened or not, SDL_WaitEvent looks for events hundreds of times a second.
#
# Package:  libsdl2-2.0-0, libsdl2-dev 2.26.5+dfsg-1, openbox 3.6.1-10, xvfb (Debian 12).
# Guess:    since 2.0.16 SDL_WaitEvent sleeps until X has something, and SDL_PushEvent wakes it. Controllers that the program has opened are looked at
#           now and then, or their files are waited for, too; one that only lies there costs nothing.
# Seen:     where there is any joystick, and events of joysticks are on, it looks at everything, sleeps for a millisecond, and looks again, until
#           something comes. A lobby in which nothing happens takes some percent of a processor, and keeps a handheld, whose own
#           controls are such a joystick, from ever sleeping. Nothing but events that are off ends it (SDL_JoystickEventState), and then
#           SDL tells of no press. Which of its buttons a game cares for, or whether it has opened the controller, is not asked.
#           nettplay bears it: a press is to be there at once.
# Output:   no controller:              1 wake-ups in 3 s
#           one is there, not opened:   2266 wake-ups in 3 s
#           it is opened:               2338 wake-ups in 3 s
#           its events are off:         1 wake-ups in 3 s
#           unplugged, events are on:   1 wake-ups in 3 s
#
# Needs what the packages need (apt-get install openbox xvfb libsdl2-2.0-0 brings it). Takes 25 s.
. "$(dirname "$0")/begin.inc"
. "$here/desktop.inc"
fetch libsdl2-2.0-0=2.26.5+dfsg-1 libsdl2-dev=2.26.5+dfsg-1
lib=$(dirname "$(find root -name 'libSDL2-2.0.so.0' | head -n 1)")
headers=$(dirname "$(dirname "$(find root -name _real_SDL_config.h)")")

cat >waits.c <<'C'
#include <SDL.h>
#include <stdio.h>
#include <sys/resource.h>

static long sleeps(void)
{
	struct rusage r;
	getrusage(RUSAGE_SELF, &r);
	return r.ru_nvcsw;
}

/* waits waits until nothing has come for three seconds, and tells how often the process slept and woke in them. */
static void waits(const char *when)
{
	SDL_Event e;
	long before;
	do
		before = sleeps();
	while (SDL_WaitEventTimeout(&e, 3000));
	printf("%-27s %ld wake-ups in 3 s\n", when, sleeps() - before);
	fflush(stdout);
}

int main(void)
{
	SDL_SetHint(SDL_HINT_JOYSTICK_ALLOW_BACKGROUND_EVENTS, "1");
	if (SDL_Init(SDL_INIT_VIDEO | SDL_INIT_GAMECONTROLLER) || !SDL_CreateWindow("lobby", 100, 100, 200, 200, 0))
		return 2;
	waits("no controller:");
	int pad = SDL_JoystickAttachVirtual(SDL_JOYSTICK_TYPE_GAMECONTROLLER, 6, 15, 0);
	waits("one is there, not opened:");
	SDL_GameController *open = SDL_GameControllerOpen(pad);
	if (!open)
		return 2;
	waits("it is opened:");
	SDL_GameControllerEventState(SDL_IGNORE);
	SDL_JoystickEventState(SDL_IGNORE);
	waits("its events are off:");
	SDL_GameControllerEventState(SDL_ENABLE);
	SDL_JoystickEventState(SDL_ENABLE);
	SDL_GameControllerClose(open);
	SDL_JoystickDetachVirtual(pad);
	waits("unplugged, events are on:");
	SDL_Quit();
	return 0;
}
C
gcc -O1 -Wall -I"$headers" -Iroot/usr/include/SDL2 -Iroot/usr/include -o waits waits.c "$lib/libSDL2-2.0.so.0"
desktop
./waits | tee seen
# A busy machine wakes it less often, and some other program's event wakes it a few times.
[ "$(awk -F': *| wake' '{ printf "%s ", ($2 > 100 ? "often" : $2 < 30 ? "sleeps" : "?") }' seen)" = "sleeps often often sleeps sleeps " ] || {
	echo "changed: it sleeps beside a controller, or wakes without one" >&2
	exit 1
}
