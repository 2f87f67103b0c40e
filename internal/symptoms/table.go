package symptoms

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// File is where the table is, from the repository's root.
const File = "docs/symptoms.md"

// A Row is one line of the table.
type Row struct {
	Line     int    // of the page
	Section  string // the heading above it
	Symptom  string // the first column, Markdown
	Happened string // the second
	Where    string // the third; of a row that says "the same", that of the row above it
	Called   []Name
	said     []said
	Last     Last
	Messages []*Message
}

// Last says whether a row comes behind the others that were found. The row says so itself, with the first words of its
// second column.
type Last int

const (
	First    Last = iota
	After         // "After another message": what was found first says why
	Harmless      // "Harmless": where nothing else is found, nothing is wrong
	Around        // "Around another message": what happened is in that one
)

// says is how the second column of such a row begins.
var says = map[Last]string{After: "After another message", Harmless: "Harmless", Around: "Around another message"}

// A Fault is a line of the page that is no row.
type Fault struct {
	Line int
	What string
}

// Error gives the fault with its place.
func (f Fault) Error() string { return fmt.Sprintf("%s:%d: %s", File, f.Line, f.What) }

var (
	spans = regexp.MustCompile("`([^`]+)`")
	leads = regexp.MustCompile(`\]\([^)]+\)`)
	typed = regexp.MustCompile("`go (?:run|test) [^`]+`")
	same  = regexp.MustCompile(`^The same[.,]`)
)

// Parse reads the page. The error joins a Fault for each line that is no row.
func Parse(page string) ([]Row, error) {
	var rows []Row
	var faults []error
	section, number, inTable := "", 0, false
	for line := range strings.Lines(page) {
		number++
		line = strings.TrimSpace(line)
		if heading, ok := strings.CutPrefix(line, "## "); ok {
			section = heading
		}
		if section == called && strings.HasPrefix(line, "- ") {
			if err := name(rows, line); err != nil {
				faults = append(faults, Fault{number, err.Error()})
			}
			continue
		}
		if !strings.HasPrefix(line, "|") {
			inTable = false
			continue
		}
		if strings.HasPrefix(line, "|---") {
			inTable = true
			continue
		}
		if !inTable {
			continue // the table's head
		}
		row, err := parseRow(line, section, number, rows)
		if err != nil {
			for line := range strings.Lines(err.Error()) { // several messages of a row
				faults = append(faults, Fault{number, strings.TrimSuffix(line, "\n")})
			}
			continue
		}
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		faults = append(faults, Fault{1, "no row of a table was found: it begins with `| what the log says |`, " +
			"and a line `|---|---|---|`"})
	}
	return rows, errors.Join(faults...)
}

func parseRow(line, section string, number int, above []Row) (Row, error) {
	cells := cellsOf(line)
	if len(cells) != 3 {
		return Row{}, fmt.Errorf("the row has %d cells, and a row has 3: what the log says, what happened, where; "+
			`a bar in a text is written \|`, len(cells))
	}
	for i, name := range []string{"what the log says", "what happened", "where"} {
		if cells[i] == "" {
			return Row{}, fmt.Errorf("the cell %q is empty", name)
		}
		if strings.Count(cells[i], "`")%2 != 0 {
			return Row{}, fmt.Errorf("the cell %q has an odd number of backticks", name)
		}
	}
	row := Row{Line: number, Section: section, Symptom: cells[0], Happened: cells[1], Where: cells[2]}
	if row.Where == "the same" && len(above) > 0 {
		row.Where = above[len(above)-1].Where
	}
	if !leads.MatchString(row.Where) && !typed.MatchString(row.Where) {
		return Row{}, errors.New("the cell \"where\" has neither a link nor a command that begins with go run or go test")
	}
	if same.MatchString(row.Happened) {
		if len(above) == 0 {
			return Row{}, errors.New("the same as what? There is no row above")
		}
		row.Happened += " (The row above it: " + above[len(above)-1].Happened + ")"
	}
	for last, begin := range says {
		if strings.HasPrefix(row.Happened, begin) {
			row.Last = last
		}
	}
	row.said = saidOf(&row)
	var err error
	row.Messages, err = messagesOf(row.Symptom)
	for _, m := range row.Messages {
		m.last, m.row = row.Last, number
	}
	return row, err
}

// cellsOf splits a row at its bars. A bar with a backslash before it is text.
func cellsOf(line string) []string {
	const bar = "\x00"
	line = strings.ReplaceAll(strings.Trim(line, "|"), `\|`, bar)
	cells := strings.Split(line, "|")
	for i, c := range cells {
		cells[i] = strings.ReplaceAll(strings.TrimSpace(c), bar, "|")
	}
	return cells
}
