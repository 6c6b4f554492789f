// Package soundstream makes what a sound card plays out of what a console makes, without
// crackling and without drifting away from the picture.
//
// Console and sound card have different clocks, and frames come with a little jitter. A
// [Stream] resamples what the console makes to the card's rate, faster or slower by up to half a
// percent, which nobody hears, so that as much is queued as was asked for. Where there is a gap
// all the same (the console waits for somebody), the sound fades out and in within 5 ms. When
// frames that were late come all at once, more is queued than was asked for: some milliseconds are
// cut out at a time, where the sound repeats itself, until it is right again. Where the console goes back and makes
// some frames again, their sound takes the place of the old one in the card's queue (again.go).
//
// All here is pure: it knows neither SDL nor a clock. [Hear] plays frames to a card that keeps the
// exact time, for measurements.
//
// Next to read: internal/ui/sound, which plays a Stream on a real card.
package soundstream
