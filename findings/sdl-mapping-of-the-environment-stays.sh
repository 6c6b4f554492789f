#!/bin/sh
# SDL: what the environment says of a controller stays; a mapping that a program adds is "updated", and does nothing.
#
# Package:  libsdl2-2.0-0, libsdl2-dev 2.26.5+dfsg-1 (Debian 12).
# Guess:    SDL_GameControllerAddMapping replaces what SDL has for that model, wherever it is from: it returns 0 for
#           "updated", as its documentation has it, and -1 for an error.
# Seen:     so it is for the mappings that SDL has built in. One from SDL_GAMECONTROLLERCONFIG, which Steam sets for each
#           game that it starts, is of a higher rank. The program's own mapping is dropped, the call returns 0, and no
#           event follows: a player who has just taught a program their controller, and was told that it is learned, presses
#           the same wrong buttons. It helps to hide the variable by SDL_SetHintWithPriority(..., "", SDL_HINT_OVERRIDE)
#           before SDL's controllers start, and to add its lines oneself.
#           nettplay does so, and adds what was taught in it last.
# Output:   nothing in the environment:    added: 0; button 0 is b
#           a mapping in the environment:  added: 0; button 0 is a
#           the same, hidden by a hint:    added: 0; button 0 is b
#
# Needs the libraries that SDL itself needs (apt-get install libsdl2-2.0-0 brings them). No display, no device.
. "$(dirname "$0")/begin.inc"
fetch libsdl2-2.0-0=2.26.5+dfsg-1 libsdl2-dev=2.26.5+dfsg-1
lib=$(dirname "$(find root -name 'libSDL2-2.0.so.0' | head -n 1)")
headers=$(dirname "$(dirname "$(find root -name _real_SDL_config.h)")")

cat >map.c <<'C'
#include <SDL.h>
#include <stdio.h>

/* map hide: hides the variable first. map guid: gives the model that a mapping would name. */
int main(int argc, char **argv)
{
	const char *want = argc == 2 ? argv[1] : "";
	SDL_SetHint(SDL_HINT_JOYSTICK_ALLOW_BACKGROUND_EVENTS, "1"); /* there is no window */
	if (*want == 'h')
		SDL_SetHintWithPriority(SDL_HINT_GAMECONTROLLERCONFIG, "", SDL_HINT_OVERRIDE);
	if (SDL_Init(SDL_INIT_GAMECONTROLLER | SDL_INIT_EVENTS))
		return 2;
	SDL_VirtualJoystickDesc d = {.version = SDL_VIRTUAL_JOYSTICK_DESC_VERSION, .type = SDL_JOYSTICK_TYPE_GAMECONTROLLER,
		.naxes = 6, .nbuttons = 12, .vendor_id = 0x1111, .product_id = 0x2222, .name = "A pad"};
	int at = SDL_JoystickAttachVirtualEx(&d);
	char model[33], mapping[200];
	SDL_JoystickGetGUIDString(SDL_JoystickGetDeviceGUID(at), model, sizeof model);
	if (*want == 'g')
		return puts(model) < 0;
	SDL_snprintf(mapping, sizeof mapping, "%s,A pad,a:b1,b:b0,", model);
	int added = SDL_GameControllerAddMapping(mapping);
	SDL_GameController *pad = SDL_GameControllerOpen(at);
	SDL_JoystickSetVirtualButton(SDL_GameControllerGetJoystick(pad), 0, SDL_PRESSED);
	SDL_GameControllerUpdate();
	int a = SDL_GameControllerGetButton(pad, SDL_CONTROLLER_BUTTON_A), b = SDL_GameControllerGetButton(pad, SDL_CONTROLLER_BUTTON_B);
	printf("added: %d; button 0 is %s\n", added, a == b ? "neither" : a ? "a" : "b");
	SDL_Quit();
	return 0;
}
C
gcc -O1 -Wall -I"$headers" -Iroot/usr/include/SDL2 -Iroot/usr/include -o map map.c "$lib/libSDL2-2.0.so.0"
unset SDL_GAMECONTROLLERCONFIG SDL_GAMECONTROLLERCONFIG_FILE
export SDL_VIDEODRIVER=dummy
steam="$(./map guid),Another name,a:b0,b:b1,"
{
	echo "nothing in the environment:    $(./map)"
	echo "a mapping in the environment:  $(SDL_GAMECONTROLLERCONFIG=$steam ./map)"
	echo "the same, hidden by a hint:    $(SDL_GAMECONTROLLERCONFIG=$steam ./map hide)"
} | tee seen
[ "$(sed 's/.*: *added/added/' seen | paste -sd'|')" = "added: 0; button 0 is b|added: 0; button 0 is a|added: 0; button 0 is b" ] || {
	echo "changed: the program's mapping takes the place of the environment's, or the call says that it does not" >&2
	exit 1
}
