package emucore

import (
	"io/fs"
	"syscall"
)

// fileOf names a file's contents. Windows has no time of other changes in a folder's list, but one of creation.
func fileOf(st fs.FileInfo) romFile {
	sys := st.Sys().(*syscall.Win32FileAttributeData)
	return romFile{size: uint64(st.Size()), changed: uint64(sys.LastWriteTime.Nanoseconds()), status: uint64(sys.CreationTime.Nanoseconds())}
}
