// Package adversary holds the tests that attack whole rooms: machines that send what nobody
// should, as game host, player, late joiner or spectator, floods of datagrams against real
// sockets, and crowds at a relay. The others never crash, never differ in silence, write nothing
// outside their folders, keep within their memory, and end with a sentence.
//
// Attacks on one part alone are tested with it: datagrams in internal/link and internal/seal,
// messages in host, forged sources in internal/relay, listings in internal/online, beacons in internal/lan, UPnP devices in
// internal/portmap, reports of delays in internal/autodelay, cores in emucore, files in internal/replay, savestate and config, killed
// programs in internal/saves; and invitations, links, listings and devices that name others' addresses by TestLabWatchedWorld of cmd/nettplay. "make adversary" runs them all, in their long forms.
//
// It has no code of its own.
//
// Read next: internal/link, host.
package adversary
