package grader

import (
	"fmt"
	"go/ast"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// importPath is the path of an import as the go command reads it.
func importPath(spec *ast.ImportSpec) string {
	p, _ := strconv.Unquote(spec.Path.Value)
	return p
}

// imported lists the paths that a file imports.
func (s sourceFile) imported() []string {
	var out []string
	for _, spec := range s.Imports {
		out = append(out, importPath(spec))
	}
	return out
}

// maxImports is more than Go's own packages that anybody needs at once.
const maxImports = 200

// checkImports: exercise.go imports the standard library and what its stub imports. Anything else may be the answer:
// the solutions and the chapter's own mechanism are packages of the same module.
func checkImports(mine, given sourceFile) *Failure {
	if n := len(mine.Imports); n > maxImports {
		return &Failure{Reason: ReasonFile, Line: mine.line(mine.Imports[maxImports].Pos()),
			Expected: fmt.Sprintf("exercise.go has at most %d imports", maxImports),
			Happened: fmt.Sprintf("it has %d", n)}
	}
	allowed := given.imported()
	for _, spec := range mine.Imports {
		p, line := importPath(spec), mine.line(spec.Pos())
		f := &Failure{Reason: ReasonFile, Line: line,
			Happened: fmt.Sprintf("exercise.go:%d imports %s", line, cut(oneLine(p), 200))}
		switch {
		case p == "C" || p == "unsafe" || p == "testing" || strings.HasPrefix(p, "testing/"):
			f.Expected = "exercise.go is Go alone, and leaves the tests alone"
			return f
		case spec.Name != nil && spec.Name.Name == ".":
			f.Expected = "exercise.go calls what it imports by the package's name"
			f.Happened = fmt.Sprintf("exercise.go:%d has a dot import of %s", line, cut(oneLine(p), 200))
			return f
		case !standard(p) && !slices.Contains(allowed, p):
			f.Expected = "exercise.go imports the standard library, and besides it only what the stub imports"
			return f
		}
	}
	return nil
}

// standard reports whether a path can only be that of a package of the standard library, and one that is not internal
// to it.
func standard(p string) bool {
	elements := strings.Split(p, "/")
	return !strings.Contains(elements[0], ".") && elements[0] != "vendor" && !slices.Contains(elements, "internal")
}

// suspect are packages with which the tests can be answered or forged without a solution: they reach the caller's name,
// memory, other programs, files. No exercise needs one that its stub does not import.
var suspect = regexp.MustCompile(`^(os|plugin|reflect|runtime|syscall)(/|$)`)

// importNotes tells whoever reads the report what a file imports that its stub does not, and where to look.
func importNotes(source, stubText []byte) []string {
	mine, err := parseSource(source)
	if err != nil {
		return nil
	}
	given, err := parseSource(stubText)
	if err != nil {
		return nil
	}
	more := slices.DeleteFunc(mine.imported(), func(p string) bool { return slices.Contains(given.imported(), p) })
	if len(more) == 0 {
		return nil
	}
	slices.Sort(more)
	more = slices.Compact(more)
	notes := []string{"imports beyond its stub: " + cut(strings.Join(more, ", "), 500)}
	more = slices.DeleteFunc(more, func(p string) bool { return !suspect.MatchString(p) })
	if len(more) > 0 {
		notes = append(notes, "a person reads what it does with "+cut(strings.Join(more, ", "), 500))
	}
	return notes
}

// forbiddenForm is a line of the reference solution, outside its regions, and so of the stub. It names what holds the
// answer in a package that the stub has to import: //solution:forbidden k8s.io/client-go/tools/cache.NewIndexer
var forbiddenForm = regexp.MustCompile(`^//solution:forbidden\s+(\S+)\.([A-Za-z_]\w*)$`)

// checkForbidden refuses the names that the stub forbids. Whatever a file calls the package, the name stands behind a
// dot; so a method of the learner's own is refused too if it has that name.
func checkForbidden(mine, given sourceFile) (trouble *Failure) {
	paths := map[string]string{} // by forbidden name
	for _, group := range given.Comments {
		for _, c := range group.List {
			if m := forbiddenForm.FindStringSubmatch(c.Text); m != nil {
				paths[m[2]] = m[1]
			}
		}
	}
	imported := mine.imported()
	ast.Inspect(mine.File, func(n ast.Node) bool {
		selector, ok := n.(*ast.SelectorExpr)
		if !ok || trouble != nil {
			return true
		}
		if p, ok := paths[selector.Sel.Name]; ok && slices.Contains(imported, p) {
			line := mine.line(selector.Sel.Pos())
			trouble = &Failure{Reason: ReasonFile, Line: line,
				Expected: fmt.Sprintf("exercise.go does without %s.%s, which is what you write", path.Base(p),
					selector.Sel.Name),
				Happened: fmt.Sprintf("exercise.go:%d uses %s", line, selector.Sel.Name)}
		}
		return true
	})
	return trouble
}
