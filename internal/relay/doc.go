// Package relay carries datagrams between machines that cannot reach each other directly.
//
// A relay knows mailboxes, and nothing of rooms or players. A machine holds one mailbox at
// each relay it uses; its number comes from the room's secret and the machine's key, so only
// those who were invited can find it. A mailbox's holder may send to every other one whose
// number it knows. Datagrams are sealed: a relay can delay them and drop them, and nothing else.
//
// It also has an index: short codes, open rooms, and sealed words between friends, each published by the holder
// of a mailbox for as long as it holds it. Relays of one service tell each other theirs.
//
// A relay keeps nothing for a stranger: a mailbox is for those who have shown that they get
// the answers sent to their address. It answers each datagram with at most one, never a
// longer one, so nobody can be flooded through it. Its memory is bounded, and a mailbox
// is forgotten 30 s after its holder was last heard of.
//
// [Server] and [Client] are pure: datagrams and the time come in, datagrams come out. A
// machine behind a relay has an address of its own kind ([Mailbox.At]), so internal/link
// needs to know hardly more than that. A [Tunnel] carries the datagrams where UDP is blocked.
//
// Read next: wire.go for the datagrams, server.go for the relay, index.go for what it publishes, client.go
// for its user.
package relay
