package manual

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// game is a program with what makes trouble in a shell or in roff.
func game() Program {
	host := flag.NewFlagSet("host", flag.ContinueOnError)
	host.Int("delay", 4, "`N` frames, [0 to 30]; it's said \"later\"")
	host.Bool("v", false, "say more")
	none := flag.NewFlagSet("version", flag.ContinueOnError)
	return Program{
		Name: "game", Version: "1.2-3", Summary: "plays a game",
		About: []string{".dots and 'quotes' begin this\n.too, and a \\ is in it"},
		Commands: []Command{
			{Name: "host", Args: "ROM", Summary: "opens a room: it's open", Help: "More.\n\nExample: game host x.nds", Flags: host},
			{Name: "version", Summary: "says which", Flags: none},
		},
		End: []string{"Exit codes: 0 all well."},
	}
}

func TestPageIsPlainRoff(t *testing.T) {
	var b bytes.Buffer
	must.Succeed(t, game().Page(&b))
	for _, want := range []string{`game \- plays a game`, `.SS game host [flags] ROM`, `\fB\-\-delay\fR \fIN\fR`, "(default 4)\n", "say more\n", `\&.dots`, "\n\\&.too", `a \e is`, `game version` + "\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the page lacks %q:\n%s", want, &b)
		}
	}
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Skip("no groff here: nothing has read the page")
	}
	cmd := exec.Command(groff, "-man", "-Tutf8", "-ww")
	cmd.Stdin = &b
	var trouble bytes.Buffer
	cmd.Stderr = &trouble
	out, err := cmd.Output()
	if err != nil || trouble.Len() > 0 || !bytes.Contains(out, []byte(".dots and 'quotes' begin this .too, and a \\ is in it")) {
		t.Errorf("groff: %v, %s\n%s", err, &trouble, out)
	}
}

// Each shell is asked for what begins with --d behind "game host".
func TestShellsComplete(t *testing.T) {
	for shell, script := range map[string]string{
		"bash": `. "$0"; COMP_WORDS=(game host --d); COMP_CWORD=2; _game; echo "${COMPREPLY[@]}"`,
		"fish": `source $argv[1]; complete -C"game host --d"`,
		"zsh":  `_arguments() { print -l -- "$@"; }; words=(game host --d); CURRENT=3; . "$0"`,
	} {
		var b bytes.Buffer
		must.Succeed(t, game().Completions(&b, shell))
		path := filepath.Join(t.TempDir(), "completion")
		must.Succeed(t, os.WriteFile(path, b.Bytes(), 0o600))
		if _, err := exec.LookPath(shell); err != nil {
			t.Logf("no %s here", shell)
			continue
		}
		out, err := exec.Command(shell, "-c", script, path).CombinedOutput()
		if err != nil || !strings.Contains(string(out), "--delay") {
			t.Errorf("%s: %v, %q", shell, err, out)
		}
	}
	if err := game().Completions(&bytes.Buffer{}, "csh"); err == nil || !strings.Contains(err.Error(), "bash, fish, zsh") {
		t.Errorf("csh: %v", err)
	}
}
