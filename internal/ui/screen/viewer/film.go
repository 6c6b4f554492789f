package viewer

import (
	"fmt"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// Film is the video that is to be made of a recording.
type Film struct {
	Of   Recording
	Seat ds.Seat // whose screens it shows; AllSeats: all, side by side
	Path string
	Raw  bool // there is no ffmpeg here, so it will be very large
}

// filmBox asks whose screens a video is to show.
func (v *Recordings) filmBox(u *widgets.UI) {
	f := v.Film
	if f == nil {
		return
	}
	take, cancel := false, false
	closed := u.Modal(widgets.Modal{Name: "film", Title: "Make a video", Width: 520, Foot: func() {
		u.Row(widgets.Cells(widgets.Fill, widgets.Auto, widgets.Auto), func() {
			u.Space(0)
			cancel = u.Button(widgets.Button{Text: "Cancel", Name: "cancel"})
			take = u.Button(widgets.Button{Text: "Make the video", Name: "take", Icon: draw.IconFilm, Kind: widgets.Primary, Disabled: v.Job != nil})
		})
	}}, func() {
		if len(f.Of.Consoles) > 1 {
			screen.Labelled(u, "Screens of", "", func() { f.choose(u) })
		}
		u.Small("It goes into")
		v.Mono(u, f.Path)
		if f.Raw {
			u.Message(widgets.Warning, "ffmpeg is not installed. Without it the video is not compressed, "+f.size()+", and its sound is in a file beside it.")
		}
	})
	if take {
		v.Do(FilmReplay{*f})
	}
	if take || closed || cancel {
		v.Film = nil
	}
}

// choose chooses whose screens the video shows.
func (f *Film) choose(u *widgets.UI) {
	names, at := []string{"All players, side by side"}, 0
	for i, c := range f.Of.Consoles {
		names = append(names, c.Name)
		if c.Seat == f.Seat {
			at = i + 1
		}
	}
	if u.Choice(widgets.Choice{Name: "screens", Options: names}, &at) {
		f.Seat = AllSeats
		if at > 0 {
			f.Seat = f.Of.Consoles[at-1].Seat
		}
	}
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
	bytes := float64(f.Of.Frames) * float64(len(f.Seats())) * 3 * 256 * 384
	if bytes < 1e9 {
		return fmt.Sprintf("about %.0f MB", max(bytes/1e6, 1))
	}
	return fmt.Sprintf("about %.0f GB", bytes/1e9)
}
