// Package app is the desktop program.
package app
