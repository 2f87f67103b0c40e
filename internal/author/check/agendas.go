package check

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

const workshopFile = "docs/workshop.md"

// exerciseMinutes is what one exercise takes in a room.
const exerciseMinutes = 15

var agendasCheck = Check{
	Name:   "agendas",
	Guards: "the minutes of the workshop and of the syllabus's paths are those of the lessons, and plans add up",
	Run: func(_ context.Context, t *Tree) ([]Finding, error) {
		found := paths(t)
		source, err := t.Read(workshopFile)
		if err != nil {
			return found, nil // no workshop to guard
		}
		if fresh := withMinutes(t, string(source)); fresh != string(source) {
			found = append(found, Finding{workshopFile, 0, "the table of minutes differs from the lessons' headers",
				"go run ./scripts/check -fix agendas"})
		}
		return append(found, plans(string(source))...), nil
	},
	Fix: func(_ context.Context, t *Tree) ([]string, error) {
		var wrote []string
		for _, page := range []struct {
			file string
			made func(*Tree, string) string
		}{{workshopFile, withMinutes}, {syllabusFile, withPaths}, {coursesFile, withPaths}} {
			source, err := t.Read(page.file)
			if err != nil {
				continue
			}
			did, err := t.Write(page.file, []byte(page.made(t, string(source))))
			if err != nil {
				return wrote, err
			}
			if did {
				wrote = append(wrote, page.file)
			}
		}
		return wrote, nil
	},
}

var minutesTable = regexp.MustCompile(`(?m)(^<!-- minutes:.*-->\n\|.*\n\|.*\n)((?:\|.*\n)*)`)

// withMinutes gives the page with its table of minutes made anew from the lessons' headers.
func withMinutes(t *Tree, page string) string {
	var rows strings.Builder
	for _, chapter := range t.Chapters() {
		lesson, err := t.Read("chapters/" + chapter + "/README.md")
		if err != nil {
			continue
		}
		m := Header.FindSubmatch(lesson)
		if m == nil {
			continue
		}
		reading, _ := strconv.Atoi(string(m[2]))
		running, _ := strconv.Atoi(string(m[3]))
		need := (reading+1)/2 + running + exerciseMinutes
		fmt.Fprintf(&rows, "| [%s](../chapters/%s/README.md) | %d min | %d min | %d min with one exercise |\n",
			chapter, chapter, reading, running, need)
	}
	return minutesTable.ReplaceAllStringFunc(page, func(old string) string {
		return minutesTable.FindStringSubmatch(old)[1] + rows.String()
	})
}

var (
	agenda = regexp.MustCompile(`<!-- agenda: (\d+) -->`)
	row    = regexp.MustCompile(`^\| (\d+):(\d\d) \| (\d+) \|`)
)

// plans adds up each plan: every row begins where the one before ends, and the last ends in time.
func plans(page string) []Finding {
	var found []Finding
	total, at := -1, 0
	n := 0
	end := func() {
		if total >= 0 && at != total {
			found = append(found, Finding{workshopFile, n,
				fmt.Sprintf("the plan has %d minutes and should have %d", at, total), "mend the minutes"})
		}
		total = -1
	}
	for line := range strings.Lines(page + "\n") {
		n++
		if m := agenda.FindStringSubmatch(line); m != nil {
			end()
			total, _ = strconv.Atoi(m[1])
			at = 0
			continue
		}
		m := row.FindStringSubmatch(line)
		if m == nil || total < 0 {
			if strings.TrimSpace(line) == "" {
				end()
			}
			continue
		}
		hours, _ := strconv.Atoi(m[1])
		minutes, _ := strconv.Atoi(m[2])
		length, _ := strconv.Atoi(m[3])
		if hours*60+minutes != at {
			found = append(found, Finding{workshopFile, n,
				fmt.Sprintf("the row begins at %s:%s, and the one before it ends at %d:%02d", m[1], m[2],
					at/60, at%60), "mend the times"})
		}
		at += length
	}
	return found
}
