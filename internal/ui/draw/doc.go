// Package draw turns shapes, pictures and words into a list of coloured and
// textured rectangles that any renderer can paint.
//
// A [List] takes rectangles (plain, rounded, outlined, with a shadow),
// pictures, icons and text in points; it multiplies by the scale, snaps edges
// to whole pixels, cuts everything to the clip in force, and keeps the result
// as quads in pixels, grouped by texture. Package window paints a list with
// a graphics card, or where there is none lets a [Painter] paint what has
// changed into memory; [Raster] paints it into an image, with no window at all
// and the same on every machine, which is how the golden images of tests are
// made.
//
// Pixels of textures live in a [Store]: the pictures of consoles, icons of
// games, and the pages of masks that [Fonts] fills with glyphs, corners and
// icons as they are first needed. A renderer follows the store with
// [Store.Sync].
//
// # Text
//
// Letters come from the first of these that has them:
//
//  1. the Go fonts, compiled in: Latin, Greek and Cyrillic;
//  2. a font of the system for everything else, above all Japanese: the first
//     file of [SystemFonts] that can be read (Noto Sans CJK, Droid Sans
//     Fallback, IPA, VL Gothic and others), opened when the first letter needs it;
//  3. the 12-pixel bitmap font of github.com/hajimehoshi/bitmapfont, compiled
//     in, so that a Japanese nickname shows on a system without any font;
//  4. a box.
//
// Combining marks are composed with their letter where Unicode has the pair
// (NFC) and laid over it otherwise. There is no shaping and no right-to-left
// order. Control characters and those that change the direction of text have
// no width and no picture, for names come from strangers.
//
// # Promises
//
// Nothing here knows SDL, starts a goroutine or looks at a clock. A list that
// is reused does not allocate once it has grown. All of a Store, its Fonts and
// its Lists belong to one goroutine at a time.
//
// Read package widgets next: the widgets drawn with this.
package draw
