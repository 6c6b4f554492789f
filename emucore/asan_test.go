//go:build asan

package emucore

// sanitized: gcc's address sanitizer is in this build, see `make asan`. It has mapped
// more memory than a worker may have.
const sanitized = true
