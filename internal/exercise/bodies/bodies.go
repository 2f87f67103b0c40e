// Package bodies tells which functions of an exercise a learner has written, as a stage or a program that runs the
// exercise asks. Whether anything is written at all is package stub's to say.
package bodies

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise/stub"
)

// A Body is that of a function, as its tokens, so that comments and layout make no difference.
type Body struct {
	Tokens string
	Doc    string // the function's comment
}

// Of gives those of a file's functions, by name: Add, or Queue.Add, without type parameters.
func Of(src []byte) (map[string]Body, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "exercise.go", src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	out := map[string]Body{}
	for _, decl := range file.Decls {
		if f, is := decl.(*ast.FuncDecl); is && f.Body != nil {
			from, to := fset.Position(f.Body.Pos()).Offset, fset.Position(f.Body.End()).Offset
			out[nameOf(f)] = Body{stub.Tokens(src[from:to]), f.Doc.Text()}
		}
	}
	return out, nil
}

// Written reports whether a learner has written a function of an exercise, such as Queue.ShutDown: whether its body
// differs from the stub's. So somebody sees which stage an exercise is at, if the stage has a function of its own. In a
// file that does not parse nothing is written.
func Written(root, chapter, slug, function string) (bool, error) {
	mine, err := os.ReadFile(filepath.Join(root, "chapters", chapter, "exercises", slug, "exercise.go"))
	if err != nil {
		return false, fmt.Errorf("read the exercise: %w", err)
	}
	reference, err := os.ReadFile(filepath.Join(root, "solutions", chapter, slug, "exercise.go"))
	if err != nil {
		return false, fmt.Errorf("read what the stub is made from: %w", err)
	}
	text, err := stub.Generate(reference)
	if err != nil {
		return false, err
	}
	given, err := Of(text)
	if err != nil {
		return false, err
	}
	if _, ok := given[function]; !ok {
		return false, fmt.Errorf("the stub of %s/%s has no function %s", chapter, slug, function)
	}
	now, err := Of(mine)
	body, ok := now[function]
	return err == nil && ok && body.Tokens != given[function].Tokens, nil
}

// nameOf is that of a function, with its receiver's before it.
func nameOf(f *ast.FuncDecl) string {
	if f.Recv == nil || len(f.Recv.List) == 0 {
		return f.Name.Name
	}
	of := f.Recv.List[0].Type
	if star, ok := of.(*ast.StarExpr); ok {
		of = star.X
	}
	switch generic := of.(type) {
	case *ast.IndexExpr:
		of = generic.X
	case *ast.IndexListExpr:
		of = generic.X
	}
	if name, ok := of.(*ast.Ident); ok {
		return name.Name + "." + f.Name.Name
	}
	return f.Name.Name
}
