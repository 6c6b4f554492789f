package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/corecheck"
	"github.com/nettplay/nettplay/internal/corestore"
	"github.com/nettplay/nettplay/internal/launch"
	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/session/notice"
)

func coresCommand() command {
	return command{
		name: "cores", uses: onCores, args: "[offers|get|update|use|remove] [CORE [VERSION]]", most: 3,
		takes:   "at most offers, get, update, use or remove, a core and its version",
		summary: "list this computer's cores; get, use or remove one",
		help: `  cores                    the cores that are here
  cores offers             what can be got for this computer
  cores get [CORE [VERSION]]
                           get a core, if you say yes: by default melonDS DS,
                           which has local wireless
  cores update [CORE]      get newer builds of the cores that you got; the older
                           ones stay until you remove them
  cores use CORE [VERSION]
                           write into the settings which core is used
  cores remove CORE [VERSION]
                           remove a core that you got

CORE is a name, such as melondsds, or the first digits of a SHA-256. Nothing is
fetched before you have seen host, size and version and said yes; --yes says so
beforehand. A core that was got is tried in a sealed process first, and kept by
its SHA-256, so that several builds of a core can be here.

All players of a room need the same version of the same core: compare the
SHA-256. Games with local wireless need a core that has it.

Example: nettplay cores get
         nettplay cores get melondsds 1.2.0
         nettplay cores -v`,
		run: func(ctx context.Context, c *call) error {
			cfg, err := c.readSettings()
			if err != nil {
				return err
			}
			store, err := corestore.Default()
			if err != nil {
				return err
			}
			return (&coresCall{call: c, settings: cfg, store: store}).run(ctx)
		},
	}
}

// coresCall is one call of "nettplay cores".
type coresCall struct {
	*call
	settings config.Config
	store    *corestore.Store
}

func (o *coresCall) run(ctx context.Context) error {
	if len(o.args) == 0 {
		return o.list(ctx)
	}
	return o.goOn(
		form{"offers", func([]string) error { return o.offers(ctx) }},
		form{"get [CORE [VERSION]]", func(args []string) error { return o.get(ctx, slices.Concat(args, []string{"", ""})) }},
		form{"update [CORE]", func(args []string) error { return o.update(ctx, strings.Join(args, "")) }},
		form{"use CORE [VERSION]", func(args []string) error { return o.use(ctx, args[0], args[1:]) }},
		form{"remove CORE [VERSION]", func(args []string) error { return o.remove(ctx, args[0], args[1:]) }},
	)
}

// list lists the cores that are here, those that were got and all others.
func (o *coresCall) list(ctx context.Context) error {
	env, cfg, verbose := o.env, o.settings.Core, o.verbose
	search, err := launch.Search(cfg)
	if err != nil {
		return err
	}
	cores, problems := search.All(ctx)
	chosen, _ := search.Among(ctx, cfg.Name, cores, problems) // none is no error of the list
	for _, c := range cores {
		t := tabwriter.NewWriter(env.stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintf(t, "%s\t%s\n", c.Name, c.Version)
		fmt.Fprintf(t, "  path\t%s\n", c.Path)
		fmt.Fprintf(t, "  local wireless\t%s\n", map[bool]string{true: "yes", false: "no"}[c.Wireless])
		fmt.Fprintf(t, "  check\t%s\n", checked(c))
		fmt.Fprintf(t, "  SHA-256\t%x\n", c.SHA256)
		if b, ours := o.store.Owns(c.Path); ours {
			fmt.Fprintf(t, "  got from\t%s\n", originWords(b))
		}
		if c.Path == chosen.Path {
			why := "by the settings"
			if cfg.Name == "" {
				why = "by default"
			}
			fmt.Fprintf(t, "  in use\t%s\n", why)
		}
		fmt.Fprintln(t)
		t.Flush()
	}
	if verbose || len(cores) == 0 {
		for _, p := range problems {
			fmt.Fprintf(env.stdout, "not usable: %v\n", p)
		}
	}
	if verbose {
		fmt.Fprintln(env.stdout, "searched:")
		for _, d := range slices.Concat(search.Folders, emucore.SearchDirs()) {
			fmt.Fprintf(env.stdout, "  %s\n", d)
		}
	}
	listProtections(env, verbose)
	if verbose {
		fmt.Fprintf(env.stdout, "snapshots of a console, for rooms with rollback: %s\n", snapshots(emucore.SnapshotWays()))
	}
	switch {
	case len(cores) == 0 && len(problems) > 0:
		return &exitError{code: exitCore, err: errors.New("no usable Nintendo DS core was found")}
	case len(cores) == 0:
		return &exitError{
			code: exitCore, err: errors.New("no Nintendo DS core was found"),
			hint: installCore(),
		}
	}
	return nil
}

// originWords says where a build was got.
func originWords(b corestore.Build) string {
	words := b.Origin.Host()
	if b.Origin.Version != "" {
		words += ", version " + b.Origin.Version
	}
	if !b.Origin.Date.IsZero() {
		words += ", of " + b.Origin.Date.Format(time.DateOnly)
	}
	return words + ", on " + b.Fetched.Local().Format(time.DateOnly)
}

// checked tells the result of a core's check.
func checked(core emucore.Core) string {
	places, err := config.Data()
	if err != nil {
		return err.Error()
	}
	if core.Unopened {
		return "not started yet, so its name is that of its file: nettplay asks you before; " + core.StandingWords()
	}
	core = launch.Fingerprinted(places, core)
	if _, proven := core.KnownFingerprint(); proven {
		return core.StandingWords()
	}
	v, known := corecheck.OpenBook(places.CoreVerdicts).Of(core.SHA256)
	switch {
	case !known:
		return "when it is first used; " + core.StandingWords()
	case v.Failed():
		return "failed. " + v.Words()
	}
	return "passed; " + core.StandingWords() + ". " + v.Words()
}

// snapshots says how consoles are put back.
func snapshots(ways []emucore.SnapshotWay) string {
	if len(ways) == 0 {
		return "none on this computer"
	}
	return ways[0].Words()
}

// listProtections prints a core's access to this computer; unless verbose, only where
// that is more than it should be.
func listProtections(env *environment, verbose bool) {
	all := slices.DeleteFunc(emucore.Protections(), func(p emucore.Protection) bool { return !verbose && p.Missing == "" })
	if len(all) == 0 {
		return
	}
	fmt.Fprintln(env.stdout, "a core's access to this computer:")
	t := tabwriter.NewWriter(env.stdout, 0, 0, 2, ' ', 0)
	for _, p := range all {
		fmt.Fprintf(t, "  %s\t%s\n", p.Against, p.Text)
		if p.Missing != "" {
			fmt.Fprintf(t, "  \t%s\n", p.Missing)
		}
	}
	t.Flush()
}

// takeRoomsCore takes the core of a room that did not let this player in for another core, for
// the next try: the very build, if it is here or the player gets it. It is false of other errors,
// and where that core cannot be had.
func (c *call) takeRoomsCore(ctx context.Context, m launch.Machine, err error) bool {
	core, found := m.RoomsCore(ctx, err)
	if found {
		c.console.say("%s", launch.RoomsCoreWords(core))
	} else if core, found = c.getRoomsCore(ctx, m, err); !found {
		return false
	}
	c.roomsCore = core
	return true
}

// getRoomsCore asks the player whether to get the core of such a room, where it is from a source of
// the player's settings.
func (c *call) getRoomsCore(ctx context.Context, m launch.Machine, refused error) (core emucore.Core, got bool) {
	f, ok := errors.AsType[*notice.Failure](refused)
	if !ok || f.Core == nil || !launch.KnowsSource(m.Settings.Core, *f.Core) || c.env.stdin == nil || m.Cores == nil {
		return core, false
	}
	c.console.say("%s Looking for that build at %s ...", sentence(f.Error()), f.Core.Source.Name)
	b, err := c.getBuild(ctx, m, f)
	switch {
	case errors.Is(err, errDeclined):
		return core, false
	case err != nil:
		c.console.say("%s", sentence(err.Error()))
		return core, false
	}
	c.console.say("%s is here now: joining again with it.", b.Label())
	return b.Core, true
}

// getBuild gets the very build that a room plays on, if the player says yes.
func (c *call) getBuild(ctx context.Context, m launch.Machine, f *notice.Failure) (b corestore.Build, err error) {
	client, err := corestore.NewClient(m.Settings.Core, m.Cores, version)
	if err != nil {
		return b, err
	}
	o, err := launch.RoomsOffer(ctx, client, *f.Core)
	if err != nil {
		return b, err
	}
	if o, err = client.Ask(ctx, o); err != nil {
		return b, err
	}
	if !c.console.ask(ctx, fmt.Sprintf("Get %s from %s (%s), and join again with it?", o.Label(), o.Host(), phrase.Megabytes(o.Size))) {
		return b, errDeclined
	}
	defer c.console.draw("")
	return client.Get(ctx, o, corestore.Want{SHA256: f.Core.SHA256}, c.console.getting)
}
