// Package adversary holds the tests that attack whole rooms: machines that send what nobody
// should, as game host, player, late joiner or spectator, and floods of datagrams against real
// sockets. The others never crash, never differ in silence, write nothing
// outside their folders, keep within their memory, and end with a sentence.
//
// Attacks on one part alone are tested with it: datagrams in internal/link and internal/seal,
// messages in host, cores in emucore, files in internal/replay, savestate and config, killed
// programs in internal/saves. "make adversary" runs them all, in their long forms.
//
// It has no code of its own.
//
// Read next: internal/link, host.
package adversary
