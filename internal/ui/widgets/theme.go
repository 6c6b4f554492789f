package widgets

import "github.com/nettplay/nettplay/internal/ui/draw"

// Theme is the colours.
type Theme struct {
	Dark bool

	Back, Panel, Raised, Field draw.Color // the window, cards, what stands on cards, where one writes
	Line, LineStrong           draw.Color // borders
	Text, Soft, Faint          draw.Color // words, second lines, hints
	Accent, AccentText         draw.Color // the way forward, and words on it
	AccentSoft                 draw.Color // what is chosen
	Good, Warning, Danger      draw.Color // as words and marks
	DangerFill, DangerText     draw.Color // a dangerous button
	Focus                      draw.Color // the ring
	Shade                      draw.Color // over what is behind a dialog
	Shadow                     draw.Color
}

// DarkTheme is light words on a dark window.
func DarkTheme() Theme {
	return Theme{
		Dark: true,
		Back: draw.RGB(0x16181d), Panel: draw.RGB(0x1e2128), Raised: draw.RGB(0x2a2e37), Field: draw.RGB(0x14161b),
		Line: draw.RGB(0x2e323c), LineStrong: draw.RGB(0x4a505e),
		Text: draw.RGB(0xeceef2), Soft: draw.RGB(0xa9b0bd), Faint: draw.RGB(0x8b93a3),
		Accent: draw.RGB(0x5cc9b1), AccentText: draw.RGB(0x0b211c), AccentSoft: draw.RGB(0x22403c),
		Good: draw.RGB(0x6fd08c), Warning: draw.RGB(0xecb95a), Danger: draw.RGB(0xff8a80),
		DangerFill: draw.RGB(0xc8473f), DangerText: draw.White,
		Focus: draw.RGB(0x8be9d3),
		Shade: draw.Color{R: 6, G: 7, B: 10, A: 170}, Shadow: draw.Color{A: 110},
	}
}

// LightTheme is dark words on a light window.
func LightTheme() Theme {
	return Theme{
		Back: draw.RGB(0xf3f4f6), Panel: draw.RGB(0xffffff), Raised: draw.RGB(0xeceef2), Field: draw.RGB(0xffffff),
		Line: draw.RGB(0xdfe2e8), LineStrong: draw.RGB(0xb4bac6),
		Text: draw.RGB(0x1b1e25), Soft: draw.RGB(0x555d6b), Faint: draw.RGB(0x687080),
		Accent: draw.RGB(0x0f766e), AccentText: draw.White, AccentSoft: draw.RGB(0xd3ece8),
		Good: draw.RGB(0x1c7a3c), Warning: draw.RGB(0x8a5a00), Danger: draw.RGB(0xb3261e),
		DangerFill: draw.RGB(0xc0362c), DangerText: draw.White,
		Focus: draw.RGB(0x14958a),
		Shade: draw.Color{R: 22, G: 26, B: 34, A: 110}, Shadow: draw.Color{R: 20, G: 26, B: 40, A: 46},
	}
}

// ContrastTheme is for those who see little: white and yellow on black, no colour that is near to another beside it.
func ContrastTheme() Theme {
	return Theme{
		Dark: true,
		Back: draw.Black, Panel: draw.Black, Raised: draw.RGB(0x1f1f1f), Field: draw.Black,
		Line: draw.RGB(0xb0b0b0), LineStrong: draw.White,
		Text: draw.White, Soft: draw.White, Faint: draw.RGB(0xd8d8d8),
		Accent: draw.RGB(0xffe100), AccentText: draw.Black, AccentSoft: draw.RGB(0x4a4200),
		Good: draw.RGB(0x7dff9b), Warning: draw.RGB(0xffe100), Danger: draw.RGB(0xffa69e),
		DangerFill: draw.RGB(0xffa69e), DangerText: draw.Black,
		Focus: draw.RGB(0x00e5ff),
		Shade: draw.Color{A: 215}, Shadow: draw.Color{A: 255},
	}
}

// ThemeOf returns the theme that the settings name; see config.Themes.
func ThemeOf(name string) Theme {
	switch name {
	case "light":
		return LightTheme()
	case "contrast":
		return ContrastTheme()
	}
	return DarkTheme()
}

// Kind returns the colour of words and marks of a kind.
func (t *Theme) Kind(k Kind) draw.Color {
	return [...]draw.Color{
		Normal: t.Soft, Primary: t.Accent, Danger: t.Danger, Quiet: t.Soft, Good: t.Good, Warning: t.Warning,
	}[k]
}

// kindIcons are the marks of messages.
var kindIcons = [...]draw.Icon{
	Normal: draw.IconInfo, Primary: draw.IconInfo, Danger: draw.IconError, Quiet: draw.IconInfo, Good: draw.IconCheck, Warning: draw.IconWarning,
}

// Styles of text.
var (
	StyleBody  = draw.Style{Size: 15}
	StyleBold  = draw.Style{Size: 15, Weight: draw.Medium}
	StyleSmall = draw.Style{Size: 13}
	StyleHead  = draw.Style{Size: 17, Weight: draw.Bold}
	StyleTitle = draw.Style{Size: 24, Weight: draw.Bold}
	StyleMono  = draw.Style{Size: 14, Weight: draw.Mono}
)

// Measures, in points.
const (
	Gap     = 12 // between widgets
	Padding = 16 // inside of cards
	Control = 36 // height of buttons and fields
	corner  = 8
)
