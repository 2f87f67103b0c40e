package grader

import (
	"fmt"
	"go/ast"
	"go/token"
	"regexp"
	"slices"
)

// A word is a constant or a variable of the package: one in which the tests and exercise.go speak to each other.
type word struct {
	text  string // what it means: see [sourceFile.canonical]
	shown string // its declaration as a reader reads it
	kind  token.Token
	line  int
	roots []string // the identifiers from which its type and value are made
}

// terms are the constants and variables that a file declares, by name: all, or those that are asked for.
func (s sourceFile) terms(asked ...string) map[string]word {
	out := map[string]word{}
	for _, d := range s.Decls {
		group, ok := d.(*ast.GenDecl)
		if !ok || group.Tok != token.CONST && group.Tok != token.VAR {
			continue
		}
		for _, sp := range group.Specs {
			spec := sp.(*ast.ValueSpec)
			for i, name := range spec.Names {
				_, again := out[name.Name]
				if !again && name.Name != "_" && (len(asked) == 0 || slices.Contains(asked, name.Name)) {
					out[name.Name] = s.word(group, spec, i)
				}
			}
		}
	}
	return out
}

func (s sourceFile) word(group *ast.GenDecl, spec *ast.ValueSpec, i int) word {
	t := word{kind: group.Tok, line: s.line(spec.Pos()), roots: roots(spec)}
	t.text = t.kind.String() + " " + s.canonical(group, spec, i)
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
			if head, _ := headOf(n); head != nil {
				out = append(out, head.Name)
			}
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
	have := map[string]word{}
	if len(names) > 0 {
		have = mine.terms(names...)
	}
	for _, name := range names {
		w, h := want[name], have[name]
		for _, root := range w.roots {
			what := mine.meaning(root)
			if slices.Contains(h.roots, root) && what != given.meaning(root) && given.meaning(root) != ownMeaning {
				return &Failure{Reason: ReasonGiven, Line: h.line, Expected: "as in the stub: " + w.shown,
					Happened: fmt.Sprintf("exercise.go gives another meaning to %s there: %s", root, what)}
			}
		}
		if h.text != w.text {
			f := &Failure{Reason: ReasonGiven, Line: h.line, Expected: "as in the stub: " + w.shown,
				Happened: "exercise.go has no " + w.kind.String() + " " + name}
			if h.text != "" {
				f.Happened = fmt.Sprintf("exercise.go:%d says: %s", h.line, h.shown)
			}
			return f
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
func (s sourceFile) packageOf(name string) string { return s.packages[name] }

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
// what every test expects.
func (s sourceFile) checkAssignments(given map[string]word) (trouble *Failure) {
	refuse := func(e ast.Expr, what string) {
		head, selected := headOf(e)
		if head == nil || s.isLocal(head) || trouble != nil {
			return
		}
		name := head.Name
		t, ours := given[name]
		ours = ours && t.kind == token.VAR && ast.IsExported(name)
		if !ours && sharedName.MatchString(selected) && s.packageOf(name) != "" {
			name, ours = name+"."+selected, true
		}
		if ours {
			line := s.line(e.Pos())
			trouble = &Failure{Reason: ReasonGiven, Line: line, Expected: name + " keeps the value that it has",
				Happened: fmt.Sprintf("exercise.go:%d %s %s", line, what, name)}
		}
	}
	s.changes(refuse)
	return trouble
}

// changes calls f for each expression that is assigned to, or whose address is taken.
func (s sourceFile) changes(f func(e ast.Expr, what string)) {
	ast.Inspect(s.File, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				if n.Tok != token.DEFINE {
					f(e, "assigns to")
				}
			}
		case *ast.IncDecStmt:
			f(n.X, "assigns to")
		case *ast.RangeStmt:
			if n.Tok == token.ASSIGN {
				f(n.Key, "assigns to")
				f(n.Value, "assigns to")
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				f(n.X, "takes the address of")
			}
		}
		return true
	})
}

// isLocal reports whether an identifier stands for something that a function declares: a variable that has the name of
// an import, or of a given variable, is neither.
func (s sourceFile) isLocal(name *ast.Ident) bool {
	return name.Obj != nil && name.Obj != s.Scope.Lookup(name.Name)
}

// sharedName matches variables of packages: fields of a value do not have such names.
var sharedName = regexp.MustCompile(`^(EOF|Canceled|DeadlineExceeded|(Err|Default)[A-Z]\w*)$`)

// headOf is the identifier at the left of x.y[z], *x and (x), or nil, and what is selected from it, if anything is.
func headOf(e ast.Expr) (head *ast.Ident, selected string) {
	for {
		switch x := e.(type) {
		case *ast.Ident:
			return x, selected
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
			return nil, ""
		}
	}
}
