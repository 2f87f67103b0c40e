package grader

import (
	"go/ast"
	"go/token"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise/stub"
)

// A signature is how a function, a method or a type is declared.
type signature struct {
	shown string
	types string // without the names of parameters and results, which callers do not see
}

// declared maps the names of a file's functions, methods and types to their signatures.
func declared(source []byte) map[string]signature {
	file, err := parseSource(source)
	if err != nil {
		return nil
	}
	text := func(from, to token.Pos) string { return oneLine(string(file.between(from, to))) }
	out := map[string]signature{}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			name := "func " + d.Name.Name
			if d.Recv != nil && len(d.Recv.List) == 1 {
				name = "method " + strings.TrimLeft(text(d.Recv.List[0].Type.Pos(), d.Recv.List[0].Type.End()), "*") +
					"." + d.Name.Name
			}
			types := file.types(d.Type.TypeParams) + "(" + file.types(d.Type.Params) + ")" + file.types(d.Type.Results)
			out[name] = signature{shown: text(d.Type.Func, d.Type.End()), types: types}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if t, ok := s.(*ast.TypeSpec); ok {
					out["type "+t.Name.Name] = signature{shown: "type " + t.Name.Name}
				}
			}
		}
	}
	return out
}

// types writes the type of each parameter.
func (s sourceFile) types(list *ast.FieldList) string {
	if list == nil {
		return ""
	}
	var out []string
	for _, field := range list.List {
		for range max(1, len(field.Names)) {
			out = append(out, stub.Tokens(s.between(field.Type.Pos(), field.Type.End())))
		}
	}
	return strings.Join(out, ", ")
}
