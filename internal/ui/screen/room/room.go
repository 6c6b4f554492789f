// Package room has the screens of a room: the way into it, the lobby, the game and its end.
package room

import (
	"slices"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/launch"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/ui/library"
	"github.com/nettplay/nettplay/internal/ui/screen"
)

// Line is one line of the chat.
type Line struct {
	From string // nickname; "" when the room says it
	Text string
	New  bool // somebody wrote it, or it stops a start; it is marked until the player has seen it for a moment
	Seen bool // the player has
}

// MaxLines is the number of the chat's lines that are kept.
const MaxLines = 200

// Room is the room that the player is in, or on the way to.
type Room struct {
	Hosting    bool
	Local      int               // consoles on this machine alone; 0 for a room on the network
	Address    string            // that was joined, or "" when hosting
	Typed      string            // as the player typed it; "" for a room of the list
	Called     string            // name of the open room that was joined; "" where it is not known
	Matching   bool              // it is tried by a quick match
	Port       int               // the room's UDP port, when hosting
	Invited    launch.Invitation // for friends; or the answer to send, on the way in
	Unanswered bool              // no address of the invitation has answered: the answer may help
	Password   bool              // the room has one, when hosting
	Game       *library.Game
	Core       emucore.Core // that it plays on, if it is not that of the settings; else zero
	Known      bool         // Room is valid
	Room       room.Room
	Machine    int              // our machine's number in it
	entered    int              // the game host's that let us in
	After      bool             // the room before it has still to be left
	NoRollback bool             // the core's consoles do not go back in time as they must
	Checking   *launch.Checking // of the core, before anything else; nil: none
	Lines      []Line
	Banned     []room.Banned        // who is banned, for the game host
	Blockers   []room.Blocker       // why the game cannot start, for the game host
	Failed     *notice.StartFailed  // why the last start failed; nil: it did not
	Refused    *notice.JoinFailed   // who did not get in last, for something that can be mended; nil: nobody
	Behind     *notice.CatchingUp   // we follow a game into which we come; nil: not yet
	Fetched    room.Progress        // of the consoles of a start, or of a game into which we come
	Chosen     string               // the game that the game host has chosen since we were ready; "" for none
	Differ     []notice.SaveDiffers // our saves that are not those of the kept moment that goes on
	Misfits    []notice.SaveMisfit  // our saves that do not fit their cartridges
	cheats     cheats               // among which the game host chooses
	lost       []int                // machines whose connection was said to be lost
	Last       *Last                // how the last game of the room ended; nil: as we wanted

	Run Run // the game that runs in it
}

// Last is the end of a game.
type Last struct {
	screen.Trouble
	Failed bool // it was not meant to
}

// Others returns how many other machines of players than ours are in a room.
func Others(now room.Room, me int) int {
	machines := map[int]bool{}
	for _, p := range now.Players {
		if p.Present && p.Machine != me {
			machines[p.Machine] = true
		}
	}
	return len(machines)
}

// Run is the game that runs in a room. Its zero value is that none does.
type Run struct {
	Playing      bool
	Paused       bool
	Off          []ds.Seat             // our own consoles that their game has switched off
	Disconnected []notice.Disconnected // the game waits for them
	Figures      notice.Figures
	Menu         bool          // the menu is open over the game
	screens      bool          // how the screens of this game stand is chosen, over the menu
	naming       screen.Naming // of a moment that is to be kept
	ending       bool          // we have ended it
	called       bool          // the menu has come by itself, since the game waits for somebody
}

// inviting is the text that friends come in by; "" where there is none, as of one who joined.
func (r *Room) inviting() string {
	if r.Invited.Answer {
		return ""
	}
	return r.Invited.Text
}

// Mine returns the player's own entry of the roster.
func (r *Room) Mine() (room.Player, bool) { return r.Room.Player(r.Machine) }

// Present returns how many players are there.
func (r *Room) Present() (n int) {
	for _, p := range r.Room.Players {
		if p.Present {
			n++
		}
	}
	return n
}

// line adds to the chat. The room says some things twice in a row when one thing
// has two consequences.
func (r *Room) line(l Line) {
	if l.From == "" && len(r.Lines) > 0 && slices.ContainsFunc(r.Lines[max(0, len(r.Lines)-3):], func(o Line) bool { return o.From == "" && o.Text == l.Text }) {
		return
	}
	r.Lines = append(r.Lines, l)
	r.Lines = r.Lines[max(0, len(r.Lines)-MaxLines):]
}

// wait adds a machine to those that the game waits for, and shows what can be done about it.
func (r *Run) wait(n notice.Disconnected) {
	r.back(n.Machine)
	r.Disconnected = append(r.Disconnected, n)
	r.called = r.called || !r.Menu
	r.Menu = true
}

// Unread returns how many lines of others the player has not seen.
func (r *Room) Unread() (n int) {
	for _, l := range r.Lines {
		if l.New && !l.Seen {
			n++
		}
	}
	return n
}

// seen takes note that the player sees the chat: from now on its new lines are not counted.
func (r *Room) seen() {
	for i := range r.Lines {
		r.Lines[i].Seen = true
	}
}

// ChatSeen takes note that the player has the chat open over the game.
func (s *Session) ChatSeen() {
	if s.Room != nil && s.Front {
		s.Room.read()
	}
}

// marked reports whether a line is marked as new.
func (r *Room) marked() bool { return slices.ContainsFunc(r.Lines, func(l Line) bool { return l.New }) }

// read takes the marks off: the player has seen the chat for a moment.
func (r *Room) read() {
	for i := range r.Lines {
		r.Lines[i].New = false
	}
}

// back takes a machine off those that the game waits for. When there is none left, the menu
// that came for them goes.
func (r *Run) back(machine int) {
	r.waitsNoMore(func(waiting int) bool { return waiting == machine })
}

// look takes those off who are not in the room any more: whoever starts the program again
// comes as another machine.
func (r *Run) look(players []room.Player) {
	r.waitsNoMore(func(waiting int) bool {
		return !slices.ContainsFunc(players, func(p room.Player) bool { return p.Machine == waiting && p.Present })
	})
}

func (r *Run) waitsNoMore(gone func(machine int) bool) {
	r.Disconnected = slices.DeleteFunc(r.Disconnected, func(b notice.Disconnected) bool { return gone(b.Machine) })
	if len(r.Disconnected) == 0 && r.called {
		r.Menu, r.called = false, false
	}
}
