package main

import (
	"context"
	"slices"
	"strings"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/corestore"
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
