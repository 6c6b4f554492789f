package doctor

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/emucore/savefile"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/phrase"
)

// Findings are what a trial of a game showed, in sentences.
func (s *Seen) Findings() (list []Finding) {
	list = append(list, Finding{
		Subject: "game", Words: fmt.Sprintf("%s, on %s.", s.Name(), strings.TrimSpace(s.Core.Name+" "+s.Core.Version)),
		Detail: fmt.Sprintf("SHA-256 %x", s.ROM.SHA256),
	})
	if s.Err != nil {
		list = append(list, s.judgeFailure())
	}
	if !s.ended() {
		list = append(list, s.judgeAlike(), s.judgePicture())
		list = append(list, s.judgeRadio(), s.judgeChip())
	}
	if s.Rates != nil {
		list = append(list, judgeGameSpeed(s.Rates))
	}
	for i := range list {
		list[i].Group = TheGame
	}
	return list
}

// ended reports whether the two runs did not come to their end.
func (s *Seen) ended() bool { return s.Err != nil && s.Frame < trialFrames && s.Rates == nil }

// GameVerdict sums up a trial's findings in a sentence, with the worst of their marks.
func GameVerdict(list []Finding) (Mark, string) {
	return sumUp(list, "This game will not work like this", "This game can be played", "This game works, judging by its first seconds.")
}

// GameReport is a text of a trial's findings, as Report is of an examination's.
func GameReport(list []Finding, details bool, columns int) string {
	_, verdict := GameVerdict(list)
	return report(verdict, list, details, columns)
}

const otherCore = "Try it on another core."

// judgeFailure says how the game failed.
func (s *Seen) judgeFailure() Finding {
	f := Finding{Subject: "start", Mark: Bad, Advice: otherCore, Detail: s.Err.Error()}
	when := "when it started"
	if s.Frame >= 0 {
		f.Subject, when = "crash", "after "+seconds(s.Frame)
	}
	start, starts := errors.AsType[*emucore.StartError](s.Err)
	switch {
	case errors.Is(s.Err, context.DeadlineExceeded):
		f.Subject, f.Words = "time", fmt.Sprintf("It was not over after %s: this computer is too slow for it.", phrase.Span(trialTime))
		f.Advice = "Close other programs, or choose another core."
	case is[*emucore.CrashError](s.Err):
		f.Words = fmt.Sprintf("The core crashed %s.", when)
	case is[*emucore.HangError](s.Err):
		f.Words = fmt.Sprintf("The core stopped responding %s.", when)
	case starts && start.Page:
		f.Words = s.Core.Name + " shows an error page of its own in place of the game."
		if n := len(start.Log); n > 0 {
			f.Words = fmt.Sprintf("%s shows an error page of its own in place of the game: it says %q.", s.Core.Name, start.Log[n-1])
		}
	case starts:
		f.Words = phrase.Sentence(s.Core.Name + " " + start.Why)
	default:
		f.Words, f.Detail, f.Advice = phrase.Sentence(s.Err.Error()), "", ""
	}
	return f
}

// judgeAlike says whether both runs were the same.
func (s *Seen) judgeAlike() Finding {
	if s.Differs != "" {
		return Finding{
			Subject: "alike", Mark: Bad, Words: "Two runs of it with the same presses differ: " + s.Differs + ". In a room, the players' consoles would diverge.",
			Advice: "Install another build of the core, or choose another core, and report this one.",
		}
	}
	return Finding{Subject: "alike", Words: fmt.Sprintf("Two consoles did the same in each of %d frames of two runs, first with nothing pressed and then with many keys.", trialFrames)}
}

// judgePicture says whether the game goes on.
func (s *Seen) judgePicture() Finding {
	f := Finding{Subject: "picture", Mark: Good, Words: "The picture moves."}
	switch {
	case s.OffAt >= 0:
		f.Subject, f.Mark = "power", Fair
		f.Words = fmt.Sprintf("It switched its console off after %s, when keys had been pressed.", seconds(s.OffAt))
		f.Advice = "In a room the others play on then, and its player can switch it on again."
		if s.OffAt <= idleFrames {
			f.Mark, f.Words = Bad, fmt.Sprintf("It switched its console off after %s, with nothing pressed.", seconds(s.OffAt))
			f.Advice = "Programs for flash cards do that where they find no card. " + otherCore
		}
	case s.Blank:
		f.Mark, f.Words, f.Advice = Bad, fmt.Sprintf("It showed nothing in %s.", seconds(trialFrames)), otherCore
	case s.LastChange < idleFrames:
		f.Mark, f.Words = Fair, fmt.Sprintf("The picture stood still, whatever was pressed, from %s on.", seconds(max(s.LastChange, 0)))
		f.Advice = "It may wait for something. If it does so whenever you play it, try another core."
	}
	return f
}

func (s *Seen) judgeRadio() Finding {
	f := Finding{Subject: "radio"}
	switch {
	case !s.Radio:
		f.Mark, f.Words = Fair, s.Core.Name+" has no local wireless: consoles do not find each other."
		f.Advice = "If this game plays over it, choose melonDS DS."
	case s.Sent == 0:
		f.Words = "The radio was silent: games use it once somebody opens their wireless menu."
	case s.Heard == 0:
		f.Words = fmt.Sprintf("It used the radio: %s sent, none heard, as neither console looked for the other.", phrase.Count(int64(s.Sent), "packet"))
	default:
		f.Words = fmt.Sprintf("It used the radio: %s sent, %d heard.", phrase.Count(int64(s.Sent), "packet"), s.Heard)
	}
	return f
}

func (s *Seen) judgeChip() Finding {
	f := Finding{Subject: "save", Words: "The core does not say which save chip the cartridge has until the game uses it."}
	switch c := s.Chip; {
	case c.None():
		f.Words = "The cartridge has no save chip: the game keeps nothing."
	case c.Known && c.Min == c.Max:
		f.Words = fmt.Sprintf("The cartridge's save chip holds %s.", savefile.SizeWords(c.Max))
	case c.Known:
		f.Words = fmt.Sprintf("The cartridge's save chip holds %s to %s.", savefile.SizeWords(c.Min), savefile.SizeWords(c.Max))
	}
	return f
}

// fullRate is the DS' frames a second.
var fullRate = 1 / ds.FrameTime(1).Seconds()

// judgeGameSpeed is judgeSpeed's judgement of a game, in its own words.
func judgeGameSpeed(rates []float64) Finding {
	f := judgeSpeed(rates, nil)
	last := len(rates) - 1
	var words []string
	for i, r := range rates[:last] {
		words = append(words, fmt.Sprintf("%.1f times with %d", r/fullRate, i+1))
	}
	f.Words = fmt.Sprintf("%s at %.1f times full speed", phrase.Count(last+1, "console")+" "+map[bool]string{true: "runs", false: "run"}[last == 0], rates[last]/fullRate)
	if last > 0 {
		f.Words += " (" + strings.Join(words, ", ") + ")"
	}
	f.Words += "."
	return f
}

// Works reports whether nothing was found that would spoil play.
func (s *Seen) Works() bool { return len(Spoilers(s.Findings())) == 0 }

// Row is a line of a table of games, as TableHead heads it, of at most 80 columns.
func (s *Seen) Row() string {
	alike, radio, rate := "yes", "none", "-"
	switch {
	case s.ended():
		alike, radio = "-", "-"
	case s.Differs != "":
		alike = "NO"
	}
	switch {
	case s.ended() || !s.Radio:
	case s.Sent == 0:
		radio = "silent"
	default:
		radio = fmt.Sprint(s.Sent)
	}
	if len(s.Rates) > 0 {
		rate = fmt.Sprintf("%.1f", s.Rates[len(s.Rates)-1]/fullRate)
	}
	return row(s.Name(), fmt.Sprintf("%x", s.ROM.SHA256[:4]), alike, radio, s.chipWord(), rate, s.InShort())
}

// TableHead is the line above the rows of a table of games.
func TableHead() string { return row("GAME", "SHA-256", "ALIKE", "RADIO", "SAVE", "4 AT", "SEEN") }

// BadRow is the line of a file that looks like a game and is none.
func BadRow(path, why string) string { return row(path, "-", "-", "-", "-", "-", why) }

func row(name, sum, alike, radio, chip, rate, seen string) string {
	return strings.TrimRight(fmt.Sprintf("%-23s %-8s %-5s %-6s %-6s %-4s %s", phrase.Shorten(phrase.Printable(name), 23), sum, alike, radio, chip, rate, phrase.Shorten(phrase.Printable(seen), 21)), " ")
}

func (s *Seen) chipWord() string {
	switch c := s.Chip; {
	case s.ended():
		return "-"
	case c.None():
		return "none"
	case !c.Known:
		return "?"
	case c.Min == c.Max:
		return savefile.SizeWords(c.Max)
	}
	return "≤" + strings.ReplaceAll(savefile.SizeWords(s.Chip.Max), " ", "")
}

// InShort is what was seen in a few words.
func (s *Seen) InShort() string {
	start, starts := errors.AsType[*emucore.StartError](s.Err)
	switch {
	case errors.Is(s.Err, context.DeadlineExceeded):
		return "too slow"
	case is[*emucore.CrashError](s.Err):
		return "crashed"
	case is[*emucore.HangError](s.Err):
		return "hung"
	case starts && start.Page:
		return "error page"
	case starts:
		return "does not start"
	case s.Err != nil && s.ROM.Encrypted:
		return "encrypted dump"
	case s.Err != nil:
		return "does not start"
	case s.Differs != "":
		return "two runs differ"
	case s.OffAt >= 0:
		return fmt.Sprintf("off after %.1f s", ds.FrameTime(s.OffAt).Seconds())
	case s.Blank:
		return "shows nothing"
	case s.LastChange < idleFrames:
		return "picture stands still"
	case len(s.Rates) > 0 && judgeGameSpeed(s.Rates).Mark == Bad:
		return "too slow here"
	}
	return "plays"
}

// GameLine is what was seen of a game, for programs.
type GameLine struct {
	Title      string    `json:"title"`
	Path       string    `json:"path"`
	SHA256     string    `json:"sha256"`
	Core       string    `json:"core"`
	CoreSHA256 string    `json:"core_sha256"`
	Seen       string    `json:"seen"` // in short
	Works      bool      `json:"works"`
	Differs    string    `json:"differs,omitempty"`
	Wireless   bool      `json:"wireless"`
	Sent       uint64    `json:"packets_sent"`
	Heard      uint64    `json:"packets_heard"`
	Chip       *[2]int   `json:"save_bytes,omitempty"` // from, to
	Rates      []float64 `json:"frames_a_second,omitempty"`
	Words      []string  `json:"words"`
}

// Line is what was seen, for programs.
func (s *Seen) Line() GameLine {
	l := GameLine{
		Title: s.Name(), Path: s.ROM.Path, SHA256: fmt.Sprintf("%x", s.ROM.SHA256),
		Core: strings.TrimSpace(s.Core.Name + " " + s.Core.Version), CoreSHA256: fmt.Sprintf("%x", s.Core.SHA256),
		Seen: s.InShort(), Works: s.Works(), Differs: s.Differs, Wireless: s.Radio, Sent: s.Sent, Heard: s.Heard, Rates: slices.Clone(s.Rates),
	}
	if s.Chip.Known {
		l.Chip = &[2]int{s.Chip.Min, s.Chip.Max}
	}
	for _, f := range s.Findings() {
		l.Words = append(l.Words, f.String())
	}
	return l
}
