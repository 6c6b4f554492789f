// Package relaymodel computes the cost of a service of relays, and what breaks first, from figures that were
// measured and assumptions that are stated. docs/relay-model.md has its result. All of it is a test: it
// writes the page, and keeps it so.
package relaymodel
