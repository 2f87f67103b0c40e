package check

import (
	"context"
	"fmt"
	"regexp"
	"strings"
)

var demosCheck = Check{
	Name:   "demos",
	Guards: "what a demo asks its lesson and the workshop ask, too, and a fault or a step that the text plays is one",
	Slow:   true, // it asks the demos
	Run: func(ctx context.Context, t *Tree) ([]Finding, error) {
		demos := t.Demos(ctx)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		var found []Finding
		for _, chapter := range t.Chapters() {
			found = append(found, t.unasked(chapter, demos[chapter])...)
		}
		unknown, err := t.unknownFaults(demos)
		if err != nil {
			return nil, err
		}
		found = append(found, unknown...)
		source, err := t.Read(workshopFile)
		if err != nil {
			return found, nil // nothing more to guard
		}
		if withQuestions(t, demos, string(source)) != string(source) {
			found = append(found, Finding{workshopFile, 0, "the questions differ from the demos'",
				"go run ./scripts/check -fix demos"})
		}
		return append(found, plays(t, demos, string(source))...), nil
	},
	Fix: func(ctx context.Context, t *Tree) ([]string, error) {
		source, err := t.Read(workshopFile)
		if err != nil {
			return nil, nil
		}
		demos := t.Demos(ctx)
		for chapter, demo := range demos {
			if demo.Err != nil {
				return nil, fmt.Errorf("go run ./chapters/%s -list -json: %w", chapter, demo.Err)
			}
		}
		did, err := t.Write(workshopFile, []byte(withQuestions(t, demos, string(source))))
		if did {
			return []string{workshopFile}, err
		}
		return nil, err
	},
}

// maxQuestions is how many questions a demo may ask.
const maxQuestions = 3

// unasked finds the questions of a chapter's demo that its lesson leaves out, and what is wrong with them.
func (t *Tree) unasked(chapter string, demo Demo) (found []Finding) {
	finding := func(what, mend string) {
		found = append(found, Finding{"chapters/" + chapter + "/main.go", 0, what, mend})
	}
	if demo.Err != nil {
		finding("the demo does not say what it can play: "+demo.Err.Error(),
			"go run ./chapters/"+chapter+" -list -json")
		return found
	}
	lesson, _ := t.Read("chapters/" + chapter + "/README.md") // the check lessons insists on one
	told := squeezed(string(lesson))
	asked := 0
	for _, s := range demo.Steps {
		if s.Question == "" && s.Answer == "" {
			continue
		}
		asked++
		switch {
		case !strings.HasSuffix(s.Question, "?") || s.Answer == "":
			finding(fmt.Sprintf("step %d has a question without a question mark, or without an answer", s.Number),
				"write both")
		case t.Exists("chapters/"+chapter+"/UPSTREAM.md") &&
			!(strings.Contains(told, squeezed(s.Question)) && strings.Contains(told, squeezed(s.Answer))):
			finding(fmt.Sprintf("the lesson does not ask what step %d asks, or answers otherwise", s.Number),
				"write the question in bold before the step's output, "+
					"and the answer below it in <details>, in these words")
		}
	}
	if asked > maxQuestions {
		finding(fmt.Sprintf("the demo asks %d questions", asked), "leave three: a room has no patience for more")
	}
	return found
}

// squeezed is a text with each run of white space as one space, and without the marks of code.
func squeezed(s string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(s, "`", "")), " ")
}

var questionsTable = regexp.MustCompile(`(?m)(^<!-- questions:.*-->\n\|.*\n\|.*\n)((?:\|.*\n)*)`)

// withQuestions gives the page with its table of questions made anew from the demos.
func withQuestions(t *Tree, demos map[string]Demo, page string) string {
	var rows strings.Builder
	for _, chapter := range t.Chapters() {
		for _, s := range demos[chapter].Steps {
			if s.Question != "" {
				fmt.Fprintf(&rows, "| %s, before step %d | %s | %s |\n", chapter[:2], s.Number, s.Question, s.Answer)
			}
		}
	}
	return questionsTable.ReplaceAllString(page, "${1}"+strings.ReplaceAll(rows.String(), "$", "$$"))
}
