package doctor

// Mark says how good a finding is.
type Mark uint8

// The marks.
const (
	Good Mark = iota
	Fair      // play is possible, though not all of it
	Bad       // it would spoil play
)

// Finding is one thing that was found.
type Finding struct {
	Subject string // one word, such as "speed"
	Words   string // what was found, a sentence
	Advice  string // what to do, sentences; "" for nothing
	Mark    Mark
}

// String is the finding as one line.
func (f Finding) String() string {
	text := f.Subject + ": " + f.Words
	if f.Advice != "" {
		text += " " + f.Advice
	}
	return text
}

// Spoilers are the subjects of what would spoil play.
func Spoilers(list []Finding) (subjects []string) {
	for _, f := range list {
		if f.Mark == Bad {
			subjects = append(subjects, f.Subject)
		}
	}
	return subjects
}
