package corestore

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"
	"unicode"
	"unicode/utf8"
)

// The record of a build lies beside its library, in the file record.json:
//
//	{"format": 1,
//	 "core": "melonDS DS", "version": "1.2.0", "wireless": true,   the core's own words
//	 "sha256": "9f...", "size": 9437184,                           of the library
//	 "source": "github-releases https://...", "url": "https://...",
//	 "release": "1.2.0", "date": "2025-01-05", "crc32": "1a2b3c4d",
//	 "fetched": "2026-11-23T08:00:00Z"}
//
// It is read when builds are listed, so that no core need run for that.

const (
	recordName   = "record.json"
	recordFormat = 1
	maxRecord    = 16 << 10
	maxText      = 512 // letters of each text of a record
)

// record is the form of the file.
type record struct {
	Format   int       `json:"format"`
	Core     string    `json:"core"`
	Version  string    `json:"version"`
	Wireless bool      `json:"wireless"`
	SHA256   string    `json:"sha256"`
	Size     int64     `json:"size"`
	Source   string    `json:"source"`
	URL      string    `json:"url"`
	Release  string    `json:"release,omitempty"`
	Date     string    `json:"date,omitempty"`
	CRC32    string    `json:"crc32,omitempty"`
	Fetched  time.Time `json:"fetched"`
}

// encodeRecord writes what decodeRecord reads.
func encodeRecord(b Build) ([]byte, error) {
	r := record{
		Format: recordFormat, Core: b.Core.Name, Version: b.Core.Version, Wireless: b.Core.Wireless,
		SHA256: hex.EncodeToString(b.Core.SHA256[:]), Size: b.Core.Size,
		Source: b.Origin.Source, URL: b.Origin.URL, Release: b.Origin.Version, Fetched: b.Fetched.UTC(),
	}
	if !b.Origin.Date.IsZero() {
		r.Date = day(b.Origin.Date)
	}
	if b.Origin.CRC32 != 0 {
		r.CRC32 = fmt.Sprintf("%08x", b.Origin.CRC32)
	}
	text, err := json.MarshalIndent(r, "", "  ")
	return append(text, '\n'), err
}

// decodeRecord reads a record. The build's name and path, which are those of folder and file,
// are for the caller to fill in.
func decodeRecord(text []byte) (b Build, err error) {
	if len(text) > maxRecord {
		return b, fmt.Errorf("record: %d bytes are too many", len(text))
	}
	var r record
	if err := json.Unmarshal(text, &r); err != nil {
		return b, fmt.Errorf("record: %w", err)
	}
	if r.Format != recordFormat {
		return b, fmt.Errorf("record: format %d is not known", r.Format)
	}
	for field, s := range map[string]string{"core": r.Core, "version": r.Version, "source": r.Source, "url": r.URL, "release": r.Release} {
		if err := checkText(s, maxText); err != nil {
			return b, fmt.Errorf("record: %s %w", field, err)
		}
	}
	if r.Core == "" {
		return b, errors.New("record: core is empty")
	}
	if r.Size <= 0 || r.Size > MaxLibrary {
		return b, fmt.Errorf("record: size %d is out of range", r.Size)
	}
	b.Core.Name, b.Core.Version, b.Core.Wireless, b.Core.Size = r.Core, r.Version, r.Wireless, r.Size
	if b.Core.SHA256, err = parseSHA256(r.SHA256); err != nil {
		return b, fmt.Errorf("record: sha256 %w", err)
	}
	b.Origin = Origin{Source: r.Source, URL: r.URL, Version: r.Release}
	b.Fetched = r.Fetched
	if r.Date != "" {
		if b.Origin.Date, err = time.Parse(time.DateOnly, r.Date); err != nil {
			return b, fmt.Errorf("record: %q is not a date", r.Date)
		}
	}
	if r.CRC32 != "" {
		if b.Origin.CRC32, err = parseCRC32(r.CRC32); err != nil {
			return b, fmt.Errorf("record: crc32 %w", err)
		}
	}
	return b, nil
}

// parseSHA256 reads 64 hexadecimal digits.
func parseSHA256(s string) (sum [32]byte, err error) {
	if len(s) != hex.EncodedLen(len(sum)) {
		return sum, fmt.Errorf("has %d digits, not 64", len(s))
	}
	if _, err := hex.Decode(sum[:], []byte(s)); err != nil {
		return sum, fmt.Errorf("is not hexadecimal: %w", err)
	}
	return sum, nil
}

// parseCRC32 reads 8 hexadecimal digits.
func parseCRC32(s string) (uint32, error) {
	if len(s) != 8 {
		return 0, fmt.Errorf("%.20q is not 8 digits", s)
	}
	sum, err := strconv.ParseUint(s, 16, 32)
	if err != nil {
		return 0, fmt.Errorf("%q is not hexadecimal", s)
	}
	return uint32(sum), nil
}

// checkText allows texts of at most so many letters that can be shown in one line.
func checkText(s string, most int) error {
	if utf8.RuneCountInString(s) > most {
		return fmt.Errorf("has more than %d letters", most)
	}
	if !utf8.ValidString(s) {
		return errors.New("is not valid UTF-8")
	}
	for _, r := range s {
		if !unicode.IsPrint(r) {
			return fmt.Errorf("has the letter %U, which cannot be shown", r)
		}
	}
	return nil
}
