// Package seal encrypts and authenticates datagrams between two machines of a room.
//
// Every installation has a key pair ([Private], [Public]); every room has a secret
// ([Secret]), which its invitation carries. A [Handshake] is Noise XXpsk3 with 25519,
// ChaCha20-Poly1305 and BLAKE2s: three messages, in which both sides prove their keys and
// that they know the secret. Then a [Transport] seals datagrams in both directions.
//
// The package promises:
//   - Only the holder of a key can speak under it, and only somebody with the room's secret
//     can finish a handshake.
//   - A sealed datagram is taken once: copies and those far too late are refused.
//   - Datagrams may be lost and come in any order.
//   - Keys change every 65,536 datagrams and the old ones are forgotten, so what is stolen
//     from a machine does not open what was sent long before.
//   - [Greeter] authenticates what is said before there is a session, so that a stranger
//     without the secret need not be answered at all.
//   - [Cookies] show that somebody gets what is sent to their address, before anything of theirs is kept.
//
// Everything here is pure but for [LoadKey]. Read next: internal/link, which sends what is
// sealed here.
package seal
