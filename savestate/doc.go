// Package savestate makes all machines of a room start from the same consoles.
//
// The owner of a seat captures its console: a [Manifest] with everything that a
// console is made from (ROM, core, options, clock, firmware settings), and in a
// [Store] the large parts of it, the savestate and the cartridge's backup memory
// (SRAM), known by their SHA-256. Manifest and parts travel to everybody else, and
// every machine, the owner's too, builds a fresh console from the same bytes and
// compares [ds.Hash] with the others before the first frame.
//
//	manifest, err := savestate.Capture(seat, config, nil, store)  // or a state instead of nil: not from a cold boot
//	...                                                           // the parts travel
//	console, hash, err := savestate.Install(ctx, manifest, core, rom, store)
//
// An [Exchange] carries manifests and parts, in both directions, between two
// directly connected machines. It is pure: it has no clock, no goroutine and no
// connection; whoever owns the connection drives it:
//
//	exchange.Receive(now, message)            // each message that arrives
//	for _, m := range exchange.Outgoing(now) { link.Send(peer, link.Bulk, m) }
//	for _, m := range exchange.Probes(now) { link.Send(peer, link.Input, m) }
//	for _, e := range exchange.Events() { ... }
//	wait until exchange.NextWake(now), or for the next message
//
// Nothing is sent that was not asked for: one side offers manifests, the other
// fetches the parts that its store lacks. In a star of machines the middle one
// offers a manifest at once to all others; what they ask for waits until the
// middle has it itself ([Exchange.Available]).
//
// What it promises:
//   - A part is handed out only when every byte of it has the hash that its
//     manifest promised. Anything else is a [PartFailed] that names it, and frees
//     its memory.
//   - A part that is being fetched goes on where it was when the connection is
//     replaced ([Exchange.Reset]) and when the room begins another round
//     ([Exchange.Round]). What a store holds is not sent again.
//   - Sending parts takes nearly all of what the line gives, and delays what else
//     uses the line by less than a frame, as long as probes are carried; see
//     pacer.go. Where datagrams are lost, what repeats them delays others by up to two
//     frames at times, and where delays scatter by tens of milliseconds the first
//     seconds are slow. Nothing beneath paces: the link sends what it is given.
//   - A hostile peer costs bounded memory and gets nothing that was not offered to
//     it. The error names the field it lied in.
//
// Read next: manifest.go, exchange.go, pacer.go; then package host, whose rounds
// decide when what is captured and installed.
package savestate
