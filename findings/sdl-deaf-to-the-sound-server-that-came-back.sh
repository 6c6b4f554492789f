#!/bin/sh
# SDL: when PulseAudio has started anew a device can be opened again, but no device that is plugged in or out is told of any more.
#
# Package:  libsdl2-2.0-0, libsdl2-dev 2.26.5+dfsg-1, pulseaudio, pulseaudio-utils, libpulse0 16.1+dfsg1-2+b1 (Debian 12).
# Guess:    SDL_AUDIODEVICEREMOVED for what was open is all that the end of a sound server does. Who opens a device again behind it has what there
#           was: the list of devices is the new server's, and SDL_AUDIODEVICEADDED comes for headphones that are plugged in.
# Seen:     the device that is opened again plays. The list stays the one of the server that died, with what is not there any more, and without
#           what is new; and no event comes until the program ends. A player whose sound server was updated, or crashed, plugs headphones
#           in, and the program neither offers them nor goes over to them. It helps to end SDL's audio and to begin it anew
#           (SDL_QuitSubSystem) when a device is removed.
#           nettplay does so.
# Output:   a sink more:                 events: added;   SDL lists 2, there are 2
#           the server starts anew:      events: removed; SDL lists 2, there are 1
#           opened again:                plays
#           three sinks more:            events: none;    SDL lists 2, there are 4
#           SDL's audio begun anew:      events: added;   SDL lists 4, there are 4
#
# Needs the libraries that SDL and PulseAudio themselves need. Takes 20 s.
. "$(dirname "$0")/begin.inc"
fetch libsdl2-2.0-0=2.26.5+dfsg-1 libsdl2-dev=2.26.5+dfsg-1 pulseaudio=16.1+dfsg1-2+b1 pulseaudio-utils=16.1+dfsg1-2+b1 libpulse0=16.1+dfsg1-2+b1
lib=$(dirname "$(find root -name 'libSDL2-2.0.so.0' | head -n 1)")
headers=$(dirname "$(dirname "$(find root -name _real_SDL_config.h)")")

cat >devices.c <<'C'
#include <SDL.h>
#include <stdio.h>
#include <stdlib.h>

/* look tells what comes in two seconds, and how many devices there are by SDL and by the server. */
static void look(const char *when)
{
	const char *came = "none;";
	SDL_Event e;
	for (int i = 0; i < 200; i++, SDL_Delay(10))
		while (SDL_PollEvent(&e))
			if (e.type == SDL_AUDIODEVICEADDED && !e.adevice.iscapture)
				came = "added;";
			else if (e.type == SDL_AUDIODEVICEREMOVED && !e.adevice.iscapture)
				came = "removed;";
	printf("%-28s events: %-8s SDL lists %d, there are ", when, came, SDL_GetNumAudioDevices(0));
	fflush(stdout);
	if (system("pactl list short sinks | wc -l"))
		exit(2);
}

static SDL_AudioDeviceID opened(void)
{
	SDL_AudioSpec want = {.freq = 48000, .format = AUDIO_S16SYS, .channels = 2, .samples = 512};
	SDL_AudioDeviceID device = SDL_OpenAudioDevice(NULL, 0, &want, NULL, 0);
	if (device == 0)
		exit(2);
	SDL_PauseAudioDevice(device, 0);
	return device;
}

static void run(const char *command)
{
	if (system(command))
		exit(2);
}

int main(void)
{
	static char silence[4 * 48000];
	SDL_Event e;
	if (SDL_Init(SDL_INIT_AUDIO | SDL_INIT_EVENTS))
		return 2;
	SDL_Delay(500);
	while (SDL_PollEvent(&e))
		;
	SDL_AudioDeviceID device = opened();
	run("pactl load-module module-null-sink sink_name=more >more");
	look("a sink more:");
	run(". ./server.sh; end; begin");
	look("the server starts anew:");
	SDL_CloseAudioDevice(device);
	device = opened();
	SDL_QueueAudio(device, silence, sizeof silence);
	for (int i = 0; i < 1000 && SDL_GetQueuedAudioSize(device) > 0; i++)
		SDL_Delay(10);
	printf("opened again:                %s\n", SDL_GetQueuedAudioSize(device) ? "does not play" : "plays");
	run("for name in two three four; do pactl load-module module-null-sink sink_name=$name >more; done");
	look("three sinks more:");
	SDL_CloseAudioDevice(device);
	SDL_QuitSubSystem(SDL_INIT_AUDIO);
	if (SDL_InitSubSystem(SDL_INIT_AUDIO))
		return 2;
	look("SDL's audio begun anew:");
	SDL_Quit();
	return 0;
}
C
gcc -O1 -Wall -I"$headers" -Iroot/usr/include/SDL2 -Iroot/usr/include -o devices devices.c "$lib/libSDL2-2.0.so.0"
cat >server.sh <<'S'
begin() {
	pulseaudio -n --daemonize=no --exit-idle-time=-1 --use-pid-file=no -p "$(dirname "$(find "$dir/root" -name module-null-sink.so)")" \
		-L "module-null-sink sink_name=one rate=48000" -L "module-native-protocol-unix auth-anonymous=1 socket=$dir/native" >/dev/null 2>&1 &
	echo $! >server
	until pactl info >/dev/null 2>&1; do sleep 0.1; done
}
end() {
	kill "$(cat server)"
	while kill -0 "$(cat server)" 2>/dev/null; do sleep 0.1; done
}
S

HOME=$dir XDG_RUNTIME_DIR=$dir PULSE_SERVER=unix:$dir/native PATH=$dir/root/usr/bin:$PATH
export HOME XDG_RUNTIME_DIR PULSE_SERVER PATH dir
. ./server.sh
trap 'kill "$(cat server)"; rm -rf "$dir"' EXIT
begin
SDL_AUDIODRIVER=pulseaudio timeout 100 ./devices | tee seen
[ "$(sed 's/^[^:]*: *//; s/  */ /g' seen | paste -sd'|')" = "events: added; SDL lists 2, there are 2|events: removed; SDL lists 2, there are 1|plays|events: none; SDL lists 2, there are 4|events: added; SDL lists 4, there are 4" ] || {
	echo "changed: a sound server that came back is told of, or its devices are" >&2
	exit 1
}
