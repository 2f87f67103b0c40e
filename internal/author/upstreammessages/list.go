package upstreammessages

import (
	"fmt"
	"strings"
)

// ListFile is the list of what has no row, relative to the root.
const ListFile = "internal/author/upstreammessages/messages.txt"

// A List is what messages.txt says.
type List struct {
	Packages []Pattern
	Entries  []Entry
}

// A Pattern names packages that are read, or left out.
type Pattern struct {
	Line int
	Path string // an import path; with /... at its end also those below it
	Why  string // it is left out; empty if it is read
}

// matches says whether the pattern is for the package, and how much of its path it names.
func (p Pattern) matches(importPath string) (length int, ok bool) {
	base, below := strings.CutSuffix(p.Path, "/...")
	return len(base), importPath == base || below && strings.HasPrefix(importPath, base+"/")
}

// An Entry is a message that has no row, for a reason.
type Entry struct {
	Line    int
	Package string
	Text    string
	Reason  string // the heading that it stands below
}

// reads says whether a package is read; listed, whether any line is for it. The longest path decides.
func (l List) reads(importPath string) (yes, listed bool) {
	best := -1
	for _, p := range l.Packages {
		if n, ok := p.matches(importPath); ok && n > best {
			best, yes, listed = n, p.Why == "", true
		}
	}
	return yes, listed
}

// ParseList reads messages.txt.
func ParseList(text string) (List, error) {
	var l List
	reason, number, heading := "", 0, false
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSpace(line)
		more, isHeading := strings.CutPrefix(line, "## ")
		switch {
		case isHeading && heading:
			reason += " " + more
		case isHeading:
			reason = more
		case line == "", strings.HasPrefix(line, "#"):
		default:
			if err := l.parseLine(line, number, reason); err != nil {
				return l, fmt.Errorf("%s:%d: %w", ListFile, number, err)
			}
		}
		heading = isHeading
	}
	return l, nil
}

// Without gives the text of messages.txt without the lines that differences are about.
func Without(text string, differences []Difference) string {
	wrong := map[int]bool{}
	for _, d := range differences {
		wrong[d.Line] = true
	}
	var out strings.Builder
	number := 0
	for line := range strings.Lines(text) {
		if number++; !wrong[number] {
			out.WriteString(line)
		}
	}
	return out.String()
}

func (l *List) parseLine(line string, number int, reason string) error {
	if rest, ok := strings.CutPrefix(line, "read "); ok {
		if strings.Contains(rest, "|") {
			return fmt.Errorf("a package that is read needs no reason")
		}
		l.Packages = append(l.Packages, Pattern{number, strings.TrimSpace(rest), ""})
		return nil
	}
	name, text, _ := strings.Cut(line, "|")
	name, text = strings.TrimSpace(name), strings.TrimSpace(text)
	if rest, ok := strings.CutPrefix(name, "leave "); ok {
		if text == "" {
			return fmt.Errorf("a package that is left out needs a reason behind a |")
		}
		l.Packages = append(l.Packages, Pattern{number, strings.TrimSpace(rest), text})
		return nil
	}
	if text == "" {
		return fmt.Errorf("a line is `read PACKAGE`, `leave PACKAGE | why`, or `PACKAGE | text` below a heading")
	}
	if reason == "" {
		return fmt.Errorf("a message stands below a heading, which says why it has no row: ## why")
	}
	l.Entries = append(l.Entries, Entry{number, name, text, reason})
	return nil
}
