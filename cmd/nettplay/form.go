package main

import "strings"

// form is one way in which the arguments of a command go on, such as "list [GAME]".
type form struct {
	usage string
	run   func(args []string) error // takes what follows the first word
}

// goOn runs the form that the arguments have.
func (c *call) goOn(forms ...form) error {
	var words []string
	for _, f := range forms {
		word, rest, _ := strings.Cut(f.usage, " ")
		words = append(words, word)
		if len(c.args) == 0 || c.args[0] != word {
			continue
		}
		args, most := c.args[1:], len(strings.Fields(rest))
		if len(args) < most-strings.Count(rest, "[") || len(args) > most {
			return usagef("it is \"%s %s\", but got %s after %s", c.command.name, f.usage, listed(args), word)
		}
		return f.run(args)
	}
	if len(c.args) == 0 {
		return usagef("it takes %s", either(words))
	}
	return usagef("there is no \"%s %s\": it takes %s", c.command.name, c.args[0], either(words))
}

// either is a list of words, one of which is wanted.
func either(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
