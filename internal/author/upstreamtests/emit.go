package upstreamtests

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/printer"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// An edit replaces a piece of a file's text.
type edit struct {
	from, to int
	text     string
}

// A text is a file of upstream's, of which some declarations are kept.
type text struct {
	src   *source
	file  *file
	keep  func(*decl) bool
	kept  []*decl
	edits []edit
}

// emit gives the text of a file with the kept declarations and the imports that they use. What is left out becomes
// blanks: so each line keeps its number, and a failure leads to upstream's. Tests that synctest names run in virtual
// time. It is nil if nothing is kept.
func emit(src *source, f *file, selectors []selector, synctest []string, keep func(*decl) bool) []byte {
	t := &text{src: src, file: f, keep: keep}
	t.dropDeclarations()
	if len(t.kept) == 0 {
		return nil
	}
	t.dropImports()
	t.rename(selectors)
	t.virtual(synctest)
	return t.edited()
}

// blank leaves of a node its line breaks.
func (t *text) blank(n ast.Node) { t.edit(n, "") }

func (t *text) edit(n ast.Node, with string) {
	t.edits = append(t.edits, edit{t.offset(n.Pos()), t.offset(n.End()), with})
}

func (t *text) insert(before token.Pos, what string) {
	t.edits = append(t.edits, edit{t.offset(before), t.offset(before), what})
}

func (t *text) offset(p token.Pos) int { return t.src.fset.Position(p).Offset }

// dropDeclarations drops what is not kept: a group's lines one by one, or the group if none is left.
func (t *text) dropDeclarations() {
	decls := map[ast.Node]*decl{}
	for _, d := range t.src.all {
		for _, part := range append([]*decl{d}, d.methods...) {
			decls[part.node] = part
		}
	}
	isKept := func(n ast.Node) bool {
		d := decls[n]
		if d == nil || !t.keep(d) {
			return false
		}
		t.kept = append(t.kept, d)
		return true
	}
	for _, d := range t.file.tree.Decls {
		group, isGroup := d.(*ast.GenDecl)
		if isGroup && group.Tok == token.IMPORT || isKept(d) {
			continue
		}
		var dropped []ast.Node
		if isGroup {
			for _, spec := range group.Specs {
				if !isKept(spec) {
					dropped = append(dropped, spec)
				}
			}
		}
		if !isGroup || len(dropped) == len(group.Specs) {
			dropped = []ast.Node{d}
		}
		for _, n := range dropped {
			t.blank(n)
		}
	}
}

// dropImports drops the imports that no kept declaration uses.
func (t *text) dropImports() {
	used := map[types.Object]bool{}
	for _, d := range t.kept {
		_, packages := t.src.uses(d)
		for _, p := range packages {
			used[p] = true
		}
	}
	for _, d := range t.file.tree.Decls {
		group, ok := d.(*ast.GenDecl)
		if !ok || group.Tok != token.IMPORT {
			continue
		}
		for _, spec := range group.Specs {
			spec := spec.(*ast.ImportSpec)
			object := t.src.info.Implicits[spec]
			if spec.Name != nil {
				object = t.src.info.Defs[spec.Name]
			}
			switch {
			case used[object] || spec.Name != nil && (spec.Name.Name == "_" || spec.Name.Name == "."):
			case group.Lparen.IsValid():
				t.blank(spec)
			default:
				t.blank(group)
			}
		}
	}
}

// A selector is an unexported field that tests look into: in that file, .field becomes .method().
type selector struct{ file, field, method string }

func (t *text) rename(selectors []selector) {
	for _, d := range t.kept {
		ast.Inspect(d.node, func(n ast.Node) bool {
			if n, ok := n.(*ast.SelectorExpr); ok {
				for _, s := range selectors {
					if s.file == t.file.name && s.field == n.Sel.Name {
						t.edit(n.Sel, s.method+"()")
					}
				}
			}
			return true
		})
	}
}

// virtual has the bodies of tests run in a bubble of testing/synctest, those of their subtests where they have some:
// inside of a bubble there is no t.Run.
func (t *text) virtual(tests []string) {
	for _, d := range t.kept {
		f, ok := d.node.(*ast.FuncDecl)
		if !ok || !slices.Contains(tests, f.Name.Name) {
			continue
		}
		bodies := subtests(f)
		if len(bodies) == 0 {
			bodies = []*ast.BlockStmt{f.Body}
		}
		for _, body := range bodies {
			t.insert(body.Lbrace+1, " inBubble(t, func(t *testing.T) {")
			t.insert(body.Rbrace, "}) ")
		}
	}
}

// subtests are the bodies of the functions that a test gives to t.Run.
func subtests(test *ast.FuncDecl) (bodies []*ast.BlockStmt) {
	ast.Inspect(test, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 2 {
			return true
		}
		method, isMethod := call.Fun.(*ast.SelectorExpr)
		subtest, isLiteral := call.Args[1].(*ast.FuncLit)
		if isMethod && isLiteral && method.Sel.Name == "Run" {
			bodies = append(bodies, subtest.Body)
			return false
		}
		return true
	})
	return bodies
}

// edited is the text after the edits, of which the last in the file is made first.
func (t *text) edited() []byte {
	slices.SortStableFunc(t.edits, func(a, b edit) int { return b.from - a.from })
	out := slices.Clone(t.file.text)
	for _, e := range t.edits {
		with := e.text
		if with == "" {
			with = strings.Map(func(r rune) rune {
				if r == '\n' {
					return r
				}
				return ' '
			}, string(out[e.from:e.to]))
		}
		out = slices.Concat(out[:e.from], []byte(with), out[e.to:])
	}
	return out
}

// aliases gives upstream's exported names, but for those that are skipped, under the same names.
func aliases(src *source, packageName string, skip func(*decl) bool) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "package %s\n\nimport upstream %q\n\n", packageName, src.path)
	for _, d := range src.all {
		if d.file.test || skip(d) || isGenericFunc(d) {
			continue
		}
		keyword, parameters, arguments := "var", "", ""
		switch n := d.node.(type) {
		case *ast.TypeSpec:
			keyword = "type"
			parameters, arguments = typeParameters(src.fset, n.TypeParams)
		default:
			if _, isConst := src.pkg.Scope().Lookup(d.names[0]).(*types.Const); isConst {
				keyword = "const"
			}
		}
		for _, name := range d.names {
			if token.IsExported(name) {
				fmt.Fprintf(&b, "%s %s%s = upstream.%s%s\n", keyword, name, parameters, name, arguments)
			}
		}
	}
	return b.Bytes()
}

// typeParameters gives [K comparable, V any], and [K, V].
func typeParameters(fset *token.FileSet, list *ast.FieldList) (parameters, arguments string) {
	if list == nil {
		return "", ""
	}
	var full, short []string
	for _, f := range list.List {
		var constraint bytes.Buffer
		_ = printer.Fprint(&constraint, fset, f.Type) // into memory
		for _, name := range f.Names {
			full = append(full, name.Name+" "+constraint.String())
			short = append(short, name.Name)
		}
	}
	return "[" + strings.Join(full, ", ") + "]", "[" + strings.Join(short, ", ") + "]"
}
