// Package chaos plays games in which much goes wrong, between real processes over
// bad lines, and judges what is left of them.
//
// [NewPlan] makes a plan of a run from a seed: the players, their lines, what is
// pressed, and what goes wrong when. It is pure: the same seed gives the same plan.
// [Runner] plays a plan with the program itself and gathers all there is to know
// afterwards: exit codes, reports, words, saves, what is left behind. How real
// processes interleave is different each time. [Judge] is pure again: it says what
// of that the program has not promised.
//
// A new way to go wrong is an entry in the table of kinds (kinds.go) with its act
// (act.go), and what it excuses (excuse.go).
//
// The command is cmd/chaos, which "make chaos" runs.
//
// The same plans are also played by simulation (TestSimulation): real sessions on the
// consoles of package model and on lines in memory, in virtual time. A seed gives the same
// game to the nanosecond, some hundreds of games take a minute, and the judge is the same.
// NETTPLAY_SIMULATIONS=n plays more of them, NETTPLAY_SIMULATE=seed begins at a seed, and
// NETTPLAY_SIMULATION_LOG=full logs all datagrams.
package chaos
