#!/bin/sh
# SDL on ALSA's null device asks for sound millions of times a second, and keeps a processor busy for as long as it is open.
#
# Package:  libsdl2-2.0-0, libsdl2-dev 2.26.5+dfsg-1, libasound2 1.2.8-1+b1 (Debian 12).
# Guess:    a system without a card, whose asound.conf sends the default to "null" (containers, servers, machines that are to be silent),
#           is like SDL's dummy driver: sound vanishes at the rate that was asked for.
# Seen:     ALSA's null takes what it is given at once and never blocks, and SDL's thread has no other clock than that: some
#           millions of callbacks a second, hours of sound in a second, one processor at 100 % in user mode. Nothing is an error, the
#           device opens with the rate and the buffer that were asked for, and a queue in front of it is always empty, so a program that
#           goes by its queue finds an underrun at each look. Whoever opens a device on ALSA has to see whether time passes for it.
# Output:   alsa, 48000 Hz by 512: more than 100 times the rate, and a processor busy for more than half of the time
#
# Needs the libraries that SDL itself needs (apt-get install libsdl2-2.0-0 brings them). No sound card.
. "$(dirname "$0")/begin.inc"
fetch libsdl2-2.0-0=2.26.5+dfsg-1 libsdl2-dev=2.26.5+dfsg-1 libasound2=1.2.8-1+b1 libasound2-data=1.2.8-1
lib=$(dirname "$(find root -name 'libSDL2-2.0.so.0' | head -n 1)")
headers=$(dirname "$(dirname "$(find root -name _real_SDL_config.h)")")

cat >asound.conf <<'CONF'
pcm.!default { type null }
ctl.!default { type null }
CONF
cat >busy.c <<'C'
#include <SDL.h>
#include <stdio.h>
#include <time.h>

static volatile long taken;

static void take(void *user, Uint8 *out, int size)
{
	(void)user;
	SDL_memset(out, 0, size);
	taken += size / 4;
}

static double seconds(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

int main(void)
{
	SDL_AudioSpec got, want = {.freq = 48000, .format = AUDIO_S16SYS, .channels = 2, .samples = 512, .callback = take};
	if (SDL_Init(SDL_INIT_AUDIO))
		return 2;
	SDL_AudioDeviceID card = SDL_OpenAudioDevice(NULL, 0, &want, &got, 0);
	if (card == 0)
		return 2;
	double real = seconds(CLOCK_MONOTONIC), busy = seconds(CLOCK_PROCESS_CPUTIME_ID);
	SDL_PauseAudioDevice(card, 0);
	while (seconds(CLOCK_PROCESS_CPUTIME_ID) - busy < 0.5 && seconds(CLOCK_MONOTONIC) - real < 10)
		SDL_Delay(50);
	busy = seconds(CLOCK_PROCESS_CPUTIME_ID) - busy;
	real = seconds(CLOCK_MONOTONIC) - real;
	/* Half a second of processor time is never used up where the card has a clock; a busy machine gives it later. */
	printf("%s, %d Hz by %d: %s times the rate, and a processor busy for %s\n", SDL_GetCurrentAudioDriver(), got.freq, got.samples,
	       taken / real / got.freq > 100 ? "more than 100" : "less than 100",
	       busy >= 0.5 && busy > real / 2 ? "more than half of the time" : "less");
	fflush(stdout);
	_Exit(0);
}
C
gcc -O1 -Wall -I"$headers" -Iroot/usr/include/SDL2 -Iroot/usr/include -o busy busy.c "$lib/libSDL2-2.0.so.0"
SDL_AUDIODRIVER=alsa ALSA_CONFIG_PATH=$PWD/asound.conf ./busy 2>/dev/null | tee seen
[ "$(cat seen)" = "alsa, 48000 Hz by 512: more than 100 times the rate, and a processor busy for more than half of the time" ] || {
	echo "changed: time passes for ALSA's null device" >&2
	exit 1
}
