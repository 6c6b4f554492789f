package config

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// The checks return why a value is not allowed, or "".

// between allows numbers from lo to hi. Not-a-number is in no range.
func between[T int | float64](lo, hi T) func(T) string {
	return func(v T) string {
		if v >= lo && v <= hi {
			return ""
		}
		return fmt.Sprintf("%v is out of range", v)
	}
}

// orZero allows 0 or no text, and what check allows.
func orZero[T comparable](check func(T) string) func(T) string {
	return func(v T) string {
		if v == *new(T) {
			return ""
		}
		return check(v)
	}
}

// lasting allows durations from lo to hi.
func lasting(lo, hi time.Duration) func(time.Duration) string {
	return func(v time.Duration) string {
		if v >= lo && v <= hi {
			return ""
		}
		return formatDuration(v) + " is out of range"
	}
}

// oneOf allows the names of a list.
func oneOf(names []string) func(string) string {
	return func(v string) string {
		if slices.Contains(names, v) {
			return ""
		}
		return fmt.Sprintf("%q is not known%s", v, DidYouMean(v, names))
	}
}

// printable allows texts from lo to hi letters that can be shown in one line.
func printable(lo, hi int) func(string) string {
	return func(v string) string {
		switch n := utf8.RuneCountInString(v); {
		case n < lo && n == 0:
			return "is empty"
		case n < lo || n > hi:
			return fmt.Sprintf("has %d letters", n)
		case !utf8.ValidString(v):
			return "is not valid UTF-8"
		}
		for _, r := range v {
			if !unicode.IsPrint(r) {
				return fmt.Sprintf("has the letter %U, which cannot be shown", r)
			}
		}
		return ""
	}
}

// each allows lists of at most n items that item allows, none of them twice.
func each(n int, item func(string) string) func([]string) string {
	return func(list []string) string {
		if len(list) > n {
			return fmt.Sprintf("has %d entries", len(list))
		}
		for i, v := range list {
			if why := item(v); why != "" {
				return why
			}
			if slices.Contains(list[:i], v) {
				return fmt.Sprintf("%q stands twice", v)
			}
		}
		return ""
	}
}

// How a folder of the settings begins, in words.
var root, home = folderStarts()

func folderStarts() (root, home string) {
	if filepath.Separator == '\\' {
		return `a drive, such as C:\,`, `~\`
	}
	return "/", "~/"
}

// whyFolder allows absolute paths and those in the home directory.
func whyFolder(path string) string {
	switch {
	case !filepath.IsAbs(path) && !inHome(path):
		return fmt.Sprintf("%q begins with neither %s nor %s", path, root, home)
	case len(path) > 4096 || strings.ContainsRune(path, 0):
		return "cannot be a path"
	case !utf8.ValidString(path):
		return "is not valid UTF-8"
	}
	return ""
}

// DidYouMean points out the name that is most like a wrong one, "" if none is: `, did you mean "host"?`. Of a
// section, "[pads.buttons]", the last part counts.
func DidYouMean(word string, names []string) string {
	best, distance := "", 3
	for _, name := range names {
		a, b := plain(word), plain(name)
		if d := editDistance(a, b); d < distance && d <= (len(b)+1)/3 {
			best, distance = name, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(", did you mean %q?", best)
}

// plain is a name without what is easily mistaken.
func plain(name string) string {
	if strings.HasPrefix(name, "[") && strings.HasSuffix(name, "]") {
		name = strings.Trim(name[strings.LastIndex(name, ".")+1:], "[]")
	}
	return strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(name))
}

// editDistance counts the letters that must be inserted, removed, changed, or swapped with the next one, to make a
// from b. Very long words count as wholly different: nobody mistypes those.
func editDistance(a, b string) int {
	if len(a) > 40 || len(b) > 40 {
		return max(len(a), len(b))
	}
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range b {
		rows[0][j+1] = j + 1
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			change := rows[i-1][j-1]
			if a[i-1] != b[j-1] {
				change++
			}
			rows[i][j] = min(change, rows[i][j-1]+1, rows[i-1][j]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}
