package config

import (
	"fmt"
	"strings"

	"github.com/nettplay/nettplay/internal/phrase"
)

// fileHead stands at the top of every file that is written.
const fileHead = `# Settings of nettplay. Every line may be left out, and then has its default.
# "nettplay config show" tells what is in effect; flags go before this file.
`

// commentWidth is the width of comment lines, in letters.
const commentWidth = 78

// Commented renders settings as a TOML file with every key, what it means and
// what is allowed. [Parse] reads it back as the same settings.
func (c Config) Commented() string {
	var b strings.Builder
	b.WriteString(fileHead)
	for _, s := range schema(&c) {
		b.WriteByte('\n')
		comment(&b, s.doc)
		fmt.Fprintf(&b, "[%s]\n", s.key)
		said := "" // what is allowed in the list before: not again for every button
		for _, f := range s.fields {
			if _, isList := f.ptr.(*[]string); isList && f.allowed == said {
				comment(&b, f.doc)
			} else {
				b.WriteByte('\n')
				comment(&b, f.doc)
				comment(&b, "Allowed: "+f.allowed)
			}
			said = f.allowed
			value := format(f.ptr)
			if usual := format(f.usual); usual != value {
				comment(&b, "Default: "+usual)
			}
			fmt.Fprintf(&b, "%s = %s\n", strings.TrimPrefix(f.key, s.key+"."), value)
		}
	}
	return b.String()
}

// Show renders the settings for somebody to read, without comments, but with the
// default of each that is another.
func (c Config) Show() string {
	var b strings.Builder
	for i, s := range schema(&c) {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "[%s]\n", s.key)
		for _, f := range s.fields {
			value, usual := format(f.ptr), format(f.usual)
			if value != usual {
				value += "  # default: " + usual
			}
			fmt.Fprintf(&b, "%s = %s\n", strings.TrimPrefix(f.key, s.key+"."), value)
		}
	}
	return b.String()
}

// comment writes a text as comment lines.
func comment(b *strings.Builder, text string) {
	for _, line := range phrase.Wrap(text, commentWidth-len("# ")) {
		fmt.Fprintf(b, "# %s\n", line)
	}
}
