package corecheck

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// TestBook: a verdict is there in the next start, once, with what the player decided.
func TestBook(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "core-verdicts")
	b := OpenBook(path)
	one := Verdict{Core: [32]byte{1}, Results: [parts]Result{Passed, Failed}, Why: "It differs.\nTwice, by é.", Unlike: "It has\tno lid."}
	if _, known := b.Of(one.Core); known {
		t.Error("it is known before it was kept")
	}
	for _, v := range []Verdict{one, {Core: [32]byte{2}, Results: [parts]Result{Passed, Passed, Lacking}, Why: "No radio."}, one} {
		must.Succeed(t, b.Keep(v))
	}
	must.Succeed(t, b.Accept(one.Core))
	one.Accepted, one.Why, one.Unlike = true, "It differs. Twice, by é.", "It has no lid."
	if got, known := OpenBook(path).Of(one.Core); !known || got != one {
		t.Errorf("%+v, want %+v", got, one)
	}
	if text, err := os.ReadFile(path); err != nil || strings.Count(string(text), "\n") != 2 {
		t.Errorf("%q, %v", text, err)
	}
	left, _ := os.ReadDir(filepath.Dir(path))
	left = slices.DeleteFunc(left, must.IsLock)
	if len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}

// TestBookIsBounded: the last ones are kept, however long their reasons are.
func TestBookIsBounded(t *testing.T) {
	var list []Verdict
	for i := range 2 * maxEntries {
		list = append(list, Verdict{Core: [32]byte{byte(i), byte(i >> 8), 1}, Results: [parts]Result{Failed}, Why: strings.Repeat("é", maxWhy), Unlike: strings.Repeat("é", maxWhy)})
	}
	path := filepath.Join(t.TempDir(), "core-verdicts")
	must.Succeed(t, os.WriteFile(path, []byte(format(list[:len(list)-1])), 0o600))
	b := OpenBook(path)
	last := list[len(list)-1]
	must.Succeed(t, b.Keep(last))
	if st, err := os.Stat(path); err != nil || st.Size() > maxFile {
		t.Errorf("%d bytes, at most %d; %v", st.Size(), maxFile, err)
	}
	if _, known := b.Of(last.Core); !known {
		t.Error("the last one is not there")
	}
	if _, known := b.Of(list[maxEntries-1].Core); known {
		t.Error("more are kept than there should be")
	}
}

// TestManyProgramsKeepAll: several programs that check cores at once forget none of the verdicts, and no decision
// of the player's.
func TestManyProgramsKeepAll(t *testing.T) {
	path := filepath.Join(t.TempDir(), "core-verdicts")
	const each = 8
	failed := Verdict{Core: [32]byte{99}, Results: [parts]Result{Failed}, Why: "It differs."}
	must.Succeed(t, OpenBook(path).Keep(failed))
	var jobs sync.WaitGroup
	for n := range 4 {
		jobs.Go(func() {
			b := OpenBook(path)
			for i := range each {
				if err := b.Keep(Verdict{Core: [32]byte{byte(n), byte(i), 1}, Results: [parts]Result{Passed}}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	if err := OpenBook(path).Accept(failed.Core); err != nil {
		t.Error(err)
	}
	jobs.Wait()
	list, err := OpenBook(path).read()
	if err != nil || len(list) != 1+4*each {
		t.Errorf("%d of %d verdicts are kept, %v", len(list), 1+4*each, err)
	}
	if v, _ := OpenBook(path).Of(failed.Core); !v.Accepted {
		t.Error("the player's decision is forgotten")
	}
}

// TestBookInTheWay: what cannot be read counts for nothing and is left as it is.
func TestBookInTheWay(t *testing.T) {
	dir := t.TempDir()
	if _, known := OpenBook(dir).Of([32]byte{}); known {
		t.Error("a folder has verdicts")
	}
	if err := OpenBook(dir).Keep(Verdict{}); err == nil {
		t.Error("a folder was written to")
	}
	if err := OpenBook("").Keep(Verdict{}); err != nil {
		t.Error(err)
	}
}

// FuzzParse: whatever the file has in it, what was read of it is written and read again alike.
func FuzzParse(f *testing.F) {
	sum := strings.Repeat("0a", 32)
	f.Add(sum + " 5 pppp - - \t\n" + sum + " 5 pf-- + " + sum + " It differs.\tIt has no lid.\n")
	f.Add(sum + " 2 ppp - - \n")
	f.Add(sum + " 5 pxpp - - \t\n" + sum + " 5 pppp\n\n")
	f.Add(strings.ToUpper(sum) + " 5 ---- - - \x00\t\n")
	f.Fuzz(func(t *testing.T, text string) {
		list := parse(text)
		again := parse(format(list))
		if len(list) > maxEntries || len(again) != len(list) {
			t.Fatalf("%d verdicts, %d again", len(list), len(again))
		}
		for i := range list {
			if list[i] != again[i] {
				t.Fatalf("%+v became %+v", list[i], again[i])
			}
		}
	})
}
