// Package sound plays a console's sound, by SDL's audio queue.
//
// A [Player] owns a soundstream.Stream, which makes what the card plays, and a goroutine that
// fills the queue. A console never waits for it. Without a sound card, or when it or the sound server
// is lost, all goes on in silence, and goes on to sound when there is one again: [Player.Work] looks for it.
//
// Devices are opened on the main thread, which also has them closed. Only what SDL makes for it is
// called on the Player's goroutine: SDL_QueueAudio, SDL_GetQueuedAudioSize and
// SDL_ClearQueuedAudio, which take the device's lock themselves.
//
// Read package soundstream next.
package sound
