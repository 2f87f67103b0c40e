package grader

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/scanner"
	"go/token"
	"io"
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise/stub"
)

// maxSource is far more than an exercise needs.
const maxSource = 1 << 20

// Layouts are the places where a submission's file for an exercise is looked for, in this order.
func (e Exercise) Layouts() []string {
	chapter, _, _ := strings.Cut(e.Chapter, "-")
	return []string{
		path.Join("chapters", e.Chapter, "exercises", e.Slug, "exercise.go"), // a clone of the repository
		path.Join(e.Chapter, e.Slug, "exercise.go"),                          // as in solutions/
		path.Join(chapter, e.Slug, "exercise.go"),
		path.Join(e.ID, "exercise.go"),
		e.ID + ".go",
	}
}

// readSubmission reads the file to be graded from a folder with one of the layouts. A nil source without a failure
// means that there is none. Nothing outside the folder is read, and nothing that is no plain file is opened.
func (e Exercise) readSubmission(dir string) (source []byte, failure *Failure, err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, nil, err
	}
	defer root.Close()
	for _, name := range e.Layouts() {
		info, err := root.Lstat(name)
		if errors.Is(err, fs.ErrNotExist) || err != nil && strings.Contains(err.Error(), "not a directory") {
			continue
		}
		if err != nil {
			return nil, fileFailure(name + " can't be read: " + err.Error()), nil
		}
		if what := kindOf(info.Mode()); what != "" {
			return nil, fileFailure("exercise.go is " + what), nil
		}
		if info.Size() > maxSource {
			return nil, fileFailure(fmt.Sprintf("exercise.go has %d bytes", info.Size())), nil
		}
		f, err := root.Open(name)
		if err != nil {
			return nil, fileFailure(name + " can't be read: " + err.Error()), nil
		}
		defer f.Close()
		source, err := io.ReadAll(io.LimitReader(f, maxSource))
		return source, nil, err
	}
	return nil, nil, nil
}

func kindOf(mode fs.FileMode) string {
	switch {
	case mode.IsRegular():
		return ""
	case mode&fs.ModeSymlink != 0:
		return "a symbolic link"
	case mode.IsDir():
		return "a folder"
	}
	return "no plain file (" + mode.Type().String() + ")"
}

func fileFailure(happened string) *Failure {
	return &Failure{Reason: ReasonFile, Expected: "exercise.go is a plain file of Go code", Happened: happened}
}

// checkSource looks for what go's own messages would say in a roundabout way.
func checkSource(source, stubText []byte) *Failure {
	if len(bytes.TrimSpace(source)) == 0 {
		return fileFailure("exercise.go is empty")
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "exercise.go", source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		var list scanner.ErrorList
		if errors.As(err, &list) && len(list) > 0 {
			f := compileFailure(list[0].Pos.Line, list[0].Msg)
			f.Also = andMore(len(list) - 1)
			return f
		}
		return compileFailure(0, err.Error())
	}
	line := func(p token.Pos) int { return fset.Position(p).Line }
	if want, ok := packageOf(stubText); ok && file.Name.Name != want {
		return &Failure{
			Reason:   ReasonFile,
			Line:     line(file.Package),
			Expected: "package " + want + ", the package of the tests",
			Happened: fmt.Sprintf("exercise.go:%d says package %s", line(file.Package), file.Name.Name),
		}
	}
	for _, spec := range file.Imports {
		p, _ := strconv.Unquote(spec.Path.Value)
		if p == "C" || p == "unsafe" || p == "testing" || strings.HasSuffix(p, "/internal/exercise") {
			return &Failure{Reason: ReasonFile, Line: line(spec.Pos()),
				Expected: "exercise.go is Go alone, and leaves the tests alone",
				Happened: fmt.Sprintf("exercise.go:%d imports %s", line(spec.Pos()), p)}
		}
	}
	for _, group := range file.Comments {
		for _, c := range group.List {
			if c.Pos() < file.Package && constraint.IsGoBuild(c.Text) {
				return &Failure{Reason: ReasonFile, Line: line(c.Pos()),
					Expected: "exercise.go is part of every build",
					Happened: fmt.Sprintf("exercise.go:%d has a build constraint: %s", line(c.Pos()), c.Text)}
			}
		}
	}
	return nil
}

func packageOf(source []byte) (string, bool) {
	file, err := parser.ParseFile(token.NewFileSet(), "", source, parser.PackageClauseOnly)
	if err != nil {
		return "", false
	}
	return file.Name.Name, true
}

// Stub generates the exercise's stub from its reference solution.
func (e Exercise) Stub() ([]byte, error) {
	reference, err := e.Reference()
	if err != nil {
		return nil, err
	}
	text, err := stub.Generate(reference)
	if err != nil {
		return nil, fmt.Errorf("%s/exercise.go: %w", e.SolutionDir(), err)
	}
	return text, nil
}

// declared maps the names of a file's functions, methods and types to their signatures.
func declared(source []byte) map[string]string {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", source, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	text := func(from, to token.Pos) string {
		return strings.Join(strings.Fields(string(source[fset.Position(from).Offset:fset.Position(to).Offset])), " ")
	}
	out := map[string]string{}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			name := "func " + d.Name.Name
			if d.Recv != nil && len(d.Recv.List) == 1 {
				name = "method " + strings.TrimLeft(text(d.Recv.List[0].Type.Pos(), d.Recv.List[0].Type.End()), "*") +
					"." + d.Name.Name
			}
			out[name] = text(d.Pos(), d.Type.End())
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if t, ok := s.(*ast.TypeSpec); ok {
					out["type "+t.Name.Name] = "type " + t.Name.Name
				}
			}
		}
	}
	return out
}
