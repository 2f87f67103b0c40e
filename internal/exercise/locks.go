package exercise

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
)

// A dump names who waits for a lock and not who holds it. What singles the holder out is the source: a call that has
// passed a Lock, with no Unlock between that and the line at which it is.

// lockStory says who holds up a test in which somebody waits for a lock, or "" where nothing singles anybody out.
func lockStory(all []goroutine, source []byte) string {
	functions := functionsOf(source)
	var waiters, holders []goroutine
	others := 0
	for _, g := range all {
		switch {
		case g.at == "":
			continue
		case g.waitsForLock():
			waiters = append(waiters, g)
		default:
			others++
		}
		if g.held(functions) != "" {
			holders = append(holders, g)
		}
	}
	if len(waiters) == 0 || functions == nil || len(holders) > 2 {
		return ""
	}
	if len(holders) == 0 {
		if others > 0 {
			return ""
		}
		return waiters[0].says() + "; a call that has returned took it, and did not unlock it"
	}
	var parts []string
	waits := false
	for _, h := range holders {
		parts = append(parts, h.says()+h.held(functions))
		waits = waits || h.waitsForLock()
	}
	if !waits {
		parts = append(parts, waiters[0].says())
	}
	return strings.Join(parts, "; ")
}

func (g goroutine) says() string { return g.doing() + " at " + g.at }

// held says after which Lock a goroutine is, in words that follow its place: in the innermost function that has passed
// one, which may be a caller.
func (g goroutine) held(functions []function) string {
	for i, f := range g.frames {
		line := lockBefore(functions, f)
		switch {
		case line == 0:
			continue
		case i == 0:
			return fmt.Sprintf(", after the Lock of exercise.go:%d", line)
		}
		return fmt.Sprintf(", called at %s, after the Lock of exercise.go:%d", f, line)
	}
	return ""
}

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

// lockBefore is the line of the last Lock that a call has passed on its way and not undone, or 0.
func lockBefore(functions []function, at frame) int {
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
	for _, line := range taken {
		last = max(last, line)
	}
	return last
}

// walk notes what is locked and unlocked before a line. certain says that whoever is at the line has come this way; what
// stands aside and goes on counts as unlocked, and what stands aside and leaves does not count.
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
			selector, ok := m.Fun.(*ast.SelectorExpr)
			if !ok || f.lineOf(m.Pos()) >= line {
				return true
			}
			switch what := types.ExprString(selector.X); selector.Sel.Name {
			case "Lock", "RLock":
				if certain {
					taken[what] = f.lineOf(m.Pos())
				}
			case "Unlock", "RUnlock":
				delete(taken, what)
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

// learnersFile is exercise.go as it lies beside the tests: the grader puts the file that it grades there.
func learnersFile() []byte {
	text, err := os.ReadFile(filepath.Join(folder, "exercise.go"))
	if err != nil {
		return nil
	}
	return text
}
