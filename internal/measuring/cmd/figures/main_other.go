//go:build !linux

package main

// It looks at processes as Linux shows them, on an X server.
func main() { panic("figures are measured on Linux") }
