// Package membership is what a game host and a client of a room have in common. Each machine brings a [Config], is known to
// the others by an [Identity], and waits for them as [Timeouts] say. Who may speak, and how much, is counted by a [Guard] and
// by [Flood], and proven by passwords and signatures (password.go). All of it is pure: whoever calls says what the time is.
//
// An [Election] finds a new game host among the clients of a room whose game host is lost: peer links to the other clients,
// whether this machine stands as candidate, and its vote. The client says what it knows in an [ElectionView] with each call,
// and acts on what it is told: it gives up the old game host when [Election.Voted] is beyond its room's epoch, and becomes
// game host when it has [Won]. [Leadership] has the rules: who may vote, what a vote and a handover sign, which game host is the
// later of two, and how it proves that it is one. Read leadership.go first.
//
// A client that becomes the game host leaves all that it knows as a [Promotion], a plain record. So the package is the wall
// between packages host and host/client: both stand on this one, and neither knows the other. Nothing else passes between
// them but messages.
package membership
