package chaos

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/nettplay/nettplay/internal/saves"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/testing/child"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// Outcome is all that is known of a run when it is over.
type Outcome struct {
	Trouble    string   // of the suite itself: nothing was tested
	Hung       []string // processes that had not ended in time, or where it all stood
	Acts       []Act    // what was really done, in order
	Machines   []Left   // of players
	Spectators []Left   // of spectators
	Leftover   []string // processes that still ran
	Took       time.Duration
}

// Act is an event that took place.
type Act struct {
	Event
	Did bool   // false: there was nobody any more to do it to
	How string // in words, where there is more to say
}

// Left is all that one machine leaves behind.
type Left struct {
	Exit    string         // code, or a signal's name
	Words   string         // all it said
	Report  *notice.Report // nil for none
	Saves   []Save         // by falling number
	Damage  []string       // of its folder of saves
	Told    []int64        // the frames of which it told the player that the save is kept
	Temp    []string       // what is in its folder for temporary files
	Replay  string         // what "replay --verify" said, where it failed
	Checked bool           // its recording was played again

	Until   time.Duration // when it ended, after the game had begun
	Absent  bool          // it was to come later, and did not
	Entry   int64         // of one that came later: the first frame of its consoles; -1 if it did not get that far
	Stamped Stamped       // of a clocked game: the presses that took effect
	Brought int           // ... and the presses that its save knew of
}

// Save is one save of a machine.
type Save struct {
	Number    int
	Frame     int64
	Confirmed bool
	Current   bool
	Steps     int // presses that it knows of
}

// current returns the save that a game starts from; a zero Save for none.
func current(list []Save) Save {
	for _, s := range list {
		if s.Current {
			return s
		}
	}
	return Save{}
}

// newest is the save with the highest number.
func newest(list []Save) Save {
	if len(list) == 0 {
		return Save{}
	}
	return list[0]
}

// keptWords tell a player of a save.
var keptWords = regexp.MustCompile(`(?m)^Your save is written: all computers had the same one after (\d+) frames?\.$`)

// look gathers what a machine leaves behind.
func (m *machine) look(core Core) Left {
	l := Left{Exit: m.run.Exit(), Words: m.run.Words()}
	if b, err := os.ReadFile(m.At(reportFile)); err == nil {
		l.Report = new(notice.Report)
		if err := json.Unmarshal(b, l.Report); err != nil {
			l.Damage = append(l.Damage, "its report cannot be read: "+err.Error())
		}
	}
	for _, found := range keptWords.FindAllStringSubmatch(l.Words, -1) {
		frame, _ := strconv.ParseInt(found[1], 10, 64)
		l.Told = append(l.Told, frame)
	}
	if err := l.lookAtSaves(m.At(child.Data), m.At(saveFile), core); err != nil {
		l.Damage = append(l.Damage, err.Error())
	}
	for _, dir := range []string{child.Temp, child.Own} {
		_ = filepath.WalkDir(m.At(dir), func(path string, d os.DirEntry, err error) error {
			if err == nil && path != m.At(dir) {
				l.Temp = append(l.Temp, path)
			}
			return nil
		})
	}
	return l
}

// lookAtSaves reads all saves, as "nettplay saves list" does.
func (l *Left) lookAtSaves(data, file string, core Core) error {
	all, err := saves.All(filepath.Join(data, "nettplay", "saves"))
	if err != nil {
		return err
	}
	if len(all) > 1 {
		return fmt.Errorf("there are saves of %d games", len(all))
	}
	for _, k := range all {
		for _, s := range k.Saves {
			if s.Damage != nil {
				l.Damage = append(l.Damage, fmt.Sprintf("save %d: %v", s.Number, s.Damage))
				continue
			}
			sram, err := k.Read(s.Number)
			if err != nil {
				return err
			}
			steps, err := stepsOf(sram, core)
			if err != nil {
				l.Damage = append(l.Damage, fmt.Sprintf("save %d is torn: %v", s.Number, err))
			}
			l.Saves = append(l.Saves, Save{Number: s.Number, Frame: s.Frame, Confirmed: s.Confirmed, Current: s.Current, Steps: steps})
		}
	}
	slices.SortFunc(l.Saves, func(a, b Save) int { return b.Number - a.Number })
	return l.lookAtFile(file, core)
}

// lookAtFile reads the save that the player has named, which is the current one. A
// commit that was cut off may have come to the file and not to the folder.
func (l *Left) lookAtFile(file string, core Core) error {
	sram, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) || err == nil && len(sram) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	steps, err := stepsOf(sram, core)
	if err != nil {
		return fmt.Errorf("the save file is torn: %w", err)
	}
	if len(l.Saves) == 0 && steps == l.Brought { // nobody has opened it
		return nil
	}
	for i := range l.Saves {
		s := &l.Saves[i]
		if s.Current && s.Steps == steps {
			return nil
		}
		if !s.Confirmed && s.Steps == steps && (i == len(l.Saves)-1 || l.Saves[i+1].Current) {
			s.Confirmed, s.Current = true, true
			for k := range l.Saves[i+1:] {
				l.Saves[i+1+k].Current = false
			}
			return nil
		}
	}
	return fmt.Errorf("the save file knows of %d presses, and no save that could be the current one does", steps)
}

// stepsOf reads from backup memory how often A was pressed. It checks all that
// would show that the memory is of no moment of the game.
func stepsOf(sram []byte, core Core) (int, error) {
	if core == DeSmuME {
		log, err := romstest.ReadSave(sram)
		return int(log.Steps), err
	}
	const record = 16
	if len(sram) != 8<<10 {
		return 0, fmt.Errorf("%d bytes", len(sram))
	}
	word := func(at int) uint32 { return binary.LittleEndian.Uint32(sram[at:]) }
	steps := int(word(0))
	if word(0) == 0xFFFFFFFF {
		steps = 0
	}
	slots := len(sram)/record - 1
	if steps > slots {
		return 0, fmt.Errorf("%d presses", steps)
	}
	for n := 1; n < slots; n++ {
		if record+n%slots*record == len(sram)/2 {
			continue // where a fault is put, which may become the truth
		}
		want := uint32(0xFFFFFFFF)
		if n <= steps {
			want = uint32(n)
		}
		if at := record + n%slots*record; word(at) != want {
			return steps, fmt.Errorf("of %d presses, number %d is recorded as %#x", steps, n, word(at))
		}
	}
	return steps, nil
}
