package config

import (
	"fmt"
	"net"
	"net/netip"
	"strings"
	"time"

	"github.com/nettplay/nettplay/internal/autodelay"
)

// Net sets the way to other machines.
type Net struct {
	Port     int           // UDP port of a room that the user opens, 1024 to 65535
	Bind     string        // address to listen on; "" is all of them
	Forward  bool          // the router is asked to forward the port
	STUN     []string      // servers that say how others see this machine, at most 8
	Relays   []string      // that carry what cannot go directly, at most 3
	Friends  bool          // those whose key is known are let know that this machine is there, and looked for
	Upload   int           // limit for console states, KiB a second; 0 is none
	OwnDelay string        // input delay of one's own presses in rooms with rollback, one of OwnDelays
	Silence  time.Duration // after which a player counts as disconnected, 3 s to 1 min

	HelpFriends bool // while the program is open, it is a relay for friends
	HelpPort    int  // UDP port of that, 1024 to 65535
	HelpUpload  int  // its limit, KiB a second, 64 to 1,000,000
}

// MaxRelays is the limit of a room's relays, and maxServer that of a server's address in letters.
const (
	MaxRelays = 3
	maxServer = 64
)

// DefaultPort is the UDP port of rooms. It lies below the ports that systems give
// to outgoing connections (32768 and up on Linux, 49152 and up elsewhere), so no
// browser sits on it by chance, above those that only root may open, and is
// assigned to nobody that we know of. The DS came out on 2.12.04.
const DefaultPort = 21204

// DefaultHelpPort is the UDP port at which friends meet, that of relays.
const DefaultHelpPort = 21206

// Room is the settings of the rooms that the user opens.
type Room struct {
	Name      string // "" is made from the nickname
	Seats     int    // 2 to 16
	Delay     int    // input delay in frames, 0 to 30
	AutoDelay string // one of AutoDelays
	RTC       RTC    // what the consoles' clocks show at the start
	HashEvery int    // frames from one comparison of all consoles to the next, 1 to 3600
	Skew      int    // frames that a console may be ahead of the others on the radio, 0 to 2
	Announce  bool   // tell the local network of the room
	Open      bool   // list the room at the relays, for everybody
	LateJoin  bool   // players can join while a game runs
	// KeepConsoles leaves the consoles of players who leave in the game.
	KeepConsoles bool
	Sync         string // how machines keep together, one of Syncs

	Spectators    int           // 0 to 16
	SpectateDelay time.Duration // how far behind they are, 0 to 10 min; whole seconds count
}

// AutoDelays returns the presets of the automatic input delay, off first.
func AutoDelays() []string { return autodelay.Names() }

// OwnDelays returns the choices of the delay of one's own presses, that of none first.
func OwnDelays() []string { return autodelay.Choices() }

// How machines keep together.
const (
	Lockstep = "lockstep"
	Clocked  = "clocked"
	Rollback = "rollback"
)

// Syncs are the ways in which machines keep together.
func Syncs() []string { return []string{Lockstep, Clocked, Rollback} }

func (n *Net) fields() []field {
	return []field{
		number("port", &n.Port, DefaultPort, 1024, 65535, "The UDP port of the rooms that you open."),
		setting("bind", &n.Bind, "", `The address of this computer to listen at. With "" it is all of them.`,
			`"" or an address like "192.168.1.5"`, orZero(whyBind)).shown("The address of this computer at which rooms can be reached. Left empty, it is all of them."),
		toggle("forward", &n.Forward, true, "Ask your router to let friends in (UPnP, NAT-PMP, PCP) while your room is open, or while you are in a room to which you were invited."),
		setting("stun", &n.STUN, []string{"stun.cloudflare.com:3478", "stun.l.google.com:19302"}, "STUN servers that tell this computer how others on the internet see it; the first that answers is taken. With [] none is asked.",
			`a list of "HOST:PORT", at most 8`, servers(8)).shown("Servers that tell this computer how others on the internet see it, as HOST:PORT with blanks between. Left empty, none is asked."),
		setting("relays", &n.Relays, []string{}, "Relays that carry your friends' datagrams to you where no direct connection is possible; invitations to your rooms name them. A relay cannot read what it carries. Anyone can run one: see docs/hosting.md.",
			`a list of "HOST:PORT", at most 3`, servers(MaxRelays)).shown("Servers that carry your friends' data to you where no direct connection is possible, up to 3. They cannot read it. Anyone can run one, also a friend from inside nettplay, by “Help my friends meet”: add the address that you were sent."),
		toggle("friends", &n.Friends, false, "Let players whom you have played with see at your relays that you are there and which game you play, and see the same of them if they let you. The relays cannot read it, but can tell who looks for whom."),
		number("upload", &n.Upload, 0, 0, 1_000_000, "How fast your machine sends the states of its consoles before a game, in KiB a second. 0 means no limit: as fast as the connection allows without delaying the game.").shown("How fast this computer sends the states of its consoles before a game, in KiB a second. 0 means no limit: as fast as the connection allows without delaying the game."),
		choice("own_delay", &n.OwnDelay, "auto", OwnDelays(), "In rooms with rollback, how many frames later your own presses take effect at the least, on all machines. The longer, the less the other machines have to guess, and the less their pictures jump. auto adds no frame to what the connections need. In a room whose delay is a number, this one is yours instead.").shown("With rollback, your own presses take effect at least so many frames later, here too. The others' computers then have less to guess, and their pictures jump less. “Automatic” adds nothing to what the connections need."),
		setting("silence", &n.Silence, 10*time.Second, "A player counts as disconnected when nothing is heard for this long. A running game then waits for them to reconnect, for a minute, or as long as --wait says; so a silent player can hold up the game for the sum of both times.",
			`"3s" to "1m"`, lasting(3*time.Second, time.Minute)).shown("A player counts as disconnected when nothing is heard for this long. A running game then waits up to a minute for them to reconnect; so a silent player can hold up the game for the sum of both times."),
		toggle("help_friends", &n.HelpFriends, false, "Help my friends meet: while nettplay is open, it carries the datagrams of friends whose routers keep them apart, also in games that you do not play. It cannot read them. Your router must let your friends in; nettplay asks it to if net.forward says so, and shows the address that your friends put into their relays.").shown("While nettplay is open, it carries the data of friends whose routers keep them apart, also in games that you do not play. It cannot read it. Your router must let your friends in; nettplay asks it to."),
		number("help_port", &n.HelpPort, DefaultHelpPort, 1024, 65535, "The UDP port at which your friends meet (help_friends), other than that of your room.").shown("The UDP port at which your friends meet, other than that of your room."),
		number("help_upload", &n.HelpUpload, 512, 64, 1_000_000, "The most that is carried for friends who meet here (help_friends), in KiB a second. Two players need about 20, and more for some seconds before a game.").shown("The most that is carried for friends who meet here, in KiB a second. Two players need about 20, and more for some seconds before a game."),
	}
}

func (r *Room) fields() []field {
	return []field{
		setting("name", &r.Name, "", `The name of your room. With "" it is made from your nickname.`,
			"up to 40 letters", printable(0, 40)),
		number("seats", &r.Seats, 2, 2, 16, "How many players can be in the room."),
		choice("auto_delay", &r.AutoDelay, "party", AutoDelays(), "nettplay adjusts your rooms' input delay to the connections, also while a game runs. trading accepts a long delay and hardly any late input, racing keeps the delay at 6 frames or less and accepts more late inputs, and party is for all other games. With off it stays at room.delay.").shown("nettplay adjusts your rooms' input delay to the connections, also while a game runs. Trading accepts a long delay and hardly any late press. Racing keeps it at 6 frames or less. Party is for all other games. With “Fixed” it stays as below."),
		number("delay", &r.Delay, 4, 0, 30, "Input delay: each press takes effect so many frames later (60 are a second), at the same frame on every machine. With less than the network needs, the game stops and waits again and again. A good choice is the ping in milliseconds divided by 20, plus one. It counts with room.auto_delay off.").shown("Each press takes effect so many frames later (60 are a second), at the same frame on every computer. With less than the network needs, the game stops and waits again and again. A good choice is the ping in milliseconds divided by 20, plus one. It is used with “Fixed” above."),
		setting("rtc", &r.RTC, RTC{Now: true}, "The time on the consoles' clocks when a game starts. now is what the game host's computer shows at that moment, but never earlier than the end of the room's last game.",
			rtcAllowed, whyRTC),
		number("hash_every", &r.HashEvery, 30, 1, 3600, "How many frames pass between two checks that every console is the same on all machines.").shown("How many frames pass between two checks that every console is the same on all computers."),
		setting("skew", &r.Skew, 1, "How many frames one console may be ahead of another while they talk by radio. Leave it at 1.",
			"0, 1 or 2", between(0, 2)),
		toggle("announce", &r.Announce, true, "Show your room to players on the local network, so that they need no address."),
		toggle("open", &r.Open, false, "List your rooms at the relays of net.relays, so that anybody there can find and join them.").shown("Shows your rooms at your relays, so that anybody there can find and join them."),
		toggle("late_join", &r.LateJoin, true, "Late join: players can join while a game runs, if a seat is free. The game goes on until the late joiner's machine is ready, and then pauses for a moment.").shown("Players can join while a game runs, if a seat is free. The game goes on until the late joiner's computer is ready, and then pauses for a moment."),
		toggle("keep_consoles", &r.KeepConsoles, false, "When a player leaves a running game, the console stays in it with nothing pressed, instead of being switched off. Many games with local wireless end for everybody when a console is gone."),
		choice("sync", &r.Sync, Lockstep, Syncs(), "How the machines keep together. lockstep: all wait for a player whose inputs come late. clocked: nobody waits; the game host keeps a steady pace and repeats a late player's last input, so that a bad connection troubles that player alone. Each press then takes effect after the round trip to the game host, also at the player's own machine: choose room.delay with the ping in milliseconds divided by 16, plus two. rollback: nobody waits for a late input at once. Consoles go on as if each player still held what they held last, and where that was wrong they go back and run again, so that your own presses are felt up to 0.2 seconds earlier. It takes a processor that runs all of a game's consoles several times as fast as needed; a computer that cannot go back waits as in lockstep.").shown("Usually everyone waits for a player whose presses come late. If nobody waits, the game host keeps a steady pace and repeats a late player's last presses: a bad connection troubles that player alone. Each press then takes effect after the way to the game host and back. For a number as input delay, take the ping in milliseconds divided by 16, plus two."),
		number("spectators", &r.Spectators, 4, 0, 16, "How many spectators the room has. They watch without playing, and nobody waits for them. With 0 nobody can watch."),
		setting("spectate_delay", &r.SpectateDelay, 2*time.Second, "How much later spectators see the game. A long time keeps them from telling a player what another is about to do.",
			`"0s" to "10m"`, lasting(0, 10*time.Minute)),
	}
}

func whyBind(addr string) string {
	if _, err := netip.ParseAddr(addr); err != nil {
		return fmt.Sprintf("%q is not an address", addr)
	}
	return ""
}

// servers says what is wrong with a list of servers.
func servers(most int) func(list []string) string {
	return func(list []string) string {
		if len(list) > most {
			return fmt.Sprintf("%d servers are more than %d", len(list), most)
		}
		for _, server := range list {
			if why := WhyServer(server); why != "" {
				return why
			}
		}
		return ""
	}
}

// WhyServer says what is wrong with the address of a server, "" for nothing.
func WhyServer(server string) string {
	host, port, err := net.SplitHostPort(server)
	switch {
	case err != nil || host == "" || port == "":
		return fmt.Sprintf("%q is not HOST:PORT", server)
	case len(server) > maxServer || strings.ContainsAny(server, ",@/= "):
		return fmt.Sprintf("%q is not the address of a server", server)
	}
	return ""
}
