package config

import (
	"time"

	"github.com/nettplay/nettplay/internal/language"
)

// Video holds the settings of the consoles' screens.
type Video struct {
	Scale      int     // window pixels for one of the console, 1 to 8
	Layout     string  // one of Layouts
	Emphasis   string  // one of Emphases
	Rotation   string  // one of Rotations
	Swap       bool    // the bottom screen comes first, or is the one that shows
	Gap        int     // between the screens, in pixels of the console, 0 to 192
	Integer    bool    // whole multiples of the console's pixels only
	Filter     string  // one of Filters
	Others     bool    // show the other players' consoles
	HUD        bool    // show the figures
	Bars       string  // what is behind the consoles: one of Bars
	Theme      string  // one of Themes
	Language   string  // in which nettplay speaks: one of Speaks
	Fullscreen bool    // start without a window frame
	Even       int     // frames of the others' consoles that may be held back, 0 to 8
	VSync      bool    // wait for the display: no tearing, up to a frame later
	UIScale    float64 // size of texts and buttons, 0.5 to 4; 0 is what suits the display
	Streamer   bool    // the window hides codes, addresses and keys
	Flash      bool    // the window asks for attention when something happens in the room
}

// Layouts returns how the two screens of a console can be arranged.
func Layouts() []string { return []string{"vertical", "horizontal", "hybrid", "top", "bottom"} }

// Emphases returns which of the two screens can be the large one.
func Emphases() []string { return []string{"even", "top", "bottom"} }

// Rotations returns how the picture can be turned: not at all, or by 90 degrees, so that the top screen is at the
// left or at the right.
func Rotations() []string { return []string{"none", "left", "right"} }

// Bars returns what can be behind the consoles of a game: black, or the players' favourite colours.
func Bars() []string { return []string{"black", "players"} }

// Themes returns the looks of the window.
func Themes() []string { return []string{"dark", "light", "contrast"} }

// Speaks returns the languages of nettplay: the system's, or one by its code.
func Speaks() []string { return append([]string{"auto"}, language.Codes()...) }

// Filters returns how a screen can be enlarged.
func Filters() []string { return []string{"nearest", "linear"} }

// Audio holds the settings of sound.
type Audio struct {
	Enabled bool
	Volume  int           // percent, 0 to 100
	Latency time.Duration // how much is buffered, 10 ms to 500 ms
	Device  string        // what plays it, by its name; "" is the system's choice
	Chime   bool          // a sound when something happens in the room
	Speak   bool          // the computer's voice says what has the keyboard
}

// Recording is where games are recorded.
type Recording struct {
	Enabled bool
	Folder  string // "" is the default, see Dir
}

func (v *Video) fields() []field {
	return []field{
		number("scale", &v.Scale, 2, 1, 8, "The size of the screens in a new window: 1 is that of the console, 2 is twice as large."),
		choice("layout", &v.Layout, "vertical", Layouts(), "The layout of the two screens: one above the other, side by side, one of them large with both beside it (hybrid), or only one of them.").shown("How the two screens are arranged."),
		choice("emphasis", &v.Emphasis, "even", Emphases(), "The large one of the two screens; the other is beside it at a third of its size. In the hybrid layout, even is the top screen.").shown("The large one of the two screens; the other is beside it at a third of its size. In the hybrid layout, “Same size” shows the top screen large."),
		choice("rotation", &v.Rotation, "none", Rotations(), "Turns the picture for games that hold the console like a book: with left, the top screen is at the left, with right, at the right. The stylus and the D-pad turn with it.").shown("For games that hold the console like a book. Turned to the left, the top screen is at the left. The stylus and the D-pad turn with it."),
		toggle("swap", &v.Swap, false, "Let the screens change places: the bottom screen comes first, or is the one that shows. In the hybrid layout the other one is large."),
		number("gap", &v.Gap, 0, 0, 192, "How much room is left between the screens, in pixels of the console. On the console itself it is about 90."),
		toggle("integer", &v.Integer, false, "Enlarge only to whole multiples: all pixels are of one size, and the screens may be smaller."),
		choice("filter", &v.Filter, "nearest", Filters(), "How pixels are enlarged: nearest is sharp, linear is soft.").shown("How pixels look when they are enlarged."),
		toggle("others", &v.Others, true, "Show the other players' consoles, small, beside your own."),
		number("even", &v.Even, 4, 0, 8, "How many frames the other players' consoles may be shown later, so that they move as evenly as your own. As few as the connection needs are held back. 0 shows each as it comes."),
		toggle("hud", &v.HUD, false, "Show figures beside the consoles: frames, input delay, ping, and whether all machines agree. Without them a dot says how the game goes.").shown("Shows figures in the corner: frames, input delay, ping, and whether all computers agree."),
		choice("bars", &v.Bars, "black", Bars(), "What is behind the consoles of a game: black, or each player's favourite colour, darkened."),
		choice("theme", &v.Theme, "dark", Themes(), "The colours of the window; contrast is white and yellow on black, with strong borders."),
		choice("language", &v.Language, "auto", Speaks(), "The language of nettplay, in the window and the terminal. With auto it is the system's, or English where nettplay does not speak that.").shown("The language of this window."),
		toggle("fullscreen", &v.Fullscreen, false, "Fill the whole display."),
		toggle("vsync", &v.VSync, true, "Wait for the display before showing a picture. Without it pictures come a little earlier and may be torn."),
		setting("ui_scale", &v.UIScale, 0, "The size of text and buttons. With 0 it suits the display: larger on a handheld.",
			"0.5 to 4.0, or 0.0", orZero(between(0.5, 4.0))).shown("Auto suits the display: larger on a handheld."),
		toggle("streamer", &v.Streamer, false, "Streamer mode: hide invitations, codes, addresses and keys everywhere in the window, so that nobody who sees a stream or a screenshot can use them. Copying them works as ever."),
		toggle("flash", &v.Flash, true, "Flash the window, while another is in front, when somebody writes or joins, or a game begins."),
	}
}

func (a *Audio) fields() []field {
	return []field{
		toggle("enabled", &a.Enabled, true, "Play the sound of your console."),
		number("volume", &a.Volume, 100, 0, 100, "How loud, in percent."),
		setting("latency", &a.Latency, 64*time.Millisecond, "How much sound is buffered. Less comes sooner after a press; too little crackles.",
			`"10ms" to "500ms"`, lasting(10*time.Millisecond, 500*time.Millisecond)),
		setting("device", &a.Device, "", `The device that plays the sound, by its name. With "" the system chooses one, as it does while the named device is not there.`,
			`"" or the name of a sound device`, printable(0, 256)).shown("While it is not connected, the system's default device is used."),
		toggle("chime", &a.Chime, true, "Make a sound, while another window is in front, when somebody writes or joins, or a game begins."),
		toggle("speak", &a.Speak, false, "Read the focused control and short messages aloud, with the computer's speech-dispatcher where it is installed (Linux)."),
	}
}

func (r *Recording) fields() []field {
	return []field{
		toggle("enabled", &r.Enabled, true, "Record every game, so that it can be played again: all inputs, some kilobytes a minute. Recordings stay until you delete them."),
		setting("folder", &r.Folder, "", `Where recordings go. With "" it is $XDG_DATA_HOME/nettplay/recordings, or that under ~/.local/share.`,
			`"" or a folder that begins with `+root+" or "+home, orZero(whyFolder)).shown("Where recordings go. Left empty, it is the folder nettplay/recordings among your data."),
	}
}
