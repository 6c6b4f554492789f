package inputdelay

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/nettplay/nettplay/internal/ds"
)

// lineForm is the form of a line, as errors about a script show it.
const lineForm = "FRAME[-FRAME] [A+B+UP+...] [touch X,Y] [lid] [mic]"

// ParseScript reads a script's text, as [Script] describes it. Errors name the
// line and what is allowed there. It reads at most [MaxScriptLines] lines of at
// most [MaxScriptLine] bytes.
func ParseScript(r io.Reader) (*Script, error) {
	var spans []span
	lines := bufio.NewReaderSize(r, MaxScriptLine+2) // with room for \r\n
	for number := 1; ; number++ {
		text, err := lines.ReadSlice('\n')
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, bufio.ErrBufferFull) {
			return nil, fmt.Errorf("read input script, line %d: %w", number, err)
		}
		last := errors.Is(err, io.EOF)
		if last && len(text) == 0 {
			break
		}
		if number > MaxScriptLines {
			return nil, fmt.Errorf("input script has more than %d lines", MaxScriptLines)
		}
		sp, ok, err := parseLine(string(text))
		if err != nil {
			return nil, fmt.Errorf("input script, line %d: %w", number, err)
		}
		if ok {
			spans = append(spans, sp)
		}
		if last {
			break
		}
	}
	return &Script{spans: flatten(spans)}, nil
}

// parseLine reads one line, with or without its end. ok is false when there is
// nothing on it but blanks and a comment.
func parseLine(text string) (sp span, ok bool, err error) {
	text = strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r")
	if len(text) > MaxScriptLine {
		return sp, false, fmt.Errorf("longer than %d bytes", MaxScriptLine)
	}
	text, _, _ = strings.Cut(text, "#")
	words := strings.Fields(text)
	if len(words) == 0 {
		return sp, false, nil
	}
	sp.from, sp.to, err = parseFrames(words[0])
	if err == nil {
		sp.in, err = parseInput(words[1:])
	}
	return sp, err == nil, err
}

// parseFrames reads FRAME or FRAME-FRAME and returns the frames from to to-1.
func parseFrames(word string) (from, to int64, err error) {
	first, last, isRange := strings.Cut(word, "-")
	if !isRange {
		last = first
	}
	from, err = parseFrame(first)
	if err == nil {
		to, err = parseFrame(last)
	}
	switch {
	case err != nil:
		return 0, 0, fmt.Errorf("%q is not a frame or a range of frames: %w; a line is %s", word, err, lineForm)
	case to < from:
		return 0, 0, fmt.Errorf("frames %s run backwards; write %d-%d", word, to, from)
	}
	return from, to + 1, nil
}

// parseFrame reads one frame number.
func parseFrame(word string) (int64, error) {
	n, err := strconv.ParseUint(word, 10, 64)
	if errors.Is(err, strconv.ErrRange) || n > ds.MaxFrame {
		return 0, fmt.Errorf("frames go up to %d", int64(ds.MaxFrame))
	}
	if err != nil {
		return 0, fmt.Errorf("%q is not a number", word)
	}
	return int64(n), nil
}

// parseInput reads what is held, in the words after the frames. They may stand
// in any order, each at most once.
func parseInput(words []string) (in Input, err error) {
	for len(words) > 0 {
		var held Input
		word := words[0]
		words = words[1:]
		switch strings.ToLower(word) {
		case "lid":
			held.Keys = Lid
		case "mic":
			held.Keys = Mic
		case "touch":
			if len(words) == 0 {
				return in, errors.New("touch without a place; write touch X,Y")
			}
			held, err = parseTouch(words[0])
			words = words[1:]
		default:
			held.Keys, err = parseKeys(word)
		}
		if err != nil {
			return in, err
		}
		if twice := held.Keys & in.Keys; twice != 0 {
			return in, fmt.Errorf("%s stands twice", (Input{Keys: twice, X: held.X, Y: held.Y}))
		}
		in = merge(in, held)
	}
	return in, nil
}

// parseTouch reads X,Y.
func parseTouch(word string) (Input, error) {
	xs, ys, _ := strings.Cut(word, ",")
	x, errX := strconv.ParseUint(xs, 10, 8)
	y, errY := strconv.ParseUint(ys, 10, 8)
	if errX != nil || errY != nil || y >= ScreenHeight {
		return Input{}, fmt.Errorf("touch %q is not on the bottom screen; write X,Y with X from 0 to %d and Y from 0 to %d",
			word, ScreenWidth-1, ScreenHeight-1)
	}
	return Input{Keys: Touch, X: uint8(x), Y: uint8(y)}, nil
}

// parseKeys reads A+B+UP.
func parseKeys(word string) (keys Keys, err error) {
	for name := range strings.SplitSeq(word, "+") {
		bit := slices.Index(keyNames[:], strings.ToUpper(name))
		if bit < 0 {
			return 0, fmt.Errorf("%q is not a button; allowed are %s, and touch X,Y, lid, mic",
				name, strings.Join(keyNames[:], " "))
		}
		if keys&(1<<bit) != 0 {
			return 0, fmt.Errorf("%s stands twice", keyNames[bit])
		}
		keys |= 1 << bit
	}
	return keys, nil
}
