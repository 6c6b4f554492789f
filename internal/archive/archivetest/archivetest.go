// Package archivetest packs archives for tests.
package archivetest

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"unicode/utf16"
)

// File is a file to be packed.
type File struct {
	Name string
	Data []byte
}

// Zip packs files as most programs do.
func Zip(files ...File) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, f := range files {
		to, err := w.Create(f.Name)
		if err == nil {
			_, err = to.Write(f.Data)
		}
		if err != nil {
			panic(err) // a buffer takes everything
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// Seven makes a 7z archive, in which the files are one stream that is not compressed (7-Zip's 7zFormat.txt).
func Seven(files ...File) []byte {
	var data, names []byte
	list := []byte{1, 4} // header, streams
	for _, f := range files {
		data = append(data, f.Data...)
		for _, u := range utf16.Encode([]rune(f.Name + "\x00")) {
			names = binary.LittleEndian.AppendUint16(names, u)
		}
	}
	list = append(append(list, 6, 0, 1, 9), number(len(data))...) // one packed stream, at 0
	list = append(list, 0, 7, 0xb, 1, 0, 1, 1, 0, 0xc)            // one folder, one coder: copy
	list = append(append(list, number(len(data))...), 0, 8, 0xd)
	list = append(list, number(len(files))...)
	if len(files) > 1 {
		list = append(list, 9)
		for _, f := range files[:len(files)-1] {
			list = append(list, number(len(f.Data))...)
		}
	}
	list = append(list, 0xa, 1)
	for _, f := range files {
		list = binary.LittleEndian.AppendUint32(list, crc32.ChecksumIEEE(f.Data))
	}
	list = append(list, 0, 0, 5) // and files
	list = append(append(list, number(len(files))...), 0x11)
	list = append(append(append(list, number(1+len(names))...), 0), names...)
	list = append(list, 0, 0)
	start := binary.LittleEndian.AppendUint64(nil, uint64(len(data)))
	start = binary.LittleEndian.AppendUint64(start, uint64(len(list)))
	start = binary.LittleEndian.AppendUint32(start, crc32.ChecksumIEEE(list))
	b := append([]byte("7z\xbc\xaf\x27\x1c"), 0, 4)
	b = binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(start))
	return bytes.Join([][]byte{b, start, data, list}, nil)
}

// number is one of four bytes, behind a byte that says so.
func number(n int) []byte { return binary.LittleEndian.AppendUint32([]byte{0xf0}, uint32(n)) }
