package room

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// note is a sentence about the room.
type note struct {
	kind  widgets.Kind
	words string
}

// notes returns what matters now, from the lowest up: what is in the way or what to do, and how the
// last game ended.
func (v *Lobby) notes(r *Room) []note {
	list := []note{v.state(r)}
	if last := r.Last; last != nil && r.Room.Phase == room.PhaseLobby {
		kind := widgets.Primary
		if last.Failed {
			kind = widgets.Warning
		}
		list = append(list, note{kind, strings.TrimSpace(last.Title + ". " + last.Words + " " + last.Hint)})
	}
	return list
}

// notesOver draws the notes at the bottom of the area, and leaves what is above. They scroll
// where they would take too much of it.
func (v *Lobby) notesOver(u *widgets.UI, r *Room, area *draw.Rect) {
	c, list, high := u.Canvas(), v.notes(r), float32(0)
	for _, n := range list {
		high += c.LineHeight(widgets.StyleBody)*float32(c.Wrap(widgets.StyleBody, n.words, area.W-28, nil)) + 10
	}
	place := area.CutBottom(min(high, max(area.H*0.4, 64)))
	place.Top(10)
	u.In(place, func() {
		u.Scroll("notes", place.H, func() {
			u.SetGap(10)
			for _, n := range slices.Backward(list) {
				u.Message(n.kind, n.words)
			}
		})
	})
}

// state tells what is in the way, or what to do.
func (v *Lobby) state(r *Room) note {
	mine, _ := r.Mine()
	switch {
	case r.Room.Phase == room.PhasePreparing:
		return note{widgets.Primary, "Getting ready: all consoles are built and compared on every computer."}
	case r.Hosting && len(r.Blockers) > 0:
		return note{widgets.Primary, blockerWords(r.Blockers)}
	case r.Hosting:
		return note{widgets.Good, "All are ready: you can start."}
	case room.Looking(mine.Problem):
		return note{widgets.Primary, "Your computer is checking the change."}
	case mine.Problem != "" && !v.Games.Has(mine.ROM.SHA256):
		return note{widgets.Warning, "Your game is missing: see above."}
	case mine.Problem != "":
		return note{widgets.Warning, "Your computer cannot start the game yet: see above."}
	case r.Room.Phase == room.PhasePlaying && mine.Ready:
		return note{widgets.Good, comingIn(r)}
	case r.Room.Phase == room.PhasePlaying:
		return note{widgets.Primary, "A game runs. Press Ready to come into it."}
	case !mine.Ready && r.Chosen != "":
		return note{widgets.Warning, "The game host has chosen another game: " + r.Chosen + ". Press Ready when you want to play that."}
	case !mine.Ready:
		return note{widgets.Primary, "Press Ready when you want to play."}
	}
	return note{widgets.Good, "You are ready. The game host starts the game."}
}

// comingIn says what our console waits for before it is in the game that runs.
func comingIn(r *Room) string {
	switch f := r.Fetched; {
	case f.Done < f.Total:
		return fmt.Sprintf("Joining the game: %s of %s received.", screen.Bytes(f.Done), screen.Bytes(f.Total))
	case r.Behind == nil:
		return "You come into the game as soon as your console is ready. The others play on until then."
	case r.Behind.Seconds() < 1:
		return "Your computer has caught up with the game. You come in as soon as all consoles are compared."
	}
	return fmt.Sprintf("Your console catches up with the game: it is %.0f s behind. The others play on.", r.Behind.Seconds())
}

// maxBlockers is the number of things in the way of a start that are said: the roster shows the rest.
const maxBlockers = 3

// blockerWords says what is in the way of a start. All machines check each change for a moment,
// which is said in one line, and only if there is nothing else.
func blockerWords(blockers []string) string {
	last := slices.DeleteFunc(slices.Clone(blockers), room.Looking)
	if len(last) == 0 {
		return "All computers are checking the change."
	}
	blockers = last
	var words []string
	for _, b := range blockers[:min(len(blockers), maxBlockers)] {
		words = append(words, screen.Sentence(b))
	}
	if len(blockers) > maxBlockers {
		words = append(words, "The others are marked above.")
	}
	return strings.Join(words, " ")
}
