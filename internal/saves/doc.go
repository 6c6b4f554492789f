// Package saves keeps the player's own cartridge saves: the one a game starts
// from, and enough of those before it that a mistake, a crash or a bad night can
// be undone.
//
// A [Store] is the saves of one game, or of one file that the player named. While
// it is open no other process can change them. A game saves in two steps, so that
// either all players of a room keep what happened or none does:
//
//	s, err := saves.Open(dir, saves.GameOf(rom), saves.Options{})
//	sram, _, err := s.Current() // what the cartridge starts with
//	p, err := s.Prepare(frame, sram, saves.About{Room: "evening"})
//	// all machines were alike at that frame, and have prepared theirs:
//	err = p.Commit()
//
// The package promises:
//
//   - Whatever happens at whatever instruction, the current save is one that was
//     committed, whole: the newest, or, within Commit, the one before.
//   - What was prepared is on the disk before Prepare returns. If it is neither
//     committed nor dropped, because the game ended badly, the program was killed
//     or the power went, it is found again and shown as not confirmed. It is never
//     used unless the player asks for it.
//   - At least [Generations] saves before the current one are kept, and the last
//     one of each of as many evenings before those. No more than that: a folder
//     has at most 2*Generations+1 saves, [MaxPending] pending, [MaxDeleted] deleted, and a few
//     that wait for their commit.
//   - Which save is newer is a matter of numbers that count up. The wall clock is
//     shown to people and decides nothing.
//   - A save that is not what was written is an error that says so, not a guess.
//
// The saves of a game lie in one folder (folder.go), as raw backup memory with a small
// text about each (meta.go). Read store.go, open.go and pending.go next, then
// file.go for files that the player named, and cmd/nettplay/saves.go for how a
// player gets at all this.
package saves
