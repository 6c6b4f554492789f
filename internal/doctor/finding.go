package doctor

import (
	"fmt"
	"strings"

	"github.com/nettplay/nettplay/internal/phrase"
)

// Mark says how good a finding is.
type Mark uint8

// The marks.
const (
	Good Mark = iota
	Fair      // play is possible, though not all of it
	Bad       // it would spoil play
)

// String is the mark in a word.
func (m Mark) String() string { return [...]string{"ok", "note", "bad"}[m] }

// Group is what a finding is about.
type Group uint8

// The groups, in the order in which they are shown.
const (
	ThisComputer Group = iota
	TheNetwork
	Friends
	TheGame
)

// Groups are all groups.
func Groups() []Group { return []Group{ThisComputer, TheNetwork, Friends, TheGame} }

// String is the group's heading.
func (g Group) String() string {
	switch g {
	case ThisComputer:
		return "This computer"
	case TheNetwork:
		return "Network"
	case Friends:
		return "Friends"
	}
	return "The game"
}

// Finding is one thing that was found.
type Finding struct {
	Subject string // one word, such as "speed"
	Group   Group
	Words   string // what was found, a sentence
	Advice  string // what to do, sentences; "" for nothing
	// Detail is for somebody who helps: an error as the program or the system says it, or a whole hash; ""
	// for none.
	Detail string
	Mark   Mark
}

// String is the finding as one line.
func (f Finding) String() string {
	return strings.TrimSpace(f.Subject + ": " + f.Words + " " + f.Advice)
}

// Spoilers are the subjects of what would spoil play.
func Spoilers(list []Finding) (subjects []string) { return marked(list, Bad) }

// marked are the subjects of findings with a mark, each once.
func marked(list []Finding, m Mark) (subjects []string) {
	seen := map[string]bool{}
	for _, f := range list {
		if f.Mark == m && !seen[f.Subject] {
			subjects, seen[f.Subject] = append(subjects, f.Subject), true
		}
	}
	return subjects
}

// Of returns the findings of a group, in their order.
func Of(list []Finding, g Group) (its []Finding) {
	for _, f := range list {
		if f.Group == g {
			its = append(its, f)
		}
	}
	return its
}

// Verdict sums up findings in a sentence, with the worst of their marks.
func Verdict(list []Finding) (Mark, string) {
	return sumUp(list, "This would spoil play", "You can play", "All is well: nothing here would spoil play.")
}

// sumUp sums up findings: bad begins the sentence about what spoils play, fair is one about all but some of it.
func sumUp(list []Finding, bad, fair, good string) (Mark, string) {
	if spoilers := Spoilers(list); len(spoilers) > 0 {
		return Bad, bad + ": " + strings.Join(spoilers, ", ") + "."
	}
	if notes := marked(list, Fair); len(notes) > 0 {
		return Fair, fair + ". Could be better: " + strings.Join(notes, ", ") + "."
	}
	return Good, good
}

// Report is a text of findings: the verdict first, and then a line for each, by group. With details, each
// is followed by what is for somebody who helps. Lines have at most so many letters, 0 for any number.
func Report(list []Finding, details bool, columns int) string {
	_, verdict := Verdict(list)
	return report(verdict, list, details, columns)
}

func report(verdict string, list []Finding, details bool, columns int) string {
	var b strings.Builder
	hang(&b, "", verdict, columns)
	for _, g := range Groups() {
		its := Of(list, g)
		if len(its) > 0 {
			fmt.Fprintf(&b, "\n%s\n", g)
		}
		for _, f := range its {
			hang(&b, fmt.Sprintf("  %-4s  ", f.Mark), f.String(), columns)
			if details && f.Detail != "" {
				hang(&b, "        ", "("+f.Detail+")", columns)
			}
		}
	}
	return b.String()
}

// hang writes a text behind a margin that its further lines leave free.
func hang(b *strings.Builder, margin, text string, columns int) {
	lines := []string{text}
	if columns > 0 {
		lines = phrase.Wrap(text, max(columns-len(margin), 20))
	}
	for _, line := range lines {
		b.WriteString(margin + line + "\n")
		margin = strings.Repeat(" ", len(margin))
	}
}
