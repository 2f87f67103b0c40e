package check

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"slices"
	"strings"
)

// openEmpty gives a file without content: only its name is looked at.
func openEmpty(string) (io.ReadCloser, error) {
	return io.NopCloser(bytes.NewReader([]byte("package main\n"))), nil
}

// demoCode finds what does not fit in a demo's code: a table of contents that does something, and a package variable
// that a flag or a step writes, so that a second run in one process differs from the first.
func (t *Tree) demoCode(c *chapter) ([]Finding, error) {
	lines := token.NewFileSet()
	parsed := map[string]*ast.File{}
	for _, f := range c.files {
		if strings.Contains(f, "/") || !strings.HasSuffix(f, ".go") || isTestFile(f) {
			continue
		}
		source, err := t.Read(c.dir + "/" + f)
		if err != nil {
			return nil, err
		}
		file, err := parser.ParseFile(lines, c.dir+"/"+f, source, 0)
		if err != nil {
			continue // gofmt says so
		}
		parsed[f] = file
	}
	var found []Finding
	at := func(node ast.Node, what, mend string) {
		place := lines.Position(node.Pos())
		found = append(found, Finding{place.Filename, place.Line, what, mend})
	}
	if main := parsed["main.go"]; main != nil {
		for _, f := range functions(main) {
			if !tabulates(f) {
				at(f, f.Name.Name+" is no part of a table of contents",
					"main.go has main and what returns a lab.Demo, its steps or its faults; "+
						"the rest belongs into a step, or into setup.go")
			}
		}
	}
	variables := packageVariables(parsed)
	for _, name := range sortedNames(parsed) {
		for _, written := range writes(parsed[name], variables) {
			at(written, "the package variable "+written.Name+" is written", "make it a field of what the steps share")
		}
	}
	return found, nil
}

func sortedNames(parsed map[string]*ast.File) []string {
	var names []string
	for name := range parsed {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func functions(file *ast.File) (all []*ast.FuncDecl) {
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			all = append(all, f)
		}
	}
	return all
}

// tabulates says whether a function is main, or returns a demo, steps or faults.
func tabulates(f *ast.FuncDecl) bool {
	if f.Name.Name == "main" {
		return true
	}
	if f.Type.Results == nil || len(f.Type.Results.List) == 0 {
		return false
	}
	result := f.Type.Results.List[0].Type
	if list, ok := result.(*ast.ArrayType); ok {
		result = list.Elt
	}
	of, ok := result.(*ast.SelectorExpr)
	return ok && slices.Contains([]string{"Demo", "Step", "Fault"}, of.Sel.Name)
}

// packageVariables are the names of all variables of the package.
func packageVariables(parsed map[string]*ast.File) map[string]bool {
	variables := map[string]bool{}
	for _, file := range parsed {
		for _, d := range file.Decls {
			group, ok := d.(*ast.GenDecl)
			if !ok || group.Tok != token.VAR {
				continue
			}
			for _, spec := range group.Specs {
				for _, name := range spec.(*ast.ValueSpec).Names {
					variables[name.Name] = true
				}
			}
		}
	}
	return variables
}

// writes finds the places in functions where a package variable is assigned to, or its address is taken.
func writes(file *ast.File, variables map[string]bool) (found []*ast.Ident) {
	isVariable := func(e ast.Expr) (*ast.Ident, bool) {
		name, ok := e.(*ast.Ident)
		if !ok || !variables[name.Name] {
			return nil, false
		}
		// A name that the parser has resolved within a function is a local one that hides the variable.
		if name.Obj != nil {
			if _, top := name.Obj.Decl.(*ast.ValueSpec); !top || file.Scope.Lookup(name.Name) != name.Obj {
				return nil, false
			}
		}
		return name, true
	}
	for _, f := range functions(file) {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for _, left := range n.Lhs {
					if name, ok := isVariable(left); ok && n.Tok != token.DEFINE {
						found = append(found, name)
					}
				}
			case *ast.UnaryExpr:
				if name, ok := isVariable(n.X); ok && n.Op == token.AND {
					found = append(found, name)
				}
			}
			return true
		})
	}
	return found
}
