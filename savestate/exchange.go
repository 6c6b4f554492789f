package savestate

// ExchangeConfig holds the settings of an [Exchange]. The zero value is fine.
type ExchangeConfig struct {
	// Rate is the most bytes of parts to send a second, 0 for as many as the
	// link takes.
	Rate int64
	// Background runs a job on another goroutine. The exchange gives it the
	// verification of parts that have come, some tens of milliseconds for a
	// state; when a job is done, Events and Outgoing should be called soon. Nil
	// runs jobs at once, within Receive.
	Background func(job func())
}

// Limits of what one peer may have us keep.
const (
	maxWants   = 64  // parts it wants at a time
	maxFetches = 64  // parts we want at a time
	maxTalk    = 256 // answers that nobody has taken from Outgoing
	maxHeard   = 256 // events that nobody has taken
)

// An Exchange carries manifests and parts between this machine and one other,
// both ways, for as long as they know each other: over the rounds of a room
// ([Exchange.Round]) and over connections that are replaced ([Exchange.Reset]). It
// is pure: times come in as arguments, and what Outgoing
// returns is for the owner to send. Its methods may be called by one goroutine at
// a time; the [Store] it fills may be shared.
//
// The owner calls Outgoing after each Receive and other call, and at NextWake. Coming late costs throughput.
type Exchange struct {
	store  *Store
	config ExchangeConfig
	talk   [][]byte // control messages to send
	events []Event
	moved  int64 // see Moved

	parts map[Part]bool  // that the peer may fetch
	high  map[Part]int64 // up to where it has had them

	rounds
	serving
	fetching
}

// Moved returns the bytes of parts that have come here and to the peer, ever: what the peer fetches
// again does not count again. No peer can claim more than it was sent.
func (x *Exchange) Moved() int64 { return x.moved }

func (x *Exchange) say(kind byte, f fields) { x.talk = append(x.talk, encode(kind, f)) }

func (x *Exchange) tell(e Event) { x.events = append(x.events, e) }
