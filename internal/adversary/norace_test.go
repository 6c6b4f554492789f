//go:build !race

package adversary

// usualGames is how many games a test plays.
const usualGames = 8
