package check

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strconv"
	"strings"
)

var questionsCheck = Check{
	Name:   "questions",
	Guards: "what a demo asks, three questions at most, is what its lesson and the workshop ask",
	Run: func(_ context.Context, t *Tree) ([]Finding, error) {
		var found []Finding
		for _, chapter := range t.Chapters() {
			some, err := t.unasked(chapter)
			if err != nil {
				return nil, err
			}
			found = append(found, some...)
		}
		source, err := t.Read(workshopFile)
		if err != nil {
			return found, nil // nothing more to guard
		}
		fresh, err := withQuestions(t, string(source))
		if err == nil && fresh != string(source) {
			found = append(found, Finding{workshopFile, 0, "the questions differ from the demos'",
				"go run ./scripts/check -fix questions"})
		}
		return found, err
	},
	Fix: func(_ context.Context, t *Tree) ([]string, error) {
		source, err := t.Read(workshopFile)
		if err != nil {
			return nil, nil
		}
		fresh, err := withQuestions(t, string(source))
		if err != nil {
			return nil, err
		}
		did, err := t.Write(workshopFile, []byte(fresh))
		if did {
			return []string{workshopFile}, err
		}
		return nil, err
	},
}

// maxQuestions is how many questions a demo may ask.
const maxQuestions = 3

// question is what a demo asks before a step.
type question struct {
	step         int
	line         int // in main.go
	text, answer string
}

// unasked finds the questions of a chapter's demo that its lesson leaves out, and what is wrong with them.
func (t *Tree) unasked(chapter string) ([]Finding, error) {
	file := "chapters/" + chapter + "/main.go"
	asked, err := t.questions(chapter)
	if err != nil {
		return nil, err
	}
	var found []Finding
	if len(asked) > maxQuestions {
		found = append(found, Finding{file, asked[maxQuestions].line,
			fmt.Sprintf("the demo asks %d questions", len(asked)), "leave three: a room has no patience for more"})
	}
	lesson, _ := t.Read("chapters/" + chapter + "/README.md") // the check lessons insists on one
	told := squeezed(string(lesson))
	for _, q := range asked {
		switch {
		case !strings.HasSuffix(q.text, "?") || q.answer == "":
			found = append(found, Finding{file, q.line, "a question without a question mark, or without an answer",
				"write both"})
		case t.Exists("chapters/"+chapter+"/UPSTREAM.md") &&
			!(strings.Contains(told, squeezed(q.text)) && strings.Contains(told, squeezed(q.answer))):
			found = append(found, Finding{file, q.line, "the lesson does not ask this, or answers otherwise",
				"write the question in bold before the step's output, " +
					"and the answer below it in <details>, in these words"})
		}
	}
	return found, nil
}

// squeezed is a text with each run of white space as one space, and without the marks of code.
func squeezed(s string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(s, "`", "")), " ")
}

// questions reads the questions of a chapter's demo out of its table of contents.
// The steps are numbered as they stand there.
func (t *Tree) questions(chapter string) ([]question, error) {
	file := "chapters/" + chapter + "/main.go"
	source, err := t.Read(file)
	if err != nil {
		return nil, nil // the check rooms insists on one
	}
	lines := token.NewFileSet()
	parsed, err := parser.ParseFile(lines, file, source, 0)
	if err != nil {
		return nil, nil // gofmt says so
	}
	var asked []question
	step := 0
	ast.Inspect(parsed, func(n ast.Node) bool {
		literal, ok := n.(*ast.CompositeLit)
		if !ok {
			return true
		}
		fields := textFields(literal)
		if fields["Run"] == nil || fields["Title"] == nil {
			return true
		}
		step++
		if q := fields["Question"]; q != nil {
			line := lines.Position(q.Pos()).Line
			asked = append(asked, question{step, line, literalText(q), literalText(fields["Answer"])})
		}
		return false
	})
	return asked, nil
}

// textFields are the values of a literal by their keys.
func textFields(literal *ast.CompositeLit) map[string]ast.Expr {
	fields := map[string]ast.Expr{}
	for _, element := range literal.Elts {
		if pair, ok := element.(*ast.KeyValueExpr); ok {
			if key, ok := pair.Key.(*ast.Ident); ok {
				fields[key.Name] = pair.Value
			}
		}
	}
	return fields
}

// literalText is the value of a string literal, or of several that are added up; empty for anything else.
func literalText(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		s, _ := strconv.Unquote(e.Value)
		return s
	case *ast.BinaryExpr:
		return literalText(e.X) + literalText(e.Y)
	}
	return ""
}

var questionsTable = regexp.MustCompile(`(?m)(^<!-- questions:.*-->\n\|.*\n\|.*\n)((?:\|.*\n)*)`)

// withQuestions gives the page with its table of questions made anew from the demos.
func withQuestions(t *Tree, page string) (string, error) {
	var rows strings.Builder
	for _, chapter := range t.Chapters() {
		asked, err := t.questions(chapter)
		if err != nil {
			return "", err
		}
		for _, q := range asked {
			fmt.Fprintf(&rows, "| %s, before step %d | %s | %s |\n", chapter[:2], q.step, q.text, q.answer)
		}
	}
	return questionsTable.ReplaceAllString(page, "${1}"+strings.ReplaceAll(rows.String(), "$", "$$")), nil
}
