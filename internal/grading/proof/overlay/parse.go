package overlay

import (
	"errors"
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/scanner"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise/stub"
)

// The build tags of overlays: of a wrong solution, which is laid over a right one, and of a partial one, which is laid
// over the stub.
const (
	Tag        = "wrong"
	PartialTag = "partial"
)

// A File is a Go file, taken apart.
type File struct {
	Path    string // as messages name it
	Package string
	Source  []byte

	top     string // what stands above the package clause
	imports []importSpec
	decls   []decl
}

// importSpec is one import, as it is written and as the file calls it.
type importSpec struct {
	text string // `"net/http"` or `old "math/rand"`
	path string
	name string
}

// decl is one declaration with the comments that belong to it.
type decl struct {
	names  []string // "Follow", "Watch.run", or all names of a group; none for what nobody can name: init and _
	text   string
	line   int    // of the text's first line
	tokens string // without comments and layout
}

// Parse takes a file apart. Its errors name path and line.
func Parse(path string, source []byte) (*File, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, path, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		var list scanner.ErrorList
		if errors.As(err, &list) && len(list) > 0 {
			return nil, fmt.Errorf("%s:%d: %s", path, list[0].Pos.Line, list[0].Msg)
		}
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	offset := func(p token.Pos) int { return fset.Position(p).Offset }
	f := &File{Path: path, Package: file.Name.Name, Source: source, top: string(source[:offset(file.Package)])}
	taken := map[string]int{}
	for _, d := range file.Decls {
		if group, ok := d.(*ast.GenDecl); ok && group.Tok == token.IMPORT {
			for _, s := range group.Specs {
				spec := s.(*ast.ImportSpec)
				imported, _ := strconv.Unquote(spec.Path.Value)
				text := string(source[offset(spec.Pos()):offset(spec.Path.End())])
				f.imports = append(f.imports, importSpec{text, imported, stub.ImportName(spec)})
			}
			continue
		}
		begin, end := extent(fset, file, d)
		line := fset.Position(begin).Line
		one := decl{
			names:  namesOf(d),
			text:   string(source[offset(begin):offset(end)]),
			line:   line,
			tokens: stub.Tokens(source[offset(d.Pos()):offset(d.End())]),
		}
		for _, name := range one.names {
			if before, twice := taken[name]; twice {
				return nil, fmt.Errorf("%s:%d: %s is declared a second time, after line %d", path, line, name, before)
			}
			taken[name] = line
		}
		f.decls = append(f.decls, one)
	}
	return f, nil
}

// ParseOverlay takes an overlay apart, and reads its header. It refuses a file without the build constraint of
// overlays: that would be part of a build.
func ParseOverlay(path string, source []byte) (*File, Header, error) {
	f, err := Parse(path, source)
	if err != nil {
		return nil, Header{}, err
	}
	if err := f.constrained(Tag); err != nil {
		return nil, Header{}, err
	}
	return f, ReadHeader(source), nil
}

// ParsePartial takes the overlay of a partial solution apart. It has no header.
func ParsePartial(path string, source []byte) (*File, error) {
	f, err := Parse(path, source)
	if err != nil {
		return nil, err
	}
	return f, f.constrained(PartialTag)
}

// extent is a declaration with its doc comment and the comment at the end of its last line.
func extent(fset *token.FileSet, file *ast.File, d ast.Decl) (begin, end token.Pos) {
	begin, end = d.Pos(), d.End()
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Doc != nil {
			begin = d.Doc.Pos()
		}
	case *ast.GenDecl:
		if d.Doc != nil {
			begin = d.Doc.Pos()
		}
	}
	last := fset.Position(end).Line
	for _, group := range file.Comments {
		for _, c := range group.List {
			if c.Pos() >= end && fset.Position(c.Pos()).Line == last {
				end = c.End()
			}
		}
	}
	return begin, end
}

// namesOf gives the names that a declaration is known by. What can't be named, init and _, has none.
func namesOf(d ast.Decl) (names []string) {
	add := func(name string) {
		if name != "_" {
			names = append(names, name)
		}
	}
	switch d := d.(type) {
	case *ast.FuncDecl:
		switch {
		case d.Recv != nil && len(d.Recv.List) == 1 && d.Name.Name != "_":
			add(receiver(d.Recv.List[0].Type) + "." + d.Name.Name)
		case d.Recv == nil && d.Name.Name != "init":
			add(d.Name.Name)
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				add(s.Name.Name)
			case *ast.ValueSpec:
				for _, name := range s.Names {
					add(name.Name)
				}
			}
		}
	}
	return names
}

// receiver is the name of a receiver's type, without star and type parameters.
func receiver(t ast.Expr) string {
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.ParenExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name
		default:
			return "?"
		}
	}
}

// constrained refuses a file that has not that build constraint, and no other.
func (f *File) constrained(tag string) error {
	var lines []string
	for line := range strings.Lines(f.top) {
		if line = strings.TrimSpace(line); constraint.IsGoBuild(line) || constraint.IsPlusBuild(line) {
			lines = append(lines, line)
		}
	}
	if !slices.Equal(lines, []string{"//go:build " + tag}) {
		return fmt.Errorf("%s: above its package clause stands not //go:build %s alone", f.Path, tag)
	}
	return nil
}
