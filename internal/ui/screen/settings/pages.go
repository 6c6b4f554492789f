package settings

import (
	"fmt"
	"strings"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/language"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// page is one page: its name, and what it shows.
type page struct {
	name string
	rows []row
}

// row is one setting of a page, or something between them, which has neither key nor label.
type row struct {
	key   string // of the settings' file; each of its keys is here or among the bindings
	label string
	show  show
}

type show func(v *Screen, u *widgets.UI, r row)

// New makes the screen.
func New(s *screen.Shared, engine Engine) *Screen {
	return &Screen{Base: screen.Base{Shared: s, ID: screen.Settings}, engine: engine, Changed: func() {}, Offered: func(string) {}, pages: pages(), typed: map[string]string{}, relays: map[string]relayTest{}, took: map[string]string{}, usualConfig: config.Defaults()}
}

// Pages returns the names of all pages, in order.
func Pages() []string { return pageNames(pages()) }

// pages are all pages, by Page.
func pages() []page {
	languages := []string{"Japanese", "English", "French", "German", "Italian", "Spanish"}
	syncs, syncNames := Syncs()
	layouts, layoutNames := Layouts()
	rotations, rotationNames := Rotations()
	emphases, emphasisNames := Emphases()
	filters, filterNames := Filters()
	return []page{
		{"You", []row{
			between((*Screen).nextRoom),
			between(func(v *Screen, u *widgets.UI) {
				if words := v.GamesSee(); words != "" {
					u.Note(words)
				}
			}),
			{"player.nickname", "Nickname", alone((*Screen).Nickname)},
			{"video.language", "Language", oneOf(config.Speaks(), spoken(), func(c *config.Config) *string { return &c.Video.Language })},
			{"player.language", "Language of the games", oneOf(config.Languages(), languages, func(c *config.Config) *string { return &c.Player.Language })},
			{"player.colour", "Favourite colour", oneOf(config.Colours(), capitals(config.Colours()), func(c *config.Config) *string { return &c.Player.Colour })},
			{"player.birthday", "Birthday", edit(func(c *config.Config) *config.Birthday { return &c.Player.Birthday }, birthday)},
			{"player.mac", "Radio address", alone(func(v *Screen, u *widgets.UI) {
				u.Text(widgets.StyleMono, widgets.Normal, v.draft().Player.MAC, draw.Start)
			})},
			between((*Screen).ownKey),
		}},
		{"Games", []row{
			{"roms.folders", "Folders with games", func(v *Screen, u *widgets.UI, r row) {
				v.heading(u, r)
				v.Folders(u)
			}},
		}},
		{"Core", []row{
			between(func(v *Screen, u *widgets.UI) {
				v.CoreState(u)
				if v.Core.Found && !v.Core.Looking {
					v.lookAgain(u)
				}
				u.Space(8)
			}),
			{"core.name", "Core", alone((*Screen).coreChoice)},
			{"core.jit", "The consoles' CPUs", alone((*Screen).jit)},
			{"core.options", "Options of the core", (*Screen).coreOptions},
			{"core.folders", "Folders with cores", heads((*Screen).coreFolders)},
			{"core.sources", "Sources of cores", heads((*Screen).sources)},
		}},
		{"Network", []row{
			between((*Screen).nextRoom),
			{"net.relays", "Relays", (*Screen).relayList},
			{"net.help_friends", "Help my friends meet", (*Screen).helpFriends},
			{"net.port", "Port of your room", typedWhole(func(c *config.Config) *int { return &c.Net.Port })},
			{"net.forward", "Forward the port", yesNo(func(c *config.Config) *bool { return &c.Net.Forward })},
			{"net.stun", "STUN servers", typed(
				func(c *config.Config) string { return strings.Join(c.Net.STUN, " ") },
				func(c *config.Config, text string) string {
					c.Net.STUN = strings.Fields(text)
					return ""
				},
			)},
			{"net.bind", "Listen on", text("all addresses", 45, func(c *config.Config) *string { return &c.Net.Bind })},
			{"net.upload", "Upload limit", typedWhole(func(c *config.Config) *int { return &c.Net.Upload })},
			{"net.friends", "Seen by friends", yesNo(func(c *config.Config) *bool { return &c.Net.Friends })},
			{"net.own_delay", "Your own delay", oneOf(config.OwnDelays(), OwnDelayNames(), func(c *config.Config) *string { return &c.Net.OwnDelay })},
			{"net.silence", "Disconnect after", slider(3*time.Second, time.Minute, time.Second,
				func(d time.Duration) string { return fmt.Sprintf("%.0f s", d.Seconds()) },
				func(c *config.Config) *time.Duration { return &c.Net.Silence })},
			{"net.help_port", "Port for friends", typedWhole(func(c *config.Config) *int { return &c.Net.HelpPort })},
			{"net.help_upload", "Upload for friends", typedWhole(func(c *config.Config) *int { return &c.Net.HelpUpload })},
		}},
		{"Room", []row{
			between(func(_ *Screen, u *widgets.UI) { u.Note("For the rooms that you open.") }),
			{"room.name", "Name", func(v *Screen, u *widgets.UI, r row) {
				text(v.Config.Player.Nickname+"'s room", 40, func(c *config.Config) *string { return &c.Room.Name })(v, u, r)
			}},
			{"room.seats", "Players", whole(2, 16, func(c *config.Config) *int { return &c.Room.Seats })},
			{"room.auto_delay", "Automatic input delay", oneOf(config.AutoDelays(), []string{"Fixed", "Trading", "Party", "Racing"}, func(c *config.Config) *string { return &c.Room.AutoDelay })},
			{"room.delay", "Input delay", whole(0, 30, func(c *config.Config) *int { return &c.Room.Delay })},
			{"room.rtc", "The consoles' clocks", (*Screen).clock},
			{"room.hash_every", "Frames between checks", typedWhole(func(c *config.Config) *int { return &c.Room.HashEvery })},
			{"room.skew", "Radio tolerance", whole(0, 2, func(c *config.Config) *int { return &c.Room.Skew })},
			{"room.announce", "On the local network", yesNo(func(c *config.Config) *bool { return &c.Room.Announce })},
			{"room.open", "Open to everybody", yesNo(func(c *config.Config) *bool { return &c.Room.Open })},
			{"room.late_join", "Late joining", yesNo(func(c *config.Config) *bool { return &c.Room.LateJoin })},
			{"room.keep_consoles", "Leaving players", yesNo(func(c *config.Config) *bool { return &c.Room.KeepConsoles })},
			{"room.sync", "On a bad connection", oneOf(syncs, syncNames, func(c *config.Config) *string { return &c.Room.Sync })},
			{"room.spectators", "Spectators", whole(0, 16, func(c *config.Config) *int { return &c.Room.Spectators })},
			{"room.spectate_delay", "Spectators' delay", func(v *Screen, u *widgets.UI, r row) {
				v.setting(u, r, func() {
					screen.DelayChoice(u, r.key, int(v.draft().Room.SpectateDelay.Seconds()), func(seconds int) {
						v.Change(func(c *config.Config) { c.Room.SpectateDelay = time.Duration(seconds) * time.Second })
					})
				})
			}},
		}},
		{"Video", []row{
			{"video.layout", "Screen layout", oneOf(layouts, layoutNames, func(c *config.Config) *string { return &c.Video.Layout })},
			{"video.rotation", "Held like a book", oneOf(rotations, rotationNames, func(c *config.Config) *string { return &c.Video.Rotation })},
			{"video.emphasis", "Large screen", oneOf(emphases, emphasisNames, func(c *config.Config) *string { return &c.Video.Emphasis })},
			{"video.swap", "Swap the screens", yesNo(func(c *config.Config) *bool { return &c.Video.Swap })},
			{"video.gap", "Gap", whole(0, 192, func(c *config.Config) *int { return &c.Video.Gap })},
			{"video.integer", "Integer scaling", yesNo(func(c *config.Config) *bool { return &c.Video.Integer })},
			{"video.filter", "Pixels", oneOf(filters, filterNames, func(c *config.Config) *string { return &c.Video.Filter })},
			{"video.others", "The others' consoles", yesNo(func(c *config.Config) *bool { return &c.Video.Others })},
			{"video.even", "Even out others' motion", whole(0, 8, func(c *config.Config) *int { return &c.Video.Even })},
			{"video.hud", "Ping and speed", yesNo(func(c *config.Config) *bool { return &c.Video.HUD })},
			{"video.bars", "Behind the consoles", oneOf(config.Bars(), []string{"Black", "Players' colours"}, func(c *config.Config) *string { return &c.Video.Bars })},
			{"video.theme", "Colours", oneOf(config.Themes(), []string{"Dark", "Light", "High contrast"}, func(c *config.Config) *string { return &c.Video.Theme })},
			{"video.scale", "Window size", alone((*Screen).windowScale)},
			{"video.fullscreen", "Full screen", yesNo(func(c *config.Config) *bool { return &c.Video.Fullscreen })},
			{"video.vsync", "Vertical sync", yesNo(func(c *config.Config) *bool { return &c.Video.VSync })},
			{"video.ui_scale", "Size of text and buttons", alone((*Screen).scale)},
			{"video.streamer", "Streamer mode", yesNo(func(c *config.Config) *bool { return &c.Video.Streamer })},
			{"video.flash", "Flash the window", yesNo(func(c *config.Config) *bool { return &c.Video.Flash })},
		}},
		{"Sound", []row{
			{"audio.enabled", "Sound", yesNo(func(c *config.Config) *bool { return &c.Audio.Enabled })},
			{"audio.volume", "Volume", slider(0, 100, 1, func(n int) string { return fmt.Sprintf("%d%%", n) }, func(c *config.Config) *int { return &c.Audio.Volume })},
			{"audio.latency", "Buffer", slider(10*time.Millisecond, 500*time.Millisecond, 2*time.Millisecond,
				func(d time.Duration) string { return fmt.Sprintf("%d ms", d.Milliseconds()) },
				func(c *config.Config) *time.Duration { return &c.Audio.Latency })},
			{"audio.device", "Output device", alone((*Screen).soundDevice)},
			{"audio.chime", "Notification sound", yesNo(func(c *config.Config) *bool { return &c.Audio.Chime })},
			{"audio.speak", "Read aloud", yesNo(func(c *config.Config) *bool { return &c.Audio.Speak })},
		}},
		{"Keyboard", []row{
			between(func(v *Screen, u *widgets.UI) {
				u.Note("Press the button beside a name, then the key. Hold Shift to add the key to those already there.")
				v.bindings(u, false, "keys.", "The console")
				u.Space(8)
				v.bindings(u, false, "hotkeys.", "nettplay")
				u.Space(8)
				v.bindings(u, false, "keys2.", "A second player at this keyboard")
				v.usual(u, false)
			}),
		}},
		{"Controller", []row{
			{"pads.devices", "Players' controllers", heads((*Screen).devices)},
			{"pads.own", "Buttons for", (*Screen).mapping},
			between((*Screen).padBindings),
			{"pads.stylus", "Stick for the stylus", oneOf(config.Sticks(), []string{"Left", "Right", "None"}, func(c *config.Config) *string { return &c.Pads.Stylus })},
			{"pads.speed", "Speed of the stylus", slider(0.25, 4, 0.25, percent, func(c *config.Config) *float64 { return &c.Pads.Speed })},
			{"pads.turn", "The cross turns too", yesNo(func(c *config.Config) *bool { return &c.Pads.Turn })},
			{"pads.deadzone", "Stick dead zone", slider(0, 0.9, 0.05, percent, func(c *config.Config) *float64 { return &c.Pads.Deadzone })},
		}},
		{"Recording", []row{
			{"recording.enabled", "Record every game", yesNo(func(c *config.Config) *bool { return &c.Recording.Enabled })},
			{"recording.folder", "Folder for recordings", alone((*Screen).recordingFolder)},
		}},
	}
}

// spoken are the names of the languages of the window, each in that language.
func spoken() []string {
	names := []string{"System default"}
	for _, n := range language.Names() {
		names = append(names, widgets.Verbatim(n))
	}
	return names
}

// between is a part of a page that is no setting.
func between(build func(v *Screen, u *widgets.UI)) row {
	return row{show: func(v *Screen, u *widgets.UI, _ row) { build(v, u) }}
}
