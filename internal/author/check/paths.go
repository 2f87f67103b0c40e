package check

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const (
	syllabusFile = "docs/syllabus.md"
	coursesFile  = "docs/courses.md"
)

var (
	// pathTable is a table of the syllabus whose second column is computed; its directive says whose path it is.
	pathTable = regexp.MustCompile(`(?m)(^<!-- path: (\w+).*-->\n\|.*\n\|.*\n)((?:\|.*\n)*)`)
	// pathRow is a row that begins with a link to a lesson, or to a section of one; a week may stand before it.
	pathRow = regexp.MustCompile(`^\| ((?:[0-9]+ \| )?\[[^\]]*\]\(\.\./chapters/([0-9]{2}-[a-z0-9-]+)/README\.md(?:#([^)]*))?\)) ` +
		`\|[^|]*\|(.*)$`)
	total = regexp.MustCompile(`^\| together \|[^|]*\|(.*)$`)
)

// wholePath is the syllabus's path that has every chapter. Of the courses it is the weeks, taken together.
const wholePath = "whole"

// whose names the rows among which every chapter is.
var whose = map[string]string{syllabusFile: "the whole path", coursesFile: "the weeks"}

// withPaths gives the syllabus with the minutes of its reading paths made anew from the lessons' headers. A row that
// links a section costs what that section takes to read, and the demo.
func withPaths(t *Tree, page string) string {
	return pathTable.ReplaceAllStringFunc(page, func(old string) string {
		parts := pathTable.FindStringSubmatch(old)
		sum := 0
		var rows strings.Builder
		for line := range strings.Lines(parts[3]) {
			line = strings.TrimSuffix(line, "\n")
			if m := pathRow.FindStringSubmatch(line); m != nil {
				minutes := pathMinutes(t, m[2], m[3])
				sum += minutes
				line = fmt.Sprintf("| %s | %d min |%s", m[1], minutes, m[4])
			} else if m := total.FindStringSubmatch(line); m != nil {
				line = fmt.Sprintf("| together | %s |%s", hours(sum), m[1])
			}
			rows.WriteString(line + "\n")
		}
		return parts[1] + rows.String()
	})
}

// pathMinutes gives the minutes of a lesson, or of one of its sections, and of running its demo.
func pathMinutes(t *Tree, chapter, anchor string) int {
	page, err := t.Page("chapters/" + chapter + "/README.md")
	if err != nil {
		return 0 // the check links tells of it
	}
	m := Header.FindSubmatch(page.Source)
	if m == nil {
		return 0 // the check lessons does
	}
	reading, running := atoi(m[2]), atoi(m[3])
	if anchor != "" {
		reading = max(1, readingMinutes(parsePage(page.File, sectionOf(page, anchor))))
	}
	return reading + running
}

// sectionOf is a page's source from the heading with this anchor to the next one of its level or above it.
func sectionOf(p *Page, anchor string) []byte {
	at := slices.IndexFunc(p.Headings, func(h Heading) bool { return h.Anchor == anchor })
	if at < 0 {
		return nil
	}
	lines := strings.SplitAfter(string(p.Source), "\n")
	end := len(lines)
	for _, h := range p.Headings[at+1:] {
		if h.Level <= p.Headings[at].Level {
			end = h.Line - 1
			break
		}
	}
	return []byte(strings.Join(lines[p.Headings[at].Line-1:end], ""))
}

func hours(minutes int) string {
	if minutes < 60 {
		return strconv.Itoa(minutes) + " min"
	}
	return fmt.Sprintf("%d h %02d min", minutes/60, minutes%60)
}

// paths says where the reading paths of the syllabus and of the courses' plan differ from the lessons, and which
// chapter is missing in the whole path, or has no week.
func paths(t *Tree) []Finding {
	var found []Finding
	for _, file := range []string{syllabusFile, coursesFile} {
		source, err := t.Read(file)
		if err != nil {
			continue
		}
		if withPaths(t, string(source)) != string(source) {
			found = append(found, Finding{file, 0, "the minutes of a reading path differ from the lessons' headers",
				"go run ./scripts/check -fix agendas"})
		}
		rows := ""
		for _, m := range pathTable.FindAllStringSubmatch(string(source), -1) {
			if m[2] == wholePath || file == coursesFile {
				rows += m[3]
			}
		}
		for _, chapter := range t.Chapters() {
			if rows != "" && !strings.Contains(rows, "(../chapters/"+chapter+"/README.md)") {
				found = append(found, Finding{file, 0, "no row of " + whose[file] + " has " + chapter,
					"add the row, then: go run ./scripts/check -fix agendas"})
			}
		}
	}
	return found
}
