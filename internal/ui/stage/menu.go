package stage

import "github.com/nettplay/nettplay/internal/ui/kit"

// menuItem is one line of the menu.
type menuItem struct {
	do   Action // NoAction: back to the game
	text string
	kind kit.Kind
}

// menuItems is the menu as things stand.
func menuItems(paused, alone bool) []menuItem {
	items := []menuItem{{NoAction, "Back to the game", kit.Primary}}
	switch {
	case alone && paused:
		items = append(items, menuItem{Pause, "Go on", kit.Normal})
	case alone:
		items = append(items, menuItem{Pause, "Pause", kit.Normal})
	case paused:
		items = append(items, menuItem{Pause, "Go on for everybody", kit.Normal})
	default:
		items = append(items, menuItem{Pause, "Pause for everybody", kit.Normal})
	}
	if !alone {
		items = append(items, menuItem{OpenChat, "Write to the others", kit.Normal})
	}
	return append(items,
		menuItem{NextLayout, "Another layout", kit.Normal},
		menuItem{Screenshot, "Take a screenshot", kit.Normal},
		menuItem{Settings, "Settings", kit.Normal},
		menuItem{Leave, "Leave the game", kit.Danger},
	)
}
