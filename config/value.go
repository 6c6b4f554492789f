package config

import (
	"encoding"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/BurntSushi/toml"
)

// assign sets the setting that ptr points to to a value as the TOML decoder gives
// it. It returns why that is not possible, or "".
func assign(ptr, value any) (why string) {
	switch p := ptr.(type) {
	case *time.Duration:
		s, ok := value.(string)
		if !ok {
			return "is " + kind(value) + ", not a duration in quotes"
		}
		d, err := time.ParseDuration(s)
		if err != nil {
			return strconv.Quote(s) + " is not a duration"
		}
		*p = d
	case encoding.TextUnmarshaler:
		s, ok := value.(string)
		if !ok {
			return "is " + kind(value) + ", not a text in quotes"
		}
		if err := p.UnmarshalText([]byte(s)); err != nil {
			return err.Error()
		}
	case *string:
		return assignAs(p, value, "a text in quotes")
	case *bool:
		return assignAs(p, value, "true or false")
	case *int:
		n, ok := value.(int64)
		if !ok || int64(int(n)) != n {
			return "is " + kind(value) + ", not a whole number"
		}
		*p = int(n)
	case *float64:
		if n, ok := value.(int64); ok {
			value = float64(n)
		}
		return assignAs(p, value, "a number")
	case *[]string:
		return assignList(p, value)
	case *map[string]string:
		return assignMap(p, value)
	default:
		return fmt.Sprintf("is of type %T, which no setting has", ptr)
	}
	return ""
}

// assignAs sets a setting whose type is that of the TOML value.
func assignAs[T any](p *T, value any, want string) string {
	v, ok := value.(T)
	if !ok {
		return "is " + kind(value) + ", not " + want
	}
	*p = v
	return ""
}

// assignList also takes a single text for a list of one.
func assignList(p *[]string, value any) string {
	if s, ok := value.(string); ok {
		*p = []string{s}
		return ""
	}
	items, ok := value.([]any)
	if !ok {
		return "is " + kind(value) + ", not a list of texts in quotes"
	}
	list := make([]string, 0, len(items))
	for _, item := range items {
		s, ok := item.(string)
		if !ok {
			return "has " + kind(item) + " in the list, not a text in quotes"
		}
		list = append(list, s)
	}
	*p = list
	return ""
}

func assignMap(p *map[string]string, value any) string {
	table, ok := value.(map[string]any)
	if !ok {
		return "is " + kind(value) + ", not a section of key = \"value\" lines"
	}
	m := make(map[string]string, len(table))
	for _, k := range slices.Sorted(maps.Keys(table)) {
		v := table[k]
		s, ok := v.(string)
		if !ok {
			return strconv.Quote(k) + " is " + kind(v) + ", not a text in quotes"
		}
		m[k] = s
	}
	*p = m
	return ""
}

// kind says what a TOML value is.
func kind(value any) string {
	switch v := value.(type) {
	case string:
		return "the text " + strconv.Quote(v)
	case bool:
		return "true or false"
	case int64:
		return "the whole number " + strconv.FormatInt(v, 10)
	case float64:
		return "a number with a fraction"
	case time.Time:
		return "a date or time without quotes"
	case []any:
		return "a list"
	case []map[string]any:
		return "a list of sections"
	}
	return "a section"
}

// format writes the setting that ptr points to as a TOML value.
func format(ptr any) string {
	switch p := ptr.(type) {
	case *time.Duration:
		return quote(formatDuration(*p))
	case encoding.TextMarshaler:
		text, err := p.MarshalText()
		if err != nil {
			return quote("")
		}
		return quote(string(text))
	case *string:
		return quote(*p)
	case *bool:
		return strconv.FormatBool(*p)
	case *int:
		return strconv.Itoa(*p)
	case *float64:
		return formatFloat(*p)
	case *[]string:
		return "[" + strings.Join(quoteAll(*p), ", ") + "]"
	case *map[string]string:
		return formatMap(*p)
	}
	return quote("")
}

// formatFloat writes a number so that it is read as one with a fraction.
func formatFloat(v float64) string {
	s := strconv.FormatFloat(v, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// formatDuration leaves out the parts that are zero: 1m, not 1m0s.
func formatDuration(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

func formatMap(m map[string]string) string {
	if len(m) == 0 {
		return "{}"
	}
	var items []string
	for k, v := range m {
		items = append(items, toml.Key{k}.String()+" = "+quote(v))
	}
	slices.Sort(items)
	return "{ " + strings.Join(items, ", ") + " }"
}

func quoteAll(list []string) []string {
	quoted := make([]string, len(list))
	for i, s := range list {
		quoted[i] = quote(s)
	}
	return quoted
}

// quote writes a TOML basic string.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, "\\u%04X", r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
