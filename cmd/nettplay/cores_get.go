package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/corestore"
	"github.com/nettplay/nettplay/internal/launch"
	"github.com/nettplay/nettplay/internal/phrase"
)

// confirm asks a question that is answered by yes or no. With --yes nobody is asked; where
// nobody can answer, that is an error.
func (o *coresCall) confirm(ctx context.Context, question string) (yes bool, err error) {
	if o.yes {
		o.console.say("%s Yes.", question)
		return true, nil
	}
	if o.env.stdin == nil {
		return false, &exitError{code: 1, err: fmt.Errorf("nobody can answer here: %s", question), hint: "--yes says yes."}
	}
	yes = o.console.ask(ctx, question)
	return yes, ctx.Err()
}

// ask asks all sources of the settings, by the client that it returns. It tells of those that fail, and
// takes what the others have.
func (o *coresCall) ask(ctx context.Context) (*corestore.Client, []corestore.Offer, error) {
	if len(o.settings.Core.Sources) == 0 {
		return nil, nil, &exitError{code: exitCore, err: errors.New("the settings name no source of cores"), hint: "They are in core.sources; \"nettplay config show\" shows it."}
	}
	client, err := corestore.NewClient(o.settings.Core, o.store, version)
	if err != nil {
		return nil, nil, err
	}
	offers, problems := client.List(ctx)
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	var failed error // the first problem, where no source has anything
	if len(offers) == 0 && len(problems) > 0 {
		failed, problems = storeError(problems[0]), problems[1:]
	}
	for _, p := range problems {
		o.console.say("%s", sentence(p.Error()))
	}
	return client, offers, failed
}

// offers lists what can be got.
func (o *coresCall) offers(ctx context.Context) error {
	_, offers, err := o.ask(ctx)
	if err != nil {
		return err
	}
	t := tabwriter.NewWriter(o.env.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "CORE\tVERSION\tDATE\tSIZE\tFROM")
	for _, f := range offers {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", f.Name, cmp.Or(f.Version, "-"), dayOf(f.Date), megabytes(f.Size), f.Host())
	}
	return t.Flush()
}

func dayOf(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.Format(time.DateOnly)
}

// megabytes is a size as people read it, "-" where nobody knows it.
func megabytes(n int64) string {
	if n <= 0 {
		return "-"
	}
	return phrase.Megabytes(n)
}

// get gets a core that the player names, and the version where they name one.
func (o *coresCall) get(ctx context.Context, args []string) error {
	name, release := args[0], strings.TrimPrefix(args[1], "v")
	client, offers, err := o.ask(ctx)
	if err != nil {
		return err
	}
	if release != "" {
		offers = slices.DeleteFunc(offers, func(f corestore.Offer) bool { return f.Version != release })
	}
	offer, ok := corestore.Newest(offers, name)
	if !ok {
		what := strings.TrimSpace(cmp.Or(name, "core with local wireless") + " " + release)
		return &exitError{code: exitCore, err: fmt.Errorf("no source has a %s for this computer", what), hint: "\"nettplay cores offers\" lists what they have."}
	}
	build, here := o.store.Has(offer)
	if here {
		o.console.say("%s is here already.", build.Label())
	} else if build, err = o.fetch(ctx, client, offer); err != nil {
		return err
	}
	return o.offerUse(ctx, build)
}

// errDeclined says that the player said no.
var errDeclined = errors.New("nothing was fetched")

// fetch shows what would be fetched, and fetches it if the player says yes.
func (o *coresCall) fetch(ctx context.Context, client *corestore.Client, offer corestore.Offer) (corestore.Build, error) {
	offer, err := client.Ask(ctx, offer)
	if err != nil {
		return corestore.Build{}, storeError(err)
	}
	size := "of unknown size"
	if offer.Size > 0 {
		size = megabytes(offer.Size)
	}
	question := fmt.Sprintf("Get %s from %s, %s?", offer.Label(), offer.Host(), size)
	if !emucore.WallsProven { // it is asked its name as it comes, and nobody asks again
		question = "A core runs with your rights: on this system nobody has seen yet that the walls around it hold.\n" + question
	}
	yes, err := o.confirm(ctx, question)
	if err != nil {
		return corestore.Build{}, err
	}
	if !yes {
		return corestore.Build{}, &exitError{code: 1, err: errDeclined}
	}
	build, err := client.Get(ctx, offer, corestore.Want{}, o.console.getting)
	o.console.draw("")
	if err != nil {
		return build, storeError(err)
	}
	o.console.say("%s is here: tried in a sealed process, and kept. SHA-256 %x", build.Label(), build.Core.SHA256)
	if !build.Core.Wireless {
		o.console.say("It has no local wireless.")
	}
	return build, nil
}

// update gets the newer builds of what is kept, each if the player says yes.
func (o *coresCall) update(ctx context.Context, name string) error {
	kept, err := o.keptOf(name, nil)
	if err != nil {
		return err
	}
	if len(kept) == 0 {
		return &exitError{code: exitCore, err: errors.New("nettplay has not downloaded any core"), hint: "\"nettplay cores get\" gets one. Those of the system and of RetroArch are updated where they came from."}
	}
	client, offers, err := o.ask(ctx)
	if err != nil {
		return err
	}
	updates := corestore.Updates(kept, offers)
	if len(updates) == 0 {
		o.console.say("The sources have nothing newer.")
	}
	for _, u := range updates {
		o.console.say("%s is newer than your %s.", u.Offer.Label(), u.Kept.Label())
		build, err := o.fetch(ctx, client, u.Offer)
		if errors.Is(err, errDeclined) {
			continue
		}
		if err != nil {
			return err
		}
		if b, ours := o.store.Owns(o.settings.Core.Name); ours && b.Name == build.Name {
			if err := o.choose(build.Core.Path, build.Label()); err != nil {
				return err
			}
		}
		o.console.say("%s stays, for rooms that have it; \"nettplay cores remove %x\" removes it.", u.Kept.Label(), u.Kept.Core.SHA256[:4])
	}
	return nil
}

// offerUse asks whether a core that was just got shall be used, unless it is the one that is used anyway.
func (o *coresCall) offerUse(ctx context.Context, build corestore.Build) error {
	now, err := launch.FindCore(ctx, o.settings.Core)
	if err == nil && now.SHA256 == build.Core.SHA256 {
		o.console.say("%s is in use from now on.", build.Label())
		return nil
	}
	instead := ""
	if err == nil {
		instead = " instead of " + coreLabel(now)
	}
	yes, err := o.confirm(ctx, fmt.Sprintf("Use %s from now on%s?", build.Label(), instead))
	if err != nil || !yes {
		return err
	}
	return o.choose(build.Core.Path, build.Label())
}

// use chooses a core that is here, wherever it came from: one that was got, or of the system, or of RetroArch.
func (o *coresCall) use(ctx context.Context, name string, release []string) error {
	if len(release) > 0 {
		kept, err := o.store.List()
		if err != nil {
			return storeError(err)
		}
		if o.isKept(kept, name, release) {
			b, err := o.oneKept(name, release)
			if err != nil {
				return err
			}
			return o.choose(b.Core.Path, b.Label())
		}
	}
	search, err := launch.Search(o.settings.Core)
	if err != nil {
		return err
	}
	var all []emucore.Core
	if isDigits(name) || len(release) > 0 {
		all, _ = search.All(ctx)
	}
	means := func(c emucore.Core) bool { return hasDigits(c, name) }
	if len(release) > 0 {
		means = func(c emucore.Core) bool {
			return (hasDigits(c, name) || corestore.Means(name, c)) && strings.TrimPrefix(c.Version, "v") == strings.TrimPrefix(release[0], "v")
		}
	}
	if i := slices.IndexFunc(all, means); i >= 0 {
		return o.choose(all[i].Path, coreLabel(all[i]))
	}
	if len(release) > 0 {
		return &exitError{
			code: exitCore, err: fmt.Errorf("there is no core \"%s %s\" on this computer", name, release[0]),
			hint: "\"nettplay cores\" lists the cores that are here with their versions, and \"nettplay cores get\" gets others.",
		}
	}
	core, err := search.Find(ctx, name)
	if err != nil {
		return coreError(err)
	}
	return o.choose(core.Path, coreLabel(core))
}

// coreLabel is a core's name with its version, where that is known.
func coreLabel(core emucore.Core) string { return strings.TrimSpace(core.Name + " " + core.Version) }

// isKept reports whether a name and a version mean a build that was got.
func (o *coresCall) isKept(kept []corestore.Build, name string, release []string) bool {
	return slices.ContainsFunc(kept, func(b corestore.Build) bool {
		return b.Origin.Version == strings.TrimPrefix(release[0], "v") && (b.Means(name) || hasDigits(b.Core, name))
	})
}

// fewestDigits of a SHA-256 name a core.
const fewestDigits = 6

func isDigits(s string) bool {
	return len(s) >= fewestDigits && strings.Trim(strings.ToLower(s), "0123456789abcdef") == ""
}

// hasDigits reports whether a core's SHA-256 begins with what a player has typed.
func hasDigits(c emucore.Core, typed string) bool {
	return isDigits(typed) && strings.HasPrefix(fmt.Sprintf("%x", c.SHA256), strings.ToLower(typed))
}

// choose writes a core into the settings.
func (o *coresCall) choose(name, label string) error {
	path, err := o.settingsPath()
	if err != nil {
		return err
	}
	if err := config.KeepCore(path, name); err != nil {
		return err
	}
	o.settings.Core.Name = name
	o.console.say("%s is in use from now on (core.name in %s).", label, path)
	return nil
}

// oneKept returns the kept build that a name or digits mean, with the version where the player names one.
func (o *coresCall) oneKept(name string, release []string) (corestore.Build, error) {
	meant, err := o.keptOf(name, release)
	if err != nil {
		return corestore.Build{}, err
	}
	if len(meant) > 1 {
		var each strings.Builder
		for _, b := range meant {
			fmt.Fprintf(&each, "\n  %x  %s", b.Core.SHA256[:4], b.Label())
		}
		return corestore.Build{}, usagef("%q matches %d builds; name one by its version or by its digits:%s", name, len(meant), each.String())
	}
	return meant[0], nil
}

// remove removes a kept build.
func (o *coresCall) remove(ctx context.Context, name string, release []string) error {
	b, err := o.oneKept(name, release)
	if err != nil {
		return err
	}
	after, inUse := "", o.settings.Core.Name == b.Core.Path
	if inUse {
		after = " The settings choose it; from then on they choose no special core."
	}
	yes, err := o.confirm(ctx, fmt.Sprintf("Remove %s, SHA-256 %x?%s", b.Label(), b.Core.SHA256, after))
	if err != nil || !yes {
		return err
	}
	if err := o.store.Remove(b); err != nil {
		return storeError(err)
	}
	o.console.say("%s is removed.", b.Label())
	if inUse {
		return o.choose("", "The default core")
	}
	return nil
}

// keptOf returns the kept builds that a name or digits mean, of a release where one is named; at
// least one. With no name they are all, perhaps none.
func (o *coresCall) keptOf(name string, release []string) (meant []corestore.Build, err error) {
	kept, err := o.store.List()
	if err != nil {
		return nil, storeError(err)
	}
	if name == "" {
		return kept, nil
	}
	for _, b := range kept {
		if len(release) > 0 && b.Origin.Version != strings.TrimPrefix(release[0], "v") {
			continue
		}
		if b.Means(name) || hasDigits(b.Core, name) {
			meant = append(meant, b)
		}
	}
	if len(meant) == 0 {
		return nil, &exitError{
			code: exitCore, err: fmt.Errorf("nettplay has not downloaded a core %q", strings.Join(append([]string{name}, release...), " ")),
			hint: "\"nettplay cores\" lists the cores; those of the system and of RetroArch are updated and removed where they came from.",
		}
	}
	return meant, nil
}

// storeError gives a failure of sources and store its exit code and its advice.
func storeError(err error) error {
	f, ok := errors.AsType[*corestore.Failure](err)
	if !ok {
		return err
	}
	return &exitError{code: exitCore, err: err, hint: f.Advice()}
}
