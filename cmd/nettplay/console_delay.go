package main

import (
	"slices"
	"strconv"
	"strings"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/autodelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/session"
)

// setDelay changes the input delay to a number of frames, or makes it automatic by a preset.
func (c *console) setDelay(word string, control *session.Control) {
	frames, err := strconv.Atoi(word)
	switch {
	case err == nil && frames >= 0 && frames <= ds.MaxDelay:
		control.Delay(frames)
	case word == "auto":
		control.AutoDelay(autodelay.Named(config.Defaults().Room.AutoDelay))
	case err != nil && slices.Contains(config.AutoDelays(), word):
		control.AutoDelay(autodelay.Named(word))
	default:
		c.say("Type \"delay\" and a number of frames, 0 to %d, or auto, %s.", ds.MaxDelay, strings.Join(config.AutoDelays(), ", "))
	}
}
