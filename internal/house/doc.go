// Package house holds the tests that keep the project's papers true: ARCHITECTURE.md names
// only packages and functions that exist, arrows between packages point downwards, every
// package has a comment, links lead somewhere, and workflows call make targets that exist.
//
// It has no code of its own. The tests read the source with go/parser and build nothing.
//
// Read next: ARCHITECTURE.md.
package house
