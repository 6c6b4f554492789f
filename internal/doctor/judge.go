package doctor

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/corecheck"
	"github.com/nettplay/nettplay/internal/phrase"
)

func judgeCore(core emucore.Core, err error) Finding {
	if err == nil && core.Unopened {
		return Finding{
			Subject: "core", Mark: Fair, Words: core.Name + " was not started: it runs with your rights, and you have not been asked about it yet.",
			Advice: "If you trust the place that it came from, play with it once: nettplay asks you, and checks it.",
			Detail: fmt.Sprintf("SHA-256 %x", core.SHA256),
		}
	}
	if err == nil {
		return Finding{
			Subject: "core", Words: strings.TrimSpace(core.Name+" "+core.Version) + "; " + core.StandingWords() + ".",
			Detail: fmt.Sprintf("SHA-256 %x", core.SHA256),
		}
	}
	f := Finding{Subject: "core", Mark: Bad, Words: "The core cannot be used.", Detail: err.Error(), Advice: "\"nettplay cores\" lists the cores that are here, and why others are not usable."}
	if none, ok := errors.AsType[*emucore.NoCoreError](err); ok {
		f.Words, f.Detail = phrase.Sentence(err.Error()), ""
		if none.AptLine != "" {
			f.Advice = "Install one: " + none.AptLine
		}
	}
	return f
}

// judgeUntried says what was tried in a stand-in for this system only.
func judgeUntried(list []string) []Finding {
	if len(list) == 0 {
		return nil
	}
	return []Finding{{
		Subject: "untried", Mark: Fair, Words: "nettplay was tried under Wine, not on Windows itself. Nobody has seen yet how these do there: " + strings.Join(list, ", ") + ".",
		Advice: "If one of them fails, please report it.",
	}}
}

// judgeClock finds something with a clock alone that cannot be right.
func judgeClock(now time.Time) []Finding {
	why := room.WrongClock(now)
	if why == "" {
		return nil
	}
	return []Finding{{
		Subject: "clock", Mark: Fair, Words: phrase.Sentence(why),
		Advice: "Set the computer's clock: the consoles' clocks begin with it in games that you host.",
	}}
}

func judgeWireless(core emucore.Core) Finding {
	if core.Wireless {
		return Finding{Subject: "wireless", Words: "The core has local wireless."}
	}
	return Finding{
		Subject: "wireless", Mark: Fair, Words: core.Name + " has no local wireless: consoles do not find each other.",
		Advice: "For games that play over it, choose melonDS DS.",
	}
}

const (
	fullSpeed  = 60 // frames a second
	spareSpeed = 75 // with which a busy moment is no stutter
)

// judgeSpeed takes frames a second with one console, with two and so on.
func judgeSpeed(rates []float64, err error) Finding {
	f := Finding{Subject: "speed"}
	if err != nil || len(rates) == 0 {
		f.Mark, f.Words, f.Advice = Bad, "The consoles did not run.", "Install another build of the core, or choose another core."
		f.Detail = fmt.Sprint(err)
		return f
	}
	var words []string
	players := 0 // for how many it is enough
	for i, r := range rates {
		words = append(words, fmt.Sprintf("%.0f with %d", r, i+1))
		if r >= fullSpeed && players == i {
			players = i + 1
		}
	}
	words[0] = fmt.Sprintf("%.0f frames a second with 1 console", rates[0])
	f.Words = fmt.Sprintf("%s; a game needs %d.", strings.Join(words, ", "), fullSpeed)
	const help = "Close other programs, plug in the power supply, or choose another core."
	switch {
	case players < min(2, len(rates)):
		f.Mark, f.Advice = Bad, "A game of two would be slow for everybody. "+help
	case players < len(rates):
		f.Mark, f.Advice = Fair, fmt.Sprintf("With more than %d players it would be slow for everybody. %s", players, help)
	case rates[len(rates)-1] < spareSpeed:
		f.Mark, f.Advice = Fair, "There is little speed to spare with so many. "+help
	}
	return f
}

func judgeSync(v corecheck.Verdict, err error) Finding {
	f := Finding{Subject: "alike", Words: v.Words()}
	switch {
	case err != nil:
		f.Mark, f.Words, f.Advice, f.Detail = Bad, "Whether two consoles stay identical could not be tested.", "Close other programs and try again; if that does not help, choose another core.", err.Error()
	case v.Failed():
		f.Mark, f.Advice = Bad, "Install another build of the core, and report this one."
	case v.Why != "":
		f.Mark, f.Advice = Fair, "Choose another core if you need that."
	case v.Unlike != "":
		f.Mark, f.Advice = Fair, "Please report it, with the build of the core; if a game misbehaves, install another build."
	}
	return f
}

func judgeSandbox(all []emucore.Protection) Finding {
	f := Finding{Subject: "sandbox", Words: "The core runs in a sandbox: it cannot reach your programs, files or network."}
	for _, p := range all {
		if p.Missing != "" {
			f.Mark, f.Words = Fair, fmt.Sprintf("The core's sandbox is not complete: %s, as %s.", p.Text, p.Missing)
			f.Advice = "Use only cores from sources you trust."
			break
		}
	}
	return f
}

// judgeSnapshots says how consoles are put back. None is no trouble: one that cannot go back waits.
func judgeSnapshots(ways []emucore.SnapshotWay) Finding {
	f := Finding{Subject: "snapshots", Words: "Consoles cannot go back here: in rooms with rollback this computer waits for late inputs, as in lockstep."}
	if len(ways) > 0 {
		f.Words = fmt.Sprintf("A console goes back, in rooms with rollback, by %s.", ways[0].Words())
	}
	return f
}

func judgeSound(devices []string, err error) Finding {
	if err == nil && len(devices) > 0 {
		return Finding{Subject: "sound", Words: strings.Join(devices, ", ") + "."}
	}
	f := Finding{Subject: "sound", Mark: Fair, Words: "There is no device for sound.", Advice: "Games are silent until one is plugged in."}
	if err != nil {
		f.Words, f.Advice, f.Detail = "Sound cannot be used.", "Games are silent until the sound server runs.", err.Error()
	}
	return f
}

func judgePads(names []string, err error) Finding {
	if err != nil {
		return Finding{Subject: "controllers", Mark: Fair, Words: "Controllers cannot be used.", Advice: "Play with the keyboard.", Detail: err.Error()}
	}
	if len(names) == 0 {
		return Finding{Subject: "controllers", Words: "No controller is plugged in: the keyboard plays."}
	}
	return Finding{Subject: "controllers", Words: strings.Join(names, ", ") + "."}
}
