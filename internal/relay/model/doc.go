// Package model computes what a service of relays costs and what breaks first, from figures
// that were measured and assumptions that are stated. docs/relay-model.md is what it says. All of
// it is a test: it writes the page, and keeps it so.
package model
