//go:build race

package adversary

// usualGames is how many games a test plays: with the race detector a few, for the others are
// played without it.
const usualGames = 2
