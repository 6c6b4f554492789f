package screen

// Want says what is asked for.
type Want uint8

// Kinds of paths that can be asked for.
const (
	WantFolder  Want = iota
	WantFile         // that is there
	WantNewFile      // that is to be written
)

// A PathRequest asks the player for a file or a folder.
type PathRequest struct {
	Want  Want
	Title string
	Note  string // what it is for; may be ""
	Take  string // what the button says
	// Fits tells by their names which files are shown; nil: all. Where a folder is wanted, they
	// only show what is in it.
	Fits func(name string) bool
	Key  string // the player looks first where a request with the same key was answered last
	Name string // of the new file, to begin with
	// Kinds are what the new file may be, for people; none: there is no choice. Extensions are the
	// ends of its name for each, and Kind, which is the asker's, the one that is chosen.
	Kinds, Extensions []string
	Kind              *int
	// Do takes the answer, an absolute path, when the screen that asked shows again. It is not
	// called when the player does not want to after all.
	Do func(path string)
}
