package report

import (
	"fmt"
	"image"
	"image/png"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/desync"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/player"
	"github.com/nettplay/nettplay/internal/replay"
)

// bundle is a file for a bug report in the making, on a goroutine of its own.
type bundle struct {
	*Evidence
	round    uint32
	folder   string
	settings room.Settings
	began    time.Time
	names    map[int]string // of the players by machine
	reports  []desync.Report
	verdict  Verdict
	donorAir []byte
	log      string // the recording's file, "" for none
	again    player.Config
	rerun    *Rerun // what came of it
}

const (
	// logPatience is the longest wait for a recording to come into its file.
	logPatience = 5 * time.Second
	// maxRerun is the limit of frames that are played again by themselves: a minute of play, some
	// seconds of a processor that nobody else wants.
	maxRerun = 3600
)

// waitForLog opens the recording once what happened up to the resync is in it, the new
// consoles too, or the game's end. It is nil if there is none.
func (b *bundle) waitForLog() *replay.Log {
	if b.log == "" {
		b.lacks("the recording: this game is not recorded")
		return nil
	}
	for late := time.Now().Add(logPatience); ; {
		l, err := replay.Open(b.log)
		over := time.Now().After(late)
		if err == nil && (b.donor >= 0 && l.Length() > b.frame || l.Ended && l.Whole(len(l.Restarts)) || over) {
			return l
		}
		if err == nil {
			l.Close()
		}
		if over {
			b.lacks("the recording: %v", err)
			return nil
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// write makes the file.
func (b *bundle) write(l *replay.Log) (string, error) {
	path, err := Place(b.folder, b.verdict.Game, b.began)
	if err != nil {
		return "", err
	}
	if own := b.own[b.verdict.Seat]; own != nil && b.frame == 0 {
		b.frame = own.frame
	}
	b.verdict.Missing, b.verdict.Taken = b.missing, b.frame
	parts := []Part{
		Text("README.txt", b.readme(l != nil)),
		JSON(VerdictName, b.verdict),
		{Name: "versions.txt", Write: b.writeVersions},
		{Name: "hashes.txt", Write: b.writeHashes},
		{Name: "core.txt", Write: b.writeCoreLogs},
		{Name: "diff.txt", Write: b.writeDiff},
	}
	if l != nil {
		parts = append(parts, Copy(LogName, l.Path, l.Size))
	}
	parts = append(parts, b.states()...)
	if err := Write(path, parts...); err != nil {
		return "", err
	}
	return path, Tidy(b.folder)
}

// screenPart is a picture of a console.
func screenPart(name string, seat ds.Seat, img image.Image) Part {
	return Part{
		Name:  fmt.Sprintf("screens/%s-seat%v.png", name, seat),
		Write: func(w io.Writer) error { return png.Encode(w, img) },
	}
}

// states are the consoles themselves.
func (b *bundle) states() []Part {
	var parts []Part
	add := func(name string, data []byte) {
		if len(data) > 0 {
			parts = append(parts, Bytes("states/"+name, data))
		}
	}
	for _, who := range []struct {
		name string
		list map[ds.Seat]*console
		air  []byte
	}{{"own", b.own, b.ownAir}, {"donor", b.theirs, b.donorAir}} {
		for _, seat := range slices.Sorted(maps.Keys(who.list)) {
			r := who.list[seat]
			add(fmt.Sprintf("%s-seat%v.state", who.name, seat), r.state)
			add(fmt.Sprintf("%s-seat%v.sav", who.name, seat), r.sram)
			if r.screen != nil {
				parts = append(parts, screenPart(who.name, seat, r.screen))
			}
		}
		add(who.name+".air", who.air)
	}
	return parts
}
