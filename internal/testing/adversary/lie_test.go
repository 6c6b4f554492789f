package adversary

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"

	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/mirror"
)

// lie changes fields of a message so that it still is one of the protocol. A message that
// cannot be read, as a piece of a state, gets other bytes.
func (m *mutator) lie(ch link.Channel, data []byte) []byte {
	for range 8 {
		if b, ok := m.tryLie(ch, data); ok {
			return b
		}
	}
	for i := range data {
		if m.rng.IntN(4) == 0 {
			data[i] = byte(m.rng.Uint32())
		}
	}
	return data
}

func (m *mutator) tryLie(ch link.Channel, data []byte) ([]byte, bool) {
	switch ch {
	case link.Control:
		msg, err := message.Decode(data)
		if err != nil {
			return nil, false
		}
		m.lieAbout(reflect.ValueOf(msg))
		b, err := message.Encode(msg)
		return b, err == nil
	case link.Input:
		d := new(mirror.Datagram)
		if d.Decode(data) != nil {
			return nil, false
		}
		m.lieAbout(reflect.ValueOf(d))
		b := d.Append(nil)
		return b, new(mirror.Datagram).Decode(b) == nil
	}
	return nil, false
}

// lieAbout changes one to three fields, wherever they are.
func (m *mutator) lieAbout(v reflect.Value) {
	var fields []reflect.Value
	leaves(v, &fields)
	for range 1 + m.rng.IntN(3) {
		if len(fields) > 0 {
			change(m.rng, fields[m.rng.IntN(len(fields))])
		}
	}
}

// leaves collects what can be changed.
func leaves(v reflect.Value, list *[]reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		leaves(v.Elem(), list)
		return
	case reflect.Struct:
		for i := range v.NumField() {
			leaves(v.Field(i), list)
		}
		return
	case reflect.Slice, reflect.Array:
		for i := range min(v.Len(), 64) {
			leaves(v.Index(i), list)
		}
	}
	if v.CanSet() && v.Kind() != reflect.Array {
		*list = append(*list, v)
	}
}

var (
	numbers = []int64{-1, 0, 1, 2, 15, 16, 60, 255, 1 << 16, math.MaxInt32, 1 << 40, 1 << 59, math.MaxInt64, math.MinInt64}
	texts   = []string{"", " ", "%s%n%d", "../../../evil", "/etc/passwd", "\x1b[2J\x07\r\n", "\u202egro\u2066.evil", "a\u0301\u0301\u0301\u0301\u0301", "\xff\xfe", "<b>", "nettplay://join/x", "CON", "\u0000"}
)

// change gives a field another value.
func change(rng *rand.Rand, v reflect.Value) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(other(rng, v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(other(rng, int64(v.Uint()))))
	case reflect.String:
		text := texts[rng.IntN(len(texts))]
		if rng.IntN(3) == 0 {
			text = string(slices.Repeat([]rune("\U0001F469"), 1+rng.IntN(150)))
		}
		v.SetString(text)
	case reflect.Slice:
		switch n := v.Len(); {
		case n == 0:
			v.Set(reflect.MakeSlice(v.Type(), 1+rng.IntN(4), 4))
		case rng.IntN(2) == 0:
			v.Set(v.Slice(0, rng.IntN(n)))
		default: // some of it again
			v.Set(reflect.AppendSlice(v.Slice3(0, n, n), v.Slice(0, 1+rng.IntN(n))))
		}
	}
}

// other is another number, near or far.
func other(rng *rand.Rand, was int64) int64 {
	if rng.IntN(2) == 0 {
		return was + int64(rng.IntN(9)) - 4
	}
	return numbers[rng.IntN(len(numbers))]
}
