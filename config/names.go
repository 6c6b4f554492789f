package config

import (
	"fmt"
	"strings"
)

// group is some names of one kind, and how an error or a comment sums them up.
type group struct {
	say   string
	names string // separated by two spaces: some names have one
}

// scancodes are the keys of a keyboard as SDL names them (SDL_GetScancodeName of
// SDL 2.26): common ones, for the rest differ from one keyboard to the next. Those that it has no name for are called as in SDL 3:
// the key between Left Shift and Z, which American keyboards lack, and those of Japanese and Korean ones.
var scancodes = [...]group{
	{`"A" to "Z"`, "A  B  C  D  E  F  G  H  I  J  K  L  M  N  O  P  Q  R  S  T  U  V  W  X  Y  Z"},
	{`"0" to "9"`, "0  1  2  3  4  5  6  7  8  9"},
	{`"F1" to "F24"`, "F1  F2  F3  F4  F5  F6  F7  F8  F9  F10  F11  F12  F13  F14  F15  F16  F17  F18  F19  F20  F21  F22  F23  F24"},
	{`"Up"  "Down"  "Left"  "Right"`, "Up  Down  Left  Right"},
	{`"Return"  "Escape"  "Backspace"  "Tab"  "Space"`, "Return  Escape  Backspace  Tab  Space"},
	{`"Insert"  "Delete"  "Home"  "End"  "PageUp"  "PageDown"`, "Insert  Delete  Home  End  PageUp  PageDown"},
	{`"Left Shift" (Ctrl, Alt, GUI)`, "Left Shift  Left Ctrl  Left Alt  Left GUI"},
	{`"Right Shift" (Ctrl, Alt, GUI)`, "Right Shift  Right Ctrl  Right Alt  Right GUI"},
	{`"CapsLock"  "ScrollLock"  "Numlock"  "PrintScreen"  "Pause"  "Application"`, "CapsLock  ScrollLock  Numlock  PrintScreen  Pause  Application"},
	{"the signs - = [ ] \\ # ; ' ` , . /", "-  =  [  ]  \\  #  ;  '  `  ,  .  /"},
	{`"NonUSBackslash" (left of Z)`, "NonUSBackslash"},
	{`"International 1" to "International 5"  "Language 1"  "Language 2"`, "International 1  International 2  International 3  International 4  International 5  Language 1  Language 2"},
	{`"Keypad 0" to "Keypad 9"`, "Keypad 0  Keypad 1  Keypad 2  Keypad 3  Keypad 4  Keypad 5  Keypad 6  Keypad 7  Keypad 8  Keypad 9"},
	{`"Keypad Enter" (+ - * / .)`, "Keypad Enter  Keypad +  Keypad -  Keypad *  Keypad /  Keypad ."},
}

// padNames are the buttons and half axes of a controller as SDL names them
// (SDL_GameControllerGetStringForButton and -ForAxis of SDL 2.26). The triggers
// are axes with one half only.
var padNames = [...]group{
	{"a  b  x  y", "a  b  x  y"},
	{"back  guide  start", "back  guide  start"},
	{"leftshoulder  rightshoulder", "leftshoulder  rightshoulder"},
	{"lefttrigger  righttrigger", "lefttrigger  righttrigger"},
	{"leftstick  rightstick (pressed)", "leftstick  rightstick"},
	{"dpup  dpdown  dpleft  dpright", "dpup  dpdown  dpleft  dpright"},
	{"-leftx  +leftx  -lefty  +lefty", "-leftx  +leftx  -lefty  +lefty"},
	{"-rightx  +rightx  -righty  +righty", "-rightx  +rightx  -righty  +righty"},
	{"misc1  paddle1 to paddle4  touchpad", "misc1  paddle1  paddle2  paddle3  paddle4  touchpad"},
}

// KeyNames returns the names that keys of the keyboard can have.
func KeyNames() []string { return allNames(scancodes[:]) }

// PadNames returns the names that buttons and half axes of a controller can have.
func PadNames() []string { return allNames(padNames[:]) }

func allNames(groups []group) (names []string) {
	for _, g := range groups {
		names = append(names, strings.Split(g.names, "  ")...)
	}
	return names
}

// allowedKeys and allowedButtons say what a list may have. The window makes and checks settings in each frame of some
// screens, and most of them are lists: so the words are put together once.
var (
	allowedKeys    = "a list of keys: " + sayAll(scancodes[:])
	allowedButtons = "a list of " + sayAll(padNames[:])
)

// keyList describes a setting that lists keys of the keyboard, padList one that lists
// buttons of controllers.
func keyList(name string, ptr *[]string, doc string, usual ...string) field {
	f := setting(name, ptr, append([]string{}, usual...), doc, allowedKeys, each(8, whyKeyName))
	f.device = "keyboard"
	return f
}

// laterKeyList is a keyList that files of earlier versions do not have.
func laterKeyList(name string, ptr *[]string, doc string, usual ...string) field {
	return keyList(name, ptr, doc, usual...).later()
}

func padList(name string, ptr *[]string, doc string, usual ...string) field {
	f := setting(name, ptr, append([]string{}, usual...), doc, allowedButtons, each(8, whyPadName))
	f.device = "pad"
	return f
}

func sayAll(groups []group) string {
	var says []string
	for _, g := range groups {
		says = append(says, strings.ReplaceAll(g.say, "  ", " "))
	}
	return strings.Join(says, ", ")
}

func whyKeyName(name string) string { return whyName(name, "key", scancodes[:]) }

func whyPadName(name string) string { return whyName(name, "controller button", padNames[:]) }

func whyName(name, what string, known []group) string {
	for _, g := range known {
		for one := range strings.SplitSeq(g.names, "  ") {
			if one == name {
				return ""
			}
		}
	}
	return fmt.Sprintf("%q is not a %s%s", name, what, DidYouMean(name, allNames(known)))
}
