package archive

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/bzip2"
	"compress/flate"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/bodgit/sevenzip"
	"github.com/ulikunitz/xz/lzma"
)

// openSeven reads the list of a 7z archive's files.
func openSeven(f io.ReaderAt, size int64) (list []Entry, err error) {
	if err := boundSeven(f, size); err != nil {
		return nil, err
	}
	z, err := readSeven(f, size)
	if err != nil {
		return nil, err
	}
	before := map[int]int64{} // by stream, of files that are packed as one
	for i, file := range z.File {
		if strings.HasSuffix(file.Name, "/") || file.FileInfo().IsDir() {
			continue
		}
		e := Entry{Name: file.Name, Size: int64(file.UncompressedSize), crc: file.CRC32, sum: file.CRC32 != 0}
		e.Before = before[file.Stream]
		if e.Size >= 0 && e.Size < 1<<40 && e.Before < 1<<60 {
			before[file.Stream] += e.Size
		} else {
			e.Size = -1
		}
		if file.FileInfo().Mode().Type() != 0 {
			e.Why = "it is not a regular file"
		}
		e.open = func(ctx context.Context, glance bool) (io.ReadCloser, error) {
			if glance { // readers of several files go on where the one before was left
				return openInSeven(&terms{ctx, MaxGlance, new(sync.Once)}, file)
			}
			z, err := readSeven(f, size)
			if err != nil || len(z.File) <= i {
				return nil, cmp.Or(err, errDamaged)
			}
			return openInSeven(&terms{ctx, e.Before + e.Size, new(sync.Once)}, z.File[i])
		}
		list = append(list, e)
	}
	return list, nil
}

// readSeven has package sevenzip read the list, which was bounded.
func readSeven(f io.ReaderAt, size int64) (*sevenzip.Reader, error) {
	t := &terms{context.Background(), maxList, new(sync.Once)}
	defer t.begin()()
	z, err := sevenzip.NewReader(f, size)
	if e, is := errors.AsType[*sevenzip.ReadError](err); is && e.Encrypted {
		return nil, errEncrypted
	}
	if err != nil {
		return nil, damaged(t.ctx, err)
	}
	return z, nil
}

var errEncrypted error = &refusal{"it is encrypted: unpack it with its password"}

// openInSeven opens a file on some terms.
func openInSeven(t *terms, f *sevenzip.File) (io.ReadCloser, error) {
	defer t.begin()()
	r, err := f.Open()
	if e, is := errors.AsType[*sevenzip.ReadError](err); is && e.Encrypted {
		return nil, errEncrypted
	}
	return r, err
}

// terms are what decoders are told that are being made: package sevenzip makes them with what is in the archive alone.
type terms struct {
	ctx  context.Context
	most int64 // bytes that are read of what they unpack
	made *sync.Once
}

var (
	making sync.Mutex // held while decoders are being made
	of     atomic.Pointer[terms]
)

// begin has decoders made on these terms until the first of them is read, or end is called.
func (t *terms) begin() (end func()) {
	making.Lock()
	of.Store(t)
	return t.done
}

func (t *terms) done() { t.made.Do(making.Unlock) }

func init() {
	register := func(decoder sevenzip.Decompressor, id ...byte) { sevenzip.RegisterDecompressor(id, decoder) }
	register(decoder(func(r io.Reader, _ []byte, _ uint64) (io.Reader, error) { return r, nil }), 0)
	register(decoder(newLZMA), 3, 1, 1)
	register(decoder(newLZMA2), 0x21)
	register(decoder(func(r io.Reader, _ []byte, _ uint64) (io.Reader, error) { return flate.NewReader(r), nil }), 4, 1, 8)
	register(decoder(func(r io.Reader, _ []byte, _ uint64) (io.Reader, error) { return bzip2.NewReader(r), nil }), 4, 2, 2)
	for name, id := range map[string][]byte{"zstd": {4, 0xf7, 0x11, 1}, "Brotli": {4, 0xf7, 0x11, 2}, "LZ4": {4, 0xf7, 0x11, 4}, "PPMd": {3, 4, 1}} {
		register(refusing(name), id...) // their memory has no bound
	}
	for name, id := range map[string][]byte{"Deflate64": {4, 1, 9}, "a filter for Thumb": {3, 3, 7, 1}, "a filter for Itanium": {3, 3, 4, 1}, "a filter for RISC-V": {0xb}, "Swap2": {2, 3, 2}, "Swap4": {2, 3, 4}} {
		register(refusing(name), id...) // package sevenzip would say the same of them as of damaged archives
	}
	register(func([]byte, uint64, []io.ReadCloser) (io.ReadCloser, error) { return nil, errEncrypted }, 6, 0xf1, 7, 1)
}

func refusing(name string) sevenzip.Decompressor {
	return func([]byte, uint64, []io.ReadCloser) (io.ReadCloser, error) {
		return nil, refuse("it is packed with %s, which is not unpacked here", name)
	}
}

const readAhead = 64 << 10 // bytes that are read of what a decoder unpacks before they are asked for

// decoder makes a decoder of one stream that ends with its context.
func decoder(open func(r io.Reader, properties []byte, unpacked uint64) (io.Reader, error)) sevenzip.Decompressor {
	return func(properties []byte, unpacked uint64, in []io.ReadCloser) (io.ReadCloser, error) {
		if len(in) != 1 {
			return nil, errDamaged
		}
		r, err := open(in[0], properties, unpacked)
		if err != nil {
			return nil, err
		}
		return &cancelled{terms: of.Load(), r: bufio.NewReaderSize(r, readAhead), in: in[0]}, nil
	}
}

// cancelled is a reader that ends with a context.
type cancelled struct {
	terms *terms
	r     *bufio.Reader
	in    io.Closer
}

func (c *cancelled) Read(p []byte) (int, error) {
	c.terms.done()
	if err := c.terms.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}

func (c *cancelled) ReadByte() (byte, error) { return c.r.ReadByte() }

func (c *cancelled) Close() error { return c.in.Close() }

// newLZMA has the dictionary no larger than what is packed. Less would not do where only the beginning is read: the decoder goes on until the
// dictionary is full, and fails at once when something there is copied from farther back than it keeps.
func newLZMA(r io.Reader, properties []byte, unpacked uint64) (io.Reader, error) {
	const length = 5
	if len(properties) != length {
		return nil, errDamaged
	}
	size, err := dictionary(uint64(binary.LittleEndian.Uint32(properties[1:])), unpacked)
	if err != nil {
		return nil, err
	}
	head := make([]byte, length+8)
	head[0] = properties[0]
	binary.LittleEndian.PutUint32(head[1:], size)
	binary.LittleEndian.PutUint64(head[length:], unpacked)
	return lzma.ReaderConfig{DictCap: MaxDictionary}.NewReader(bufio.NewReader(io.MultiReader(bytes.NewReader(head), r)))
}

// newLZMA2 has the dictionary no larger than what is read, with what the decoder unpacks beyond that: it goes on to the end of a chunk.
func newLZMA2(r io.Reader, properties []byte, unpacked uint64) (io.Reader, error) {
	const chunk = 2 << 20
	if len(properties) != 1 || properties[0] > 40 {
		return nil, errDamaged
	}
	size, err := dictionary(uint64(2|properties[0]&1)<<(properties[0]/2+11), min(unpacked, uint64(of.Load().most)+readAhead+chunk))
	if err != nil {
		return nil, err
	}
	return lzma.Reader2Config{DictCap: int(size)}.NewReader2(r)
}

// dictionary is the size of a dictionary that is claimed to be so large, for so much that is unpacked.
func dictionary(claimed, unpacked uint64) (uint32, error) {
	size := max(lzma.MinDictCap, min(claimed, unpacked))
	if size > MaxDictionary {
		return 0, refuse("it takes %d MiB of memory to unpack, at most %d are taken", size>>20, MaxDictionary>>20)
	}
	return uint32(size), nil
}

// boundSeven reads the list of a 7z archive's files as far as numbers are in it for which package sevenzip takes memory or
// time, and bounds those. (7-Zip's 7zFormat.txt.) All else is as long as the bytes of the list are.
func boundSeven(f io.ReaderAt, size int64) error {
	const begin = 32
	head := make([]byte, begin)
	if _, err := f.ReadAt(head, 0); err != nil {
		return refuse("it is only the beginning of a 7z archive")
	}
	if crc32.ChecksumIEEE(head[12:]) != binary.LittleEndian.Uint32(head[8:]) {
		return refuse("it is a damaged 7z archive")
	}
	at, long := binary.LittleEndian.Uint64(head[12:]), binary.LittleEndian.Uint64(head[20:])
	switch {
	case long > maxList:
		return refuse("its list of files has %d bytes, at most %d can be", long, maxList)
	case at > uint64(size-begin) || long > uint64(size-begin)-at:
		return refuse("it is only the beginning of a 7z archive")
	case long == 0:
		return refuse("there is nothing in it")
	}
	list := make([]byte, long)
	if _, err := f.ReadAt(list, int64(begin+at)); err != nil {
		return err
	}
	l := sevenList{b: list}
	if l.byte() != sevenPacked {
		l = sevenList{b: list}
		return l.bound()
	}
	l.streams()
	if l.err == nil && len(l.packed) != 1 {
		l.fail()
	}
	if l.err != nil {
		return l.err
	}
	return l.unpack(f, begin, size)
}

// unpack reads the list where it is packed itself.
func (l *sevenList) unpack(f io.ReaderAt, begin, size int64) error {
	if l.encrypted {
		return errEncrypted
	}
	if l.unpacked > maxList {
		return refuse("its list of files has %d bytes, at most %d can be", l.unpacked, maxList)
	}
	if l.at > uint64(size) || l.packed[0] > uint64(size) || len(l.coder) == 0 || l.coders != 1 {
		return refuse("its list of files is damaged, or packed in an unusual way")
	}
	in := bufio.NewReader(io.NewSectionReader(f, begin+int64(l.at), int64(l.packed[0])))
	var out io.Reader
	var err error
	t := &terms{context.Background(), maxList, new(sync.Once)}
	end := t.begin()
	switch string(l.coder) {
	case "\x00":
		out = in
	case "\x03\x01\x01":
		out, err = newLZMA(in, l.properties, l.unpacked)
	case "\x21":
		out, err = newLZMA2(in, l.properties, l.unpacked)
	default:
		err = refuse("its list of files is packed in an unusual way")
	}
	end()
	if err != nil {
		return damaged(context.Background(), err)
	}
	b := make([]byte, l.unpacked)
	if _, err := io.ReadFull(out, b); err != nil {
		return damaged(context.Background(), err)
	}
	inner := sevenList{b: b}
	return inner.bound()
}

// The kinds of what is in a list.
const (
	sevenEnd, sevenHeader, sevenPacked                 = 0, 1, 0x17
	sevenStreams, sevenFiles                           = 4, 5
	sevenPackInfo, sevenUnpackInfo, sevenSubStreams    = 6, 7, 8
	sevenSize, sevenCRC, sevenFolder, sevenUnpackSizes = 9, 0xa, 0xb, 0xc
	sevenUnpackStreams                                 = 0xd
)

// sevenList reads a list.
type sevenList struct {
	b   []byte
	err error

	// Of the first folder, for a list that is packed itself.
	at, unpacked      uint64
	packed            []uint64 // sizes of all packed streams
	coder, properties []byte
	coders            int
	encrypted         bool
	folders           int
	outsOf, files     []int // by folder
}

func (l *sevenList) fail() { l.failWith(refuse("its list of files is damaged, or of an unusual form")) }

func (l *sevenList) failWith(err error) {
	if l.err == nil {
		l.err = err
	}
	l.b = nil
}

func (l *sevenList) take(n int) []byte {
	if n > len(l.b) {
		l.fail()
		return make([]byte, min(n, 16))
	}
	b := l.b[:n]
	l.b = l.b[n:]
	return b
}

func (l *sevenList) byte() byte { return l.take(1)[0] }

// number is of one to nine bytes: the ones at the top of the first say how many follow.
func (l *sevenList) number() (v uint64) {
	first := l.byte()
	for i := range 8 {
		mask := byte(0x80) >> i
		if first&mask == 0 {
			return v | uint64(first&(mask-1))<<(8*i)
		}
		v |= uint64(l.byte()) << (8 * i)
	}
	return v
}

// count is a number of things of which there are at most so many.
func (l *sevenList) count(most int) int {
	n := l.number()
	if n > uint64(most) {
		if most == MaxEntries {
			l.failWith(tooMany(n))
		}
		l.fail()
		return 0
	}
	return int(n)
}

func (l *sevenList) want(id byte) {
	if l.byte() != id {
		l.fail()
	}
}

// bound reads the list as far as the number of files.
func (l *sevenList) bound() error {
	l.want(sevenHeader)
	id := l.byte()
	if id == sevenStreams {
		l.streams()
		id = l.byte()
	}
	switch {
	case l.err != nil:
	case id == sevenFiles:
		l.count(MaxEntries)
	case id == sevenEnd:
		l.failWith(refuse("there is nothing in it"))
	default:
		l.fail()
	}
	return l.err
}

// digests are n CRCs, or of some of them.
func (l *sevenList) digests(n int) {
	defined := n
	if l.byte() == 0 {
		defined = 0
		for i, b := range l.take((n + 7) / 8) {
			for bit := range min(8, n-8*i) {
				defined += int(b >> (7 - bit) & 1)
			}
			if 8*(i+1) >= n {
				break
			}
		}
	}
	l.take(4 * defined)
}

func (l *sevenList) streams() {
	id := l.byte()
	if id == sevenPackInfo {
		l.at = l.number()
		packed := l.count(4 * MaxEntries)
		if id = l.byte(); id == sevenSize {
			for range packed {
				if l.err == nil {
					l.packed = append(l.packed, l.number())
				}
			}
			id = l.byte()
		}
		if id == sevenCRC {
			l.digests(packed)
			id = l.byte()
		}
		if id != sevenEnd {
			l.fail()
		}
		id = l.byte()
	}
	if id == sevenUnpackInfo {
		l.unpackInfo()
		id = l.byte()
	}
	if id == sevenSubStreams {
		id = l.byte()
		total := l.folders
		if id == sevenUnpackStreams {
			total = 0
			for i := range l.folders {
				l.files[i] = l.count(MaxEntries)
				total += l.files[i]
			}
			if total > MaxEntries {
				l.failWith(tooMany(uint64(total)))
			}
			id = l.byte()
		}
		if id == sevenSize {
			for _, n := range l.files {
				for range n - 1 {
					l.number()
				}
			}
			id = l.byte()
		}
		if id == sevenCRC {
			l.digests(total)
			id = l.byte()
		}
		if id != sevenEnd {
			l.fail()
		}
		id = l.byte()
	}
	if id != sevenEnd {
		l.fail()
	}
}

// unpackInfo tells how each folder, which is a stream of files, is packed.
func (l *sevenList) unpackInfo() {
	const mostCoders, mostStreams, mostProperties = 8, 8, 64
	l.want(sevenFolder)
	l.folders = l.count(MaxEntries)
	l.want(0) // the folders are here, not elsewhere
	packed := 0
	for i := range l.folders {
		coders, ins, outs := l.count(mostCoders), 0, 0
		for range coders {
			flags := l.byte()
			id, in, out := l.take(int(flags&0xf)), 1, 1
			var properties []byte
			if flags&0x10 != 0 {
				in, out = l.count(mostStreams), l.count(mostStreams)
			}
			if flags&0x20 != 0 {
				properties = l.take(l.count(mostProperties))
			}
			if string(id) == "\x06\xf1\x07\x01" {
				l.encrypted = true
			}
			if i == 0 {
				l.coder, l.properties, l.coders = id, properties, coders
			}
			ins, outs = ins+in, outs+out
		}
		if outs == 0 || ins < outs {
			l.fail()
			return
		}
		for range 2 * (outs - 1) {
			l.number()
		}
		streams := ins - (outs - 1)
		if streams > 1 {
			for range streams {
				if l.number() >= uint64(ins) {
					l.fail()
				}
			}
		}
		if packed += streams; packed > max(len(l.packed), 0) {
			l.fail()
			return
		}
		l.outsOf, l.files = append(l.outsOf, outs), append(l.files, 1)
		if l.err != nil {
			return
		}
	}
	l.want(sevenUnpackSizes)
	for i, n := range l.outsOf {
		for range n {
			size := l.number()
			if i == 0 {
				l.unpacked = size
			}
		}
	}
	id := l.byte()
	if id == sevenCRC {
		l.digests(l.folders)
		id = l.byte()
	}
	if id != sevenEnd {
		l.fail()
	}
}
