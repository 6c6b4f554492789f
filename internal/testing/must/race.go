//go:build race

package must

// RaceDetector tells whether this program is built with it.
const RaceDetector = true
