package check

import (
	"context"
	"fmt"
	"strings"
)

// aList is a page that has something of each chapter. What it must have is that of chapters/NN-name.
type aList struct {
	file string
	// has says whether the page has the chapter.
	has  func(page, chapter string) bool
	mend string
}

// lists are the pages where somebody looks for a chapter.
var lists = []aList{
	{"README.md", hasRow, "add its row to the table of chapters"},
	{syllabusFile, links("../chapters/%s/README.md)"), "link it where it says what the chapter builds, and in the paths"},
	{"docs/symptoms.md", links("chapters/%s"), "add a row for what its failures leave in a log, or for what is seen"},
	{"docs/glossary.md", hasWords, "add its words, and say so in the page's first sentence"},
	{".vscode/launch.json", links("%q"), "add it to the options of the input chapter"},
}

// hasRow is of the README, whose table of chapters has a row for each.
func hasRow(page, chapter string) bool {
	return strings.Contains(page, "\n| "+chapter[:2]+" | [") &&
		strings.Contains(page, "(chapters/"+chapter+"/README.md) |")
}

// hasWords is of the glossary, which says how far it goes.
func hasWords(page, chapter string) bool {
	_, last, ok := strings.Cut(page, "The words of chapters 01 to ")
	return ok && len(last) > 2 && last[:2] >= chapter[:2]
}

// links is a page that holds a chapter's name in this form.
func links(form string) func(page, chapter string) bool {
	return func(page, chapter string) bool { return strings.Contains(page, fmt.Sprintf(form, chapter)) }
}

var listedCheck = Check{
	Name:   "listed",
	Guards: "each chapter is where somebody looks for it: README, syllabus, symptoms, glossary, the editor's list",
	Run: func(_ context.Context, t *Tree) ([]Finding, error) {
		var found []Finding
		for _, list := range lists {
			page, err := t.Read(list.file)
			if err != nil {
				continue // no list to guard
			}
			for _, chapter := range t.Chapters() {
				if !list.has(string(page), chapter) {
					found = append(found, Finding{list.file, 0, "has nothing of chapters/" + chapter, list.mend})
				}
			}
		}
		return found, nil
	},
}
