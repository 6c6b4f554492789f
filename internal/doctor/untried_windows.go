package doctor

// untried is what Wine cannot show, or shows otherwise than Windows.
var untried = []string{
	"the walls around a core", "sound", "controllers", "the firewall's question", "displays of many dots, and several of them",
	"a router that opens by itself", "sleep", "paths longer than 260 letters", "files in OneDrive",
}
