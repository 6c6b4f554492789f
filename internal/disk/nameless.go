package disk

// namelessPrefix begins the name of a file of [Nameless], where it has one.
const namelessPrefix = "nettplay-nameless-"
