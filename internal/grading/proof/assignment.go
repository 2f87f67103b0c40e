package proof

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise/stub"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader"
)

// An Assignment is what a stub asks for, in its comments.
type Assignment struct {
	// Words are those of the package comment and of what stands under the stages; without stages, of all that stands
	// above declarations. No headings, no example, no TODO.
	Words    int
	Stages   []AssignedStage
	Problems []string // headings of one stage that differ, a declaration's own sentence that is too long
}

// An AssignedStage is what a stub asks for in one stage, under the headings of all its functions.
type AssignedStage struct {
	Heading      string // "Stage 1: each event, as soon as it is there"
	Number       int
	Words        int
	Requirements []string // the bullets; where a heading has none, its text
}

// Requirements counts those of all stages.
func (a Assignment) Requirements() (n int) {
	for _, s := range a.Stages {
		n += len(s.Requirements)
	}
	return n
}

// maxSentence is how many words the first sentence of a declaration's comment may have.
const maxSentence = 25

var (
	headingLine = regexp.MustCompile(`^Stage ([1-9])(?: \(hard\))?: `)
	bullet      = regexp.MustCompile(`^\s+- `)
)

// ReadAssignment reads the comments of a stub.
func ReadAssignment(stubText []byte) (Assignment, error) {
	file, err := parser.ParseFile(token.NewFileSet(), "exercise.go", stubText, parser.ParseComments)
	if err != nil {
		return Assignment{}, err
	}
	var a Assignment
	words, above := a.read(file.Doc)
	a.Words = words + above
	others := 0
	for _, d := range file.Decls {
		var doc *ast.CommentGroup
		switch d := d.(type) {
		case *ast.FuncDecl:
			doc = d.Doc
		case *ast.GenDecl:
			doc = d.Doc
		}
		words, above := a.read(doc)
		a.Words += words
		others += above
	}
	if len(a.Stages) == 0 {
		a.Words, a.Problems = a.Words+others, nil
	}
	slices.SortFunc(a.Stages, func(x, y AssignedStage) int { return x.Number - y.Number })
	return a, nil
}

// read takes what stands under headings, and counts its words and those above the headings.
func (a *Assignment) read(doc *ast.CommentGroup) (words, above int) {
	var at *AssignedStage
	var own []string // what stands above the first heading
	open := false    // the last requirement may go on in the next line
	for line := range strings.Lines(doc.Text()) {
		text := strings.TrimSpace(line)
		if m := headingLine.FindStringSubmatch(text); m != nil {
			at, open = a.stage(m[1], text), false
			continue
		}
		switch n := len(strings.Fields(text)); {
		case n == 0:
		case at == nil && (strings.HasPrefix(line, "\t") || strings.HasPrefix(line, "    ")): // an example
		case at == nil:
			own = append(own, text)
			above += n
		case bullet.MatchString(line):
			at.Requirements, open = append(at.Requirements, strings.TrimPrefix(text, "- ")), true
			at.Words += n - 1
			words += n - 1
		default:
			if !open {
				at.Requirements, open = append(at.Requirements, ""), true
			}
			last := &at.Requirements[len(at.Requirements)-1]
			*last = strings.TrimSpace(*last + " " + text)
			at.Words += n
			words += n
		}
	}
	sentence, _, _ := strings.Cut(strings.Join(own, " ")+" ", ". ")
	if n := len(strings.Fields(sentence)); n > maxSentence && !strings.HasPrefix(sentence, "Package ") {
		a.Problems = append(a.Problems, fmt.Sprintf("the first sentence of a declaration has %d words, of at most %d: %s", n,
			maxSentence, sentence))
	}
	return words, above
}

// stage is the one of that number, which each heading of it calls the same.
func (a *Assignment) stage(number, heading string) *AssignedStage {
	n, _ := strconv.Atoi(number)
	i := slices.IndexFunc(a.Stages, func(s AssignedStage) bool { return s.Number == n })
	if i < 0 {
		a.Stages = append(a.Stages, AssignedStage{Number: n, Heading: heading})
		i = len(a.Stages) - 1
	}
	if have := a.Stages[i].Heading; have != heading {
		a.Problems = append(a.Problems, "one stage has two headings: "+have+" / "+heading)
	}
	return &a.Stages[i]
}

// stageOf is the number of the stage under which a sentence stands, or 0.
func (a Assignment) stageOf(sentence string) int {
	for _, s := range a.Stages {
		if slices.ContainsFunc(s.Requirements, func(r string) bool {
			return strings.Contains(folded(r), folded(sentence))
		}) {
			return s.Number
		}
	}
	return 0
}

// MissingLines counts the lines that the stub's readers are to write: those of the reference's regions, without
// comments and blank lines.
func MissingLines(reference []byte) (n int) {
	inside := false
	for line := range strings.Lines(string(reference)) {
		text := strings.TrimSpace(line)
		switch {
		case text == "//solution:begin":
			inside = true
		case text == "//solution:end":
			inside = false
		case inside && text != "" && !stub.IsMark(line) && !strings.HasPrefix(text, "//"):
			n++
		}
	}
	return n
}

// headingsDiffer compares the headings in the stub with those of the files that grade the stages.
func headingsDiffer(stages []grader.Stage, a Assignment) (problems []string) {
	for _, s := range stages {
		i := slices.IndexFunc(a.Stages, func(in AssignedStage) bool { return in.Number == s.Number })
		switch {
		case i < 0:
			problems = append(problems, "no comment of the stub has the heading "+strconv.Quote(s.Heading()))
		case a.Stages[i].Heading != s.Heading():
			problems = append(problems, "the stub says "+strconv.Quote(a.Stages[i].Heading)+", and stage"+
				strconv.Itoa(s.Number)+"_test.go "+strconv.Quote(s.Heading()))
		}
	}
	if len(a.Stages) > len(stages) {
		problems = append(problems, "the stub names "+strconv.Itoa(len(a.Stages))+" stages, and "+
			strconv.Itoa(len(stages))+" have a stageN_test.go")
	}
	return problems
}
