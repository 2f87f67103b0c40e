package exercise

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
)

// function is the body of one in the learner's file, between two lines.
type function struct {
	body     *ast.BlockStmt
	closure  bool
	from, to int
	lineOf   func(token.Pos) int
}

// functionsOf finds the functions of a file, closures included.
func functionsOf(source []byte) (out []function) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "exercise.go", source, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	lineOf := func(p token.Pos) int { return fset.Position(p).Line }
	ast.Inspect(file, func(n ast.Node) bool {
		var body *ast.BlockStmt
		switch n := n.(type) {
		case *ast.FuncDecl:
			body = n.Body
		case *ast.FuncLit:
			body = n.Body
		}
		if body != nil {
			_, closure := n.(*ast.FuncLit)
			out = append(out, function{body, closure, lineOf(body.Lbrace), lineOf(body.Rbrace), lineOf})
		}
		return true
	})
	return out
}

// lockedAt is the name of what is locked on a line, "mu" of b.mu.Lock(), or "" for one that is not known.
func lockedAt(functions []function, line int) (name string) {
	for _, f := range functions {
		ast.Inspect(f.body, func(n ast.Node) bool {
			if what, call := lockCall(n); what != "" && f.lineOf(n.Pos()) == line &&
				!strings.HasSuffix(call, "Unlock") {
				name = lastName(what)
			}
			return true
		})
	}
	return name
}

// lockCall takes b.mu.Lock() apart.
func lockCall(n ast.Node) (what, method string) {
	if call, ok := n.(*ast.CallExpr); ok {
		if s, ok := call.Fun.(*ast.SelectorExpr); ok {
			switch s.Sel.Name {
			case "Lock", "RLock", "Unlock", "RUnlock":
				return types.ExprString(s.X), s.Sel.Name
			}
		}
	}
	return "", ""
}

// lastName is that of a field: what stands before it is another variable in each method.
func lastName(what string) string {
	if i := strings.LastIndex(what, "."); i >= 0 {
		return what[i+1:]
	}
	return ""
}

// lockBefore is the line of the last Lock of a wanted name that a call has passed on its way and not undone, or 0.
func lockBefore(functions []function, at frame, wanted map[string]bool) int {
	var in function
	for _, f := range functions {
		if f.closure == at.closure && f.from <= at.line && at.line <= f.to &&
			(in.body == nil || f.to-f.from <= in.to-in.from) {
			in = f
		}
	}
	if in.body == nil {
		return 0
	}
	taken := map[string]int{} // lines, by what was locked
	in.walk(in.body, at.line, taken, true)
	last := 0
	for what, line := range taken {
		if name := lastName(what); name == "" || wanted[""] || wanted[name] {
			last = max(last, line)
		}
	}
	return last
}

// walk notes what is locked and unlocked before a line. certain says that whoever is at the line has come this way;
// what stands aside and goes on counts as unlocked, and what stands aside and leaves does not count.
func (f function) walk(n ast.Node, line int, taken map[string]int, certain bool) {
	ast.Inspect(n, func(m ast.Node) bool {
		switch m := m.(type) {
		case *ast.FuncLit, *ast.DeferStmt, *ast.GoStmt:
			return false // another call's, or later
		case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
			if m == n {
				return true
			}
			around := f.lineOf(m.Pos()) <= line && line <= f.lineOf(m.End())
			if around || !leaves(m) {
				f.walk(m, line, taken, certain && around)
			}
			return false
		case *ast.CallExpr:
			what, method := lockCall(m)
			switch {
			case what == "" || f.lineOf(m.Pos()) >= line:
			case strings.HasSuffix(method, "Unlock"):
				delete(taken, what)
			case certain:
				taken[what] = f.lineOf(m.Pos())
			}
		}
		return true
	})
}

// leaves reports whether a block ends by going elsewhere.
func leaves(block ast.Node) bool {
	var list []ast.Stmt
	switch b := block.(type) {
	case *ast.BlockStmt:
		list = b.List
	case *ast.CaseClause:
		list = b.Body
	case *ast.CommClause:
		list = b.Body
	}
	if len(list) == 0 {
		return false
	}
	switch list[len(list)-1].(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	}
	return false
}
