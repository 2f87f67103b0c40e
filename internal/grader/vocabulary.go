package grader

import (
	"fmt"
	"go/ast"
	"go/token"
	"regexp"
	"slices"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise/stub"
)

// A term is a constant or a variable of the package: a word in which the tests and exercise.go speak to each other.
type term struct {
	text  string // its declaration as tokens
	shown string // and as a reader reads it
	kind  token.Token
	line  int
	roots []string // the identifiers from which its type and value are made
}

// terms are the constants and variables that a file declares, by name: all, or those that are asked for.
func (s sourceFile) terms(asked ...string) map[string]term {
	out := map[string]term{}
	for _, d := range s.Decls {
		group, ok := d.(*ast.GenDecl)
		if !ok || group.Tok != token.CONST && group.Tok != token.VAR {
			continue
		}
		for _, sp := range group.Specs {
			spec := sp.(*ast.ValueSpec)
			for _, name := range spec.Names {
				_, again := out[name.Name]
				if !again && name.Name != "_" && (len(asked) == 0 || slices.Contains(asked, name.Name)) {
					out[name.Name] = s.term(group, spec)
				}
			}
		}
	}
	return out
}

func (s sourceFile) term(group *ast.GenDecl, spec *ast.ValueSpec) term {
	t := term{kind: group.Tok, line: s.line(spec.Pos()), roots: roots(spec)}
	from := spec.Pos()
	if group.Tok == token.CONST && (len(spec.Values) == 0 || slices.Contains(t.roots, "iota")) {
		from = group.Specs[0].Pos() // its value depends on those above it
	}
	t.text = t.kind.String() + " " + stub.Tokens(s.between(from, spec.End()))
	t.shown = t.kind.String() + " " + cut(oneLine(string(s.between(spec.Pos(), spec.End()))), 200)
	return t
}

// roots are the identifiers in a declaration's type and values that stand for themselves: not what follows a dot, and
// not the key of a field.
func roots(spec *ast.ValueSpec) (out []string) {
	visit := func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			out = append(out, n.Name)
		case *ast.SelectorExpr:
			name, _ := headOf(n)
			out = append(out, name)
			return false
		}
		return true
	}
	if spec.Type != nil {
		ast.Inspect(spec.Type, visit)
	}
	for _, v := range spec.Values {
		ast.Inspect(v, visit)
	}
	return out
}

// checkVocabulary: the stub's constants and variables stay as they are. Five kinds that are all "", or an error that
// is nil, make every comparison of the tests true. Types and functions may change: right solutions do that.
func checkVocabulary(mine, given sourceFile) *Failure {
	want := given.terms()
	names := sortedKeys(want)
	have := map[string]term{}
	if len(names) > 0 {
		have = mine.terms(names...)
	}
	for _, name := range names {
		w, h := want[name], have[name]
		if h.text != w.text {
			f := &Failure{Reason: ReasonGiven, Line: h.line, Expected: "as in the stub: " + w.shown,
				Happened: "exercise.go has no " + w.kind.String() + " " + name}
			if h.text != "" {
				f.Happened = fmt.Sprintf("exercise.go:%d says: %s", h.line, h.shown)
			}
			return f
		}
		for _, root := range w.roots {
			if what := mine.meaning(root); what != given.meaning(root) && given.meaning(root) != ownMeaning {
				return &Failure{Reason: ReasonGiven, Line: h.line, Expected: "as in the stub: " + w.shown,
					Happened: fmt.Sprintf("exercise.go gives another meaning to %s there: %s", root, what)}
			}
		}
	}
	return mine.checkAssignments(want)
}

// Meanings of an identifier in a file, besides the path of an import.
const (
	ownMeaning = "a declaration of its own"
	goMeaning  = "Go's own"
)

// meaning says what an identifier stands for at package level.
func (s sourceFile) meaning(name string) string {
	if p := s.packageOf(name); p != "" {
		return "package " + p
	}
	for _, d := range s.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil && d.Name.Name == name {
				return ownMeaning
			}
		case *ast.GenDecl:
			for _, sp := range d.Specs {
				if declares(sp, name) {
					return ownMeaning
				}
			}
		}
	}
	return goMeaning
}

// packageOf is the path of what is imported under a name, or "".
func (s sourceFile) packageOf(name string) string {
	for _, spec := range s.Imports {
		if stub.ImportName(spec) == name {
			return importPath(spec)
		}
	}
	return ""
}

func declares(sp ast.Spec, name string) bool {
	switch sp := sp.(type) {
	case *ast.TypeSpec:
		return sp.Name.Name == name
	case *ast.ValueSpec:
		return slices.ContainsFunc(sp.Names, func(n *ast.Ident) bool { return n.Name == name })
	}
	return false
}

// checkAssignments refuses to give a given exported variable another value at run time, or to take its address, with
// which that could be done; and the same for what Go's own packages give to all of the program: io.EOF, made nil, is
// what every test expects. A local variable of a given name is refused too: its scope is not looked at.
func (s sourceFile) checkAssignments(given map[string]term) (trouble *Failure) {
	refuse := func(e ast.Expr, what string) {
		name, selected := headOf(e)
		t, ours := given[name]
		ours = ours && t.kind == token.VAR && ast.IsExported(name)
		if !ours && sharedName.MatchString(selected) && s.packageOf(name) != "" {
			name, ours = name+"."+selected, true
		}
		if ours && trouble == nil {
			line := s.line(e.Pos())
			trouble = &Failure{Reason: ReasonGiven, Line: line, Expected: name + " keeps the value that it has",
				Happened: fmt.Sprintf("exercise.go:%d %s %s", line, what, name)}
		}
	}
	ast.Inspect(s.File, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				if n.Tok != token.DEFINE {
					refuse(e, "assigns to")
				}
			}
		case *ast.IncDecStmt:
			refuse(n.X, "assigns to")
		case *ast.RangeStmt:
			if n.Tok == token.ASSIGN {
				refuse(n.Key, "assigns to")
				refuse(n.Value, "assigns to")
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				refuse(n.X, "takes the address of")
			}
		}
		return true
	})
	return trouble
}

// sharedName matches variables of packages: fields of a value do not have such names.
var sharedName = regexp.MustCompile(`^(EOF|Canceled|DeadlineExceeded|(Err|Default)[A-Z]\w*)$`)

// headOf is the identifier at the left of x.y[z], *x and (x), or "", and what is selected from it, if anything is.
func headOf(e ast.Expr) (name, selected string) {
	for {
		switch x := e.(type) {
		case *ast.Ident:
			return x.Name, selected
		case *ast.ParenExpr:
			e = x.X
		case *ast.SelectorExpr:
			e, selected = x.X, x.Sel.Name
		case *ast.IndexExpr:
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.TypeAssertExpr:
			e = x.X
		default:
			return "", ""
		}
	}
}
