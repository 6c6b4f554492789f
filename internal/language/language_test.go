package language

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// sample is a catalogue in German that says enough for tests.
const sample = `
msgid ""
msgstr "Language: de\n"

msgid "Host"
msgstr "Hosten"

#: a.go
msgid "%d frame"
msgid_plural "%d frames"
msgstr[0] "%d Frame"
msgstr[1] "%d Frames"

msgid "%v behind"
msgstr "%v zurück"

msgid "%s gives %s to %s."
msgstr "%[3]s erhält von %[1]s %[2]s."

msgid "could not connect: %v"
msgstr "keine Verbindung: %v"

msgid "the relay %s does not answer"
msgstr "das Relay %s antwortet nicht"

msgid "%v and %v"
msgstr "%v und %v"

msgid "%d%%"
msgstr "%d %%"

msgid "%d %% of it"
msgstr "%d %% davon"

#, fuzzy
msgid "Join"
msgstr "Beitreten?"
`

func german(t *testing.T) *Language {
	t.Helper()
	entries, err := ParsePO(sample)
	must.Succeed(t, err)
	return &Language{code: "de", words: newCatalogue("de", entries), said: map[string]said{}}
}

func TestSay(t *testing.T) {
	l := german(t)
	for _, c := range []struct {
		english, want string
		known         bool
	}{
		{"Host", "Hosten", true},
		{"", "", true},
		{"12:30 · 5", "12:30 · 5", true},
		{"1 frame", "1 Frame", true},
		{"2 frames", "2 Frames", true},
		{"0 frames", "0 Frames", true},
		{"3 frames behind", "3 Frames zurück", true},
		{"Ann gives a pen to Bob.", "Bob erhält von Ann a pen.", true},
		{"Could not connect: the relay r.org:1 does not answer.", "Keine Verbindung: das Relay r.org:1 antwortet nicht.", true},
		{"could not connect: i/o timeout", "keine Verbindung: i/o timeout", false},
		{"Host · 2 frames behind", "Hosten · 2 Frames zurück", true},
		{"Host (1 frame)", "Hosten (1 Frame)", true},
		{"The relay x does not answer. Host", "Das Relay x antwortet nicht. Hosten", true},
		{"50 % of it", "50 % davon", true},
		{"80%", "80 %", true},
		{"Host · 80%", "Hosten · 80 %", true},
		{"salt and pepper", "salt and pepper", false}, // too little of it is known
		{"2 frames and 1 frame behind", "2 Frames und 1 Frame zurück", true},
		{"Join", "Join", false}, // not sure yet
		{"The relay Dr. Host does not answer. The relay x does not answer", "Das Relay Dr. Host antwortet nicht. Das Relay x antwortet nicht", true},
		{strings.Repeat("Host\n", 9) + "Host", strings.Repeat("Hosten\n", 9) + "Hosten", true},
		{"x frames", "x frames", false},
	} {
		got, known := l.Know(c.english)
		if got != c.want || known != c.known {
			t.Errorf("%q is %q, %v; want %q, %v", c.english, got, known, c.want, c.known)
		}
	}
	if english, err := Open("en"); err != nil || english.Say("Host") != "Host" {
		t.Error("English is not as it is written", err)
	}
	if _, err := Open("xx"); err == nil {
		t.Error("there is a language xx")
	}
	var none *Language
	if none.Say("Host") != "Host" || none.Code() != "en" {
		t.Error("no language is not English")
	}
}

// TestNames: what is called like a sentence inside of another one stays: it is a name.
func TestNames(t *testing.T) {
	if got := german(t).Say("the relay Host does not answer"); got != "das Relay Host antwortet nicht" {
		t.Error(got)
	}
}

// TestSentences: the program says several sentences in one text, such as what is in the way of a start, or a failure and
// what helps. Each is said as it is alone, wherever it stands, and none is taken for a part of a name.
func TestSentences(t *testing.T) {
	const other = "Choose another core if you need that."
	for _, code := range Codes() {
		if code != "en" {
			t.Run(code, func(t *testing.T) { eachBeside(t, code, other) })
		}
	}
}

// eachBeside puts another sentence before and behind each of a catalogue's that has blanks.
func eachBeside(t *testing.T, code, other string) {
	l, err := Open(code)
	must.Succeed(t, err)
	data, err := files.ReadFile("po/" + code + ".po")
	must.Succeed(t, err)
	entries, err := ParsePO(string(data))
	must.Succeed(t, err)
	between, tried := map[bool]string{true: "", false: " "}[code == "ja"], 0
	for _, e := range entries {
		p := parse(e.English)
		if len(p.blanks) == 0 || p.letters < 12 || strings.ContainsAny(e.English, "\n·[") || strings.HasPrefix(e.Files[0], "config/") {
			continue
		}
		english := p.literals[0]
		for i, kind := range p.blanks {
			english += map[byte]string{'d': "3", 's': "Ann", 'v': "DeSmuME"}[kind] + p.literals[i+1]
		}
		first, size := utf8.DecodeRuneInString(english)
		english = strings.TrimSuffix(string(unicode.ToUpper(first))+english[size:], ".") + "."
		alone := l.Say(english)
		if tried++; l.Say(other+" "+english) != l.Say(other)+between+alone {
			t.Errorf("%q is %q", other+" "+english, l.Say(other+" "+english))
		}
		if code == "ja" && !strings.HasSuffix(alone, "。") {
			alone += " "
		}
		if got := l.Say(english + " " + other); got != alone+between+l.Say(other) {
			t.Errorf("%q is %q, alone the first is %q", english+" "+other, got, alone)
		}
	}
	if tried < 500 {
		t.Errorf("only %d sentences were tried", tried)
	}
}

// TestComposed: what the program puts together of several pieces is said whole, as a native writes it.
func TestComposed(t *testing.T) {
	l, err := Open("de")
	must.Succeed(t, err)
	for english, want := range map[string]string{
		"The game is over. さくら ended the game.":                                                                                                  "Das Spiel ist vorbei. さくら hat das Spiel beendet.",
		"Bob is not ready. Carl is not ready. The others are marked above.":                                                                      "Bob ist nicht bereit. Carl ist nicht bereit. Die anderen sind oben gekennzeichnet.",
		"There is no game in ~/roms. Drop games (.nds, .zip or .7z), or a folder with some, onto this window. Or choose the folder they are in.": "In ~/roms ist kein Spiel. Leg Spiele (.nds, .zip oder .7z) oder einen Ordner damit auf diesem Fenster ab. Oder wähle den Ordner, in dem sie sind.",
		"the consoles were not ready in time on Bob's computer (1.5 MB of 20.5 MB): nothing moved for 30 seconds.":                               "die Konsolen waren nicht rechtzeitig fertig. Der Computer von Bob (1.5 MB von 20.5 MB): 30 Sekunden lang bewegte sich nichts.",
		"you must update melonDS DS to 1.3.1 (\"nettplay cores update\")":                                                                        "du musst melonDS DS auf 1.3.1 aktualisieren („nettplay cores update“)",
		"you must update melonDS DS to 1.3.1":                                                                                                    "du musst melonDS DS auf 1.3.1 aktualisieren",
		"Bob and Cleo: through Ann; directly (12 ms) if Ann leaves":                                                                              "Bob und Cleo: über Ann; direkt (12 ms), wenn Ann geht",
		"A writes  ·  L and R turn  ·  B goes back":                                                                                              "A schreibt  ·  L und R blättern  ·  B geht zurück",
		"none: Q is now “Chat with the others”":                                                                                                  "keine: Q ist jetzt „Mit den anderen chatten“",
		"“Q” no longer presses “L”.":                                                                                                             "“Q” drückt nicht mehr „L“.",
		"Press the left trigger, behind the shoulder button.":                                                                                    "Drück den linken Trigger hinter der Schultertaste.",
		"This name has 13 letters; at most 10 are allowed":                                                                                       "Dieser Name hat 13 Buchstaben; höchstens 10 sind erlaubt",
		"The game continues with the moment's own save. Your save of 4 May 2026 20:00 is kept in a file beside your saves.":                      "Das Spiel geht mit dem Spielstand des Moments weiter. Deiner vom 4. Mai 2026 20:00 bleibt in einer Datei neben deinen Spielständen.",
	} {
		if got := l.Say(english); got != want {
			t.Errorf("%q is\n%q, want\n%q", english, got, want)
		}
	}
}

// TestJapaneseNames: a name at the beginning of a sentence keeps its small letters in Japanese, which has no capitals.
func TestJapaneseNames(t *testing.T) {
	l, err := Open("ja")
	must.Succeed(t, err)
	if got := l.Say("You can download it again as long as github.com has it. Rooms, recordings and kept moments of this very build need it."); !strings.HasPrefix(got, "github.com") {
		t.Error(got)
	}
}

// TestStrangers: a text of a stranger costs little, and is remembered within limits.
func TestStrangers(t *testing.T) {
	l := german(t)
	long := strings.Repeat("Host: (Host, ", 2000)
	if l.Say(long) == "" {
		t.Error("nothing is left of it")
	}
	if l.Say(strings.Repeat("u: v, w; x (y) · z / ", 500)); l.words.steps > patience {
		t.Errorf("%d pieces were looked up", l.words.steps)
	}
	for i := range 3 * most {
		l.Say(strings.Repeat("x", i%100) + " frames " + string(rune('a'+i%26)) + strings.Repeat("y", i/100))
	}
	if len(l.said) > most {
		t.Errorf("%d texts are remembered", len(l.said))
	}
}

func TestForms(t *testing.T) {
	for code, want := range map[string]int{"ja": 1, "de": 2, "fr": 2, "es": 2, "it": 2, "pl": 3, "ar": 6} {
		if got := Forms(code); got != want {
			t.Errorf("%s has %d forms, want %d", code, got, want)
		}
	}
	c := newCatalogue("pl", nil)
	for n, want := range map[int]int{1: 0, 2: 1, 5: 2, 22: 1} {
		if got := c.form(n); got != want {
			t.Errorf("Polish: %d takes form %d, want %d", n, got, want)
		}
	}
	if c := newCatalogue("fr", nil); c.form(0) != 0 || c.form(2) != 1 || c.form(1000000) != 1 {
		t.Error("French: wrong forms")
	}
}

func TestPO(t *testing.T) {
	entries := []Entry{
		{English: "a \"b\"\n\\c", Text: []string{"d"}, Files: []string{"x.go"}},
		{English: "%d é", Plural: "%d és", Text: []string{"1", "2"}, Files: []string{"x.go", "y.go"}},
	}
	text := WritePO("msgid \"\"\nmsgstr \"\"\n", entries, 2)
	got, err := ParsePO(text)
	must.Succeed(t, err)
	if len(got) != 2 || got[0].English != entries[0].English || got[1].Text[1] != "2" || got[1].Files[1] != "y.go" {
		t.Errorf("%q is read as %q", text, got)
	}
	for _, bad := range []string{"msgid x\n", "\"a\"\n", "hello\n", "msgid \"a\n"} {
		if _, err := ParsePO(bad); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}

func TestSystem(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		want string
	}{
		{map[string]string{"LANG": "de_AT.UTF-8"}, "de"},
		{map[string]string{"LANG": "ja_JP.eucJP"}, "ja"},
		{map[string]string{"LANG": "C.UTF-8", "LANGUAGE": "de"}, "en"},
		{map[string]string{"LANG": "en_US.UTF-8", "LANGUAGE": "fr_CA:en"}, "fr"},
		{map[string]string{"LANG": "de_DE", "LC_ALL": "it_IT@euro"}, "it"},
		{map[string]string{"LANG": "pl_PL.UTF-8"}, "en"},
		{map[string]string{"LANG": "pl_PL.UTF-8", "LANGUAGE": "pl:es"}, "es"},
		{nil, "en"},
	} {
		if got := spoken(asSet(func(name string) string { return c.env[name] })); got != c.want {
			t.Errorf("%v: %s, want %s", c.env, got, c.want)
		}
	}
	t.Setenv(Variable, "")
	if Choose("fr") != "fr" {
		t.Error("the setting does not count")
	}
	t.Setenv(Variable, "it")
	if Choose("fr") != "it" {
		t.Error("the variable does not go before the setting")
	}
}

// FuzzSay: no text of a stranger does harm, and English has every text as it is.
func FuzzSay(f *testing.F) {
	for _, s := range []string{"1 frame", "Ann is not", "3 May 2026, x", "a: (b) · ", ". ", " (", "Ann has ", "%d", "\xff: \xfe"} {
		f.Add(s)
	}
	var all []*Language
	for _, code := range Codes() {
		l, err := Open(code)
		must.Succeed(f, err)
		all = append(all, l)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, l := range all {
			if said := l.Say(s); l.Code() == "en" && said != s {
				t.Errorf("%q is %q", s, said)
			}
		}
	})
}

// TestDays: a date is said as the language writes it, with the month whole or short.
func TestDays(t *testing.T) {
	for code, want := range map[string]string{"ja": "2026年4月29日 20:00 · 20:22", "de": "29. April 2026 20:00 · 20:22"} {
		l, err := Open(code)
		must.Succeed(t, err)
		for _, english := range []string{"29 Apr 2026 20:00 · 20:22", "29 April 2026 20:00 · 20:22"} {
			if got := l.Say(english); got != want {
				t.Errorf("%s: %q is %q", code, english, got)
			}
		}
		if english := "29 Apx 2026 20:00"; l.Say(english) != english {
			t.Errorf("%s: %q is a date", code, english)
		}
	}
}
