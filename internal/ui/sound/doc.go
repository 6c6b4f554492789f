// Package sound plays a console's sound, by SDL's audio queue, without crackling
// and without drifting away from the picture.
//
// Console and sound card have different clocks, and frames come with a little
// jitter. A [Stream] resamples what the console makes to the card's rate, faster
// or slower by up to half a percent, which nobody hears, so that as much is queued
// as was asked for. Where there is a gap all the same (the console waits for
// somebody), the sound fades out and in within 5 ms. A Stream is pure: it knows
// neither SDL nor a clock.
//
// A [Player] owns a Stream and a goroutine that fills the queue. A console never
// waits for it. Without a sound card, or when it is lost, all goes on in silence,
// and goes on to sound when there is one again.
//
// Devices are opened and closed on the main thread. Only what SDL makes for it is
// called on the Player's goroutine: SDL_QueueAudio, SDL_GetQueuedAudioSize and
// SDL_ClearQueuedAudio, which take the device's lock themselves.
package sound
