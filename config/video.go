package config

import (
	"strings"
	"time"
)

// Video is how the consoles' screens are shown.
type Video struct {
	Scale      int     // window pixels for one of the console, 1 to 8
	Layout     string  // one of Layouts
	Emphasis   string  // one of Emphases
	Swap       bool    // the bottom screen comes first, or is the one that shows
	Gap        int     // between the screens, in pixels of the console, 0 to 192
	Integer    bool    // whole multiples of the console's pixels only
	Filter     string  // one of Filters
	Others     bool    // show the other players' consoles
	HUD        bool    // show the figures
	Theme      string  // one of Themes
	Fullscreen bool    // start without a window frame
	Even       int     // frames of the others' consoles that may be held back, 0 to 8
	VSync      bool    // wait for the display: no tearing, up to a frame later
	UIScale    float64 // size of texts and buttons, 0.5 to 4; 0 is what suits the display
	Flash      bool    // the window asks for attention when something happens in the room
}

// Layouts returns how the two screens of a console can be arranged.
func Layouts() []string { return []string{"vertical", "horizontal", "hybrid", "top", "bottom"} }

// Emphases returns which of the two screens can be the large one.
func Emphases() []string { return []string{"even", "top", "bottom"} }

// Themes returns the looks of the window.
func Themes() []string { return []string{"dark", "light"} }

// Filters returns how a screen can be enlarged.
func Filters() []string { return []string{"nearest", "linear"} }

// Audio is how the sound is played.
type Audio struct {
	Enabled bool
	Volume  int           // percent, 0 to 100
	Latency time.Duration // how much is buffered, 10 ms to 500 ms
	Device  string        // what plays it, by its name; "" is the system's choice
	Chime   bool          // a sound when something happens in the room
}

// Recording is where games are recorded.
type Recording struct {
	Enabled bool
	Folder  string // "" is the default, see Dir
}

func defaultVideo() Video {
	return Video{
		Scale: 2, Layout: "vertical", Emphasis: "even", Filter: "nearest", Others: true, Even: 4, HUD: true,
		Theme: "dark", VSync: true, Flash: true,
	}
}

func defaultAudio() Audio {
	return Audio{Enabled: true, Volume: 100, Latency: 64 * time.Millisecond, Chime: true}
}

func videoFields() []field {
	return []field{
		newField("video.scale", "How many times larger than on the console the screens are in a new window.",
			"1 to 8", func(c *Config) *int { return &c.Video.Scale }, between(1, 8)),
		newField("video.layout", "The arrangement of the two screens: one above the other, side by side, one of them large with both beside it (hybrid), or only one of them.",
			strings.Join(Layouts(), ", "), func(c *Config) *string { return &c.Video.Layout }, oneOf(Layouts())),
		newField("video.emphasis", "Which of the two screens is the large one, with the other beside it at a third of its size. In the hybrid arrangement, even is the top screen.",
			strings.Join(Emphases(), ", "), func(c *Config) *string { return &c.Video.Emphasis }, oneOf(Emphases())),
		newField("video.swap", "Let the screens change places: the bottom screen comes first, or is the one that shows. In the hybrid arrangement the other one is large.",
			"true or false", func(c *Config) *bool { return &c.Video.Swap }, anything[bool]),
		newField("video.gap", "How much room is left between the screens, in pixels of the console. On the console itself it is about 90.",
			"0 to 192", func(c *Config) *int { return &c.Video.Gap }, between(0, 192)),
		newField("video.integer", "Enlarge only to whole multiples: all pixels are of one size, and the screens may be smaller.",
			"true or false", func(c *Config) *bool { return &c.Video.Integer }, anything[bool]),
		newField("video.filter", "How pixels are enlarged: nearest is sharp, linear is soft.",
			strings.Join(Filters(), ", "), func(c *Config) *string { return &c.Video.Filter }, oneOf(Filters())),
		newField("video.others", "Show the other players' consoles, small, beside your own.",
			"true or false", func(c *Config) *bool { return &c.Video.Others }, anything[bool]),
		newField("video.even", "How many frames the other players' consoles may be shown later, so that they move as evenly as your own. As few as the line needs are held back. 0 shows each as it comes.",
			"0 to 8", func(c *Config) *int { return &c.Video.Even }, between(0, 8)),
		newField("video.hud", "Show figures in the corner: frames, input delay, ping, and whether all machines agree.",
			"true or false", func(c *Config) *bool { return &c.Video.HUD }, anything[bool]),
		newField("video.theme", "The colours of the window.",
			strings.Join(Themes(), ", "), func(c *Config) *string { return &c.Video.Theme }, oneOf(Themes())),
		newField("video.fullscreen", "Fill the whole display.",
			"true or false", func(c *Config) *bool { return &c.Video.Fullscreen }, anything[bool]),
		newField("video.vsync", "Wait for the display before showing a picture. Without it pictures come a little earlier and may be torn.",
			"true or false", func(c *Config) *bool { return &c.Video.VSync }, anything[bool]),
		newField("video.ui_scale", "How large texts and buttons are. 0 is what suits the display: larger on a handheld.",
			"0.5 to 4.0, or 0.0", func(c *Config) *float64 { return &c.Video.UIScale }, orZero(between(0.5, 4.0))),
		newField("video.flash", "Flash the window, while another is in front, when somebody writes or joins, or a game begins.",
			"true or false", func(c *Config) *bool { return &c.Video.Flash }, anything[bool]),
	}
}

func audioFields() []field {
	return []field{
		newField("audio.enabled", "Play the sound of your console.",
			"true or false", func(c *Config) *bool { return &c.Audio.Enabled }, anything[bool]),
		newField("audio.volume", "How loud, in percent.",
			"0 to 100", func(c *Config) *int { return &c.Audio.Volume }, between(0, 100)),
		newField("audio.latency", "How much sound is buffered. Less comes sooner after a press; too little crackles.",
			`"10ms" to "500ms"`, func(c *Config) *time.Duration { return &c.Audio.Latency }, lasting(10*time.Millisecond, 500*time.Millisecond)),
		newField("audio.device", `The device that plays the sound, by its name. With "" the system chooses one, as it does while the named device is not there.`,
			`"" or the name of a sound device`, func(c *Config) *string { return &c.Audio.Device }, printable(0, 256)),
		newField("audio.chime", "Make a sound, while another window is in front, when somebody writes or joins, or a game begins.",
			"true or false", func(c *Config) *bool { return &c.Audio.Chime }, anything[bool]),
	}
}

func recordingFields() []field {
	return []field{
		newField("recording.enabled", "Record every game, so that it can be played again: all inputs, some kilobytes a minute. Recordings stay until you delete them.",
			"true or false", func(c *Config) *bool { return &c.Recording.Enabled }, anything[bool]),
		newField("recording.folder", `Where recordings go. With "" it is $XDG_DATA_HOME/nettplay/recordings, or that under ~/.local/share.`,
			`"" or a folder that begins with / or ~/`, func(c *Config) *string { return &c.Recording.Folder }, whyRecordingFolder),
	}
}

func whyRecordingFolder(path string) string {
	if path == "" {
		return ""
	}
	return whyFolder(path)
}
