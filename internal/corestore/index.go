package corestore

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// libretro's build server has in each folder of cores a text file ".index-extended". Each
// line is a core: the day of its build, the CRC-32 of the library in the archive, and the
// archive's name:
//
//	2026-11-20 1a2b3c4d melondsds_libretro.so.zip
//
// It tells neither versions nor sizes.

const (
	indexName    = ".index-extended"
	maxIndex     = 1 << 20 // libretro's has some 15 KB
	maxIndexLine = 512
)

// decodeIndex reads an index and returns its DS cores. folder is the address of the index's
// folder, which ends in a slash. One invalid line spoils the whole: a page of a
// hotel's network, or an index that was cut off, must not pass for a list without cores.
func decodeIndex(source Source, folder string, text []byte) (offers []Offer, err error) {
	if len(text) > maxIndex {
		return nil, fmt.Errorf("index: %d bytes are too many", len(text))
	}
	if len(text) > 0 && text[len(text)-1] != '\n' {
		return nil, fmt.Errorf("index: its last line has no end")
	}
	n, lines := 0, 0
	for line := range bytes.Lines(text) {
		n++
		line = bytes.TrimRight(line, "\r\n")
		if len(line) == 0 {
			continue
		}
		o, err := decodeIndexLine(string(line))
		if err != nil {
			return nil, fmt.Errorf("index: line %d: %w", n, err)
		}
		lines++
		if isCore(o.Name) {
			o.Source, o.URL = source, folder+o.File()+".zip"
			offers = append(offers, o)
		}
	}
	if lines == 0 {
		return nil, fmt.Errorf("index: it is empty")
	}
	return offers, nil
}

// decodeIndexLine reads a line. Of a file that is no core's archive the name is "".
func decodeIndexLine(line string) (o Offer, err error) {
	if len(line) > maxIndexLine {
		return o, fmt.Errorf("it has %d bytes", len(line))
	}
	date, rest, _ := strings.Cut(line, " ")
	sum, file, ok := strings.Cut(rest, " ")
	if !ok || file == "" {
		return o, fmt.Errorf("%.40q is not a date, a sum and a name", line)
	}
	if o.Date, err = time.Parse(time.DateOnly, date); err != nil {
		return o, fmt.Errorf("%.20q is not a date", date)
	}
	if o.CRC32, err = parseCRC32(sum); err != nil {
		return o, fmt.Errorf("sum %w", err)
	}
	if name, ok := strings.CutSuffix(file, librarySuffix+".zip"); ok && plainName(name) {
		o.Name = name
	}
	return o, nil
}

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
