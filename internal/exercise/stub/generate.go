package stub

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"path"
	"regexp"
	"strconv"
	"strings"
)

// The marks of a region. They stand alone on their lines.
const (
	beginMark = "//solution:begin"
	endMark   = "//solution:end"
	codeMark  = "//stub:"
	todoMark  = "//todo:"
)

// Generate returns the stub of a reference solution, formatted. A reference without a region is its own stub: so a
// teacher who withholds the solutions can put the stubs in their place.
func Generate(reference []byte) ([]byte, error) {
	cut, err := cutRegions(string(reference))
	if err != nil {
		return nil, err
	}
	cut, err = dropUnusedImports(cut)
	if err != nil {
		return nil, err
	}
	out, err := format.Source([]byte(cut))
	if err != nil {
		return nil, fmt.Errorf("the stub is no Go code (look at the //stub: lines): %w", err)
	}
	return out, nil
}

// IsMark reports whether a line of a reference is one of those that the stub is made by, and no code.
func IsMark(line string) bool {
	text := strings.TrimSpace(line)
	return text == beginMark || text == endMark || strings.HasPrefix(text, codeMark) ||
		strings.HasPrefix(text, todoMark)
}

// Regions counts the regions of a reference.
func Regions(reference []byte) int {
	n := 0
	for line := range strings.Lines(string(reference)) {
		if strings.TrimSpace(line) == beginMark {
			n++
		}
	}
	return n
}

func cutRegions(src string) (string, error) {
	var out strings.Builder
	begin, inTodo, indent := 0, false, ""
	number := 0
	for line := range strings.Lines(src) {
		number++
		text := strings.TrimSpace(line)
		switch {
		case text == beginMark && begin > 0:
			return "", fmt.Errorf("line %d: %s inside the region that begins at line %d", number, beginMark, begin)
		case text == beginMark:
			begin, inTodo, indent = number, false, line[:strings.Index(line, beginMark)]
		case text == endMark && begin == 0:
			return "", fmt.Errorf("line %d: %s without %s", number, endMark, beginMark)
		case text == endMark:
			begin = 0
		case begin == 0 && (strings.HasPrefix(text, codeMark) || strings.HasPrefix(text, todoMark)):
			return "", fmt.Errorf("line %d: %q outside a region", number, text)
		case begin == 0:
			out.WriteString(line)
		case strings.HasPrefix(text, codeMark):
			out.WriteString(indent + strings.TrimPrefix(text[len(codeMark):], " ") + "\n")
			inTodo = false
		case strings.HasPrefix(text, todoMark):
			start := "// TODO: "
			if inTodo {
				start = "// "
			}
			out.WriteString(indent + start + strings.TrimSpace(text[len(todoMark):]) + "\n")
			inTodo = true
		}
	}
	if begin > 0 {
		return "", fmt.Errorf("line %d: %s without %s", begin, beginMark, endMark)
	}
	return out.String(), nil
}

// dropUnusedImports removes the lines of imports that no selector of the file names.
func dropUnusedImports(src string) (string, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "exercise.go", src, parser.ParseComments)
	if err != nil {
		return "", fmt.Errorf("the stub is no Go code (look at the //stub: lines): %w", err)
	}
	used := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := sel.X.(*ast.Ident); ok {
				used[x.Name] = true
			}
		}
		return true
	})
	drop := map[int]bool{}
	dropRange := func(from, to token.Pos) {
		for l := fset.Position(from).Line; l <= fset.Position(to).Line; l++ {
			drop[l] = true
		}
	}
	for _, decl := range file.Decls {
		group, ok := decl.(*ast.GenDecl)
		if !ok || group.Tok != token.IMPORT {
			continue
		}
		left := 0
		for _, s := range group.Specs {
			spec := s.(*ast.ImportSpec)
			if name := ImportName(spec); name == "_" || name == "." || used[name] {
				left++
				continue
			}
			dropRange(spec.Pos(), spec.End())
		}
		if left == 0 {
			dropRange(group.Pos(), group.End())
		}
	}
	var out bytes.Buffer
	number := 0
	for line := range strings.Lines(src) {
		number++
		if !drop[number] {
			out.WriteString(line)
		}
	}
	return out.String(), nil
}

var majorVersion = regexp.MustCompile(`^v[0-9]+$`)

// ImportName guesses the name that a file calls an import by: its own, or the last element of its path that is no
// major version.
func ImportName(spec *ast.ImportSpec) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	p, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return "_"
	}
	base := path.Base(p)
	if majorVersion.MatchString(base) {
		base = path.Base(path.Dir(p))
	}
	return base
}
