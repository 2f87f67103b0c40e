package check

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab/contents"
)

// playedFault is a command that plays a fault by its name. A script is in quotes.
var playedFault = regexp.MustCompile(`^go run \./chapters/([0-9]{2}-[a-z0-9-]+) (?:.* )?-fault ([a-z][a-z-]*)\b`)

// unknownFaults finds commands in the text whose fault the demo has not.
func (t *Tree) unknownFaults(demos map[string]Demo) ([]Finding, error) {
	files, err := t.prose()
	if err != nil {
		return nil, err
	}
	var found []Finding
	for _, file := range files {
		page, err := t.Page(file)
		if err != nil {
			return nil, err
		}
		for _, c := range shownCommands(page) {
			m := playedFault.FindStringSubmatch(c.Value)
			if m == nil {
				continue
			}
			if demo, ok := demos[m[1]]; ok && demo.Err == nil && !hasFault(demo, m[2]) {
				found = append(found, Finding{file, c.Line, fmt.Sprintf("`%s`: there is no fault %s", c.Value, m[2]),
					"`go run ./chapters/" + m[1] + " -list` shows those that there are"})
			}
		}
	}
	return found, nil
}

func hasFault(d Demo, name string) bool {
	return slices.ContainsFunc(d.Faults, func(f contents.Fault) bool { return f.Name == name })
}

// playsTable is what a room plays of each chapter but the first, whose plan is the page's own.
var (
	playsTable = regexp.MustCompile(`(?m)^<!-- plays: .*-->\n\|.*\n\|.*\n((?:\|.*\n)*)`)
	playsRow   = regexp.MustCompile(`\| ([0-9, ]+) \| ([0-9, ]+) \| ` + "`([a-z-]+)`" + ` \|$`)
)

// plays finds what the workshop would play of another chapter, and cannot.
func plays(t *Tree, demos map[string]Demo, page string) (found []Finding) {
	table := playsTable.FindStringSubmatchIndex(page)
	if table == nil {
		return nil
	}
	lines := strings.Split(page[:table[3]], "\n")
	first := strings.Count(page[:table[2]], "\n")
	for i, chapter := range t.Chapters() {
		if i == 0 {
			continue
		}
		row := "| " + chapter[:2] + " |"
		at := slices.IndexFunc(lines[first:], func(l string) bool { return strings.HasPrefix(l, row) })
		if at < 0 {
			found = append(found, Finding{workshopFile, 0, "no row says what a room plays of " + chapter,
				"add it to the table of another chapter"})
			continue
		}
		for _, what := range cannotPlay(demos[chapter], lines[first+at]) {
			found = append(found, Finding{workshopFile, first + at + 1, what,
				"`go run ./chapters/" + chapter + " -list` shows what there is"})
		}
	}
	return found
}

// cannotPlay says what of a row is not there.
func cannotPlay(demo Demo, row string) (what []string) {
	m := playsRow.FindStringSubmatch(row)
	if m == nil {
		return []string{"the row does not end in steps, steps and a fault: | 1, 2 | 3, 4 | `name` |"}
	}
	if demo.Err != nil {
		return nil // told already
	}
	for step := range strings.SplitSeq(m[1]+", "+m[2], ", ") {
		if n := atoi([]byte(step)); n < 1 || n > len(demo.Steps) {
			what = append(what, "there is no step "+step)
		}
	}
	if !hasFault(demo, m[3]) {
		what = append(what, "there is no fault "+m[3])
	}
	return what
}
