package settings

import (
	"maps"
	"slices"
	"strings"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/launch"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// coreChoice chooses the core, of those that were found or by its file.
func (v *Screen) coreChoice(u *widgets.UI) {
	usual := "DeSmuME"
	if c := screen.At(v.Core.All, slices.IndexFunc(v.Core.All, func(c emucore.Core) bool { return c.Wireless })); c != nil {
		usual = c.Name
	}
	names, values := []string{"The default: " + usual}, []string{""}
	for _, c := range v.Core.All {
		names, values = append(names, strings.TrimSpace(c.Name+" "+c.Version)+wirelessWord(c)), append(values, c.Path)
	}
	current := v.draft().Core.Name
	if !slices.Contains(values, current) {
		names, values = append(names, current), append(values, current)
	}
	u.Bar(func() {
		screen.Choose(u, widgets.Choice{Name: "core.name", Options: names}, values, current, v.chooseCore)
	},
		widgets.Button{Icon: draw.IconFolder, Name: "core file", Tip: "Use another file", Do: v.askCore})
}

func (v *Screen) coreFolders(u *widgets.UI) {
	folders := func(c *config.Config) *[]string { return &c.Core.Folders }
	v.items(u, draw.IconFolder, "", folderStays, folders)
	v.addFolder(u, "core.folders", "a folder with cores", screen.PathRequest{Title: "Where are your cores?", Fits: emucore.IsCoreName}, folders)
}

// sources are where cores can be got. Others than the usual ones are written into the settings' file.
func (v *Screen) sources(u *widgets.UI) {
	u.Scope("source", func() {
		v.items(u, draw.IconSignal, "Remove this source", "You can add it again.", func(c *config.Config) *[]string { return &c.Core.Sources })
	})
	if usual := config.Defaults().Core.Sources; !slices.Equal(usual, v.draft().Core.Sources) {
		u.Start(widgets.Button{Text: "Default sources", Name: "usual sources", Do: func() {
			v.Change(func(c *config.Config) { c.Core.Sources = usual })
		}})
	}
}

func (v *Screen) chooseCore(path string) { v.Change(func(c *config.Config) { c.Core.Name = path }) }

// askCore asks for the file of a core.
func (v *Screen) askCore() {
	v.AskPath(screen.PathRequest{
		Want: screen.WantFile, Title: "Which core?", Take: "Use this core", Key: "core.name",
		Note: "A libretro core for the Nintendo DS. It runs as a program does: take one only from a source you trust.",
		Fits: func(name string) bool { return strings.HasSuffix(name, ".so") },
		Do:   v.chooseCore,
	})
}

func wirelessWord(c emucore.Core) string {
	if c.Wireless {
		return " (local wireless)"
	}
	return ""
}

// jit chooses whether the core's JIT runs the consoles.
func (v *Screen) jit(u *widgets.UI) {
	profile := emucore.ProfileFor(v.Core.Core.Name)
	c, choice := profile.JIT()
	if !v.Core.Found || !choice {
		u.Soft("This core has no options.")
		return
	}
	on, _ := launch.JIT(v.draft().Core, profile)
	i := max(slices.IndexFunc(c.Values, func(value string) bool { return (value == c.JIT) == on }), 0)
	if u.Choice(widgets.Choice{Name: "core.jit", Options: c.Names}, &i) {
		v.Change(func(to *config.Config) {
			to.Core.Options = maps.Clone(to.Core.Options)
			delete(to.Core.Options, c.Key)
			if to.Core.JIT = config.JITOff; c.Values[i] == c.JIT {
				to.Core.JIT = config.JITOn
			}
		})
	}
}

// coreOptions shows what else a room may choose of the core.
func (v *Screen) coreOptions(u *widgets.UI, r row) {
	profile := emucore.ProfileFor(v.Core.Core.Name)
	others := slices.DeleteFunc(slices.Clone(profile.Free), func(c emucore.Choice) bool { return c.JIT != "" })
	v.setting(u, r, func() {
		if !v.Core.Found || len(others) == 0 {
			u.Soft("This core has none to choose from.")
			return
		}
		u.Space(0)
	})
	if !v.Core.Found {
		return
	}
	for _, free := range others {
		u.Row(widgets.Cells(170, widgets.Fill), func() {
			u.Label(free.Label)
			chosen := v.draft().Core.Options[free.Key]
			i := max(slices.Index(free.Values, chosen), 0)
			if u.Choice(widgets.Choice{Name: free.Key, Options: free.Names}, &i) {
				v.Change(func(c *config.Config) {
					options := map[string]string{}
					maps.Copy(options, c.Core.Options)
					options[free.Key] = free.Values[i]
					c.Core.Options = options
				})
			}
		})
		u.Note(screen.Sentence(free.Help))
	}
}

// GamesSee says what games see of the player with the core that is in use; "" while that is not
// known.
func (v *Screen) GamesSee() (words string) {
	mine := launch.Firmware(v.Config.Player)
	switch seen, known := emucore.ProfileFor(v.Core.Core.Name).Owner(mine); {
	case !v.Core.Found:
		return ""
	case !known:
		return "Whether games see this depends on the core, and little is known of " + v.Core.Core.Name + "."
	case seen == mine:
		return "Games see your name, colour, birthday and language, too: the console is yours."
	default:
		return "With " + v.Core.Core.Name + ", games do not see your name, colour or birthday, only your language. With melonDS DS they see them all."
	}
}

// CoreState says which core is used, or how to get one.
func (v *Screen) CoreState(u *widgets.UI) {
	c := &v.Core
	switch {
	case c.Looking:
		u.Progress(widgets.Progress{Value: -1, Text: "looking"})
	case c.Found:
		kind := widgets.Good
		if !c.Core.Wireless {
			kind = widgets.Warning
		}
		u.Message(kind, coreWords(c.Core))
	case c.Trouble != nil:
		u.Message(widgets.Warning, c.Trouble.Words)
		if c.Trouble.Hint != "" {
			u.Paragraph(c.Trouble.Hint)
		}
		v.CopyLine(u, "core line", c.Trouble.Copy)
		v.lookAgain(u)
	}
}

// lookAgain is the button that looks for cores. In the settings there is one besides that leads to
// the screen of the cores.
func (v *Screen) lookAgain(u *widgets.UI) {
	cores := widgets.Button{}
	if v.Current == screen.Settings {
		cores = widgets.Button{Text: "Cores", Name: "cores", Icon: draw.IconChip, Tip: "Get, update and remove cores", Do: func() { v.Go(screen.Cores) }}
	}
	u.Start(widgets.Button{Text: "Look again", Name: "look", Icon: draw.IconAgain, Do: v.LookForCore}, cores)
}

// coreWords names a core and what it can do.
func coreWords(c emucore.Core) string {
	words := strings.TrimSpace(c.Name + " " + c.Version)
	if c.Wireless {
		return words + ": with the local wireless of the DS, for games that play together."
	}
	return words + ": games cannot find each other. It has no local wireless: the consoles run side by side."
}
