// Package air is the radio.
package air
