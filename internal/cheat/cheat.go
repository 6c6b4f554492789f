package cheat

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/nettplay/nettplay/internal/wire"
)

// Limits of what a room can agree on.
const (
	MaxAgreed = 32      // cheats
	MaxLines  = 1024    // lines of all codes together
	MaxName   = 72      // bytes of a name
	MaxSize   = 1 << 16 // bytes of an encoded list; it is far shorter
	lineSize  = 8       // bytes of a line
	maxWork   = 1 << 18 // lines run, and words copied, in one frame
)

// A Cheat is an Action Replay code with its name.
type Cheat struct {
	Name string
	Code []uint32 // two numbers a line
}

// Lines is the number of lines of the code.
func (c Cheat) Lines() int { return len(c.Code) / 2 }

// Equal reports whether two cheats are the same, name and all.
func (c Cheat) Equal(o Cheat) bool { return c.Name == o.Name && slices.Equal(c.Code, o.Code) }

// Text is the code as cores take it: 16 hexadecimal digits a line, and nothing between the lines. All that
// is known of take that, and DeSmuME, which takes so many characters and no more, takes the longest code so.
func (c Cheat) Text() string {
	b := make([]byte, 0, 16*c.Lines())
	for _, w := range c.Code {
		b = fmt.Appendf(b, "%08X", w)
	}
	return string(b)
}

// Clone returns a list that shares nothing with the one given.
func Clone(list []Cheat) []Cheat {
	list = slices.Clone(list)
	for i := range list {
		list[i].Code = slices.Clone(list[i].Code)
	}
	return list
}

// Check tells why cheats cannot be agreed on, naming the cheat. What passes ends in time on every core, and reads nothing
// behind a code's end, where cores look into memory of their own that differs between machines.
func Check(list []Cheat) error {
	if len(list) > MaxAgreed {
		return fmt.Errorf("cheats: %d, at most %d at once", len(list), MaxAgreed)
	}
	lines, work := 0, 0
	for i, c := range list {
		if c.Name == "" {
			return fmt.Errorf("cheat %d: it has no name", i+1)
		}
		if slices.ContainsFunc(list[:i], c.Equal) {
			return fmt.Errorf("cheat %q: it stands twice", c.Name)
		}
		w, err := c.walk()
		if err != nil {
			return fmt.Errorf("cheat %q: %w", c.Name, err)
		}
		lines, work = lines+c.Lines(), work+w
	}
	switch {
	case lines > MaxLines:
		return fmt.Errorf("cheats: %d lines of code, at most %d in all", lines, MaxLines)
	case work > maxWork:
		return fmt.Errorf("cheats: together they do too much in one frame")
	}
	return nil
}

// Check tells why the cheat cannot be used.
func (c Cheat) Check() error { return Check([]Cheat{c}) }

// walk goes through a code from top to bottom, whatever its conditions, and returns at most how much it does in a frame. A
// loop goes back to the line behind the last FOR that was passed, so each FOR is passed once, and repeats at most all
// that follows it.
func (c Cheat) walk() (work int, err error) {
	switch {
	case len(c.Code) == 0:
		return 0, fmt.Errorf("it has no code")
	case len(c.Code)%2 != 0:
		return 0, fmt.Errorf("line %d has one number, not two", c.Lines()+1)
	case c.Lines() > MaxLines:
		return 0, fmt.Errorf("%d lines, at most %d", c.Lines(), MaxLines)
	}
	type loop struct{ before, times int } // work before it
	var loops []loop
	for line := 0; line < c.Lines(); line++ {
		a, b := c.Code[2*line], c.Code[2*line+1]
		work++
		switch op := a >> 24; {
		case op == 0xc0:
			if b >= maxWork {
				return 0, fmt.Errorf("line %d repeats what follows %d times, which takes too long", line+1, b)
			}
			loops = append(loops, loop{work, int(b) + 1})
		case op>>4 == 0xe:
			data := (int64(b) + lineSize - 1) / lineSize
			if int64(line)+1+data > int64(c.Lines()) {
				return 0, fmt.Errorf("line %d copies the %d bytes that follow, and there are %d", line+1, b, lineSize*(c.Lines()-line-1))
			}
			work, line = work+int(b), line+int(data)
		case op>>4 == 0xf:
			if b >= maxWork {
				return 0, fmt.Errorf("line %d copies %d bytes, which takes too long", line+1, b)
			}
			work += int(b)
		case op>>4 < 0xc, op == 0xc5, op == 0xc6, op >= 0xd0 && op <= 0xdc:
		default:
			return 0, fmt.Errorf("line %d, %08X %08X: no emulator knows this kind of code", line+1, a, b)
		}
	}
	total := int64(work)
	for _, l := range loops {
		total += int64(work-l.before) * int64(l.times)
	}
	if total > maxWork {
		return 0, fmt.Errorf("its loops take too long")
	}
	return int(total), nil
}

// LeavesIfOpen is the line, from 1, at which a code ends a loop by D2 with an IF of that loop still open; 0 for none. A
// console with an Action Replay closes it then. DeSmuME goes round for ever.
func (c Cheat) LeavesIfOpen() int {
	inLoop, open := false, 0
	for line := 0; line < c.Lines(); line++ {
		a, b := c.Code[2*line], c.Code[2*line+1]
		switch op := a >> 24; {
		case op == 0xc0:
			if !inLoop {
				inLoop, open = true, 0
			}
		case op>>4 >= 3 && op>>4 <= 0xa, op == 0xc5:
			open++
		case op == 0xd0:
			open = max(open-1, 0)
		case op == 0xd1 && open == 0:
			inLoop = false // and it has ended where the code goes on
		case op == 0xd2:
			if inLoop && open > 0 {
				return line + 1
			}
			inLoop, open = false, 0
		case op>>4 == 0xe:
			line += int(min((int64(b)+lineSize-1)/lineSize, MaxLines))
		}
	}
	return 0
}

// Fields are the fields of a cheat in messages and parts.
func (c *Cheat) Fields(w *wire.Coder) {
	w.Text("name", &c.Name, MaxName)
	lines := c.Lines()
	wire.Number(w, "lines", &lines, 1, MaxLines)
	raw := make([]byte, 0, 4*len(c.Code))
	for _, word := range c.Code {
		raw = binary.BigEndian.AppendUint32(raw, word)
	}
	w.Part("code", &raw, lineSize*lines)
	if w.Reading() && w.Err() == nil {
		c.Code = make([]uint32, 2*lines)
		for i := range c.Code {
			c.Code[i] = binary.BigEndian.Uint32(raw[4*i:])
		}
	}
}

// List is a list of cheats that is refused where it cannot be agreed on.
func List(w *wire.Coder, list *[]Cheat) {
	wire.List(w, "cheats", list, MaxAgreed, func(w *wire.Coder, c *Cheat) { w.Within("cheat", c.Fields) })
	if w.Err() == nil {
		w.Set(Check(*list))
	}
}

// Encode is a list in bytes, nil for an empty one. Equal lists have equal bytes.
func Encode(list []Cheat) []byte {
	if len(list) == 0 {
		return nil
	}
	w := wire.Writer(nil)
	if List(w, &list); w.Err() != nil {
		return nil
	}
	return w.Bytes()
}

// Decode reads what [Encode] made, or anybody.
func Decode(b []byte) (list []Cheat, err error) {
	if len(b) > MaxSize {
		return nil, fmt.Errorf("cheats: %d bytes, at most %d", len(b), MaxSize)
	}
	w := wire.Reader(b)
	List(w, &list)
	if err := w.End(); err != nil {
		return nil, err
	}
	return list, nil
}

// Sum is the SHA-256 of a list in bytes, zeros for an empty one.
func Sum(list []Cheat) (sum [32]byte) {
	if b := Encode(list); b != nil {
		sum = sha256.Sum256(b)
	}
	return sum
}
