package emucore

/*
#cgo CFLAGS: -std=gnu17 -O2 -Wall -Wextra -Wconversion -Wshadow -fvisibility=hidden
#cgo linux CFLAGS: -fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2
#cgo linux LDFLAGS: -rdynamic -ldl -Wl,-z,relro -Wl,-z,now
#include "worker_pages.h"
*/
import "C"

import "unsafe"

// The constants of protocol.h and libretro.h. No other file uses package C, and no C
// type leaves this package.
const (
	workerName = C.NP_WORKER_NAME
	fdROM      = C.NP_FD_ROM
	fdSave     = C.NP_FD_SAVE

	opProbe   = C.NP_OP_PROBE
	opLoad    = C.NP_OP_LOAD
	opStep    = C.NP_OP_STEP
	opSave    = C.NP_OP_SAVE
	opRestore = C.NP_OP_RESTORE
	opMemory  = C.NP_OP_MEMORY
	opFlush   = C.NP_OP_FLUSH
	opOptions = C.NP_OP_OPTIONS

	seenLid      = C.NP_SEEN_LID
	seenMic      = C.NP_SEEN_MIC
	seenUsername = C.NP_SEEN_USERNAME
	seenWall     = C.NP_SEEN_WALL
	seenUp       = C.NP_SEEN_UP
	seenUsed     = C.NP_SEEN_USED
	seenSleep    = C.NP_SEEN_SLEEP
	seenPacket   = C.NP_SEEN_PACKET
	seenStrange  = C.NP_SEEN_STRANGE

	opSnapshot = C.NP_OP_SNAPSHOT
	opBack     = C.NP_OP_BACK
	snapshots  = C.NP_SNAPSHOTS

	wayAsync    = C.NP_WAY_ASYNC
	waySIGBUS   = C.NP_WAY_SIGBUS
	wayMprotect = C.NP_WAY_MPROTECT

	statusOK     = C.NP_OK
	statusFailed = C.NP_FAILED

	regionRAM  = C.NP_REGION_RAM
	regionSRAM = C.NP_REGION_SRAM

	pathMax    = C.NP_PATH_MAX
	nameMax    = C.NP_NAME_MAX
	optionsMax = C.NP_OPTIONS_MAX
	optionRoom = C.NP_OPTIONS_ROOM
	cheatsMax  = C.NP_CHEATS_MAX
	scrubsMax  = C.NP_SCRUBS_MAX
	buttonsMax = C.NP_BUTTONS_MAX
	labelMax   = C.NP_LABEL_MAX

	videoMaxSide = C.NP_VIDEO_MAX_SIDE
	videoMax     = C.NP_VIDEO_MAX
	audioMax     = C.NP_AUDIO_MAX
	blobMax      = C.NP_BLOB_MAX
	fileMax      = C.NP_FILE_MAX

	offSetup   = C.NP_OFF_SETUP
	offWords   = C.NP_OFF_WORDS
	offAudio   = C.NP_OFF_AUDIO
	offVideo   = C.NP_OFF_VIDEO
	offBlob    = C.NP_OFF_BLOB
	sharedSize = C.NP_SHARED_SIZE

	formatXRGB1555 = C.RETRO_PIXEL_FORMAT_0RGB1555
	formatXRGB8888 = C.RETRO_PIXEL_FORMAT_XRGB8888
	formatRGB565   = C.RETRO_PIXEL_FORMAT_RGB565

	joypadA      = C.RETRO_DEVICE_ID_JOYPAD_A
	joypadB      = C.RETRO_DEVICE_ID_JOYPAD_B
	joypadSelect = C.RETRO_DEVICE_ID_JOYPAD_SELECT
	joypadStart  = C.RETRO_DEVICE_ID_JOYPAD_START
	joypadRight  = C.RETRO_DEVICE_ID_JOYPAD_RIGHT
	joypadLeft   = C.RETRO_DEVICE_ID_JOYPAD_LEFT
	joypadUp     = C.RETRO_DEVICE_ID_JOYPAD_UP
	joypadDown   = C.RETRO_DEVICE_ID_JOYPAD_DOWN
	joypadR      = C.RETRO_DEVICE_ID_JOYPAD_R
	joypadL      = C.RETRO_DEVICE_ID_JOYPAD_L
	joypadX      = C.RETRO_DEVICE_ID_JOYPAD_X
	joypadY      = C.RETRO_DEVICE_ID_JOYPAD_Y
)

// libretroLanguage is RETRO_LANGUAGE_* by [Firmware].Language.
var libretroLanguage = [...]uint32{
	C.RETRO_LANGUAGE_JAPANESE,
	C.RETRO_LANGUAGE_ENGLISH,
	C.RETRO_LANGUAGE_FRENCH,
	C.RETRO_LANGUAGE_GERMAN,
	C.RETRO_LANGUAGE_ITALIAN,
	C.RETRO_LANGUAGE_SPANISH,
}

// The structs of message.go have the same sizes and last-field offsets as C's. (Two
// array types are equal only if they have the same length.)
var (
	_ [unsafe.Sizeof(setup{})]byte   = [unsafe.Sizeof(C.struct_np_setup{})]byte{}
	_ [unsafe.Sizeof(words{})]byte   = [unsafe.Sizeof(C.struct_np_words{})]byte{}
	_ [unsafe.Sizeof(request{})]byte = [unsafe.Sizeof(C.struct_np_request{})]byte{}
	_ [unsafe.Sizeof(reply{})]byte   = [unsafe.Sizeof(C.struct_np_reply{})]byte{}

	_ [unsafe.Offsetof(setup{}.options)]byte    = [unsafe.Offsetof(C.struct_np_setup{}.options)]byte{}
	_ [unsafe.Offsetof(setup{}.lid)]byte        = [unsafe.Offsetof(C.struct_np_setup{}.lid)]byte{}
	_ [unsafe.Offsetof(request{}.snapshot)]byte = [unsafe.Offsetof(C.struct_np_request{}.snapshot)]byte{}
	_ [unsafe.Offsetof(reply{}.sampleRate)]byte = [unsafe.Offsetof(C.struct_np_reply{}.sample_rate)]byte{}
)

// replySize is the size of a reply on the socket, in bytes.
const replySize = int(unsafe.Sizeof(reply{}))

// requestBytes returns a request as it is sent over the socket.
func requestBytes(q *request) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(q)), unsafe.Sizeof(*q))
}

// replyBytes returns a reply's memory, to receive into from the socket. Any bytes make
// a valid struct; its values are checked afterwards.
func replyBytes(r *reply) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(r)), unsafe.Sizeof(*r))
}

// setup returns the part of the shared memory that says how to build the console.
func (s *shared) setup() *setup { return (*setup)(unsafe.Pointer(&s.mem[offSetup])) }

// words returns the part for text from the worker.
func (s *shared) words() *words { return (*words)(unsafe.Pointer(&s.mem[offWords])) }

// kernelWays returns a bit for each [SnapshotWay] that this machine's kernel supports.
func kernelWays() uint { return uint(C.np_track_ways()) }

// audio returns the part for sound, as n stereo samples.
func (s *shared) audio(n int) []int16 {
	return unsafe.Slice((*int16)(unsafe.Pointer(&s.mem[offAudio])), 2*n)
}
