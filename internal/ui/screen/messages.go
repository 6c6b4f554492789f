package screen

// Trouble says that something went wrong, why, and what the player can do. Copy is
// something to type elsewhere, with a button to copy it.
type Trouble struct {
	Title string // a few words
	Words string // a sentence or two
	Hint  string // what to do; may be ""
	Copy  string // may be ""
	Yes   string // what a button says that helps; "" for none
	Do    func() // what it does
}

// Failed is a trouble that an error explains.
func Failed(title string, err error) *Trouble {
	return &Trouble{Title: title, Words: Sentence(err.Error())}
}

// Question shows over everything else until the player answers it.
type Question struct {
	Words, Hint string
	Yes, No     string // what the buttons say
	Do          func() // when the answer is yes
	Harmless    bool   // nothing is lost by it
	// Else is a third button, "" for none, and DoElse what it does.
	Else   string
	DoElse func()
}

// Toast is a short message that goes away by itself.
type Toast struct {
	Text string
	Good bool // something went as it should
	// Of is what it is about: a newer one takes the place of an older one. "" for nothing of which there can be several.
	Of string
}

// Messages show over every screen.
type Messages struct {
	Question *Question
	Trouble  *Trouble // shown in a box until it is closed
	Toasts   []Toast  // still to be shown
	Wait     string   // what is under way and cannot be stopped, such as "Leaving …"; "" for nothing

	waiting Lasting // there is a Wait
}

// Answer answers the question.
func (m *Messages) Answer(yes bool) {
	q := m.Question
	m.Question = nil
	if q != nil && yes {
		q.Do()
	}
}

// Say shows a short message.
func (m *Messages) Say(text string) { m.toast(Toast{Text: text}) }

// Tell shows a short message that something went as it should.
func (m *Messages) Tell(text string) { m.toast(Toast{Text: text, Good: true}) }

// SayOf is Say for a message that takes the place of an older one about the same.
func (m *Messages) SayOf(of, text string) { m.toast(Toast{Text: text, Of: of}) }

// TellOf is Tell for such a message.
func (m *Messages) TellOf(of, text string) { m.toast(Toast{Text: text, Of: of, Good: true}) }

func (m *Messages) toast(t Toast) {
	m.Toasts = append(m.Toasts, t)
	m.Toasts = m.Toasts[max(0, len(m.Toasts)-3):]
}
