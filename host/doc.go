// Package host runs the room of a game: its players, its settings, the start and end
// of games, and the frame of every event that is not a player's input.
//
// A [Host] is the game host: it owns the roster, the settings and the timeline. A Client of
// package host/client is any other machine in the room. They share no state and do not depend on each
// other: they exchange messages, and when a client becomes the game host it leaves a plain
// record of what it knows, from which [Promoted] makes a Host. Each implements its own
// half of every message and has its own view of the room: the owner's, or the one it was told.
//
// Each is a pure state machine: no clock, no socket, no goroutine. The caller hands in what
// happens (an opened connection, a message, a tick, a player's command) together with the time.
// After each call it takes:
//
//   - Outgoing: messages for the reliable control channel of a connection, in order, and
//     connections to close;
//   - Events: news for the caller and the player.
//
// Drain both after every call; nothing else here grows with the number of calls. Call Tick
// at least every 100 ms. One goroutine owns a Host or Client. Returned values belong to the
// caller, except the bytes of an Outgoing, which others may share: do not change them.
//
// # The packages below
//
//   - room: what all machines know of a room, and the reasons to refuse someone;
//   - timeline: decisions, their log, and the horizon;
//   - message: the messages between machines, and their encoding;
//   - event: what a Host or Client tells its caller;
//   - membership: what a machine is in a room, as game host and as client: identity, passwords,
//     limits on floods, elections, votes, and the proof of who is game host.
//
// registry.go has one row for each message that a game host accepts: the phases in which it is
// allowed, and the function that handles it. Package client has its own.
//
// # The messages of a game
//
//	client                         game host
//	hello                   ->
//	                        <-     challenge, or refused
//	join                    ->
//	                        <-     welcome, or refused
//	status, game, chat      ->                                  lobby
//	                        <-     room, heartbeat, chat line
//	                        <-     prepare                      preparing
//	status (progress)       ->
//	installed, or failed    ->
//	                        <-     begin, or start failed
//	hashes                  ->                                  playing
//	                        <-     decision
//	pause, resync request,
//	remade                  ->
//	                        <-     save order
//	save answer             ->
//	finished                ->
//	                        <-     ended                        lobby
//	leave                   ->
//	                        <-     closed
//
// A spectator says spectate instead of join, in any phase, and receives room, heartbeat, chat
// line and closed; see spectators.go.
//
// A client that loses its connection in a game opens another one: there it says reconnect
// instead of join and receives reconnected instead of welcome.
//
// The game host can change. A game host that leaves says handover. When the game host is
// lost, clients open connections to each other and say peer status, candidacy and vote; the
// winner proves its election with leader proof. [Promoted] makes a [Host] of what a
// client knows. See [membership.Leadership].
//
// A start has two steps: the game host asks (prepare); every machine builds every console
// and reports the hashes (installed). The game begins when all hashes agree. Package
// savestate moves the data from which consoles are built.
//
// # Hostile peers
//
// Every byte from a peer is hostile. Lengths are bounded before anything is allocated.
// Every text loses control characters, and characters that reorder or hide text, before
// anyone sees it. Each peer's messages are counted. A peer that breaks the rules loses its
// own connection and nothing else. Both sides prove the password without sending it; the
// connection itself is neither secret nor sealed here.
//
// Package internal/link carries the messages, package mirror the inputs. Read next: package
// host/client, then internal/session, which calls a Host or a Client.
package host
