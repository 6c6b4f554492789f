package emucore

// A Protection keeps a core from doing one sort of harm to this machine.
type Protection struct {
	Against string // "files", "memory"
	Text    string // what a core can do, for people
	Missing string // why it can do more than that here; "" if it cannot
}
