package emucore

import (
	"io/fs"
	"syscall"
)

// fileOf names a file's contents.
func fileOf(st fs.FileInfo) romFile {
	sys := st.Sys().(*syscall.Stat_t)
	return romFile{uint64(st.Size()), uint64(st.ModTime().UnixNano()), uint64(sys.Ctim.Nano()), sys.Ino}
}
