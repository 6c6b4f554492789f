package saves

// The bounds of a folder.
const (
	// Generations is the least number of saves kept before the current one, and the number of evenings
	// before those whose last one is kept.
	Generations = 10
	// MaxPending is the number of saves kept that were never committed: those prepared last.
	MaxPending = 10
	// MaxDeleted is the number of saves kept that the player deleted: the newest ones.
	MaxDeleted = 10
)

// surplus returns the saves that need not be kept, of entries with the highest
// number first. A game may save often: besides the newest, the last save of each
// evening (of each opened store) stays, lest one evening push out all before it.
func surplus(entries []*entry) (drop []*entry) {
	newest, evenings, pending, deleted := 0, 0, 0, 0
	seen := map[[8]byte]bool{}
	for _, e := range entries {
		if e.deleted {
			if deleted++; deleted > MaxDeleted {
				drop = append(drop, e)
			}
			continue
		}
		if e.pending {
			if pending++; pending > MaxPending {
				drop = append(drop, e)
			}
			continue
		}
		last := e.damage == nil && !seen[e.meta.Play]
		seen[e.meta.Play] = seen[e.meta.Play] || e.damage == nil
		switch {
		case newest <= Generations:
			newest++
		case last && evenings < Generations:
			evenings++
		default:
			drop = append(drop, e)
		}
	}
	return drop
}
