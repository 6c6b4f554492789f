package chaos

import (
	"math/rand/v2"
	"slices"
	"time"

	"github.com/nettplay/nettplay/internal/autodelay"
	"github.com/nettplay/nettplay/internal/testing/impair"
)

// Kind is a way to go wrong.
type Kind string

// The kinds.
const (
	KillWorker Kind = "kill-worker" // SIGKILL to one console's process
	KillPeer   Kind = "kill-peer"   // SIGKILL to a game client
	KillHost   Kind = "kill-host"   // SIGKILL to the game host
	Leave      Kind = "leave"       // SIGINT to a game client
	HostLeaves Kind = "host-leaves" // SIGINT to the game host
	Freeze     Kind = "freeze"      // SIGSTOP, then SIGCONT before anybody gives it up
	Dark       Kind = "dark"        // a blackout of 3 s
	DarkLong   Kind = "dark-long"   // one after which the connection is opened again
	Dark40     Kind = "dark-40"     // 40 s
	Cut        Kind = "cut"         // a line that does not come back
	OneWay     Kind = "one-way"     // nothing arrives at the game host for 2 s
	Worse      Kind = "worse"       // a line gets far worse, for good
	Moved      Kind = "moved"       // a client's address changes, as behind a router that forgot
	Garbage    Kind = "garbage"     // datagrams of strangers at every port
	Fault      Kind = "fault"       // a machine computes something wrong
	Join       Kind = "join"        // somebody comes while the game runs
	JoinGone   Kind = "join-gone"   // ... and is killed soon after
	Again      Kind = "again"       // a killed one comes again
	Watch      Kind = "watch"       // a spectator comes
	WatchSlow  Kind = "watch-slow"  // ... with a machine that stands still for a while
	WatchGone  Kind = "watch-gone"  // ... and is killed
	DiskFull   Kind = "disk-full"   // a machine cannot write saves for a while; in simulations
)

// kindOf is what the planner knows of a kind.
type kindOf struct {
	kind   Kind
	weight int
	long   bool   // only in long plans
	once   bool   // at most once in a plan
	words  string // with NAME for the machine's player
	// suits reports whether one more belongs in a plan; nil: always.
	suits func(p *Plan) bool
	event func(r *rand.Rand, p *Plan) Event // all but its kind
}

func (k *kindOf) fits(p *Plan) bool {
	if k.once && p.has(k.kind) || slices.Contains(repaired, k.kind) && p.count(repaired...) >= maxRepairs || p.Core == Model && slices.Contains(unreal, k.kind) {
		return false
	}
	return k.suits == nil || k.suits(p)
}

// unreal are the kinds that cannot be done to a simulated machine.
var unreal = []Kind{Moved, Garbage}

// maxRepairs is the number of resyncs that a room is good for in a minute.
const maxRepairs = 3

// repaired are the kinds that cost a resync each.
var repaired = []Kind{KillWorker, Fault}

// ends are the kinds that end somebody's part in a game.
var ends = []Kind{KillPeer, Leave, Cut, KillHost, HostLeaves}

// kinds are all ways to go wrong.
var kinds = []kindOf{
	{kind: KillWorker, weight: 5, words: "a console on NAME's machine is killed", event: someone(0)},
	{kind: KillPeer, weight: 3, words: "NAME's machine is killed", suits: oneEnd, event: someClient(0, 0)},
	{kind: KillHost, weight: 4, words: "NAME's machine, the game host's, is killed", suits: hostEnd, event: hostEvent},
	{kind: Leave, weight: 3, words: "NAME leaves", suits: oneEnd, event: someClient(0, 0)},
	{kind: HostLeaves, weight: 4, words: "NAME, the game host, leaves", suits: hostEnd, event: hostEvent},
	{kind: Freeze, weight: 2, words: "NAME's machine stands still", event: someone(2 * time.Second)},
	{kind: Dark, weight: 4, words: "NAME's line is dark", event: someClient(3*time.Second, 0)},
	{kind: DarkLong, weight: 4, words: "NAME's line is dark", once: true, event: darkLong},
	{kind: Dark40, weight: 6, long: true, words: "NAME's line is dark", once: true, suits: patient, event: someClient(40*time.Second, 0)},
	{kind: Cut, weight: 2, words: "NAME's line is cut", suits: oneEnd, event: someClient(0, 0)},
	{kind: OneWay, weight: 2, words: "nothing of NAME arrives", event: someClient(2*time.Second, 0)},
	{kind: Worse, weight: 2, words: "NAME's line gets worse", once: true, event: someClient(0, 0)},
	{kind: Moved, weight: 3, words: "NAME's address changes", event: someClient(0, 0)},
	{kind: Garbage, weight: 2, words: "strangers send garbage to all", once: true, event: someone(time.Second)},
	{kind: Fault, weight: 6, words: "NAME's machine computes something wrong", once: true, suits: mayFault, event: fault},
	{kind: Join, weight: 9, words: "NAME comes", suits: mayCome, event: comes(0, 0)},
	{kind: JoinGone, weight: 4, words: "NAME comes, and is killed after that", suits: mayCome, event: comes(300*time.Millisecond, 4*time.Second)},
	{kind: Again, weight: 20, words: "NAME comes, who was killed before", once: true, suits: mayComeAgain, event: comesAgain},
	{kind: Watch, weight: 5, words: "NAME watches", suits: mayWatch, event: watches(0, 0)},
	{kind: WatchSlow, weight: 3, words: "NAME watches, and stands still in the middle", suits: mayWatch, event: watches(2*time.Second, 3*time.Second)},
	{kind: WatchGone, weight: 3, words: "NAME watches, and is killed after that", suits: mayWatch, event: watches(time.Second, 3*time.Second)},
	{kind: DiskFull, weight: 9, words: "NAME's machine cannot write saves", once: true, suits: func(p *Plan) bool { return p.Core == Model }, event: someone(burstEvery * frameTime)},
}

// oneEnd lets one player's part end, and with four players two.
func oneEnd(p *Plan) bool { return p.count(ends...) < max(1, p.Players-2) }

// hostEnd lets the game host's end, once.
func hostEnd(p *Plan) bool { return oneEnd(p) && !p.has(KillHost, HostLeaves) }

// patient reports whether a line may be dark for long.
func patient(p *Plan) bool { return p.Wait >= time.Minute }

// mayFault allows a fault: a machine is told of it when it starts.
func mayFault(p *Plan) bool { return p.Core != DeSmuME }

// when is a time in the middle of a game.
func when(r *rand.Rand, p *Plan) time.Duration {
	return time.Duration((0.05 + 0.8*r.Float64()) * float64(p.length()))
}

// lasting is a length and up to spread more.
func lasting(r *rand.Rand, length, spread time.Duration) time.Duration {
	if spread > 0 {
		length += time.Duration(r.Int64N(int64(spread)))
	}
	return length
}

// someone is an event of any machine.
func someone(length time.Duration) func(*rand.Rand, *Plan) Event {
	return func(r *rand.Rand, p *Plan) Event {
		return Event{At: when(r, p), Machine: r.IntN(p.Players), Length: length}
	}
}

// someClient is an event of any but the game host. It lasts for length and up to
// spread more.
func someClient(length, spread time.Duration) func(*rand.Rand, *Plan) Event {
	return func(r *rand.Rand, p *Plan) Event {
		return Event{At: when(r, p), Machine: 1 + r.IntN(p.Players-1), Length: lasting(r, length, spread)}
	}
}

func hostEvent(r *rand.Rand, p *Plan) Event { return Event{At: when(r, p)} }

// backAgain bounds the time to have a connection again after its line was dark.
const backAgain = 4 * time.Second

// darkLong is a blackout after which a connection must be opened again, well before
// anybody gives up waiting.
func darkLong(r *rand.Rand, p *Plan) Event {
	longest := min(p.Wait, p.Silence+9*time.Second) - backAgain
	return someClient(p.Silence+time.Second, longest-p.Silence-time.Second)(r, p)
}

// mayCome allows one more player, as far as there are names and processors for them.
func mayCome(p *Plan) bool {
	most := 5
	if p.Core == Model {
		most = 8
	}
	return p.Machines() < most && len(p.Late) < 2
}

// comes is a new player, early enough for the others to notice. One that is to be killed is after
// length and up to spread more.
func comes(length, spread time.Duration) func(*rand.Rand, *Plan) Event {
	return func(r *rand.Rand, p *Plan) Event {
		return Event{At: time.Duration(0.6 * float64(when(r, p))), Machine: p.later(r, -1), Length: lasting(r, length, spread)}
	}
}

// mayComeAgain allows that a killed machine comes again.
func mayComeAgain(p *Plan) bool { return p.has(KillPeer) && mayCome(p) }

// comesAgain brings back the machine that was killed before: mostly after that was noticed.
func comesAgain(r *rand.Rand, p *Plan) Event {
	dead := p.Events[slices.IndexFunc(p.Events, func(e Event) bool { return e.Kind == KillPeer })]
	return Event{At: dead.At + lasting(r, 200*time.Millisecond, p.Silence+3*time.Second), Machine: p.later(r, dead.Machine)}
}

// watching are the kinds of spectators.
var watching = []Kind{Watch, WatchSlow, WatchGone}

func mayWatch(p *Plan) bool { return p.count(watching...) < 2 }

// watches is a spectator, from the beginning or later. Its trouble comes after length and up to
// spread more.
func watches(length, spread time.Duration) func(*rand.Rand, *Plan) Event {
	return func(r *rand.Rand, p *Plan) Event {
		e := Event{At: when(r, p), Machine: firstSpectator + p.count(watching...)}
		if r.IntN(2) == 0 {
			e.At = time.Millisecond
		}
		e.Length = lasting(r, length, spread)
		return e
	}
}

// Regions that a fault can be in, as the test core calls them.
var faultRegions = []string{"ram", "video", "sram", "hash"}

// fault is one at a frame of its own: the machine knows of it from its start.
func fault(r *rand.Rand, p *Plan) Event {
	frame := 30 + r.Int64N(p.Frames*7/10)
	if p.Core == Model { // short games: it is to be found and mended before the end
		frame = 10 + frame%max(1, p.Frames-2*int64(p.Hash)-80)
	}
	return Event{
		At: time.Duration(frame) * frameTime, Frame: frame, Machine: r.IntN(p.Players), Owner: r.IntN(p.Players),
		Region: faultRegions[r.IntN(len(faultRegions))],
	}
}

// late returns the time by which a frame may come later than the console's rate on lines that lose
// nothing: inputs go from one player by the game host to another, and the input delay covers only a
// part of that way.
func (p *Plan) late() time.Duration {
	var worst time.Duration
	for _, imp := range p.Lines[1:] {
		worst = max(worst, imp.Delay+imp.Jitter)
	}
	if p.has(Worse) {
		worst += worseDelay + worseJitter
	}
	if p.Auto != autodelay.Off {
		return 2 * worst // it may be shorter than at first
	}
	return max(0, 2*worst-time.Duration(p.Delay)*frameTime)
}

// A line that gets worse has so much more of all.
const (
	worseDelay  = 80 * time.Millisecond
	worseJitter = 40 * time.Millisecond
	worseLoss   = 0.1
)

// worse is a machine's line when it has got worse.
func (p *Plan) worse(machine int) impair.Impairment {
	bad := p.Lines[machine]
	bad.Delay, bad.Jitter, bad.Loss = bad.Delay+worseDelay, bad.Jitter+worseJitter, bad.Loss+worseLoss
	return bad
}
