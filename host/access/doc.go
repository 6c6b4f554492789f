// Package access says who may speak to a room, and how much: proofs of the password and of
// who somebody was, bans, tries of a password, how often an address comes, who has held up the
// others, floods of messages, and the room's clock by which these are counted.
//
// The package is pure: whoever calls says what the time is.
package access
