package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/autodelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/session"
	"github.com/nettplay/nettplay/internal/session/notice"
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

// setOwnDelay chooses the delay of our own presses, in a room with rollback.
func (c *console) setOwnDelay(word string, control *session.Control) {
	if !slices.Contains(config.OwnDelays(), word) {
		c.say("Type \"own-delay\" and a number of frames, 0 to %d, or auto. It counts in rooms with rollback.", autodelay.MaxChosen)
		return
	}
	control.OwnDelay(autodelay.ChoiceNamed(word))
}

// tellDelay says that the input delay of the running game is another now, or automatic. The changes of an automatic
// one are no news.
func (c *console) tellDelay(f notice.Figures) {
	words := "The input delay is " + phrase.Count(f.Delay, "frame") + " now."
	if f.Auto.Preset != "" {
		words = fmt.Sprintf("The input delay is automatic now (%s).", f.Auto.Preset)
	}
	if c.delay != "" && words != c.delay {
		c.say("%s", words)
	}
	c.delay = words
}
