package check

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Sections are the headings of a lesson, in their order.
var Sections = []string{
	"What you build", "Run it", "How it works", "Where it breaks",
	"Claims, checked", "The real thing", "Exercises", "Recap",
}

// Scaffold stands in each part of a new chapter that is still to be written. A chapter that has it is not finished.
const Scaffold = "⟨to be written⟩"

// Header is the line below a lesson's title: what it builds on, and the measured minutes.
var Header = regexp.MustCompile(`(?m)^Builds on: (.+)\. Reading: (\d+) minutes?\. Running: (\d+) minutes?\.$`)

var lessonsCheck = Check{
	Name:   "lessons",
	Guards: "each lesson has its eight sections, its header, a picture, a recorded run and no scaffold left",
	Run: func(_ context.Context, t *Tree) ([]Finding, error) {
		var found []Finding
		for _, chapter := range t.Chapters() {
			file := "chapters/" + chapter + "/README.md"
			if !t.Exists(file) {
				found = append(found, Finding{file, 0, "the chapter has no lesson", "go run ./scripts/new-chapter makes one to begin with"})
				continue
			}
			page, err := t.Page(file)
			if err != nil {
				return nil, err
			}
			found = append(found, lesson(t, page, chapter)...)
		}
		left, err := scaffolds(t)
		return append(found, left...), err
	},
}

func lesson(t *Tree, p *Page, chapter string) []Finding {
	var found []Finding
	add := func(line int, what, mend string) { found = append(found, Finding{p.File, line, what, mend}) }
	if len(p.Headings) == 0 || p.Headings[0].Level != 1 || !strings.HasPrefix(p.Headings[0].Text, chapter[:2]) {
		add(1, "the title does not begin with the chapter's number", fmt.Sprintf("write `# %s Name of the chapter`", chapter[:2]))
	}
	if m := Header.FindSubmatch(p.Source); m == nil {
		add(1, "the header line is missing", "write `Builds on: 01 watch. Reading: N minutes. Running: N minutes.` below the title (`Builds on: nothing.`)")
	} else if says, takes := atoi(m[2]), readingMinutes(p); says < takes-4 || says > takes+4 {
		add(1, fmt.Sprintf("the header says %d minutes of reading, and the lesson takes about %d", says, takes), "write what it takes: 200 words a minute, and half a minute a block")
	}
	var sections []string
	for _, h := range p.Headings {
		if h.Level == 2 {
			sections = append(sections, h.Text)
		}
	}
	if !slices.Equal(sections, Sections) {
		add(1, "the sections are "+strings.Join(sections, " · "), "they must be "+strings.Join(Sections, " · "))
	}
	recorded, picture := false, false
	for _, b := range p.Blocks {
		recorded = recorded || strings.HasPrefix(b.Directive, "recorded:")
	}
	for _, l := range p.Links {
		picture = picture || strings.Contains(l.Target, "/diagrams/") && strings.HasSuffix(l.Target, ".svg")
	}
	if !recorded {
		add(0, "no recorded output", "put `<!-- recorded: go run ./chapters/"+chapter+" -->` above a ```text block, then: go run ./scripts/record "+chapter[:2])
	}
	if !picture {
		add(0, "no diagram", "draw diagrams/"+chapter+".d2, render it, link ../../diagrams/"+chapter+".svg")
	}
	exercises, _ := t.Match("chapters/" + chapter + "/exercises/*/exercise.go")
	for _, e := range exercises {
		dir := strings.TrimSuffix(strings.TrimPrefix(e, "chapters/"+chapter+"/"), "/exercise.go")
		if !strings.Contains(string(p.Source), dir) {
			add(0, "does not name the exercise "+dir, "link it in the section Exercises, with what it teaches")
		}
	}
	return found
}

// readingMinutes estimates what a lesson takes one reader: 200 words a minute, and half a minute for each block.
func readingMinutes(p *Page) int {
	words := 0
	for _, t := range append(append([]Text{}, p.Texts...), p.Spans...) {
		words += len(strings.Fields(t.Value))
	}
	return words/200 + (len(p.Blocks)+1)/2
}

func atoi(digits []byte) int {
	n, _ := strconv.Atoi(string(digits))
	return n
}

// scaffolds finds what new-chapter wrote and nobody has replaced.
func scaffolds(t *Tree) ([]Finding, error) {
	files, err := t.Match("chapters/**", "solutions/**", "diagrams/**", "docs/**")
	if err != nil {
		return nil, err
	}
	var found []Finding
	for _, file := range files {
		content, err := t.Read(file)
		if err != nil {
			return nil, err
		}
		n := 0
		for line := range strings.Lines(string(content)) {
			n++
			if strings.Contains(line, Scaffold) {
				found = append(found, Finding{file, n, "is still as new-chapter made it", "write this part"})
			}
		}
	}
	return found, nil
}
