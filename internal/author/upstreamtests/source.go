package upstreamtests

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// A source is one of upstream's packages with its tests, read and resolved: which name means which declaration.
type source struct {
	path  string
	fset  *token.FileSet
	files []*file
	pkg   *types.Package // with the tests that are in it
	info  *types.Info
	decls map[types.Object]*decl
	all   []*decl // in their order, without methods
}

// A file is one of upstream's.
type file struct {
	name string
	text []byte
	tree *ast.File
	test bool
}

// A decl is a function, a type with its methods, or what a line of a const or var group declares. Where lines of a
// group depend on each other it is the whole group.
type decl struct {
	file    *file
	node    ast.Node // *ast.FuncDecl, ast.Spec, or *ast.GenDecl of a whole group
	names   []string
	methods []*decl // name is "Type.Method"
}

// readSource reads a package from a folder. Its imports are not read: what they declare is unknown here, and nobody
// asks.
func readSource(dir, importPath string) (*source, error) {
	s := &source{path: importPath, fset: token.NewFileSet(), decls: map[types.Object]*decl{},
		info: &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
			Implicits: map[ast.Node]types.Object{}}}
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(names) == 0 {
		return nil, fmt.Errorf("no Go files in %s: %w", dir, err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		tree, err := parser.ParseFile(s.fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		base := filepath.Base(name)
		s.files = append(s.files, &file{base, text, tree, strings.HasSuffix(base, "_test.go")})
	}
	s.resolve()
	for _, f := range s.files {
		s.declare(f)
	}
	for _, f := range s.files {
		s.declareMethods(f)
	}
	return s, nil
}

// resolve finds out which name means which declaration. Types of imported packages are unknown, so the type checker
// complains, and is not heard: a name of this package is resolved without them.
func (s *source) resolve() {
	var in, outside []*ast.File
	name := ""
	for _, f := range s.files {
		if !f.test {
			name = f.tree.Name.Name
		}
	}
	for _, f := range s.files {
		if f.tree.Name.Name == name {
			in = append(in, f.tree)
		} else {
			outside = append(outside, f.tree)
		}
	}
	config := types.Config{Importer: unread{s}, Error: func(error) {}}
	s.pkg, _ = config.Check(s.path, s.fset, in, s.info)
	_, _ = config.Check(s.path+"_test", s.fset, outside, s.info)
}

// unread gives, for each import, a package that declares nothing; for the tests outside of the package, the package.
type unread struct{ s *source }

// majorVersion ends the path of a module from its second version on, and is not its package's name.
var majorVersion = regexp.MustCompile(`^v([2-9]|[1-9][0-9]+)$`)

func (u unread) Import(importPath string) (*types.Package, error) {
	if importPath == u.s.path && u.s.pkg != nil {
		return u.s.pkg, nil
	}
	name := path.Base(importPath)
	if majorVersion.MatchString(name) {
		name = path.Base(path.Dir(importPath))
	}
	p := types.NewPackage(importPath, name)
	p.MarkComplete()
	return p, nil
}

// declare enters what a file declares, without methods.
func (s *source) declare(f *file) {
	for _, d := range f.tree.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil && d.Name.Name != "init" {
				s.enter(&decl{file: f, node: d}, d.Name)
			}
		case *ast.GenDecl:
			if countsWithIota(d) {
				s.enter(&decl{file: f, node: d}, identsOf(d.Specs...)...)
				continue
			}
			for _, spec := range d.Specs {
				if _, isImport := spec.(*ast.ImportSpec); !isImport {
					s.enter(&decl{file: f, node: spec}, identsOf(spec)...)
				}
			}
		}
	}
}

func (s *source) enter(d *decl, idents ...*ast.Ident) {
	for _, id := range idents {
		d.names = append(d.names, id.Name)
		if object := s.info.Defs[id]; object != nil {
			s.decls[object] = d
		}
	}
	s.all = append(s.all, d)
}

// countsWithIota says whether the lines of a group depend on their order.
func countsWithIota(d *ast.GenDecl) (yes bool) {
	ast.Inspect(d, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		yes = yes || ok && id.Name == "iota"
		return true
	})
	return yes
}

func identsOf(specs ...ast.Spec) (idents []*ast.Ident) {
	for _, spec := range specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			idents = append(idents, spec.Name)
		case *ast.ValueSpec:
			idents = append(idents, spec.Names...)
		}
	}
	return idents
}

// declareMethods hangs the methods of a file on their types.
func (s *source) declareMethods(f *file) {
	for _, d := range f.tree.Decls {
		method, ok := d.(*ast.FuncDecl)
		if !ok || method.Recv == nil {
			continue
		}
		id := receiver(method)
		if on := s.decls[s.info.Uses[id]]; on != nil {
			name := id.Name + "." + method.Name.Name
			on.methods = append(on.methods, &decl{file: f, node: method, names: []string{name}})
		}
	}
}

// receiver is the name of a method's type.
func receiver(f *ast.FuncDecl) *ast.Ident {
	t := f.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		default:
			return x.(*ast.Ident)
		}
	}
}

// uses gives the declarations that a declaration names, and the packages.
func (s *source) uses(d *decl) (decls []*decl, packages []*types.PkgName) {
	seen := map[types.Object]bool{}
	ast.Inspect(d.node, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		object := s.info.Uses[id]
		if !ok || object == nil || seen[object] {
			return true
		}
		seen[object] = true
		if used := s.decls[object]; used != nil && used != d {
			decls = append(decls, used)
		}
		if p, ok := object.(*types.PkgName); ok {
			packages = append(packages, p)
		}
		return true
	})
	return decls, packages
}

// find gives the declaration of a name in the package itself.
func (s *source) find(name string) *decl { return s.decls[s.pkg.Scope().Lookup(name)] }

// findTest gives a test of the package, or of the one outside of it.
func (s *source) findTest(name string) *decl {
	for _, d := range s.all {
		if d.file.test && len(d.names) == 1 && d.names[0] == name {
			return d
		}
	}
	return nil
}
