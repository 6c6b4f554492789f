#!/bin/sh
# SDL: a sound device whose sink PulseAudio has suspended does not close until the sink resumes, and nothing tells of it.
#
# Package:  libsdl2-2.0-0, libsdl2-dev 2.26.5+dfsg-1, pulseaudio, pulseaudio-utils, libpulse0 16.1+dfsg1-2+b1 (Debian 12).
# Guess:    PulseAudio suspends a sink while another user sits at the machine, or while another program has the card for itself. A device of
#           SDL's on it is then lost (SDL_AUDIODEVICEREMOVED) or stopped, and can be closed at any time, in some hundredths of a second.
# Seen:     no event comes, the device counts as playing, and its queue stays as it is. SDL_CloseAudioDevice waits for the thread that
#           feeds the device, and that one for the server to ask for more: it returns when the sink resumes. So a program that
#           is closed meanwhile hangs, and so does a window that closes the device because the player switches the sound off.
#           SDL_Quit, which closes what is open, waits as well.
#           nettplay closes the device beside its window, and waits for it no longer than it takes on a sink that runs.
# Output:   events: none, status: playing
#           queued after 1 s and 3 s: the same
#           closed: when the sink resumes, after 4 s
#
# Needs the libraries that SDL and PulseAudio need (apt-get install libsdl2-2.0-0 pulseaudio brings them). No sound card. Takes 30 s.
. "$(dirname "$0")/begin.inc"
fetch libsdl2-2.0-0=2.26.5+dfsg-1 libsdl2-dev=2.26.5+dfsg-1 pulseaudio=16.1+dfsg1-2+b1 pulseaudio-utils=16.1+dfsg1-2+b1 libpulse0=16.1+dfsg1-2+b1
lib=$(dirname "$(find root -name 'libSDL2-2.0.so.0' | head -n 1)")
headers=$(dirname "$(dirname "$(find root -name _real_SDL_config.h)")")

cat >close.c <<'C'
#include <SDL.h>
#include <stdio.h>
#include <stdlib.h>

static SDL_AudioDeviceID device;
static int events;

/* play keeps 200 ms of silence queued for a while, and counts what SDL tells of devices. It returns what is queued then. */
static Uint32 play(Uint32 ms)
{
	static Sint16 piece[2 * 480];
	for (Uint32 end = SDL_GetTicks() + ms; !SDL_TICKS_PASSED(SDL_GetTicks(), end); SDL_Delay(5)) {
		SDL_Event e;
		while (SDL_GetQueuedAudioSize(device) < 4 * 9600)
			SDL_QueueAudio(device, piece, sizeof piece);
		while (SDL_PollEvent(&e))
			events += e.type == SDL_AUDIODEVICEREMOVED;
	}
	return SDL_GetQueuedAudioSize(device);
}

int main(void)
{
	SDL_AudioSpec want = {.freq = 48000, .format = AUDIO_S16SYS, .channels = 2, .samples = 512};
	if (SDL_Init(SDL_INIT_AUDIO | SDL_INIT_EVENTS) || !(device = SDL_OpenAudioDevice(NULL, 0, &want, NULL, 0)))
		return 2;
	SDL_PauseAudioDevice(device, 0);
	play(3000);
	if (system("pactl suspend-sink one 1"))
		return 2;
	Uint32 first = play(1000), second = play(2000);
	printf("events: %s, status: %s\n", events ? "removed" : "none", SDL_GetAudioDeviceStatus(device) == SDL_AUDIO_PLAYING ? "playing" : "not playing");
	printf("queued after 1 s and 3 s: %s\n", first == second ? "the same" : "another");
	fflush(stdout);
	if (system("(sleep 4; pactl suspend-sink one 0) &"))
		return 2;
	Uint32 from = SDL_GetTicks();
	SDL_CloseAudioDevice(device);
	from = SDL_GetTicks() - from;
	printf("closed: %s\n", from >= 3500 ? "when the sink resumes, after 4 s" : "at once");
	SDL_Quit();
	return 0;
}
C
gcc -O1 -Wall -I"$headers" -Iroot/usr/include/SDL2 -Iroot/usr/include -o close close.c "$lib/libSDL2-2.0.so.0"

HOME=$dir XDG_RUNTIME_DIR=$dir PULSE_SERVER=unix:$dir/native PATH=$dir/root/usr/bin:$PATH
export HOME XDG_RUNTIME_DIR PULSE_SERVER PATH
pulseaudio -n --daemonize=no --exit-idle-time=-1 --use-pid-file=no -p "$(dirname "$(find "$dir/root" -name module-null-sink.so)")" \
	-L "module-null-sink sink_name=one rate=48000" -L "module-native-protocol-unix auth-anonymous=1 socket=$dir/native" 2>/dev/null &
trap 'kill $!; rm -rf "$dir"' EXIT
until [ -S native ]; do sleep 0.1; done
SDL_AUDIODRIVER=pulseaudio ./close | tee seen
[ "$(sed 's/^[^:]*: //' seen | paste -sd'|')" = "none, status: playing|the same|when the sink resumes, after 4 s" ] || {
	echo "changed: a device of a suspended sink is told of, or closes" >&2
	exit 1
}
