// Package library is the player's shelf of games: what is in the ROM folders, with
// title and icon, to be searched, sorted and picked.
//
// A [Shelf] looks through the folders in the background and tells when there
// is more to see; [Shelf.List] is what is known at this moment. First come the
// names of the files, at once; then titles and icons, when the files have been
// hashed, which for a large collection takes a while. [Shelf.Look] finds out whether the
// folders have changed since. [Find] and [Sort] choose
// from a list; they are pure.
//
// The package promises: a file that is no game is shown with a sentence that says why,
// and never stops the others; nothing in the folders is written; what a banner
// says is bounded and cleaned by emucore, which reads it. Files from elsewhere
// can be put on the shelf ([Shelf.Add]): they are remembered as links in a folder
// of our own, so they are found in rooms too.
//
// It imports nothing that draws. Read internal/ui/app next.
package library
