package app

import (
	"strings"
	"sync"

	"github.com/nettplay/nettplay/config"
)

// help is what the settings' own file says about a setting: one text in one
// place. "" for an unknown key.
func help(key string) string { return helpTexts()[key] }

// helpTexts reads the comments of the commented settings file.
var helpTexts = sync.OnceValue(func() map[string]string { return parseHelp(config.Defaults().Commented()) })

// parseHelp finds the comment before each key of a commented file. The lines on
// what is allowed and what is the default are left out: a screen shows those in
// other ways.
func parseHelp(file string) map[string]string {
	texts := map[string]string{}
	section, text, skip := "", "", false
	for _, line := range strings.Split(file, "\n") {
		words, comment := strings.CutPrefix(line, "# ")
		name, _, setting := strings.Cut(line, " = ")
		switch {
		case comment:
			skip = skip || strings.HasPrefix(words, "Allowed: ") || strings.HasPrefix(words, "Default: ")
			if !skip {
				text = strings.TrimSpace(text + " " + words)
			}
			continue
		case strings.HasPrefix(line, "["):
			section = strings.Trim(line, "[]")
		case setting:
			texts[section+"."+name] = text
		}
		text, skip = "", false
	}
	return texts
}
