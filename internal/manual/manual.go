// Package manual writes a program's manual page and its completions for shells, from the same
// commands and flags as its --help, so that none of them can tell another story.
package manual

import (
	"flag"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/nettplay/nettplay/internal/phrase"
)

// Program is the content of a program's manual.
type Program struct {
	Name, Version, Summary string
	About                  []string // paragraphs
	Commands               []Command
	End                    []string // paragraphs behind the commands, such as exit codes
}

// Command is one subcommand, or with no name the program itself.
type Command struct {
	Name, Args, Summary, Help string
	Flags                     *flag.FlagSet
}

// Page writes the manual page, section 1, in roff's macros "man".
func (p Program) Page(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %s 1 \"\" \"%s %s\"\n.SH NAME\n%s \\- %s\n.SH SYNOPSIS\n", strings.ToUpper(roff(p.Name)), roff(p.Name), roff(p.Version), roff(p.Name), roff(p.Summary))
	for i, c := range p.Commands {
		if i > 0 {
			b.WriteString(".br\n")
		}
		fmt.Fprintf(&b, "%s\n", roff(p.synopsis(c)))
	}
	b.WriteString(".SH DESCRIPTION\n")
	paragraphs(&b, p.About)
	for _, c := range p.Commands {
		if c.Name != "" {
			fmt.Fprintf(&b, ".SS %s\n%s.\n", roff(p.synopsis(c)), roff(strings.ToUpper(c.Summary[:1])+c.Summary[1:]))
		}
		c.Flags.VisitAll(func(f *flag.Flag) {
			value, text := Flag(f)
			fmt.Fprintf(&b, ".TP\n\\fB%s\\fR \\fI%s\\fR\n%s\n", roff(Dashes(f.Name)), roff(value), roff(text))
		})
		paragraphs(&b, strings.Split(c.Help, "\n\n"))
	}
	paragraphs(&b, p.End)
	_, err := io.WriteString(w, b.String())
	return err
}

func (p Program) synopsis(c Command) string {
	line := strings.TrimSpace(p.Name + " " + c.Name)
	if len(c.flags()) > 0 {
		line += " [flags]"
	}
	return strings.TrimSpace(line + " " + c.Args)
}

func paragraphs(b *strings.Builder, all []string) {
	for _, p := range all {
		if p != "" {
			fmt.Fprintf(b, ".PP\n%s\n", roff(p))
		}
	}
}

// roff is a text in which roff finds no orders.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "\n.", "\n\\&.").Replace(s)
	if strings.HasPrefix(s, ".") {
		s = `\&` + s
	}
	return s
}

// Flag is the name of a flag's value and what it is for, with the default that holds without it.
func Flag(f *flag.Flag) (value, text string) {
	value, text = flag.UnquoteUsage(f)
	if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "0" && !strings.Contains(text, "(default") {
		text += fmt.Sprintf(" (default %s)", f.DefValue)
	}
	return value, text
}

// Flags writes what --help says of each flag, in 80 columns.
func Flags(w io.Writer, fs *flag.FlagSet) {
	const nameColumns, textColumns = 26, 52
	fs.VisitAll(func(f *flag.Flag) {
		value, text := Flag(f)
		name := strings.TrimSpace(Dashes(f.Name) + " " + value)
		for _, line := range phrase.Wrap(text, textColumns) {
			fmt.Fprintf(w, "  %-*s%s\n", nameColumns, name, line)
			name = ""
		}
	})
}

// Dashes is a flag as it is typed.
func Dashes(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// completions write what each shell needs.
var completions = map[string]func(Program, *strings.Builder){"bash": Program.bash, "fish": Program.fish, "zsh": Program.zsh}

// Shells are those for which [Program.Completions] knows a form.
var Shells = slices.Sorted(maps.Keys(completions))

// Completions writes what makes a shell complete the program's commands and flags, and the
// names of files behind them.
func (p Program) Completions(w io.Writer, shell string) error {
	complete, known := completions[shell]
	if !known {
		return fmt.Errorf("no completions for the shell %q; there are some for %s", shell, strings.Join(Shells, ", "))
	}
	var b strings.Builder
	complete(p, &b)
	_, err := io.WriteString(w, b.String())
	return err
}

func (c Command) flags() (all []string) {
	c.Flags.VisitAll(func(f *flag.Flag) { all = append(all, Dashes(f.Name)) })
	return all
}

func (p Program) bash(b *strings.Builder) {
	var names []string
	for _, c := range p.Commands {
		names = append(names, c.Name)
	}
	fmt.Fprintf(b, "_%s() {\n\tlocal words=\"%s\"\n\tif [ \"$COMP_CWORD\" -gt 1 ]; then\n\t\tcase ${COMP_WORDS[1]} in\n", p.Name, strings.Join(names, " "))
	for _, c := range p.Commands {
		fmt.Fprintf(b, "\t\t%s) words=\"%s\" ;;\n", c.Name, strings.Join(c.flags(), " "))
	}
	fmt.Fprintf(b, "\t\t*) words= ;;\n\t\tesac\n\tfi\n\tCOMPREPLY=($(compgen -W \"$words\" -- \"${COMP_WORDS[COMP_CWORD]}\"))\n}\ncomplete -o bashdefault -o default -F _%s %s\n", p.Name, p.Name)
}

func (p Program) fish(b *strings.Builder) {
	for _, c := range p.Commands {
		fmt.Fprintf(b, "complete -c %s -n __fish_use_subcommand -a %s -d %s\n", p.Name, c.Name, quoted(c.Summary))
		c.Flags.VisitAll(func(f *flag.Flag) {
			value, text := flag.UnquoteUsage(f)
			fmt.Fprintf(b, "complete -c %s -n '__fish_seen_subcommand_from %s' ", p.Name, c.Name)
			if len(f.Name) == 1 {
				fmt.Fprintf(b, "-s %s", f.Name)
			} else {
				fmt.Fprintf(b, "-l %s", f.Name)
			}
			if value != "" {
				b.WriteString(" -r")
			}
			fmt.Fprintf(b, " -d %s\n", quoted(text))
		})
	}
}

func (p Program) zsh(b *strings.Builder) {
	fmt.Fprintf(b, "#compdef %s\nlocal -a known=(\n", p.Name)
	for _, c := range p.Commands {
		fmt.Fprintf(b, "\t%s\n", quoted(c.Name+":"+c.Summary))
	}
	b.WriteString(")\nif ((CURRENT == 2)); then\n\t_describe command known\n\t_files\n\treturn\nfi\nlocal which=$words[2]\nshift words\n((CURRENT--))\ncase $which in\n")
	brackets := strings.NewReplacer("[", `\[`, "]", `\]`)
	for _, c := range p.Commands {
		fmt.Fprintf(b, "%s) _arguments", c.Name)
		c.Flags.VisitAll(func(f *flag.Flag) {
			value, text := flag.UnquoteUsage(f)
			spec := Dashes(f.Name) + "[" + brackets.Replace(text) + "]"
			if value != "" {
				spec += ":" + value + ":_files"
			}
			fmt.Fprintf(b, " %s", quoted(spec))
		})
		b.WriteString(" '*:file:_files' ;;\n")
	}
	b.WriteString("esac\n")
}

// quoted is a text as one word of a shell.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
