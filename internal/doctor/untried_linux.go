package doctor

// untried is empty: all of nettplay is tried on Linux.
var untried []string
