package check

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/proof"
)

// Sections are the headings of a lesson, in their order.
// A lesson is what a reader reads; what one looks up is in UPSTREAM.md.
var Sections = []string{"What this chapter builds", "Run it", "How it works", "Where it breaks", "Exercises", "Recap"}

// ReferenceSections are the headings of a chapter's UPSTREAM.md.
var ReferenceSections = []string{"Claims, checked", "The real thing", "Numbers"}

// oneLayerSections are the headings of a lesson that still holds its reference.
var oneLayerSections = []string{
	"What you build", "Run it", "How it works", "Where it breaks",
	"Claims, checked", "The real thing", "Exercises", "Recap",
}

// oneLayer says whether a chapter's lesson still holds its reference.
func (t *Tree) oneLayer(chapter string) bool {
	return slices.Contains(unfurnished, chapter) && !t.Exists("chapters/"+chapter+"/UPSTREAM.md")
}

// longestLesson is what a lesson may take a reader, in minutes.
const longestLesson = 15

// Scaffold stands in each part of a new chapter that is still to be written. A chapter that has it is not finished.
const Scaffold = proof.Unwritten

// Header is the line below a lesson's title: what it builds on, and the measured minutes.
var Header = regexp.MustCompile(`(?m)^Builds on: (.+)\. Reading: (\d+) minutes?\. Running: (\d+) minutes?\.$`)

var lessonsCheck = Check{
	Name: "lessons",
	Guards: "each lesson has its sections, its reference, its header, a picture, a recorded run, " +
		"takes 15 minutes, and no scaffold is left",
	Run: func(_ context.Context, t *Tree) ([]Finding, error) {
		var found []Finding
		for _, chapter := range t.Chapters() {
			file := "chapters/" + chapter + "/README.md"
			if !t.Exists(file) {
				found = append(found, Finding{file, 0, "the chapter has no lesson",
					"go run ./scripts/new-chapter makes one to begin with"})
				continue
			}
			page, err := t.Page(file)
			if err != nil {
				return nil, err
			}
			found = append(found, lesson(t, page, chapter)...)
			if t.oneLayer(chapter) {
				continue
			}
			more, err := referencePage(t, chapter)
			if err != nil {
				return nil, err
			}
			found = append(found, more...)
		}
		left, err := scaffolds(t)
		return append(found, left...), err
	},
}

func lesson(t *Tree, p *Page, chapter string) []Finding {
	var found []Finding
	add := func(line int, what, mend string) { found = append(found, Finding{p.File, line, what, mend}) }
	if len(p.Headings) == 0 || p.Headings[0].Level != 1 || !strings.HasPrefix(p.Headings[0].Text, chapter[:2]) {
		add(1, "the title does not begin with the chapter's number",
			fmt.Sprintf("write `# %s Name of the chapter`", chapter[:2]))
	}
	if m := Header.FindSubmatch(p.Source); m == nil {
		add(1, "the header line is missing",
			"write `Builds on: 01 watch. Reading: N minutes. Running: N minutes.` below the title "+
				"(`Builds on: nothing.`)")
	} else if says, takes := atoi(m[2]), readingMinutes(p, t.oneLayer(chapter)); says < takes-4 || says > takes+4 {
		add(1, fmt.Sprintf("the header says %d minutes of reading, and the lesson takes about %d", says, takes),
			"write what it takes: 200 words a minute, and half a minute a block")
	} else if takes > longestLesson && !t.oneLayer(chapter) {
		add(1, fmt.Sprintf("the lesson takes %d minutes, and may take %d", takes, longestLesson),
			"move what one looks up to UPSTREAM.md")
	}
	want := Sections
	if t.oneLayer(chapter) {
		want = oneLayerSections
	}
	if sections := sectionsOf(p); !slices.Equal(sections, want) {
		add(1, "the sections are "+strings.Join(sections, " · "), "they must be "+strings.Join(want, " · "))
	}
	recorded, picture := false, false
	for _, b := range p.Blocks {
		recorded = recorded || strings.HasPrefix(b.Directive, "recorded:")
	}
	for _, l := range p.Links {
		picture = picture || strings.Contains(l.Target, "/diagrams/") && strings.HasSuffix(l.Target, ".svg")
	}
	if !recorded {
		add(0, "no recorded output", "put `<!-- recorded: go run ./chapters/"+chapter+" -->` above a ```text block, "+
			"then: go run ./scripts/record "+chapter[:2])
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

// referencePage looks at a chapter's UPSTREAM.md.
func referencePage(t *Tree, chapter string) ([]Finding, error) {
	file := "chapters/" + chapter + "/UPSTREAM.md"
	if !t.Exists(file) {
		return []Finding{{file, 0, "the chapter has no reference",
			"write it: " + strings.Join(ReferenceSections, " · ")}}, nil
	}
	page, err := t.Page(file)
	if err != nil {
		return nil, err
	}
	var found []Finding
	if sections := sectionsOf(page); !slices.Equal(sections, ReferenceSections) {
		found = append(found, Finding{file, 1, "the sections are " + strings.Join(sections, " · "),
			"they must be " + strings.Join(ReferenceSections, " · ")})
	}
	if !claimsTable.Match(page.Source) {
		found = append(found, Finding{file, 1, "has no place for the table of claims",
			"write the lines `<!-- claims: generated by go run ./scripts/check -fix evidence -->` and `<!-- claims: " +
				"end -->`, then: go run ./scripts/check -fix evidence"})
	}
	return found, nil
}

func sectionsOf(p *Page) (sections []string) {
	for _, h := range p.Headings {
		if h.Level == 2 {
			sections = append(sections, h.Text)
		}
	}
	return sections
}

// longBlock is how many lines of a block are read in half a minute.
const longBlock = 15

// readingMinutes estimates what a lesson takes one reader: 200 words a minute, half a minute for each block, and two
// seconds for each of its lines beyond 15. A block of one line is a command to type, and is read like words; what is
// folded is read by who unfolds it. In a lesson of one layer, each block counts, and lines beyond 15 do not.
func readingMinutes(p *Page, oneLayer bool) int {
	words := 0
	for _, t := range append(append([]Text{}, p.Texts...), p.Spans...) {
		words += len(strings.Fields(t.Value))
	}
	if oneLayer {
		return words/200 + (len(p.Blocks)+1)/2
	}
	seconds := words * 60 / 200
	for _, b := range p.Blocks {
		lines := strings.Count(b.Content, "\n")
		if lines > 1 && !folded(p, b) {
			seconds += 30 + 2*max(0, lines-longBlock)
		}
	}
	return (seconds + 30) / 60
}

// folded says whether a block stands inside of <details>.
func folded(p *Page, b Block) bool {
	before := string(p.Source[:b.begin])
	return strings.Count(before, "<details>") > strings.Count(before, "</details>")
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
