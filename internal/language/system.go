package language

import (
	"os"
	"slices"
	"strings"
)

// Variable is the environment variable that goes before setting and system.
const Variable = "NETTPLAY_LANGUAGE"

// Choose returns the language that a setting means, "auto" being that of the system. The environment variable
// [Variable] goes before it.
func Choose(setting string) string {
	if code := os.Getenv(Variable); slices.Contains(Codes(), code) {
		return code
	}
	if slices.Contains(Codes(), setting) {
		return setting
	}
	return spoken(preferred())
}

// spoken is the first of some languages that the program speaks, English where it speaks none of them. They are written
// as systems do, such as de_AT.UTF-8 or fr-CA.
func spoken(wanted []string) string {
	for _, w := range wanted {
		code, _, _ := strings.Cut(strings.ToLower(w), ".")
		if i := strings.IndexAny(code, "_-@"); i >= 0 {
			code = code[:i]
		}
		if slices.Contains(Codes(), code) {
			return code
		}
	}
	return "en"
}

// asSet are the languages that a user of a POSIX system has asked for by environment variables, the first first.
func asSet(variable func(string) string) []string {
	locale := ""
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if locale = variable(name); locale != "" {
			break
		}
	}
	if base, _, _ := strings.Cut(locale, "."); base == "" || base == "C" || base == "POSIX" {
		return nil // in which LANGUAGE does not count, either
	}
	return append(strings.FieldsFunc(variable("LANGUAGE"), func(r rune) bool { return r == ':' }), locale)
}
