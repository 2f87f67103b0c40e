package check

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"path"
	"slices"
	"strings"
)

// codeLines counts the lines of a Go source that hold code: blank lines and lines of comment alone do not count. Every
// "it is N lines" of this book is counted in this way.
func codeLines(source []byte) int {
	var s scanner.Scanner
	files := token.NewFileSet()
	file := files.AddFile("", files.Base(), len(source))
	s.Init(file, source, nil, 0)
	lines := map[int]bool{}
	for {
		pos, tok, literal := s.Scan()
		if tok == token.EOF {
			return len(lines)
		}
		if tok == token.SEMICOLON && literal == "\n" {
			continue // the scanner's own
		}
		first := file.Line(pos)
		for i := 0; i <= strings.Count(literal, "\n"); i++ { // a raw string has several
			lines[first+i] = true
		}
	}
}

// A function is one of a Go file, with the lines from its first to its last.
type function struct {
	Name  string
	Line  int
	Lines int
}

func functionsOf(source []byte) ([]function, error) {
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, "", source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var out []function
	for _, d := range parsed.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			first, last := files.Position(f.Pos()).Line, files.Position(f.End()).Line
			out = append(out, function{funcName(f), first, last - first + 1})
		}
	}
	return out, nil
}

// mechanismFolders lists the packages of a chapter that are its mechanism: all below it that are neither exercises, nor
// mine, nor claims, nor the types of an API, nor overlays, nor what only demos and tests stand on.
func (t *Tree) mechanismFolders(chapter string) ([]string, error) {
	return t.packagesOf(chapter, func(dir string) bool { return !harnessFolder(dir) })
}

// harnessFolders lists the packages of a chapter that demos and tests stand on: suites, scenarios, servers in memory.
func (t *Tree) harnessFolders(chapter string) ([]string, error) {
	return t.packagesOf(chapter, harnessFolder)
}

func harnessFolder(dir string) bool {
	inside := strings.Split(dir, "/")[2:] // behind chapters/NAME
	return slices.Contains(inside, "internal") || path.Base(dir) == "scenario" ||
		slices.ContainsFunc(inside, func(name string) bool { return strings.HasSuffix(name, "test") })
}

func (t *Tree) packagesOf(chapter string, belongs func(dir string) bool) ([]string, error) {
	files, err := t.Match("chapters/" + chapter + "/**/*.go")
	if err != nil {
		return nil, err
	}
	var dirs []string
	for _, file := range files {
		dir := path.Dir(file)
		inside, ok := strings.CutPrefix(dir, "chapters/"+chapter+"/")
		if !ok || strings.HasPrefix(inside+"/", "exercises/") ||
			strings.HasPrefix(inside+"/", "mine/") || strings.HasPrefix(inside+"/", "api/") || inside == "claims" ||
			path.Base(dir) == "broken" || !belongs(dir) {
			continue
		}
		if !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	return dirs, nil
}

// linesIn counts the lines of code of the Go files directly in folders, without tests and generated ones.
func (t *Tree) linesIn(dirs ...string) (int, error) {
	total := 0
	for _, dir := range dirs {
		files, err := t.Match(dir + "/*.go")
		if err != nil {
			return 0, err
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			source, err := t.Read(file)
			if err != nil {
				return 0, err
			}
			if !isGenerated(source) {
				total += codeLines(source)
			}
		}
	}
	return total, nil
}
