#!/bin/sh
# ulikunitz/xz: the first byte of an LZMA stream costs a whole dictionary of unpacking, and what goes wrong there takes good bytes along.
#
# Package:  github.com/ulikunitz/xz v0.5.15, a Go module (which unpacks 7z archives for github.com/bodgit/sevenzip).
# Guess:    a reader unpacks what is asked for, and a buffer of some kilobytes beyond: the header of a game in an archive comes at once, however large
#           the rest is. A dictionary as long as the part that is read is enough, since nothing in that part is copied from farther back.
# Seen:     each time that its buffer is empty the LZMA reader unpacks until the dictionary is full: 16 MiB of memory and some tenths of a second
#           for a byte, and with the largest setting of 7-Zip seconds. With LZMA2 it goes on to the end of a chunk, 2 MiB at most. And where something
#           in what was unpacked ahead fails, the error comes in place of the good bytes before it: with a dictionary as long as a file, the file's
#           end is missing when the next one is copied from farther back, as a game and its revised edition are in one archive. To look
#           at the beginnings of many games, unpack each archive once, and in order.
#           nettplay had such dictionaries, and called good archives damaged; it leaves room for what is read ahead now.
# Output:   of 32 MiB, one byte is asked for:
#           LZMA, dictionary of  1 MiB: unpacked  1.0 MiB
#           LZMA, dictionary of 16 MiB: unpacked 16.0 MiB
#           LZMA2, dictionary of 16 MiB: unpacked 0.1 MiB
#           flate:                       unpacked 0.0 MiB
#           a file of 5000 bytes, another one, and the first one again:
#           dictionary of 16384 bytes: 5000 bytes are read, error: none
#           dictionary of  5000 bytes: 4728 bytes are read, error: writeMatch: distance out of range
#
# Needs Go, and xz, which every Debian has. Takes some ten seconds.
. "$(dirname "$0")/begin.inc"
cat >go.mod <<'M'
module ahead

go 1.21
M
cat >main.go <<'G'
package main

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand"
	"os/exec"

	"github.com/ulikunitz/xz/lzma"
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// pack packs by xz.
func pack(data []byte, args ...string) []byte {
	xz := exec.Command("xz", append(args, "-c")...)
	xz.Stdin = bytes.NewReader(data)
	return must(xz.Output())
}

// ahead is how many MiB of those are unpacked for one byte. All parts of them are packed alike, so it follows from what was taken in.
func ahead(packed []byte, size int, open func(io.Reader) (io.Reader, error)) float64 {
	in := bytes.NewReader(packed)
	must(io.ReadFull(must(open(in)), make([]byte, 1)))
	return float64(len(packed)-in.Len()) / float64(len(packed)) * float64(size) / (1 << 20)
}

func main() {
	const size = 32 << 20
	chance := rand.New(rand.NewSource(1))
	data := make([]byte, size)
	for i := range data {
		data[i] = byte(chance.Intn(16)) // which takes half of the space
	}
	fmt.Println("of 32 MiB, one byte is asked for:")
	for _, dict := range []int{1 << 20, 16 << 20} {
		packed := pack(data, "--format=lzma", fmt.Sprintf("--lzma1=preset=0,dict=%d", dict))
		n := ahead(packed, size, func(r io.Reader) (io.Reader, error) { return lzma.NewReader(r) })
		fmt.Printf("LZMA, dictionary of %2d MiB: unpacked %4.1f MiB\n", dict>>20, n)
	}
	packed := pack(data, "--format=raw", "--lzma2=preset=0,dict=16MiB")
	n := ahead(packed, size, func(r io.Reader) (io.Reader, error) { return lzma.Reader2Config{DictCap: 16 << 20}.NewReader2(r) })
	fmt.Printf("LZMA2, dictionary of 16 MiB: unpacked %.1f MiB\n", n)
	var deflated bytes.Buffer
	w := must(flate.NewWriter(&deflated, 1))
	must(w.Write(data))
	w.Close()
	packed = deflated.Bytes()
	n = ahead(packed, size, func(r io.Reader) (io.Reader, error) { return flate.NewReader(r), nil })
	fmt.Printf("flate:                       unpacked %.1f MiB\n", n)

	fmt.Println("a file of 5000 bytes, another one, and the first one again:")
	one, other := make([]byte, 5000), make([]byte, 1000)
	chance.Read(one)
	chance.Read(other)
	packed = pack(append(append(append([]byte{}, one...), other...), one...), "--format=lzma", "--lzma1=dict=16KiB")
	for _, dict := range []uint32{16 << 10, 5000} {
		binary.LittleEndian.PutUint32(packed[1:], dict) // its place in the head of an .lzma file
		r := must(lzma.ReaderConfig{DictCap: 16 << 10}.NewReader(bytes.NewReader(packed)))
		n, err := io.ReadFull(r, make([]byte, len(one)))
		if err == nil {
			err = fmt.Errorf("none")
		}
		fmt.Printf("dictionary of %5d bytes: %d bytes are read, error: %v\n", dict, n, err)
	}
}
G
go mod edit -require=github.com/ulikunitz/xz@v0.5.15
go mod tidy -e >/dev/null 2>&1
go run . | tee seen
[ "$(sed -n 's/.*unpacked *\([0-9]*\)\..*/\1/p; s/.*: \([0-9]*\) bytes are read, error: \(none\|.*range\)$/\1 \2/p' seen | paste -sd'|')" = "1|16|0|0|5000 none|4728 writeMatch: distance out of range" ] || {
	echo "changed: it unpacks less ahead, or what was good before an error comes" >&2
	exit 1
}
