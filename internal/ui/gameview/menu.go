package gameview

import "github.com/nettplay/nettplay/internal/ui/widgets"

// menuItem is one line of the menu.
type menuItem struct {
	do   Action // NoAction: back to the game
	text string
	kind widgets.Kind
}

// menuItems is the menu as things stand.
func menuItems(paused, alone bool) []menuItem {
	items := []menuItem{{NoAction, "Back to the game", widgets.Primary}}
	switch {
	case alone && paused:
		items = append(items, menuItem{Pause, "Go on", widgets.Normal})
	case alone:
		items = append(items, menuItem{Pause, "Pause", widgets.Normal})
	case paused:
		items = append(items, menuItem{Pause, "Go on for everybody", widgets.Normal})
	default:
		items = append(items, menuItem{Pause, "Pause for everybody", widgets.Normal})
	}
	if !alone {
		items = append(items, menuItem{OpenChat, "Write to the others", widgets.Normal})
	}
	return append(items,
		menuItem{NextLayout, "Another layout", widgets.Normal},
		menuItem{Screenshot, "Take a screenshot", widgets.Normal},
		menuItem{Settings, "Settings", widgets.Normal},
		menuItem{Leave, "Leave the game", widgets.Danger},
	)
}
