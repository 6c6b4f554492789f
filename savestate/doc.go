// Package savestate makes all machines of a room start from the same consoles.
//
// The owner of a seat captures its console (package emustate): a [Manifest] names
// everything that a console is made from (ROM, core, options, clock, firmware settings),
// and a [Store] holds the large parts, the savestate and the cartridge's backup memory
// (SRAM), known by their SHA-256. Manifest and parts travel to all others. Every machine,
// the owner's too, builds a fresh console from the same bytes, and all compare [ds.Hash]
// before the first frame.
//
// An [Exchange] carries manifests and parts, in both directions, between two
// directly connected machines. It is pure: it has no clock, no goroutine and no
// connection; whoever owns the connection drives it:
//
//	exchange.Receive(now, message)            // each message that arrives
//	for _, m := range exchange.Outgoing(now, backlog) { link.Send(peer, link.Bulk, m) }
//	for _, e := range exchange.Events() { ... }
//	wait until exchange.NextWake(now), or for the next message
//
// Nothing is sent that was not asked for: one side offers manifests, the other
// fetches the parts that its store lacks. In a star of machines the middle one
// offers a manifest at once to all others; what they ask for waits until the
// middle has it itself ([Exchange.Available]).
//
// It says what is sent, and not how fast: the link paces it, repeats what is lost, and knows what has arrived. The
// exchange only keeps some chunks ahead in the link's backlog.
//
// It promises:
//   - A part is handed out only when every byte of it has the hash that its
//     manifest promised. Anything else is a [PartFailed] that names it, and frees
//     its memory.
//   - A part that is being fetched goes on where it was when the connection is
//     replaced ([Exchange.Reset]) and when the room begins another round
//     ([Exchange.Round]). Parts that a store holds are not sent again.
//   - A hostile peer costs bounded memory and gets nothing that was not offered to
//     it. The error names the field it lied in.
//
// Read next: manifest.go, exchange.go, serve.go; then package host, whose rounds
// decide when what is captured and installed.
package savestate
