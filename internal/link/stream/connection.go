package stream

import "time"

// Phase is where a connection stands:
//
//	opening --main carrier--> open --Disconnect--> flushing --all confirmed--> leaving
//	   |                       |                      |                          |
//	   +---- time-out, bye, broken protocol ----------+------ answer, time ------+--> over
//
// In every phase but over it talks; in over only its events are left to
// be taken.
type Phase uint8

// The phases.
const (
	Opening  Phase = iota // no carrier has come up yet
	Open                  // the usual
	Flushing              // Disconnect waits until all is confirmed
	Leaving               // the bye is repeated until it is answered
	Over                  // only its events are left
)

// Times of greetings and goodbyes.
const (
	GreetEvery = 200 * time.Millisecond // between repetitions of a greeting
	FlushTime  = 4 * time.Second        // for what is queued at Disconnect
	LeaveTime  = time.Second            // for the answer to a bye
	ByeEvery   = 100 * time.Millisecond // between repetitions of a bye
	quickTime  = 500 * time.Millisecond // of either, when the link is being closed
)

// Patience is d, or less when there is no time.
func Patience(d time.Duration, quick bool) time.Duration {
	if quick {
		return quickTime
	}
	return d
}

// ProgressAtOnce is the number of segments that the other side is told of at once.
const ProgressAtOnce = 128

// MaxPendingInputs is the limit of received inputs that wait for the consumer of Events.
const MaxPendingInputs = 128

// Lanes is the number of ENet connections that a Bulk stream uses at once. ENet
// keeps at most 64 KiB of a connection in flight, which fills a line only up to
// 0.64 MB/s at 100 ms; eight of them fill 5 MB/s.
const Lanes = 8

// CarrierMTU is the largest ENet datagram. ENet's default, 1400, cannot be set
// through go-enet, but the two sides agree on what the connect command says. On a path that carries less, it goes in two
// pieces.
const CarrierMTU = 1280
