// Package moment does a session's work with kept moments of games, as far as that takes no room: it
// writes the consoles of a moment as the beginning of another game ([Keep]), makes them the consoles
// with which a game goes on ([Offer], [Expect], [Agrees]), and knows what the players' cartridges held
// then ([Cartridge]).
//
// Nothing here knows a connection or a decision, and no state outlives a call: when a moment is
// kept, and whom a player's newer save concerns, is for package internal/session. The file's
// format is package internal/replay's.
package moment
