// Package cheat knows Action Replay codes: what they may do ([Check]), how they travel and are recorded ([List],
// [Encode]), and the files in which players have them.
//
//	found := cheat.Find(cheat.Game{Path: rom.Path, Code: rom.Code, HeaderCRC: rom.HeaderCRC}, folder)
//	agreed := found.On() // those that the files have switched on
//
// A code is a small program that a core runs once a frame, on the console's own memory: it is part of what a
// console computes. So its lists are bounded, every loop ends in time, and nothing is read behind a code's end.
//
// Three kinds of files are read, each by a function of bytes alone: melonDS' .mch and DeSmuME's .dct, in
// text.go, and the database of flash cartridges, usrcheat.dat, in usrcheat.go. Their errors name the line or the
// field. Where files are looked for is in find.go.
package cheat
