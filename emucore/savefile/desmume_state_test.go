package savefile

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// le32 appends numbers as the core does.
func le32(b []byte, vs ...uint32) []byte {
	for _, v := range vs {
		b = binary.LittleEndian.AppendUint32(b, v)
	}
	return b
}

// dsField is a field of a chunk of variables.
func dsField(name string, data []byte) []byte {
	return append(le32([]byte(name), 1, uint32(len(data))), data...)
}

// dsChunk is a chunk of a state.
func dsChunk(id uint32, data []byte) []byte {
	return append(le32(nil, id, uint32(len(data))), data...)
}

// dsState is a state of the given chunks, with some bytes behind its end as
// retro_serialize leaves them.
func dsState(chunks ...[]byte) []byte {
	body := le32(bytes.Join(chunks, nil), desmumeEnd)
	b := le32([]byte(desmumeMagic), 12, 91100, uint32(desmumeHead+len(body)), 0xffffffff)
	return append(append(b, body...), "garbage"...)
}

// wholeState is a state with main memory full of fill.
func wholeState(fill byte) []byte {
	ram := bytes.Repeat([]byte{fill}, mainRAMSize)
	mem := append(dsField("ITCM", make([]byte, 9)), dsField("WRAM", ram)...)
	mem = append(mem, dsField("WRAX", []byte{1, 2})...)
	console := append(le32(nil, 3), "sequencer and input"...)
	console = append(le32(console, 1), 29)
	return dsState(dsChunk(1, nil), dsChunk(4, mem), dsChunk(51, console))
}

func TestDesmumeMainRAM(t *testing.T) {
	state := wholeState(0x5a)
	must.Succeed(t, CheckDesmume(state))
	ram, err := DesmumeMainRAM(state)
	must.Succeed(t, err)
	if len(ram) != 4<<20 || ram[0] != 0x5a || ram[len(ram)-1] != 0x5a {
		t.Errorf("%d bytes, from %x to %x", len(ram), ram[0], ram[len(ram)-1])
	}
	if cap(ram) != len(ram) {
		t.Error("appending to the memory would write into the state")
	}
}

func TestDesmumeLid(t *testing.T) {
	shut, rest, err := DesmumeLid(wholeState(0))
	if !shut || rest != 29 || err != nil {
		t.Errorf("got %v, %d, %v; want shut, 29", shut, rest, err)
	}
	open := dsState(dsChunk(51, append(le32(nil, 4, 0), 0)))
	if shut, rest, err = DesmumeLid(open); shut || rest != 0 || err != nil {
		t.Errorf("got %v, %d, %v; want open, 0", shut, rest, err)
	}
	for name, state := range map[string][]byte{
		"too short":     dsState(dsChunk(51, le32(nil, 3, 0))),
		"other version": dsState(dsChunk(51, append(le32(nil, 5, 0), 0))),
		"no chunk":      dsState(dsChunk(1, nil)),
	} {
		if _, _, err := DesmumeLid(state); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestDesmumeStateRefuses(t *testing.T) {
	whole := wholeState(1)
	change := func(at int, v byte) []byte {
		b := bytes.Clone(whole)
		b[at] = v
		return b
	}
	size := func(n uint32) []byte {
		b := bytes.Clone(whole)
		binary.LittleEndian.PutUint32(b[0x18:], n)
		return b
	}
	mem := func(fields ...[]byte) []byte { return dsState(dsChunk(4, bytes.Join(fields, nil))) }
	huge := le32([]byte("WRAM"), 0xffffffff, 0xffffffff) // a product of 64 bits
	wraps := le32([]byte("WRAM"), 1<<31, 2)              // zero in 32 bits
	for name, tt := range map[string]struct {
		state []byte
		want  string
	}{
		"nothing":             {nil, "does not begin"},
		"head only":           {whole[:32], "length field"},
		"other magic":         {change(3, 'X'), "does not begin"},
		"compressed":          {change(0x1c, 0), "compressed"},
		"length beyond data":  {size(uint32(len(whole)) + 1), "length field"},
		"length 0":            {size(0), "length field"},
		"length in the head":  {size(31), "length field"},
		"no end mark":         {size(uint32(len(whole)-len("garbage")) - 4), "middle of a chunk's id"},
		"cut in a chunk head": {size(32 + 6), "head of chunk 1"},
		"cut in a chunk":      {whole[:5000], "length field"},
		"chunk too long":      {change(36, 255), "bytes, only"},
		"no memory chunk":     {dsState(dsChunk(1, nil)), "no chunk 4"},
		"no main memory":      {mem(dsField("ITCM", []byte{1})), "no main memory"},
		"small main memory":   {mem(dsField("WRAM", make([]byte, 100))), "100 bytes"},
		"field cut":           {mem([]byte("WRAM")), "too few"},
		"huge field":          {mem(huge), "only 0 are left"},
		"field that wraps":    {mem(wraps), "only 0 are left"},
		"many chunks":         {dsState(bytes.Repeat(dsChunk(1, nil), 300)), "more than 256"},
	} {
		err := CheckDesmume(tt.state)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want an error with %q", name, err, tt.want)
		}
	}
}

func FuzzDesmumeState(f *testing.F) {
	f.Add(wholeState(0)[:4000])
	f.Add(dsState(dsChunk(4, dsField("WRAM", []byte{1}))))
	f.Add(dsState(dsChunk(51, append(le32(nil, 3, 1), 7))))
	f.Add([]byte(desmumeMagic))
	f.Fuzz(func(t *testing.T, state []byte) {
		before := bytes.Clone(state)
		ram, err := DesmumeMainRAM(state)
		if err == nil && len(ram) != mainRAMSize {
			t.Fatalf("main memory of %d bytes", len(ram))
		}
		if _, rest, err := DesmumeLid(state); err == nil && (rest < 0 || rest > 255) {
			t.Fatalf("rest of %d frames", rest)
		}
		if CheckDesmume(state) == nil && err != nil {
			t.Fatalf("a good state without main memory: %v", err)
		}
		if !bytes.Equal(state, before) {
			t.Fatal("reading changed the state")
		}
	})
}

// The register of the power management device says whether a console is off.
func TestDesmumePoweredOff(t *testing.T) {
	state := func(name string, value byte) []byte {
		field := append([]byte(name), 1, 0, 0, 0, 5, 0, 0, 0, value, 0, 1, 0, 3)
		b := append([]byte(desmumeMagic), make([]byte, desmumeHead-len(desmumeMagic))...)
		b = binary.LittleEndian.AppendUint32(b, desmumeMMU)
		b = append(binary.LittleEndian.AppendUint32(b, uint32(len(field))), field...)
		b = binary.LittleEndian.AppendUint32(b, desmumeEnd)
		binary.LittleEndian.PutUint32(b[0x18:], uint32(len(b)))
		binary.LittleEndian.PutUint32(b[0x1c:], 0xffffffff)
		return b
	}
	for _, tt := range []struct {
		state []byte
		off   bool
		fails bool
	}{
		{state("PMCR", 0x0d), false, false}, {state("PMCR", 0x4d), true, false}, {state("PMCN", 0x4d), false, true}, {nil, false, true},
	} {
		if off, err := DesmumePoweredOff(tt.state); off != tt.off || (err != nil) != tt.fails {
			t.Errorf("%d bytes: off %v, %v", len(tt.state), off, err)
		}
	}
}
