package grader

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise/stub"
)

// A sourceFile is one file of Go code as syntax.
type sourceFile struct {
	text []byte
	fset *token.FileSet
	*ast.File
	packages map[string]string // paths of the imports, by the name under which the file knows them
}

func parseSource(text []byte) (sourceFile, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "exercise.go", text, parser.ParseComments)
	s := sourceFile{text, fset, file, map[string]string{}}
	if file == nil {
		return s, err
	}
	for _, spec := range file.Imports {
		name := stub.ImportName(spec)
		if _, again := s.packages[name]; !again {
			s.packages[name] = importPath(spec)
		}
	}
	return s, err
}

func (s sourceFile) line(p token.Pos) int { return s.fset.PositionFor(p, false).Line }

// between is the text from one place to another.
func (s sourceFile) between(from, to token.Pos) []byte {
	return s.text[s.fset.PositionFor(from, false).Offset:s.fset.PositionFor(to, false).Offset]
}

// checkSource refuses what does not have to be compiled to be refused: what would change the build or the given part
// of the exercise, and what go's own messages would say in a roundabout way.
func checkSource(source, stubText []byte) *Failure {
	if len(bytes.TrimSpace(source)) == 0 {
		return fileFailure("exercise.go is empty")
	}
	if f := checkEncoding(source); f != nil {
		return f
	}
	if f := checkDirectives(source); f != nil {
		return f
	}
	mine, err := parseSource(source)
	if err != nil && bytes.ContainsRune(source, '\r') && !bytes.ContainsRune(source, '\n') {
		f := fileFailure("its lines end with a carriage return alone: save it anew, with line feeds")
		f.Expected = "exercise.go is text with lines that end with a line feed"
		return f
	}
	if err != nil {
		var list scanner.ErrorList
		if errors.As(err, &list) && len(list) > 0 {
			line := list[0].Pos.Line
			if what := leftover(source, line); what != "" {
				return compileFailure(line, what)
			}
			f := compileFailure(line, list[0].Msg)
			f.Also = andMore(len(list) - 1)
			return f
		}
		return compileFailure(0, err.Error())
	}
	given, err := parseSource(stubText)
	if err != nil {
		return nil // the build says what is wrong with the course
	}
	if want := given.Name.Name; mine.Name.Name != want {
		return &Failure{
			Reason:   ReasonFile,
			Line:     mine.line(mine.Package),
			Expected: "package " + want + ", the package of the tests",
			Happened: fmt.Sprintf("exercise.go:%d says package %s", mine.line(mine.Package), mine.Name.Name),
		}
	}
	for _, check := range []func(mine, given sourceFile) *Failure{checkImports, checkForbidden, checkVocabulary} {
		if f := check(mine, given); f != nil {
			return f
		}
	}
	return nil
}

// leftover names what stands at the beginning of a line and is no Go, where a parser's words would puzzle.
func leftover(source []byte, line int) string {
	lines := bytes.Split(source, []byte("\n"))
	if line < 1 || line > len(lines) {
		return ""
	}
	begins := func(mark string) bool { return bytes.HasPrefix(lines[line-1], []byte(mark)) }
	switch {
	case begins("```"):
		return "a fence of Markdown, which is no Go"
	case begins("<<<<<<< "), begins("======="), begins(">>>>>>> "):
		return "a conflict that git left, to be resolved"
	}
	return ""
}
