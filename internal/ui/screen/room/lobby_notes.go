package room

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// note is a sentence about the room that stands above Start and Ready, with the button that mends what it
// tells of; one without text is none.
type note struct {
	kind  widgets.Kind
	words string
	mend  widgets.Button
	or    widgets.Button // beside it, for what can be mended in two ways
}

// leads returns the note of what is in the way of Start, or of Ready: what mends it is the way forward then, where
// nothing is lost by it.
func (n note) leads() note {
	if slices.Contains([]string{"mend invite", "mend ready", "open file", "mend save", "mend core"}, n.mend.Name) && n.or.Text == "" {
		n.mend.Kind = widgets.Primary
	}
	return n
}

// notes returns what matters now, the most urgent first: what stopped the last start, what is in the way or what
// to do, and how the last game ended.
func (v *Lobby) notes(r *Room) (list []note) {
	lobby := r.Room.Phase == room.PhaseLobby
	if lobby && r.Failed != nil {
		list = append(list, v.failedStart(r))
	}
	list = append(list, v.state(r))
	if n := v.deaf(r); n.words != "" {
		list = append(list, n)
	}
	if !lobby {
		return list
	}
	if r.Refused != nil && r.Hosting {
		list = append(list, v.refused(r))
	}
	if last := r.Last; last != nil {
		kind := widgets.Primary
		if last.Failed {
			kind = widgets.Warning
		}
		list = append(list, note{kind: kind, words: strings.TrimSpace(last.Title + ". " + last.Words + " " + last.Hint)})
	}
	return list
}

// notesOver draws the notes at the bottom of the area, and leaves what is above. They scroll
// where they would take too much of it.
func (v *Lobby) notesOver(u *widgets.UI, r *Room, area *draw.Rect) {
	const gap = 10
	c, list, high := u.Canvas(), v.notes(r), float32(0)
	for _, n := range list {
		wide, least := area.W-28, float32(0)
		if n.mend.Text != "" {
			wide, least = wide-u.ButtonWidth(n.mend)-2*gap, widgets.Control
			if n.or.Text != "" {
				wide -= u.ButtonWidth(n.or) + gap
			}
		}
		high += max(c.LineHeight(widgets.StyleBody)*float32(c.Wrap(widgets.StyleBody, u.Say(n.words), wide, nil)), least) + gap
	}
	place := area.CutBottom(min(high, max(area.H*0.45, 64)))
	place.Top(gap)
	u.In(place, func() {
		u.Scroll("notes", place.H, func() {
			u.SetGap(gap)
			for i, n := range list {
				u.ScopeN(i, func() { n.build(u) })
			}
		})
	})
}

func (n note) build(u *widgets.UI) {
	if n.mend.Text == "" {
		u.Message(n.kind, n.words)
		return
	}
	buttons := []widgets.Button{n.mend}
	if n.or.Text != "" {
		buttons = []widgets.Button{n.or, n.mend}
	}
	screen.Offer(u, n.kind, n.words, buttons...)
}

// state tells what is in the way, or what to do.
func (v *Lobby) state(r *Room) note {
	mine, _ := r.Mine()
	switch {
	case r.Room.Phase == room.PhasePreparing:
		return note{kind: widgets.Primary, words: "Getting ready: all consoles are built and compared on every computer."}
	case r.Hosting && len(r.Blockers) > 0:
		return v.blocked(r)
	case r.Hosting:
		return note{kind: widgets.Good, words: "All are ready: you can start."}
	case mine.Cause == room.CauseCheck:
		return note{kind: widgets.Primary, words: "Your computer is checking the change."}
	case mine.Problem != "":
		b := room.Blocker{Cause: mine.Cause, Machine: r.Machine, Seat: mine.Seat, Words: mine.Problem}
		return note{kind: widgets.Warning, words: screen.Sentence(blockerWords(r, b)), mend: v.mend(r, b), or: v.or(r, b)}.leads()
	case r.Room.Phase == room.PhasePlaying && mine.Ready:
		return note{kind: widgets.Good, words: comingIn(r)}
	case r.Room.Phase == room.PhasePlaying:
		return note{kind: widgets.Primary, words: "A game is running. Press Ready to join it."}
	case !mine.Ready && r.Chosen != "":
		return note{kind: widgets.Warning, words: "The game host has chosen another game: " + r.Chosen + ". Press Ready when you want to play that."}
	case !mine.Ready:
		return note{kind: widgets.Primary, words: "Press Ready when you want to play."}
	}
	return note{kind: widgets.Good, words: "You are ready. The game host starts the game."}
}

// comingIn says what our console waits for before it is in the game that runs.
func comingIn(r *Room) string {
	switch f := r.Fetched; {
	case f.Done < f.Total:
		return fmt.Sprintf("Joining the game: %s of %s received.", screen.Bytes(f.Done), screen.Bytes(f.Total))
	case r.Behind == nil:
		return "You will join the game as soon as your console is ready. The others keep playing."
	case r.Behind.Seconds() < 1:
		return "Your computer has caught up with the game. You will join as soon as all consoles have been compared."
	}
	return fmt.Sprintf("Your console is catching up with the game: it is %.0f s behind. The others keep playing.", r.Behind.Seconds())
}

// maxBlockers is the number of things in the way of a start that are said: the roster shows the rest.
const maxBlockers = 3

// blocked says what is in the way of a start, what takes longest first. All machines check each change for a
// moment, which is said in one line, and only if there is nothing else.
func (v *Lobby) blocked(r *Room) note {
	last := slices.DeleteFunc(slices.Clone(r.Blockers), func(b room.Blocker) bool { return b.Cause == room.CauseCheck })
	if len(last) == 0 {
		return note{kind: widgets.Primary, words: "All computers are checking the change."}
	}
	slices.SortStableFunc(last, func(a, b room.Blocker) int { return urgency(a.Cause) - urgency(b.Cause) })
	n := note{kind: widgets.Primary}
	if urgency(last[0].Cause) == 0 {
		n.kind = widgets.Warning
	}
	var words []string
	for _, b := range last[:min(len(last), maxBlockers)] {
		words = append(words, screen.Sentence(blockerWords(r, b)))
		if n.mend.Text == "" {
			n.mend, n.or = v.mend(r, b), v.or(r, b)
		}
	}
	if len(last) > maxBlockers {
		words = append(words, "The others are marked above.")
	}
	n.words = strings.Join(words, " ")
	return n.leads()
}

// urgency puts what somebody must mend before what friends do anyway: come, and get ready.
func urgency(c room.Cause) int {
	switch c {
	case room.CausePlayers, room.CauseAbsent:
		return 1
	case room.CauseReady:
		return 2
	}
	return 0
}

// mend is the button that removes what is in the way of a start, as far as our player can; without text there is
// none.
func (v *Lobby) mend(r *Room, b room.Blocker) widgets.Button {
	ours, lobby := b.Machine == r.Machine, r.Room.Phase == room.PhaseLobby
	goesOn := r.Room.Settings.Continues.Any()
	switch b.Cause {
	case room.CausePlayers:
		return v.copyInvitation(r, "mend invite")
	case room.CauseAbsent:
		i := slices.IndexFunc(r.Room.Settings.Continues.Seats, func(k room.KeptSeat) bool { return k.Seat == b.Seat && !k.Open })
		if i >= 0 && r.Hosting {
			return widgets.Button{Text: "Let anybody play", Name: "mend place", Do: func() {
				if v.control != nil {
					v.control.OpenSeat(b.Seat, true)
				}
			}}
		}
		return v.copyInvitation(r, "mend invite")
	case room.CauseReady:
		if ours {
			return widgets.Button{Text: "I am ready", Name: "mend ready", Icon: draw.IconCheck, Do: func() { v.Ready(true) }}
		}
	case room.CauseGame, room.CauseROMFile:
		mine, _ := r.Mine()
		switch {
		case ours && (b.Cause == room.CauseROMFile || !v.Games.Has(mine.ROM.SHA256)):
			return widgets.Button{Text: "Open its file", Name: "open file", Icon: draw.IconFolder, Do: func() { v.AskGame("Where is " + mine.ROM.Title + "?") }}
		case r.Hosting && !goesOn && lobby:
			return widgets.Button{Text: "Another game", Name: "mend game", Do: v.PickGame}
		}
	case room.CauseSave:
		switch {
		case ours && len(r.Misfits) > 0:
			return widgets.Button{Text: "Play without it", Name: "mend without", Do: v.withoutSave}
		case ours && len(r.Differ) > 0:
			return widgets.Button{Text: "Set it aside", Name: "aside", Icon: draw.IconClock, Do: v.askAside}
		case ours && !goesOn:
			return widgets.Button{Text: "Saves", Name: "mend save", Icon: draw.IconSave, Do: func() { v.Go(screen.Saves) }}
		}
	case room.CauseOptions, room.CauseCore:
		if ours {
			return widgets.Button{Text: "Cores", Name: "mend core", Icon: draw.IconChip, Do: func() { v.Go(screen.Cores) }}
		}
	}
	if p, there := r.Room.Player(b.Machine); there && r.Hosting && !ours && p.Present {
		switch b.Cause {
		case room.CauseGone, room.CauseBuild, room.CauseOptions, room.CauseCore, room.CauseLate, room.CauseDiffer:
			return widgets.Button{Text: "Remove " + p.Nickname, Name: "mend away", Aside: true, Tip: "The others can start without " + p.Nickname, Do: func() { v.AskKick(p) }}
		}
	}
	return widgets.Button{}
}

// or is a second button for what mend removes; without text there is none.
func (v *Lobby) or(r *Room, b room.Blocker) widgets.Button {
	if b.Cause == room.CauseSave && b.Machine == r.Machine && len(r.Misfits) > 0 {
		return widgets.Button{Text: "Choose another", Name: "mend save", Do: v.chooseSave}
	}
	return widgets.Button{}
}

// blockerWords says to our player what is in the way of a start.
func blockerWords(r *Room, b room.Blocker) string {
	if b.Cause == room.CauseSave && b.Machine == r.Machine && len(r.Misfits) > 0 {
		return misfitWords(r.Misfits[0])
	}
	return b.Words
}

// copyInvitation is the button that copies the invitation; without text there is none.
func (v *Lobby) copyInvitation(r *Room, name string) widgets.Button {
	text := r.inviting()
	if text == "" {
		return widgets.Button{}
	}
	return widgets.Button{Text: "Copy the invitation", Name: name, Icon: draw.IconCopy, Tip: "Send it to your friends, in any chat. They paste it into nettplay.", Do: func() {
		v.Copy(text, "Copied. Send it to your friends: they paste it into nettplay.")
	}}
}

// failedStart says why the last start failed.
func (v *Lobby) failedStart(r *Room) note {
	f := r.Failed
	b := room.Blocker{Cause: f.Cause, Machine: -1, Seat: -1}
	switch {
	case slices.Contains(f.Machines, r.Machine):
		b.Machine = r.Machine
	case len(f.Machines) == 1:
		b.Machine = f.Machines[0]
	}
	words := screen.Sentence(f.String())
	if f.Hint != "" {
		words += " " + screen.InWindow(screen.Sentence(f.Hint))
	}
	return note{kind: widgets.Warning, words: words, mend: v.mend(r, b), or: v.or(r, b)}
}

// refused says who did not get in for something that the game host, or they, can mend.
func (v *Lobby) refused(r *Room) note {
	n := note{kind: widgets.Warning, words: screen.Sentence(screen.InWindow(r.Refused.Words))}
	switch s := r.Room.Settings; r.Refused.Code {
	case room.CodeFull:
		if !s.Continues.Any() && s.Seats < ds.MaxSeats {
			n.mend = widgets.Button{Text: "One more seat", Name: "mend seat", Icon: draw.IconPlus, Do: func() {
				r.Refused = nil
				v.SetSeats(max(s.Seats, r.Present()) + 1)
			}}
		}
	case room.CodeCore:
		n.mend = widgets.Button{Text: "Cores", Name: "mend cores", Icon: draw.IconChip, Do: func() { v.Go(screen.Cores) }}
	}
	return n
}

// deaf says that the room plays on a core on which games cannot find each other.
func (v *Lobby) deaf(r *Room) note {
	if r.Room.Phase == room.PhasePlaying {
		return note{}
	}
	words, mend := v.cores.Wireless(v.core(), v.reopen)
	switch {
	case words == "":
		return note{}
	case !r.Hosting:
		words, mend = words+" The game host can choose melonDS DS.", widgets.Button{}
	case v.entered.Host == nil || r.Room.Settings.Continues.Any() || r.Room.Phase != room.PhaseLobby:
		mend = widgets.Button{}
	}
	return note{kind: widgets.Warning, words: words, mend: mend}
}
