package symptoms

import (
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/hint"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/term"
)

// columns of the terminal that everything fits, and where the text of a field begins.
const (
	columns = 100
	indent  = 12
)

// atMost is how many rows are printed in full, unless all are asked for.
const atMost = 5

// Print writes what was found in a log, and which errors in it were not. name is the log's.
func Print(w io.Writer, name string, found []Found, log Log, all bool) {
	strong := 0
	for strong < len(found) && !found[strong].Weak() {
		strong++
	}
	full := strong
	if strong == 0 {
		full = len(found)
	}
	shown := min(full, atMost)
	if all {
		shown = len(found)
	}
	fmt.Fprintf(w, "%s: %s\n", clean(name), counted(len(found), "row of "+File+" fits", "rows of "+File+" fit"))
	if strong == 0 {
		fmt.Fprintln(w, "Each is a word or two, which other programs print as well: look at the lines first.")
	}
	for i, f := range found[:shown] {
		fmt.Fprintln(w)
		for j, m := range f.Messages {
			label := ""
			if j == 0 {
				label = fmt.Sprintf("%d", i+1)
			}
			field(w, label, plain(m.Text))
			field(w, "", "    "+linesOf(m))
		}
		if first := f.Messages[0].First; first != "" {
			fmt.Fprintf(w, "  %-*s%s\n", indent-2, "as in", term.Clip(clean(first), columns-indent))
		}
		if f.Row.Last == Around {
			field(w, "around", inside(f, found, shown))
		}
		explain(w, f.Row)
	}
	if shown < len(found) {
		fmt.Fprintln(w, "\nLess telling (-all explains them):")
	}
	for _, f := range found[shown:] {
		m := f.Messages[0]
		line := fmt.Sprintf("%s  %s  (%s:%d)", term.Clip(plain(m.Text), 44), linesOf(m), File, f.Row.Line)
		fmt.Fprintf(w, "  %s\n", term.Clip(line, columns-2))
	}
	PrintUnexplained(w, log.Unexplained)
}

// inside says where to read on, of a row whose message stands around others. shown is how many rows are printed whole.
func inside(f Found, found []Found, shown int) string {
	var rows []string
	more := false
	for i, other := range found {
		if !slices.ContainsFunc(f.Messages, func(h Hit) bool { return h.Wraps[other.Row.Line] }) {
			continue
		}
		if more = i >= shown; more {
			break
		}
		rows = append(rows, fmt.Sprint(i+1))
	}
	switch {
	case more:
		rows = append(rows, "others below")
	case len(rows) == 0:
		return "nothing that has a row of its own: read the lines"
	}
	return "what is told by " + listed(rows)
}

// PrintUnexplained writes which errors of a log no row fits.
func PrintUnexplained(w io.Writer, u Unexplained) {
	if u.Count == 0 {
		return
	}
	fmt.Fprintf(w, "\nErrors that no row explains: %s\n", lines(u.Lines, u.Count))
	fmt.Fprintf(w, "  %-*s%s\n", indent-2, "the first", term.Clip(clean(u.First), columns-indent))
}

// PrintWords writes the rows in which somebody's words stand.
func PrintWords(w io.Writer, matches []Match, every, all bool) {
	shown := min(len(matches), atMost)
	if all {
		shown = len(matches)
	}
	if every {
		fmt.Fprintf(w, "%s with these words\n", counted(len(matches), "row of "+File, "rows of "+File))
	} else {
		fmt.Fprintln(w, "No row has all of these words. Those that have the rarest of them:")
	}
	for i, m := range matches[:shown] {
		fmt.Fprintln(w)
		field(w, fmt.Sprintf("%d", i+1), plain(m.Row.Symptom))
		explain(w, m.Row)
	}
	if n := len(matches) - shown; n > 0 {
		fmt.Fprintf(w, "\n%s (-all shows them; another word makes them fewer)\n", counted(n, "more row", "more rows"))
	}
}

var (
	link     = regexp.MustCompile(`\[([^\]]+)\]\(([^)#]+)(#[^)]*)?\)`)
	commands = regexp.MustCompile("`(go (?:run|test) [^`]+)`([^,;]*)")
	loose    = regexp.MustCompile(`^[\s,;]+|[\s,;]+$`)
	// A row may name no page, and a command of a chapter.
	chapterOf = regexp.MustCompile(`chapters/[0-9]{2}-[a-z-]+`)
	italics   = regexp.MustCompile(`\*([a-z]+:)\*`)
	doubled   = regexp.MustCompile(`[,;]\s*([,;])`)
)

// explain writes what happened, what reproduces it and where to read on.
func explain(w io.Writer, r *Row) {
	field(w, "happened", links(r.Happened))
	label := "reproduce"
	for _, c := range commands.FindAllStringSubmatch(r.Where, -1) {
		text := c[1]
		if says := strings.TrimSpace(c[2]); says != "" {
			text += "   (" + says + ")"
		}
		field(w, label, text)
		label = ""
	}
	where := links(commands.ReplaceAllString(r.Where, ""))
	for doubled.MatchString(where) {
		where = doubled.ReplaceAllString(where, "$1")
	}
	where = loose.ReplaceAllString(where, "")
	if chapter := chapterOf.FindString(r.Where); where == "" && chapter != "" {
		where = chapter + "/README.md"
	}
	where += fmt.Sprintf(" (%s:%d)", File, r.Line)
	field(w, "read", strings.TrimSpace(where))
}

// links writes a link as the path from the repository's root, or as the address.
func links(markdown string) string {
	return link.ReplaceAllStringFunc(markdown, func(l string) string {
		m := link.FindStringSubmatch(l)
		if strings.Contains(m[2], "://") {
			return m[2] + m[3]
		}
		return path.Join(path.Dir(File), m[2]) + m[3]
	})
}

// linesOf says on how many lines a message stands, and on which first.
func linesOf(h Hit) string { return lines(h.Lines, h.Count) }

func lines(first []int, count int) string {
	var numbers []string
	for _, n := range first {
		numbers = append(numbers, fmt.Sprint(n))
	}
	more := count - len(first)
	switch {
	case more > 0:
		return fmt.Sprintf("lines %s and %d more", strings.Join(numbers, ", "), more)
	case len(numbers) == 1:
		return "line " + numbers[0]
	}
	return "lines " + listed(numbers)
}

// listed writes 1, 2 and 3.
func listed(words []string) string {
	last := len(words) - 1
	if last == 0 {
		return words[0]
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// field writes a labelled text, filled to the page.
func field(w io.Writer, label, text string) {
	inner := len(text) - len(strings.TrimLeft(text, " "))
	for _, line := range strings.Split(hint.Reflow(strings.TrimSpace(text), columns-indent-inner), "\n") {
		fmt.Fprintf(w, "  %-*s%s%s\n", indent-2, label, strings.Repeat(" ", inner),
			term.Clip(line, columns-indent-inner))
		label = ""
	}
}

// plain is a row's text without its italics: *older:*.
func plain(markdown string) string { return clean(italics.ReplaceAllString(markdown, "$1")) }

// clean replaces what a log's text could do to a terminal.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || r == '\n' || r == '\r':
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r):
			return '\uFFFD'
		}
		return r
	}, strings.TrimSpace(s))
}
