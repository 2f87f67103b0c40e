package upstreamtests

import (
	"fmt"
	"slices"
	"strings"
)

// ListFile is the list of upstream's tests, relative to the root.
const ListFile = "scripts/upstream-tests/tests.txt"

// How says how a test runs on a mechanism, if it does.
type How string

// The ways are compared in docs/upstream.md.
const (
	Direct        How = "direct"         // its text uses exported names alone
	Rewrite       How = "rewrite"        // it uses unexported ones, which a shim answers through exported methods
	Transplant    How = "transplant"     // upstream's code runs over the mechanism
	NotOffered    How = "not-offered"    // the chapter leaves out what it tests
	NotApplicable How = "not-applicable" // it tests another type, or a detail that is upstream's alone
)

// Runs says whether a test of this kind runs at all.
func (h How) Runs() bool { return h == Direct || h == Rewrite || h == Transplant }

// A Row is one of upstream's tests under one mechanism.
type Row struct {
	Line      int
	Mechanism string
	Test      string
	How       How
	Note      string
	// Fails is the reason for which the test fails, a key of List.Reasons; with Sometimes it may pass as well.
	Fails     string
	Sometimes bool
	// NoRace says that the test itself has a data race, Synctest that it measures real time, with little to spare, and
	// runs in virtual time.
	NoRace, Synctest bool
}

// A Reason is a difference from upstream that fails tests: a row of a chapter's UPSTREAM.md, by its first cell.
type Reason struct {
	Line       int
	File, Cell string
	Why        string // it fails tests
}

// A List is what tests.txt says.
type List struct {
	Rows    []Row
	Reasons map[string]Reason
}

// Of gives the rows of some mechanisms, of all without any.
func (l List) Of(mechanisms ...string) (rows []Row) {
	for _, r := range l.Rows {
		if len(mechanisms) == 0 || slices.Contains(mechanisms, r.Mechanism) {
			rows = append(rows, r)
		}
	}
	return rows
}

// ParseList reads tests.txt.
func ParseList(text string) (List, error) {
	l := List{Reasons: map[string]Reason{}}
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		head, note, _ := strings.Cut(line, "|")
		words, note := strings.Fields(head), strings.TrimSpace(note)
		if len(words) == 3 && words[0] == "reason" {
			cell, why, _ := strings.Cut(note, "|")
			l.Reasons[words[1]] = Reason{n, words[2], strings.TrimSpace(cell), strings.TrimSpace(why)}
			continue
		}
		row, err := parseRow(words)
		if err == nil && row.Fails != "" && l.Reasons[row.Fails].Cell == "" {
			err = fmt.Errorf("no line above it says what the reason %s is", row.Fails)
		}
		if err == nil && !row.How.Runs() && note == "" {
			err = fmt.Errorf("a test that is %s needs a note behind a |: why", row.How)
		}
		if err != nil {
			return l, fmt.Errorf("%s:%d: %w", ListFile, n, err)
		}
		row.Line, row.Note = n, note
		l.Rows = append(l.Rows, row)
	}
	return l, nil
}

func parseRow(words []string) (r Row, err error) {
	if len(words) < 3 {
		return r, fmt.Errorf("a mechanism, a test and how it runs are expected")
	}
	r = Row{Mechanism: words[0], Test: words[1], How: How(words[2])}
	if !r.How.Runs() && r.How != NotOffered && r.How != NotApplicable {
		return r, fmt.Errorf("%q is no way to run a test", r.How)
	}
	if _, err := buildOf(r.Mechanism); err != nil {
		return r, err
	}
	for _, word := range words[3:] {
		switch key, value, _ := strings.Cut(word, "="); key {
		case "fails":
			r.Fails = value
		case "sometimes-fails":
			r.Fails, r.Sometimes = value, true
		case "norace":
			r.NoRace = true
		case "synctest":
			r.Synctest = true
		default:
			return r, fmt.Errorf("%q says nothing", word)
		}
	}
	return r, nil
}
