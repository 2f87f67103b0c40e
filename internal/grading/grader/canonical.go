package grader

import (
	"go/ast"
	"go/constant"
	"go/token"
	"slices"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise/stub"
)

// canonical writes the declaration of a spec's i-th name so that two that mean the same are the same text, as far as
// syntax alone can tell: a literal by its value, an import by its path, a value apart from its neighbours, and
// var E error = errors.New("x") as var E = errors.New("x"). It is no text to be shown.
func (s sourceFile) canonical(group *ast.GenDecl, spec *ast.ValueSpec, i int) string {
	from := spec.Pos()
	if group.Tok == token.CONST && (len(spec.Values) == 0 || slices.Contains(roots(spec), "iota")) {
		from = group.Specs[0].Pos() // its value depends on those above it
	}
	if from != spec.Pos() || len(spec.Names) != len(spec.Values) {
		return s.meaningOf(group, from, spec.End())
	}
	value := ast.Unparen(spec.Values[i])
	typ := spec.Type
	call, _ := value.(*ast.CallExpr)
	switch {
	case call == nil || call.Ellipsis.IsValid():
	case typ == nil && len(call.Args) == 1: // T(x) is what T = x is
		typ, value = ast.Unparen(call.Fun), call.Args[0]
	case s.isErrorInterface(typ) && len(call.Args) == 1 && s.makesError(call.Fun):
		typ, value = call.Fun, call.Args[0]
	}
	text := s.meaningOf(value, value.Pos(), value.End())
	if typ != nil {
		text = s.meaningOf(typ, typ.Pos(), typ.End()) + " = " + text
	}
	return text
}

func (s sourceFile) isErrorInterface(typ ast.Expr) bool {
	name, ok := typ.(*ast.Ident)
	return ok && name.Name == "error" && s.meaning("error") == goMeaning
}

// makesError: the functions whose result is an error, and no type of its own.
func (s sourceFile) makesError(f ast.Expr) bool {
	head, selected := headOf(f)
	if head == nil {
		return false
	}
	made := s.packageOf(head.Name) + "." + selected
	return made == "errors.New" || made == "fmt.Errorf"
}

// meaningOf writes the source between two places within a node as tokens, with literals and imports by what they mean.
func (s sourceFile) meaningOf(within ast.Node, from, to token.Pos) string {
	var out strings.Builder
	at := from
	put := func(n ast.Node, text string) {
		out.Write(s.between(at, n.Pos()))
		out.WriteString(text)
		at = n.End()
	}
	ast.Inspect(within, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			v := constant.MakeFromLiteral(n.Value, n.Kind, 0)
			if n.Pos() >= at && n.End() <= to && v.Kind() != constant.Unknown {
				put(n, n.Kind.String()+" "+v.ExactString())
			}
		case *ast.SelectorExpr:
			name, ok := n.X.(*ast.Ident)
			if ok && name.Pos() >= at && name.End() <= to && !s.isLocal(name) && s.packageOf(name.Name) != "" {
				put(name, constant.MakeString(s.packageOf(name.Name)).ExactString())
			}
		}
		return true
	})
	out.Write(s.between(at, to))
	return stub.Tokens([]byte(out.String()))
}
