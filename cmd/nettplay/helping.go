package main

import (
	"context"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/helping"
)

func helpFriendsCommand() command {
	return command{
		name: "help-friends", uses: onHelping, takes: "no argument", summary: "let friends whose routers keep them apart meet here",
		help: `Until Ctrl-C, this computer carries the datagrams of friends whose routers keep
them apart. It cannot read them. Your router must let them in: nettplay asks it
to, and says whether that worked. Send the address that it shows to the friend
who hosts: it goes into the relays of the settings there (net.relays), or
behind "nettplay host --relay". The others need nothing. The window does the
same with "Help my friends meet", in the settings under Network, and "host" and
"join" with --help-friends.

Example: nettplay help-friends`,
		run: func(ctx context.Context, c *call) error {
			settings, err := c.givenSettings(c.readSettings())
			if err != nil {
				return err
			}
			settings.Net.HelpFriends = true
			relay := c.console.help(settings.Net)
			<-ctx.Done()
			c.console.draw("")
			relay.Close()
			c.console.say("Friends do not meet here any more.")
			return nil
		},
	}
}

// help has the relay of this process run as the settings say, and tells how that goes.
func (c *console) help(cfg config.Net) *helping.Relay {
	relay := helping.New(c.helping())
	relay.Set(cfg)
	return relay
}

// helping returns the function that tells how it goes that friends meet here.
func (c *console) helping() func(helping.State) {
	var told helping.State
	return func(s helping.State) {
		if !s.On {
			return
		}
		if s.Words != told.Words {
			c.prose(s.Words)
		}
		if s.At != told.At && s.At != "" {
			c.say("Send this to the friend who hosts, for net.relays in the settings, or for\n\"nettplay host --relay\":\n\n  %s\n", s.At)
		}
		if s.AtSix != told.AtSix && s.AtSix != "" && s.AtSix != s.At {
			c.say("The same for friends who have IPv6:\n\n  %s\n", s.AtSix)
		}
		if (s.Meet != told.Meet || s.Rooms != told.Rooms) && !s.Failed {
			c.say("Of your friends: %s.", s.Use())
		}
		told = s
	}
}
