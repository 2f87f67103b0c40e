package stub

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
)

// FunctionWritten reports whether a learner has written a function of an exercise, such as Queue.ShutDown: whether its
// body differs from the stub's in more than comments and layout. So somebody sees which stage an exercise is at, if the
// stage has a function of its own.
func FunctionWritten(root, chapter, slug, function string) (bool, error) {
	mine, reference, err := files(root, chapter, slug)
	if err != nil {
		return false, err
	}
	text, err := Generate(reference)
	if err != nil {
		return false, err
	}
	given, ok := bodyOf(text, function)
	if !ok {
		return false, fmt.Errorf("the stub of %s/%s has no function %s", chapter, slug, function)
	}
	now, ok := bodyOf(mine, function)
	return ok && now != given, nil
}

// bodyOf writes a function's body as its tokens. A file that does not parse has none.
func bodyOf(src []byte, function string) (tokens string, ok bool) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", src, parser.SkipObjectResolution)
	if err != nil {
		return "", false
	}
	for _, decl := range file.Decls {
		if f, is := decl.(*ast.FuncDecl); is && f.Body != nil && nameOf(f) == function {
			from, to := fset.Position(f.Body.Pos()).Offset, fset.Position(f.Body.End()).Offset
			return Tokens(src[from:to]), true
		}
	}
	return "", false
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
	if generic, ok := of.(*ast.IndexExpr); ok {
		of = generic.X
	}
	if name, ok := of.(*ast.Ident); ok {
		return name.Name + "." + f.Name.Name
	}
	return f.Name.Name
}
