package overlay

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"sort"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise/stub"
)

// Merged is the whole program that an overlay and its base make. It has no build constraint, no //line, and none of the
// marks that a stub is made by.
type Merged struct {
	Source []byte
	over   *File
	places []place // of the lines
}

// place is where a line comes from.
type place struct {
	file *File
	line int
}

// Place tells where a line of the merge stands: the file and the line in it. A line that stands in neither file, such
// as an import, is said to be at the overlay's beginning.
func (m Merged) Place(line int) (path string, in int) {
	if line > 0 && line <= len(m.places) && m.places[line-1].file != nil {
		p := m.places[line-1]
		return p.file.Path, p.line
	}
	return m.over.Path, 1
}

// write adds a line.
func (m *Merged) write(text string, from place) {
	m.Source = append(m.Source, text+"\n"...)
	m.places = append(m.places, from)
}

// part is a declaration of the program, and the file that it comes from.
type part struct {
	file *File
	decl decl
}

// Merge lays an overlay over its base: a declaration takes the place of those of the base that declare one of its
// names, and is added if there are none; those with a name in removes go. The program imports what its declarations
// use.
//
// It refuses an overlay that could be written otherwise or means something else than it says: a declaration equal to
// the base's, one that can't be named (init, _), an import that is not used, two imports of one name, a name to remove
// that is not there.
func Merge(base, over *File, removes []string) (Merged, error) {
	if over.Package != base.Package {
		return Merged{}, fmt.Errorf("%s: package %s, want %s", over.Path, over.Package, base.Package)
	}
	parts, err := replaced(base, over, removes)
	if err != nil {
		return Merged{}, err
	}
	imports, err := importsOf(base, over, parts)
	if err != nil {
		return Merged{}, err
	}
	m := Merged{over: over}
	m.write("package "+base.Package, place{})
	if len(imports) > 0 {
		m.write("", place{})
		m.write("import (", place{})
		for _, text := range imports {
			m.write("\t"+text, place{})
		}
		m.write(")", place{})
	}
	for _, p := range parts {
		m.write("", place{})
		for i, line := range strings.Split(p.decl.text, "\n") {
			if !stub.IsMark(line) {
				m.write(line, place{p.file, p.decl.line + i})
			}
		}
	}
	return m, nil
}

// replaced gives the declarations of the program: the base's in their order, the added ones after them.
func replaced(base, over *File, removes []string) (parts []part, err error) {
	gone := map[string]bool{}
	for _, name := range removes {
		gone[name] = true
	}
	owner := map[string]int{} // names of the overlay to the declaration that has them
	for i, d := range over.decls {
		if len(d.names) == 0 {
			return nil, fmt.Errorf("%s:%d: what has no name (init, _) can't stand in an overlay", over.Path, d.line)
		}
		for _, name := range d.names {
			if gone[name] {
				return nil, fmt.Errorf("%s:%d: %s is declared, and Removes: names it", over.Path, d.line, name)
			}
			owner[name] = i
		}
	}
	placed := make([]bool, len(over.decls))
	for _, d := range base.decls {
		var by []int
		removed := false
		for _, name := range d.names {
			if i, ok := owner[name]; ok && !slices.Contains(by, i) {
				by = append(by, i)
			}
			if gone[name] {
				removed = true
				delete(gone, name)
			}
		}
		if len(by) == 0 && !removed {
			parts = append(parts, part{base, d})
		}
		for _, i := range by {
			if over.decls[i].tokens == d.tokens {
				return nil, fmt.Errorf("%s:%d: %s is as in %s: leave it out", over.Path, over.decls[i].line,
					d.names[0], base.Path)
			}
			if !placed[i] {
				placed[i] = true
				parts = append(parts, part{over, over.decls[i]})
			}
		}
	}
	for _, name := range removes {
		if gone[name] {
			return nil, fmt.Errorf("%s: Removes: %s, and %s has no declaration of that name left",
				over.Path, name, base.Path)
		}
	}
	for i, d := range over.decls {
		if !placed[i] {
			parts = append(parts, part{over, d})
		}
	}
	return parts, nil
}

// importsOf gives the imports that the declarations use, each those of its own file.
func importsOf(base, over *File, parts []part) ([]string, error) {
	used := map[*File]map[string]bool{base: {}, over: {}}
	if err := packagesUsed(parts, used); err != nil {
		return nil, err
	}
	for _, spec := range base.imports {
		imported := slices.ContainsFunc(over.imports, func(own importSpec) bool { return own.name == spec.name })
		if used[over][spec.name] && !imported {
			return nil, fmt.Errorf("%s: uses %s and does not import %s", over.Path, spec.name, spec.text)
		}
	}
	names := map[string]importSpec{}
	var all []importSpec
	for _, f := range []*File{over, base} {
		for _, spec := range f.imports {
			switch {
			case spec.name == ".":
				return nil, fmt.Errorf("%s: the import of %s with a dot hides what is used of it: name it",
					f.Path, spec.text)
			case !used[f][spec.name] && spec.name != "_":
				if f == over {
					return nil, fmt.Errorf("%s: the import of %s is not used", f.Path, spec.text)
				}
				continue
			}
			other, taken := names[spec.name]
			if taken && spec.name != "_" {
				if other.path != spec.path {
					return nil, fmt.Errorf("%s: %s and %s have one name in the program: give one of them another",
						over.Path, other.text, spec.text)
				}
				continue
			}
			names[spec.name] = spec
			all = append(all, spec)
		}
	}
	slices.SortFunc(all, func(a, b importSpec) int {
		return cmp.Or(cmp.Compare(a.path, b.path), cmp.Compare(a.text, b.text))
	})
	var texts []string
	for _, spec := range all {
		texts = append(texts, spec.text)
	}
	return slices.Compact(texts), nil
}

// packagesUsed collects for each file the names before a dot that nothing in the program declares.
func packagesUsed(parts []part, used map[*File]map[string]bool) error {
	var program strings.Builder
	program.WriteString("package p\n")
	var begin []int // where the parts begin, in bytes
	for _, p := range parts {
		begin = append(begin, program.Len())
		program.WriteString(p.decl.text + "\n")
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", program.String(), 0)
	if err != nil {
		return err
	}
	free := map[*ast.Ident]bool{}
	for _, id := range file.Unresolved {
		free[id] = true
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := sel.X.(*ast.Ident); ok && free[id] {
				at := fset.Position(id.Pos()).Offset
				after := sort.Search(len(parts), func(i int) bool { return begin[i] > at })
				used[parts[after-1].file][id.Name] = true
			}
		}
		return true
	})
	return nil
}
