package grader

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strconv"
	"strings"
)

var placeForm = regexp.MustCompile(`exercise\.go:(\d+), in ([^\s,;]+)`)

// place writes the places in a failure as "exercise.go:12 (in Follow)", and corrects the line of an empty endless
// loop, which the compiler gives as 1.
func (v variant) place(f *Failure) {
	if f == nil {
		return
	}
	rewrite := func(m string) string {
		part := placeForm.FindStringSubmatch(m)
		line, _ := strconv.Atoi(part[1])
		line = lineIn(v.source, part[2], line)
		return fmt.Sprintf("exercise.go:%d (in %s)", line, part[2])
	}
	f.Happened = placeForm.ReplaceAllStringFunc(f.Happened, rewrite)
	f.Also = placeForm.ReplaceAllStringFunc(f.Also, rewrite)
	if m := anyPlace.FindStringSubmatch(f.Happened); m != nil && f.Line == 0 {
		f.Line, _ = strconv.Atoi(m[1])
	}
}

var anyPlace = regexp.MustCompile(`exercise\.go:(\d+)`)

// lineIn returns line if it lies in the function, or else that of the function's first loop without a body.
func lineIn(source []byte, function string, line int) int {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", source, parser.SkipObjectResolution)
	if err != nil {
		return line
	}
	name := function[strings.LastIndex(function, ".")+1:]
	if strings.HasPrefix(function, "init.") {
		name = "init"
	}
	name, _, _ = strings.Cut(name, "[")
	inside, loop, start := false, 0, 0
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Name.Name != name || f.Body == nil {
			continue
		}
		from, to := fset.Position(f.Pos()).Line, fset.Position(f.End()).Line
		if inside = inside || from <= line && line <= to; inside {
			return line
		}
		start = from
		ast.Inspect(f, func(n ast.Node) bool {
			if l, ok := n.(*ast.ForStmt); ok && len(l.Body.List) == 0 && loop == 0 {
				loop = fset.Position(l.Pos()).Line
			}
			return true
		})
	}
	switch {
	case loop > 0:
		return loop
	case start > 0:
		return start
	}
	return line
}
