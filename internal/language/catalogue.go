package language

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/feature/plural"
	xlanguage "golang.org/x/text/language"
)

// catalogue finds what English texts are in one language.
type catalogue struct {
	code  string
	tag   xlanguage.Tag
	forms []plural.Form       // that whole numbers take, in gettext's order
	whole map[string]*Entry   // sentences without blanks
	plain map[string]*Entry   // the same as they are within others: see folded
	steps int                 // how many pieces of a text were looked up
	date  string              // a day, a month and a year
	start map[byte][]*pattern // sentences with blanks, by their first letter, 0 where a blank is first; the most telling first
}

func newCatalogue(code string, entries []Entry) *catalogue {
	c := &catalogue{
		code: code, tag: xlanguage.Make(code), whole: map[string]*Entry{}, plain: map[string]*Entry{}, start: map[byte][]*pattern{},
	}
	c.forms = forms(c.tag)
	for i := range entries {
		e := &entries[i]
		if len(e.Text) == 0 || e.Text[0] == "" {
			continue // not translated
		}
		c.add(e, e.English)
		if e.Plural != "" {
			c.add(e, e.Plural)
		}
	}
	for _, list := range c.start {
		slices.SortStableFunc(list, func(a, b *pattern) int { return b.telling - a.telling })
	}
	return c
}

// date is how the program writes a day, such as 3 May 2026.
const date = "%d %v %d"

func (c *catalogue) add(e *Entry, english string) {
	if english == date {
		c.date = e.Text[0]
		return
	}
	p := parse(english)
	p.entry = e
	if len(p.blanks) == 0 {
		c.whole[english] = e
		if f := folded(english); c.plain[f] == nil {
			c.plain[f] = e
		}
		return
	}
	first := byte(0)
	if p.literals[0] != "" {
		first = p.literals[0][0]
	}
	c.start[first] = append(c.start[first], p)
}

// forms are the plural forms that whole numbers take in a language, in the order in which gettext numbers them.
func forms(tag xlanguage.Tag) (list []plural.Form) {
	for n := range 200 {
		if f := plural.Cardinal.MatchPlural(tag, n, 0, 0, 0, 0); !slices.Contains(list, f) {
			list = append(list, f)
		}
	}
	rank := []plural.Form{plural.Zero, plural.One, plural.Two, plural.Few, plural.Many, plural.Other}
	slices.SortFunc(list, func(a, b plural.Form) int { return slices.Index(rank, a) - slices.Index(rank, b) })
	return list
}

// form is the number of the form that n of something take.
func (c *catalogue) form(n int) int {
	i := slices.Index(c.forms, plural.Cardinal.MatchPlural(c.tag, n, 0, 0, 0, 0))
	if i < 0 { // only for numbers that hardly anything has
		return len(c.forms) - 1
	}
	return i
}

// patience is how many pieces of one text are looked up: a stranger's may have any number of them.
const patience = 200

// deepest is how often a text may be inside of another.
const deepest = 6

// text says an English text, and tells whether all of it was known.
func (c *catalogue) text(s string, depth int) (string, bool) {
	switch {
	case depth > deepest || c.steps >= patience:
		return s, false
	case !strings.ContainsFunc(s, unicode.IsLetter) && !strings.HasSuffix(s, "%"):
		return s, true // percentages are written otherwise elsewhere
	}
	if inner := strings.TrimRight(strings.TrimLeft(s, ", "), " "); inner != s { // added to another
		before, after, _ := strings.Cut(s, inner)
		text, known := c.text(inner, depth)
		return before + text + after, known
	}
	if text, known := c.entry(s, depth); text != "" {
		return text, known
	}
	return c.parts(s, depth)
}

// entry says what the catalogue has as it is, or with blanks, "" where it has nothing.
func (c *catalogue) entry(s string, depth int) (string, bool) {
	c.steps++
	if e := c.whole[s]; e != nil {
		return e.Text[0], true
	}
	if e := c.plain[folded(s)]; e != nil {
		return c.like(s, e.Text[0]), true
	}
	if text, ok := c.day(s); ok {
		return text, true
	}
	return c.filled(s, depth)
}

// filled says a sentence with blanks, "" where no sentence fits.
func (c *catalogue) filled(s string, depth int) (string, bool) {
	var best *pattern
	var args []string
	for _, first := range [...]byte{lower(s[0]), 0} {
		for _, p := range c.start[first] {
			if best != nil && p.telling <= best.telling {
				break
			}
			if p.weak && depth == 0 {
				continue // it says too little to be sure
			}
			if found, ok := p.match(s); ok && c.plausible(p, found, depth) && !c.swallows(p, s, found, depth) {
				best, args = p, found
				break
			}
		}
	}
	if best == nil {
		return "", false
	}
	known, text := true, best.entry.Text[0]
	if best.entry.Plural != "" {
		text = best.entry.Text[min(c.form(number(best, args)), len(best.entry.Text)-1)]
	}
	for i, kind := range best.blanks {
		if kind == 'v' {
			var ok bool
			args[i], ok = c.text(args[i], depth+1)
			known = known && ok
		}
	}
	return c.like(s, fill(text, args)), known
}

// plausible reports whether a sentence of few letters, such as "with %v", is what a text is: it is not where a blank would
// be half of another sentence.
func (c *catalogue) plausible(p *pattern, args []string, depth int) bool {
	if p.letters >= 10 {
		return true
	}
	for i, kind := range p.blanks {
		if kind != 'd' && !c.short(args[i], depth) {
			return false
		}
	}
	return true
}

// swallows reports whether a blank took the end of one sentence and the beginning of another, or a whole one: the program
// says several in one text, and none of them is part of a name.
func (c *catalogue) swallows(p *pattern, s string, args []string, depth int) bool {
	if depth > deepest {
		return false
	}
	at, run := len(p.literals[0]), ""
	for i, arg := range args {
		run += arg // with the blanks right before it
		if i+1 < len(args) && p.literals[i+1] == "" {
			continue
		}
		for _, cut := range ends {
			for tail := run; p.blanks[i] != 'd'; {
				before, between, after, ok := cut(tail)
				if !ok {
					break
				}
				end := at + len(run) - len(tail) + len(before)
				if c.told(s[:end], depth+1) && c.told(s[end+len(between):], depth+1) {
					return true
				}
				tail = after
			}
		}
		at, run = at+len(run)+len(p.literals[i+1]), ""
	}
	return false
}

// told reports whether a text of several words is one entry of the catalogue, or one sentence after the other.
func (c *catalogue) told(s string, depth int) bool {
	if !strings.Contains(s, " ") || c.steps >= patience {
		return false
	}
	if text, _ := c.entry(s, depth); text != "" {
		return true
	}
	first, _, rest, ok := sentences(s)
	return ok && c.told(first, depth) && c.told(rest, depth)
}

// short reports whether a text is of few words, or known.
func (c *catalogue) short(s string, depth int) bool {
	if strings.Count(s, " ") < 3 && !strings.Contains(s, ": ") {
		return true
	}
	_, known := c.text(s, depth+1)
	return known || strings.Contains(s, ", ") && !strings.ContainsAny(s, ".:") && len(s) < 80
}

// day says a text that begins with a date.
func (c *catalogue) day(s string) (string, bool) {
	if c.date == "" || s[0] < '0' || s[0] > '9' {
		return "", false
	}
	day, rest, _ := strings.Cut(s, " ")
	month, rest, _ := strings.Cut(rest, " ")
	year, after := rest, ""
	if i := strings.IndexFunc(rest, func(r rune) bool { return r < '0' || r > '9' }); i >= 0 {
		year, after = rest[:i], rest[i:]
	}
	e := c.whole[month]
	for m := time.January; e == nil && len(month) == 3 && m <= time.December; m++ {
		if strings.HasPrefix(m.String(), month) {
			e = c.whole[m.String()] // lists have short names
		}
	}
	if e == nil || len(year) != 4 || !isNumber(day) || strings.ContainsFunc(after, unicode.IsLetter) {
		return "", false
	}
	return fill(c.date, []string{day, e.Text[0], year}) + after, true
}

// number is that of the first blank for one.
func number(p *pattern, args []string) int {
	for i, kind := range p.blanks {
		if kind == 'd' {
			n, _ := strconv.Atoi(args[i])
			return n
		}
	}
	return 0
}

// parts says a text that the program put together of several: lines, items, sentences, a failure and its cause.
// Where nothing of it is known, it stays whole.
func (c *catalogue) parts(s string, depth int) (string, bool) {
	if strings.HasPrefix(s, "(") && strings.HasSuffix(s, ")") {
		text, known := c.text(s[1:len(s)-1], depth+1)
		return "(" + text + ")", known
	}
	for _, cut := range cuts {
		a, between, b, ok := cut(s)
		if !ok {
			continue
		}
		if between == " " {
			a, b = c.longest(s, a, b, depth)
		}
		first, knowA := c.text(a, depth+1)
		rest, knowB := c.text(b, max(depth, 1)) // beside the first, not inside of it
		if (knowA || knowB || first != a || rest != b) && (between != ", " && between != "  " || c.short(a, depth) && c.short(b, depth)) {
			if c.code == "ja" && between == " " && strings.HasSuffix(first, "。") {
				between = ""
			}
			return first + between + rest, knowA && knowB
		}
	}
	return c.predicate(s, depth)
}

// longest moves a cut between two sentences to the last one that has an entry of the catalogue before it: some are of
// several sentences.
func (c *catalogue) longest(s, a, b string, depth int) (head, tail string) {
	head, tail = a, b
	for c.steps < patience {
		next, _, after, ok := sentences(b)
		if !ok {
			break
		}
		a, b = s[:len(a)+1+len(next)], after
		if text, _ := c.entry(a, depth+1); text != "" {
			head, tail = a, b
		}
	}
	return head, tail
}

// verbs begin what is told of somebody.
const verbs = " has is does was were could cannot did left lost broke came gave kept sent had gets joined must uses "

// predicate says what is told of somebody, such as "Ann is not ready": the name, of up to three words, stays.
func (c *catalogue) predicate(s string, depth int) (string, bool) {
	for i, spaces := 0, 0; spaces < 3; spaces++ {
		n := strings.IndexByte(s[i:], ' ')
		if n < 0 {
			break
		}
		i += n + 1
		rest := s[i:]
		if verb, _, _ := strings.Cut(rest, " "); !strings.Contains(verbs, " "+strings.TrimSuffix(verb, ".")+" ") && !strings.HasPrefix(rest, "no longer ") {
			continue
		}
		text, known := "", true
		if e := c.plain[folded(rest)]; e != nil {
			text = c.like(rest, e.Text[0])
		} else {
			text, known = c.filled(rest, depth+1)
		}
		switch {
		case text == "":
		case c.code == "ja":
			return s[:i-1] + "：" + text, known
		default:
			return s[:i] + text, known
		}
	}
	return s, false
}

// cuts part a text in two. Those that come first, ends, part what stands by itself: lines, items and sentences.
var (
	cuts = []func(string) (a, between, b string, ok bool){
		at("\n"), at("  ·  "), at(" · "), sentences,
		inBrackets, at("; "), at(": "), at("  "), at(" ("), at(", "), at(" + "), at(" / "),
	}
	ends = cuts[:4]
)

func at(separator string) func(string) (a, between, b string, ok bool) {
	return func(s string) (a, between, b string, ok bool) {
		a, b, ok = strings.Cut(s, separator)
		return a, separator, b, ok && a != "" && b != ""
	}
}

// sentences cuts between two sentences.
func sentences(s string) (a, between, b string, ok bool) {
	for i := range len(s) - 2 {
		if strings.IndexByte(".?!", s[i]) >= 0 && s[i+1] == ' ' {
			if r, _ := utf8.DecodeRuneInString(s[i+2:]); !unicode.IsLower(r) {
				return s[:i+1], " ", s[i+2:], true
			}
		}
	}
	return "", "", "", false
}

// inBrackets cuts off what a text has in brackets at its end.
func inBrackets(s string) (a, between, b string, ok bool) {
	i := strings.LastIndex(s, " (")
	if i <= 0 || !strings.HasSuffix(s, ")") {
		return "", "", "", false
	}
	return s[:i], " ", s[i+1:], true
}

// folded is a text as it is within another: without its capital and its full stop.
func folded(s string) string {
	return small(strings.TrimSuffix(s, "."))
}

// small is a text without its capital.
func small(s string) string {
	if s == "" {
		return s
	}
	return string([]byte{lower(s[0])}) + s[1:]
}

// like gives a translation the capital and the full stop that the English text has.
func (c *catalogue) like(english, text string) string {
	if r, _ := utf8.DecodeRuneInString(english); unicode.IsUpper(r) && c.code != "ja" { // where only names have capitals
		if first, size := utf8.DecodeRuneInString(text); unicode.IsLower(first) && !strings.HasPrefix(text, "melonDS") && !strings.HasPrefix(text, "nettplay") {
			text = string(unicode.ToUpper(first)) + text[size:]
		}
	}
	if strings.HasSuffix(english, ".") && !strings.HasSuffix(english, "..") && text != "" && !ended(text) {
		if c.code == "ja" {
			return text + "。"
		}
		return text + "."
	}
	if !strings.HasSuffix(english, ".") {
		if t := strings.TrimSuffix(text, "."); !strings.HasSuffix(t, ".") {
			text = t
		}
		text = strings.TrimSuffix(text, "。")
	}
	return text
}

func ended(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return strings.ContainsRune(".?!:…。？！：」”", r)
}

func lower(b byte) byte {
	if 'A' <= b && b <= 'Z' {
		return b + 'a' - 'A'
	}
	return b
}

// pattern is an English sentence with blanks.
type pattern struct {
	entry    *Entry
	literals []string // before, between and after the blanks; the first begins with a small letter
	blanks   []byte   // 'd', 's' or 'v'
	telling  int      // letters of the sentence
	letters  int
	weak     bool // hardly any: it fits too much to be looked for but within another
}

// parse takes a sentence apart. %% is a percent sign.
func parse(english string) *pattern {
	p := &pattern{literals: []string{""}}
	last := func() *string { return &p.literals[len(p.literals)-1] }
	for i := 0; i < len(english); i++ {
		if english[i] != '%' || i+1 == len(english) {
			*last() += english[i : i+1]
			continue
		}
		i++
		switch b := english[i]; b {
		case 'd', 's', 'v':
			p.blanks = append(p.blanks, b)
			p.literals = append(p.literals, "")
		default:
			*last() += string(b)
		}
	}
	words := 0
	for _, l := range p.literals {
		p.telling += len(l)
		for _, r := range l {
			if unicode.IsLetter(r) {
				words++
			}
		}
	}
	p.letters = words
	p.weak = words < 4 && (len(p.blanks) != 1 || p.blanks[0] != 'd' && words < 2)
	if len(p.blanks) > 0 {
		p.literals[0] = small(p.literals[0])
	}
	return p
}

// match returns what a text has in the blanks.
func (p *pattern) match(s string) (args []string, ok bool) {
	first, end := p.literals[0], p.literals[len(p.literals)-1]
	if len(s) < len(first) || first != "" && (lower(s[0]) != first[0] || s[1:len(first)] != first[1:]) {
		return nil, false
	}
	s = s[len(first):]
	if stop := strings.TrimSuffix(end, "."); end != "" && strings.HasSuffix(s, end) {
		s = s[:len(s)-len(end)]
	} else if end == "" && !(strings.HasSuffix(s, ".") && !strings.HasSuffix(s, "..")) {
		// the last blank is the rest
	} else if (stop != "" || end == ".") && strings.HasSuffix(s, stop) { // an error, whose sentence ends in a full stop elsewhere
		s = s[:len(s)-len(stop)]
	} else if strings.HasSuffix(s, end+".") {
		s = s[:len(s)-len(end)-1]
	} else {
		return nil, false
	}
	tries := 0
	return p.blank(s, 0, &tries)
}

// mostTries is how many ways are looked at in which a text may fill the blanks.
const mostTries = 100

// blank fills the i-th blank and those behind it with a text, each as short as possible.
func (p *pattern) blank(s string, i int, tries *int) (args []string, ok bool) {
	if i == len(p.blanks)-1 {
		return []string{s}, p.may(i, s)
	}
	next := p.literals[i+1]
	for from := 0; *tries < mostTries; *tries++ {
		n := 0
		if next != "" {
			n = strings.Index(s[from:], next)
		}
		if n < 0 {
			return nil, false
		}
		arg := s[:from+n]
		if p.may(i, arg) {
			if rest, ok := p.blank(s[from+n+len(next):], i+1, tries); ok {
				return append([]string{arg}, rest...), true
			}
		}
		if from += n + 1; from > len(s) {
			return nil, false
		}
		if next == "" && p.blanks[i] != 'd' { // what another blank adds: in brackets, behind a comma, or nothing
			n := strings.IndexAny(s[from:], " ,:;")
			if n < 0 {
				n = len(s) - from
			}
			from += n
		}
	}
	return nil, false
}

// may reports whether a text may be in a blank. A sentence can have parts that are left out.
func (p *pattern) may(i int, s string) bool {
	switch p.blanks[i] {
	case 'd':
		return isNumber(s)
	case 'v':
		return s != "" || p.letters >= 8
	}
	return s != ""
}

func isNumber(s string) bool {
	if s == "" {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (i == 0 && c != '-' && c != '+' || i > 0 && c != '.' && c != ',') {
			return false
		}
	}
	return true
}

// fill puts texts into the blanks of a translation: %s takes the next one, %[2]s the second.
func fill(text string, args []string) string {
	var out strings.Builder
	next := 0
	for {
		before, rest, ok := strings.Cut(text, "%")
		out.WriteString(before)
		if !ok || rest == "" {
			return out.String()
		}
		which, size := next, 1
		if rest[0] == '[' {
			n, after, _ := strings.Cut(rest[1:], "]")
			i, _ := strconv.Atoi(n)
			which, size = i-1, min(len(rest), len(rest)-len(after)+1)
		}
		switch {
		case rest[0] == '%':
			out.WriteByte('%')
		case which >= 0 && which < len(args):
			out.WriteString(args[which])
			next = which + 1
		}
		text = rest[size:]
	}
}
