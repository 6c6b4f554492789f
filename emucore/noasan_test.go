//go:build !asan

package emucore

// sanitized: gcc's address sanitizer is not in this build.
const sanitized = false
