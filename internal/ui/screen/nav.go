package screen

import (
	"slices"
	"strconv"

	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// ID names a screen.
type ID uint8

// The screens.
const (
	Home       ID = iota
	Welcome       // first steps: nickname, core, games
	Games         // pick a game
	Host          // what the room is to be like
	Join          // which room
	Online        // which of those that relays know
	Alone         // how many consoles on this machine
	Joining       // on the way into a room
	Lobby         // in a room
	Starting      // consoles are built on this machine alone
	Playing       // the consoles run
	Ended         // a session is over, and why
	Recordings    // of games, to be watched
	Moments       // of games, to go on from
	Watching      // one of them, or a room
	Saves         // that are kept of games
	Settings
	About
	Files // a file or a folder is looked for
	Check // what would spoil play on this machine
	Cores // emulator cores, here and to be had
)

// String returns the screen's name, for tests and as the scope of its widgets.
func (id ID) String() string {
	return phrase.Named([]string{
		"home", "welcome", "games", "host", "join", "online", "alone", "joining", "lobby", "starting", "playing", "ended",
		"recordings", "moments", "watching", "saves", "settings", "about", "files", "check", "cores",
	}, id, "none")
}

// Screen is one screen of the window. The goroutine of the window calls its methods.
type Screen interface {
	// Open prepares the screen when the player goes there, and shows it; it may
	// show why that is impossible now instead.
	Open()
	// Build draws the screen, and does what the player wants there.
	Build(u *widgets.UI)
	// Back does what Back means on this screen. It returns false to let Back lead to
	// the screen before.
	Back() bool
}

// Keyed is a screen on which keys do something that they do on no other.
type Keyed interface{ OwnKeys() []KeyRow }

// KeyRow is what keys do, and what is printed on them.
type KeyRow struct {
	Does string
	Keys []string
}

// ListKeys are those of a list that one searches, and from which one deletes.
func ListKeys() []KeyRow {
	return append(SearchKeys(), KeyRow{"Delete the selected entry", []string{"Delete"}}, KeyRow{"In a list: jump to a name", []string{"A to Z"}})
}

// Nav is the way that led to the screen which shows.
type Nav struct {
	Current ID
	Screens map[ID]Screen
	// Moved hears of each change of the screen.
	Moved func(from, to ID)
	// Resolve says where a way back leads now, when the screen that it led to may be out of date.
	Resolve func(ID) ID

	way    []ID       // where Back leads, the next one last
	visits map[ID]int // how often a screen was opened anew
}

// Go lets the player go to a screen, which prepares itself.
func (n *Nav) Go(to ID) { n.Screens[to].Open() }

// GoTo shows another screen; Back leads here again.
func (n *Nav) GoTo(to ID) {
	if n.Current == to {
		return
	}
	if i := slices.Index(n.way, to); i >= 0 {
		n.way = n.way[:i]
	} else {
		n.way = append(n.way, n.Current)
		n.Anew(to)
	}
	n.show(to)
}

// Anew has a screen begin at its top, when it shows next, with nothing left of how it was scrolled before, nor of what
// had the keyboard.
func (n *Nav) Anew(id ID) {
	if n.visits == nil {
		n.visits = map[ID]int{}
	}
	n.visits[id]++
}

// Visit names the screen that shows, as it was opened last: a way back leads to the same visit.
func (n *Nav) Visit() string { return n.Current.String() + " " + strconv.Itoa(n.visits[n.Current]) }

// Show changes the screen, which the player did not ask for, and leaves the way back as it is. The screen begins
// anew: where the keyboard was when it showed before has nothing to do with why it shows now.
func (n *Nav) Show(to ID) {
	if n.Current != to {
		n.Anew(to)
	}
	n.show(to)
}

// Return shows a screen where the player was before, as it was then.
func (n *Nav) Return(to ID) { n.show(to) }

func (n *Nav) show(to ID) {
	from := n.Current
	n.Current = to
	n.Moved(from, to)
}

// Forget forgets the way back: it leads home.
func (n *Nav) Forget() { n.way = nil }

// GoHome shows the first screen, and forgets the way back.
func (n *Nav) GoHome() {
	n.Forget()
	n.show(Home)
}

// Pop shows the screen before this one.
func (n *Nav) Pop() {
	if len(n.way) == 0 {
		n.show(Home)
		return
	}
	to := n.way[len(n.way)-1]
	n.way = n.way[:len(n.way)-1]
	n.show(n.Resolve(to))
}
