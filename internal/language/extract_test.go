package language_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/nettplay/nettplay/internal/language"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// shown are the packages whose texts people see, and how much of them: all texts that read like words, or those of
// errors alone.
var shown = []struct {
	folder string
	errors bool
}{
	{"internal/ui", false},
	{"cmd/nettplay", false},
	{"internal/phrase", false},
	{"internal/session", false},
	{"internal/launch", false},
	{"internal/doctor", false},
	{"internal/helping", false},
	{"internal/assembly", false},
	{"internal/autodelay", false},
	{"config", false},
	{"host", false},
	{"internal/cheat", false},
	{"emucore/standing.go", false},
	{"internal/corecheck", true},
	{"internal/corecheck/run.go", false},
	{"internal/corestore", true},
	{"internal/corestore/failure.go", false},
	{"internal/film", true},
	{"internal/game", true},
	{"internal/invite", true},
	{"internal/online", true},
	{"internal/online/view.go", false},
	{"internal/replay/format.go", true},
	{"internal/replay/list.go", true},
	{"internal/roms", true},
	{"internal/savecommit", true},
	{"internal/saves", true},
	{"internal/saves/import.go", false},
}

// silent are files of them with texts of another kind: of the settings file, of protocols, of the insides of saves.
var silent = regexp.MustCompile(`config/(config|names|render|lines|load|coresource|value|salvage|save|rtc|problem)\.go|host/(message|timeline|migration|membership|client)/|saves/(meta|pending|open)\.go|ui/(window|draw)/|pads/mappings\.go`)

// also are texts that do not read like words where the source has them, such as a single word without a capital, or that
// it puts together of pieces.
var also = []string{
	"%d %v %d", "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
	"Black", "Blue", "Brown", "Dark blue", "Dark green", "Dark purple", "Green", "Grey", "Light blue", "Lime", "Magenta", "Orange", "Pink", "Purple", "Red", "Turquoise", "Yellow",
	"Japanese", "French", "German", "Italian", "Spanish",
	"on", "off", "auto", "full", "damaged", "playing", "online", "wireless", "shift", "space", "yesterday", "host", "you", "chosen", "now", "direct", "empty", "open",
	"%d of %d players", "%d of %d", "%d%%", "no. %d", "delay %d", "%d on", "sends %v of %v", "gets %v of %v", "up %v", "ping %v", "%v lost",
	"%v of the second player", "Getting %s …", "Leave your room?", "End the game?", "main memory", "save memory",
	"%d kB of %d kB", "%d kB of %d MB", "%d MB of %d MB", "Press %v.", "Push %v.", "Press in %v.",
	"by %s", "in %s", "%s and %s", "through %s", "Up", "Down", "Left", "Right", "All players of a room need the same one.", "(on the page Cores)",
	"console crashed: %s was ended by %v", "console crashed: %s exited with status %d", "console hangs: %s gave no answer for %v",
	// What is said of a player by name, and of the player who reads it, where other languages have another sentence then.
	"the room plays on %s, your computer on %v", "choose %s on your computer%v, or let the game host choose another core", "you must update %s to %s%v",
	"you must get the game host's build, from %s, version %v", "your computer is still looking at the games and settings of the room",
	"your computer does not have the room's %s (%v)",
	"your computer does not have %v%v: add the same version of it to one of its ROM folders%v",
}

// extraction collects the sentences of the source.
type extraction struct {
	file    string
	errors  bool
	entries map[string]*language.Entry
}

// extract returns the sentences that people see, sorted by the file that has them first.
func extract(t *testing.T) []language.Entry {
	t.Helper()
	x := &extraction{entries: map[string]*language.Entry{}}
	for _, s := range shown {
		x.errors = s.errors
		must.Succeed(t, filepath.WalkDir(filepath.Join("../..", s.folder), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || silent.MatchString(path) || s.folder == "cmd/nettplay" && !strings.HasPrefix(d.Name(), "console") || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			x.file = strings.TrimPrefix(filepath.ToSlash(path), "../../")
			ast.Inspect(f, x.visit)
			return nil
		}))
	}
	x.file, x.errors = "internal/language/extract_test.go", false
	for _, s := range also {
		x.add(s, "")
	}
	var list []language.Entry
	for _, e := range x.entries {
		slices.Sort(e.Files)
		e.Files = slices.Compact(e.Files)
		list = append(list, *e)
	}
	slices.SortFunc(list, func(a, b language.Entry) int {
		if c := strings.Compare(a.Files[0], b.Files[0]); c != 0 {
			return c
		}
		return strings.Compare(a.English, b.English)
	})
	return list
}

// hidden are fields, and functions, whose texts nobody sees.
var (
	hiddenFields    = map[string]bool{"Name": true, "ID": true, "Key": true, "key": true}
	hiddenFunctions = regexp.MustCompile(`(?i)^(panic|slog|log|debug|info|warn|scope|scopen|centered|scroll|contains\w*|hasprefix|hassuffix|trim\w*|cut\w*|split\w*|replace\w*|newreplacer|index\w*|fields\w*|getenv|lookupenv|join|mustcompile|parse|format|glob|open|create|write\w*|stat|duration|command|field|keyof|wonder|offered|browser|string|setenv)$`)
	words           = map[string]bool{"Text": true, "Sub": true, "Tip": true, "Hint": true, "Words": true, "Badge": true, "Right": true, "Title": true, "Empty": true, "Yes": true, "No": true, "Error": true, "Does": true, "Label": true, "None": true}
)

// visit collects what a node says, and tells whether to look into it.
func (x *extraction) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.IndexExpr:
		if list, ok := n.X.(*ast.CompositeLit); ok { // one of several texts
			ast.Inspect(list, x.visit)
		}
		return false
	case *ast.ImportSpec, *ast.CaseClause:
		if c, ok := n.(*ast.CaseClause); ok {
			for _, s := range c.Body {
				ast.Inspect(s, x.visit)
			}
			for _, e := range c.List { // of a switch without a tag
				if _, literal := e.(*ast.BasicLit); !literal {
					ast.Inspect(e, x.visit)
				}
			}
		}
		return false
	case *ast.Field: // its tag
		ast.Inspect(n.Type, x.visit)
		return false
	case *ast.KeyValueExpr:
		if id, ok := n.Key.(*ast.Ident); ok {
			if hiddenFields[id.Name] {
				return false
			}
			if words[id.Name] && !x.errors {
				x.say(n.Value, true)
			}
			ast.Inspect(n.Value, x.visit)
			return false
		}
		ast.Inspect(n.Value, x.visit)
		return false
	case *ast.BinaryExpr:
		switch n.Op {
		case token.ADD:
			if x.chain(n) {
				return false
			}
		case token.EQL, token.NEQ:
			for _, e := range []ast.Expr{n.X, n.Y} {
				if _, literal := e.(*ast.BasicLit); !literal {
					ast.Inspect(e, x.visit)
				}
			}
			return false
		}
	case *ast.CallExpr:
		return x.call(n)
	case *ast.BasicLit:
		x.say(n, false)
	}
	return true
}

func name(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.CallExpr:
		return name(e.Fun)
	case *ast.IndexExpr:
		return name(e.X)
	case *ast.ParenExpr:
		return name(e.X)
	case *ast.StarExpr:
		return name(e.X)
	}
	return ""
}

func literal(e ast.Expr) (string, bool) {
	b, ok := e.(*ast.BasicLit)
	if !ok || b.Kind != token.STRING {
		return "", false
	}
	s, err := strconv.Unquote(b.Value)
	return s, err == nil
}

func (x *extraction) call(n *ast.CallExpr) bool {
	f := name(n.Fun)
	switch {
	case f == "Count" && len(n.Args) == 2:
		if noun, ok := literal(n.Args[1]); ok && !x.errors {
			x.add("%d "+noun, "%d "+noun+"s")
		}
		ast.Inspect(n.Args[0], x.visit)
		return false
	case f == "shown" && len(n.Args) == 1: // in place of what is in the file
		x.say(n.Args[0], true)
		return false
	case hiddenFunctions.MatchString(f):
		for _, a := range n.Args {
			if _, ok := literal(a); !ok {
				ast.Inspect(a, x.visit)
			}
		}
		ast.Inspect(n.Fun, x.visit)
		return false
	}
	for i, a := range n.Args {
		if s, ok := literal(a); ok && (strings.HasSuffix(f, "f") && i < 3 || verb.MatchString(s) && reads(s, false)) {
			if !x.errors || f == "Errorf" {
				x.format(s, n.Args[i+1:])
			}
			for _, b := range n.Args[i+1:] {
				ast.Inspect(b, x.visit)
			}
			return false
		}
		if x.errors && f == "New" {
			x.say(a, true)
			return false
		}
	}
	return true
}

var verb = regexp.MustCompile(`%[-+# 0-9.*]*(?:\[\d+\])?[a-zA-Z%]`)

// format collects the sentence of a format of fmt.
func (x *extraction) format(s string, args []ast.Expr) {
	i := -1
	text := verb.ReplaceAllStringFunc(s, func(v string) string {
		i++
		kind := v[len(v)-1]
		switch {
		case kind == '%':
			i--
			return "%%"
		case kind == 'd' || kind == 'f' || kind == 'g':
			return "%d"
		case kind == 'q':
			return `"%s"`
		case kind == 'x' || kind == 'c':
			return "%s"
		case kind == 'w':
			return "%v"
		case i < len(args):
			return blank(args[i])
		}
		return "%s"
	})
	if reads(strings.Join(strings.Fields(verb.ReplaceAllString(s, "")), " "), false) {
		x.add(text, "")
	}
}

// names are what code calls texts that stay as they are.
var names = regexp.MustCompile(`(?i)(name|nickname|title|room|path|folder|code|addr|from|host|key|file|version|number|at|url|link|who|id|by|dir|clock|core|game|machine|player|rom|item|text)$`)

// blank is the kind of blank for an argument.
func blank(e ast.Expr) string {
	n := name(e)
	if s := strings.ToLower(n); strings.Contains(s, "words") || s == "string" || s == "error" || s == "err" || s == "format" { // a date
		return "%v"
	}
	if names.MatchString(n) {
		return "%s"
	}
	return "%v"
}

// chain collects the sentence that a sum of texts makes, and tells whether it is one.
func (x *extraction) chain(n *ast.BinaryExpr) bool {
	var list []ast.Expr
	var flatten func(e ast.Expr)
	flatten = func(e ast.Expr) {
		if b, ok := e.(*ast.BinaryExpr); ok && b.Op == token.ADD {
			flatten(b.X)
			flatten(b.Y)
			return
		}
		list = append(list, e)
	}
	flatten(n)
	text, plain, any := "", "", false
	for _, e := range list {
		if s, ok := literal(e); ok {
			text, plain, any = text+strings.ReplaceAll(s, "%", "%%"), plain+s, true
			continue
		}
		text += blank(e)
		ast.Inspect(e, x.visit)
	}
	if any && reads(plain, true) && !x.errors {
		x.add(text, "")
	}
	return any
}

// say collects a text, if it reads like words; of a widget's field it is one if it has letters at all.
func (x *extraction) say(e ast.Expr, sure bool) {
	s, ok := literal(e)
	if verb.MatchString(strings.ReplaceAll(s, "%%", "")) && strings.Contains(s, "%s") {
		return // a format that is used elsewhere
	}
	if !ok || x.errors && !sure || !sure && !reads(s, false) || sure && !strings.ContainsFunc(s, unicode.IsLetter) {
		return
	}
	if strings.HasSuffix(s, " ") || strings.HasPrefix(s, " ") {
		s = strings.TrimSpace(s) // a piece of a sentence
	}
	x.add(strings.ReplaceAll(s, "%", "%%"), "")
}

var hasWords = regexp.MustCompile(`\p{L}{2,}[,:;]? \p{L}+|\p{L}{2,} …`)

// reads reports whether a text reads like words for people. Of a part of a sentence less is asked.
func reads(s string, part bool) bool {
	if strings.ContainsAny(s, "<>\\{}") || strings.Contains(s, "://") || strings.Contains(s, "_") && !strings.Contains(s, " ") {
		return false
	}
	if hasWords.MatchString(s) {
		return true
	}
	t := strings.TrimSpace(s)
	if t == "" {
		return false
	}
	r := []rune(t)
	if part {
		return strings.ContainsFunc(t, unicode.IsLetter) && strings.Contains(s, " ") && len(r) > 2
	}
	return unicode.IsUpper(r[0]) && len(r) > 2 && slices.ContainsFunc(r, unicode.IsLower) && !strings.ContainsAny(t, "/.=")
}

// inside are texts that only developers read.
var inside = regexp.MustCompile(`^nettplay core fingerprint |^(draw|window|session|manifest|trial state|bulk message|opening saves): |^(session|manifest|trial state|bulk message) |^"" or |^(decide|switch on seat|switches on seat|unplug seat|admit|call off the game|commit the saves|keep this moment|the game fails|seat others|tell of a desync|a hash of|hashes of|it has played game|it tells how|the game is finished|came before|is not for a|it speaks of|it spoke as|consoles are remade|consoles cannot be|consoles are made|remove the player of|a resync is over|game %d begins|go on without|unban|it says twice|bulk|this room cannot say|fetching the state)\b`)

var blanks = regexp.MustCompile(`%[dsv]`)

func (x *extraction) add(english, plural string) {
	if strings.HasPrefix(x.file, "config/") {
		english = strings.ReplaceAll(english, `With ""`, "Left empty,")
	}
	english = strings.TrimSpace(strings.TrimLeft(english, ".,;:· "))
	if inside.MatchString(english) || !strings.ContainsFunc(blanks.ReplaceAllString(english, ""), unicode.IsLetter) && english != "%d %v %d" && english != "%d%%" {
		return
	}
	if strings.TrimSpace(english) == "" {
		return
	}
	e := x.entries[english]
	if e == nil {
		e = &language.Entry{English: english, Plural: plural}
		x.entries[english] = e
	}
	e.Files = append(e.Files, x.file)
	if e.Plural == "" {
		e.Plural = plural
	}
}

// TestExtractionPrint helps to see what there is.
func TestExtractionPrint(t *testing.T) {
	out := os.Getenv("TEXTS_OUT")
	if out == "" {
		t.Skip()
	}
	var b strings.Builder
	for _, e := range extract(t) {
		b.WriteString(e.Files[0] + "\t" + strconv.Quote(e.English) + "\n")
	}
	must.Succeed(t, os.WriteFile(out, []byte(b.String()), 0o600))
}
