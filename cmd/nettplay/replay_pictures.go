package main

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/film"
	"github.com/nettplay/nettplay/internal/session/notice"
)

// pictures takes what the consoles of a replay show: the newest picture of each,
// and, for a video, all of them side by side.
type pictures struct {
	o      *replaying
	seats  []ds.Seat // that are wanted, in order
	failed func()
	film   *film.Film // nil without a video

	mu   sync.Mutex
	last map[ds.Seat]still
}

// still is a console's newest picture.
type still struct {
	frame int64
	video emucore.Video // its bytes are ours
}

func (o *replaying) pictures(ctx context.Context) (*pictures, error) {
	p := &pictures{o: o, last: make(map[ds.Seat]still)}
	for _, s := range o.log.Seats {
		if o.replay.seat == 0 || s.Plan.Seat == ds.Seat(o.replay.seat-1) {
			p.seats = append(p.seats, s.Plan.Seat)
		}
	}
	if o.out.video == "" {
		return p, nil
	}
	sound := o.log.Mine()
	if o.replay.seat > 0 {
		sound = ds.Seat(o.replay.seat - 1)
	}
	var err error
	p.film, err = film.Start(ctx, film.Config{
		Path: o.out.video, Seats: p.seats, Sound: sound, First: o.first, Length: o.log.Frames, Begin: o.log.Begin, Failed: func() { p.failed() },
	})
	if errors.Is(err, film.ErrNoFFmpeg) {
		err = &exitError{code: exitUsage, err: err, hint: "Install it (sudo apt install ffmpeg), or write a .y4m."}
	}
	return p, err
}

// show takes a frame, on the goroutine of the seat's console.
func (p *pictures) show(seat ds.Seat, f emucore.Frame) {
	if p.film == nil && p.o.out.screenshot == "" || !slices.Contains(p.seats, seat) {
		return
	}
	if p.film != nil {
		p.film.Add(seat, f)
	}
	if p.o.out.screenshot == "" {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	v := f.Video
	v.Pix = append(p.last[seat].video.Pix[:0], f.Video.Pix...)
	p.last[seat] = still{f.Number + 1, v}
}

func (p *pictures) screenshot(path string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	var list []notice.Screen
	for _, s := range p.o.log.Seats {
		if last, ok := p.last[s.Plan.Seat]; ok && last.video.Width > 0 {
			list = append(list, notice.Screen{
				Seat: s.Plan.Seat, Nickname: s.Plan.Nickname, Mine: s.Plan.Machine == p.o.log.Machine, Frames: last.frame, Image: last.video.Image(),
			})
		}
	}
	if len(list) == 0 {
		return errors.New("writing the screenshot: no frame was played")
	}
	return writeScreenshot(path, list)
}

// close ends the video. It is complete only if the replay was.
func (p *pictures) close(complete bool) error {
	if p.film == nil {
		return nil
	}
	return p.film.Close(complete)
}
