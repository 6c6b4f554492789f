package config

import (
	"strings"
	"time"
)

// Video is how the consoles' screens are shown.
type Video struct {
	Scale      int     // window pixels for one of the console, 1 to 8
	Layout     string  // one of Layouts
	Filter     string  // one of Filters
	Fullscreen bool    // start without a window frame
	VSync      bool    // wait for the display: no tearing, up to a frame later
	UIScale    float64 // size of texts and buttons, 0.5 to 4
}

// Layouts returns how the two screens of a console can be arranged.
func Layouts() []string { return []string{"vertical", "horizontal", "top", "bottom"} }

// Filters returns how a screen can be enlarged.
func Filters() []string { return []string{"nearest", "linear"} }

// Audio is how the sound is played.
type Audio struct {
	Enabled bool
	Volume  int           // percent, 0 to 100
	Latency time.Duration // how much is buffered, 10 ms to 500 ms
}

// Recording is where games are recorded.
type Recording struct {
	Enabled bool
	Folder  string // "" is the default, see Dir
}

func defaultVideo() Video {
	return Video{Scale: 2, Layout: "vertical", Filter: "nearest", VSync: true, UIScale: 1}
}

func defaultAudio() Audio {
	return Audio{Enabled: true, Volume: 100, Latency: 64 * time.Millisecond}
}

func videoFields() []field {
	return []field{
		newField("video.scale", "How many times larger than on the console the screens are in a new window.",
			"1 to 8", func(c *Config) *int { return &c.Video.Scale }, between(1, 8)),
		newField("video.layout", "How the two screens stand: one above the other, side by side, or only one of them.",
			strings.Join(Layouts(), ", "), func(c *Config) *string { return &c.Video.Layout }, oneOf(Layouts())),
		newField("video.filter", "How pixels are enlarged: nearest is sharp, linear is soft.",
			strings.Join(Filters(), ", "), func(c *Config) *string { return &c.Video.Filter }, oneOf(Filters())),
		newField("video.fullscreen", "Fill the whole display.",
			"true or false", func(c *Config) *bool { return &c.Video.Fullscreen }, anything[bool]),
		newField("video.vsync", "Wait for the display before showing a picture. Without it pictures come a little earlier and may be torn.",
			"true or false", func(c *Config) *bool { return &c.Video.VSync }, anything[bool]),
		newField("video.ui_scale", "How large texts and buttons are.",
			"0.5 to 4.0", func(c *Config) *float64 { return &c.Video.UIScale }, between(0.5, 4.0)),
	}
}

func audioFields() []field {
	return []field{
		newField("audio.enabled", "Play the sound of your console.",
			"true or false", func(c *Config) *bool { return &c.Audio.Enabled }, anything[bool]),
		newField("audio.volume", "How loud, in percent.",
			"0 to 100", func(c *Config) *int { return &c.Audio.Volume }, between(0, 100)),
		newField("audio.latency", "How much sound is kept ready. Less is more direct, too little crackles.",
			`"10ms" to "500ms"`, func(c *Config) *time.Duration { return &c.Audio.Latency }, lasting(10*time.Millisecond, 500*time.Millisecond)),
	}
}

func recordingFields() []field {
	return []field{
		newField("recording.enabled", "Record every game, so that it can be played again: all inputs, some kilobytes a minute. Recordings are kept until you delete them.",
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
