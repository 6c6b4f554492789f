// Package host is the room of a game: who plays, on which terms, when the game
// starts, and at which frame everything happens that is not a player's input.
//
// A [Host] is the game host: it owns the roster, the settings and the timeline.
// A [Client] is one of the others. Each is a pure state machine: no clock, no
// socket, no goroutine. The caller hands in what happens (a line that opened, a
// message, a tick, a wish of the player) together with the time, and after each
// call takes away what the machine has to say:
//
//   - Outgoing: messages for the reliable control channel of the line to a peer,
//     in order, and lines to close;
//   - Events: what the caller, and the player, should know.
//
// Both must be drained after every call, since they are the only things here
// that grow with the number of calls. Tick is due at least every 100 ms. One
// goroutine owns a Host or Client. What the methods return is the caller's own
// copy, except that the bytes of an Outgoing may be shared with others: they
// are not to be changed.
//
// # The way of a game
//
//	client                         game host
//	hello                   ->
//	                        <-     challenge, or refused
//	join                    ->
//	                        <-     welcome, or refused
//	status, game, chat      ->                                  lobby
//	                        <-     room, pulse, line
//	                        <-     prepare                      preparing
//	status (progress)       ->
//	installed, or failed    ->
//	                        <-     begin, or start failed
//	hashes                  ->                                  playing
//	                        <-     decision
//	pause, broken, repaired ->
//	                        <-     keep
//	kept                    ->
//	finished                ->
//	                        <-     ended                        lobby
//	leave                   ->
//	                        <-     closed
//
// Who only watches says watch instead of join, in any phase, and is told room, pulse,
// line and closed; see spectators.go.
//
// Who loses the line in a game comes back on another one: return instead of join,
// back instead of welcome.
//
// Who is game host can change: a game host that leaves says handover, and where it is
// gone, clients talk to each other: bereft, stand, vote; and the one that they elect
// says crown. A [Client] becomes a [Host] by [Client.Promote]. see migration.go.
//
// The start has two sides: the game host asks (prepare), every machine builds
// every console and reports its hashes (installed), and only when all hashes
// agree does the game begin. What the consoles are built from travels elsewhere:
// see package savestate.
//
// # The timeline
//
// All that happens to a game from outside, except inputs, is a [Decision] of
// the game host: numbered, and stamped with the frame at which every machine
// applies it. So that no machine runs past a frame for which a decision is still
// to come, the game host promises a [Horizon] with every datagram of inputs: no
// decision after the first n will apply before frame f. See [Host.Horizon].
//
// # What others can do to us
//
// Every byte from a peer is hostile. Lengths are bounded before anything is
// allocated; every text is cleaned of control characters and of what reorders or
// hides text before anyone sees it; each peer's messages are counted; and a peer
// that breaks the rules loses its own line and nothing else. A password is
// proven by both sides without being sent, but the line itself is neither secret
// nor sealed here.
//
// Who carries the messages: package internal/link. Who carries inputs: package
// mirror. Who calls a Host or Client: package internal/session; read that next.
package host
