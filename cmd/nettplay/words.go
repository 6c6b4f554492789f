package main

import "fmt"

// shorten cuts a text to so many letters.
func shorten(s string, letters int) string {
	runes := []rune(s)
	if len(runes) <= letters {
		return s
	}
	return string(runes[:max(letters-1, 0)]) + "…"
}

// count is a number with its noun.
func count(n int64, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}
