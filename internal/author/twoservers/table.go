package twoservers

import (
	"fmt"
	"strings"
)

// Page is the file that says which differences stay, and Heading the section that does.
const (
	Page    = "chapters/03-watch-server/UPSTREAM.md"
	Heading = "### The demos on this server"
)

// leftOut stands in a text of the table for words that are others in each run, or do not matter.
const leftOut = "[...]"

// A Difference is what a demo prints otherwise on chapter 03's server, and why.
type Difference struct {
	Line    int    // in the page
	Chapter string // "01"
	Here    string // on chapter 03's server
	There   string // on kube-apiserver
	Why     string
}

// Differences reads the table of the page: a row for each, of the chapter, both texts in backticks, and the reason.
func Differences(page string) ([]Difference, error) {
	var all []Difference
	inside := false
	for i, line := range strings.Split(page, "\n") {
		if strings.HasPrefix(line, "#") {
			inside = line == Heading
		}
		if !inside || !strings.HasPrefix(line, "| 0") && !strings.HasPrefix(line, "| 1") {
			continue
		}
		cells := strings.Split(strings.ReplaceAll(line, `\|`, "\x00"), "|")
		for j, cell := range cells {
			cells[j] = strings.TrimSpace(strings.ReplaceAll(cell, "\x00", "|"))
		}
		if len(cells) != 6 || !quoted(cells[2]) || !quoted(cells[3]) || cells[4] == "" {
			return nil, fmt.Errorf("%s:%d: the row is not | NN | `here` | `there` | why |: %s", Page, i+1, line)
		}
		all = append(all, Difference{Line: i + 1, Chapter: cells[1], Here: strings.Trim(cells[2], "`"),
			There: strings.Trim(cells[3], "`"), Why: cells[4]})
	}
	return all, nil
}

func quoted(cell string) bool {
	return len(cell) > 2 && strings.HasPrefix(cell, "`") && strings.HasSuffix(cell, "`")
}
