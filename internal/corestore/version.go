package corestore

import (
	"cmp"
	"slices"
	"strings"
)

// compareVersions compares versions such as "1.2.0" and "1.10": number by number, where
// both have numbers, and otherwise letter by letter. It returns -1, 0 or 1.
func compareVersions(a, b string) int {
	return slices.CompareFunc(strings.Split(a, "."), strings.Split(b, "."), compareParts)
}

// compareParts compares what stands between two dots. A number of any length is one.
func compareParts(x, y string) int {
	if isNumber(x) && isNumber(y) {
		x, y = strings.TrimLeft(x, "0"), strings.TrimLeft(y, "0")
		if c := cmp.Compare(len(x), len(y)); c != 0 {
			return c
		}
	}
	return strings.Compare(x, y)
}

func isNumber(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
