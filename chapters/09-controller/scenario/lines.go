package scenario

import (
	"cmp"
	"go/scanner"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Counted is a file with its lines of code.
type Counted struct {
	Name  string
	Lines int
}

// CountLines counts, in each Go file of a folder that is no test, the lines on which there is code: not those that are
// empty, nor those that hold comments alone. The longest is first.
func CountLines(folder string) (files []Counted, err error) {
	names, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		if n := codeLines(text); n > 1 { // doc.go has its package clause
			files = append(files, Counted{filepath.Base(name), n})
		}
	}
	slices.SortFunc(files, func(a, b Counted) int {
		return cmp.Or(cmp.Compare(b.Lines, a.Lines), cmp.Compare(a.Name, b.Name))
	})
	return files, nil
}

// codeLines is the number of lines on which a token begins or ends.
func codeLines(text []byte) int {
	files := token.NewFileSet()
	file := files.AddFile("", -1, len(text))
	var s scanner.Scanner
	s.Init(file, text, nil, 0)
	lines := map[int]bool{}
	for {
		at, kind, literal := s.Scan()
		if kind == token.EOF {
			return len(lines)
		}
		if kind == token.SEMICOLON && literal == "\n" {
			continue // the scanner's own
		}
		first := file.Line(at)
		for i := range 1 + strings.Count(literal, "\n") {
			lines[first+i] = true
		}
	}
}
