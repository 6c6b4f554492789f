package viewer

import (
	"fmt"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/gameview"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// Film is the video that is to be made of a recording.
type Film struct {
	Of   Recording
	Seat ds.Seat // whose screens it shows; AllSeats: all, side by side
	Path string
	Raw  bool // there is no ffmpeg here, so it will be very large
	// Clips are those of the recording, and Part which of them is wanted; WholeGame: all of the recording.
	Clips []replay.Clip
	Part  int
}

// filmBox asks whose screens a video is to show.
func (v *Recordings) filmBox(u *widgets.UI) {
	f := v.Film
	if f == nil {
		return
	}
	cancel, take := widgets.Normal, widgets.Primary
	if f.Raw { // which few disks have room for
		cancel, take = take, cancel
	}
	screen.Dialog(u, widgets.Modal{Name: "film", Title: "Make a video", Width: 520}, func() { v.Film = nil }, func() {
		if len(f.Of.Consoles) > 1 {
			screen.Labelled(u, "Screens of", "", func() {
				seatChoice(u, widgets.Choice{Name: "screens"}, "All players, side by side", f.Of.Consoles, f.Seat, func(s ds.Seat) { f.Seat = s })
			})
		}
		if len(f.Clips) > 0 {
			parts, names := []int{WholeGame}, []string{"The whole game"}
			for i, c := range f.Clips {
				parts = append(parts, i)
				names = append(names, fmt.Sprintf("Clip %d: %s to %s", i+1, screen.Minutes(ds.FrameTime(c.From)), screen.Minutes(ds.FrameTime(c.To))))
			}
			screen.Labelled(u, "Part of the game", "", func() {
				screen.Choose(u, widgets.Choice{Name: "part", Options: names}, parts, f.Part, func(part int) { f.Part = part })
			})
		}
		u.Small("Saved as")
		v.Mono(u, f.Path)
		if f.Raw {
			u.Message(widgets.Warning, "ffmpeg is not installed. Without it the video is uncompressed, "+f.size()+", and its sound is in a file beside it.")
		}
	}, widgets.Button{Text: "Cancel", Name: "cancel", Kind: cancel},
		widgets.Button{Text: "Make the video", Name: "take", Icon: draw.IconFilm, Kind: take, Disabled: v.Job != nil, Do: func() { v.viewer.engine.FilmReplay(*f) }})
}

// seatChoice chooses one of some consoles, or all of them.
func seatChoice(u *widgets.UI, c widgets.Choice, all string, consoles []gameview.Console, now ds.Seat, set func(ds.Seat)) {
	seats := []ds.Seat{AllSeats}
	c.Options = []string{all}
	for _, console := range consoles {
		seats, c.Options = append(seats, console.Seat), append(c.Options, console.Name)
	}
	screen.Choose(u, c, seats, now, set)
}

// WholeGame is the Part of a video that is not of a clip.
const WholeGame = -1

// Span returns the frames that the video shows, from the first to the one before the last; to is 0 for the recording's end.
func (f *Film) Span() (from, to int64) {
	if f.Part < 0 || f.Part >= len(f.Clips) {
		return 0, 0
	}
	return f.Clips[f.Part].From, f.Clips[f.Part].To
}

// Seats returns whose screens the video shows.
func (f *Film) Seats() (list []ds.Seat) {
	for _, c := range f.Of.Consoles {
		if f.Seat == AllSeats || f.Seat == c.Seat {
			list = append(list, c.Seat)
		}
	}
	return list
}

// size is about how large a video becomes that is not compressed.
func (f *Film) size() string {
	frames := f.Of.Frames
	if from, to := f.Span(); to > 0 {
		frames = to - from
	}
	bytes := float64(frames) * float64(len(f.Seats())) * 3 * 256 * 384
	if bytes < 1e9 {
		return fmt.Sprintf("about %.0f MB", max(bytes/1e6, 1))
	}
	return fmt.Sprintf("about %.0f GB", bytes/1e9)
}
