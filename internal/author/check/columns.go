package check

import (
	"fmt"
	"go/scanner"
	"go/token"
	"strings"
	"unicode/utf8"
)

// tabColumns is how wide a tab is: what most editors and GitHub show.
const tabColumns = 4

// wholeString is how many columns a string has that may make its line too long: a regular expression, an address or
// what a test compares is found again by searching for it, and reads worse in pieces.
const wholeString = 50

func columnsOver(t *Tree, b budgets) (over []overrun, err error) {
	if b.Columns == 0 {
		return nil, nil
	}
	err = eachGo(t, func(file string, source []byte) error {
		lines := wideLines(source, b.Columns)
		if len(lines) > 0 && !isGenerated(source) {
			over = append(over, overrun{file + " columns", Finding{file, lines[0],
				fmt.Sprintf("%d lines have more than %d columns, with tabs of %d", len(lines), b.Columns, tabColumns),
				"break them; a line is as long as it needs only where one string of it has " +
					fmt.Sprint(wholeString) + " columns"}})
		}
		return nil
	})
	return over, err
}

// wideLines finds the lines of a Go source that have more columns than the limit, and no string that may be the reason.
func wideLines(source []byte, limit int) (wide []int) {
	long := longStrings(source)
	n := 0
	for line := range strings.Lines(string(source)) {
		n++
		columns := 0
		for _, r := range strings.TrimRight(line, "\r\n") {
			if r == '\t' {
				columns += tabColumns - columns%tabColumns
				continue
			}
			columns++
		}
		marker := strings.HasPrefix(strings.TrimSpace(line), "// +") // a generator reads it, and reads one line
		if columns > limit && !long[n] && !marker {
			wide = append(wide, n)
		}
	}
	return wide
}

// longStrings are the lines on which a string stands that may be as long as it is, by number.
func longStrings(source []byte) map[int]bool {
	var s scanner.Scanner
	files := token.NewFileSet()
	file := files.AddFile("", files.Base(), len(source))
	s.Init(file, source, nil, 0)
	lines := map[int]bool{}
	for {
		pos, tok, literal := s.Scan()
		if tok == token.EOF {
			return lines
		}
		if tok != token.STRING {
			continue
		}
		first := file.Line(pos)
		for i := 0; i <= strings.Count(literal, "\n"); i++ {
			if i > 0 || utf8.RuneCountInString(literal) >= wholeString {
				lines[first+i] = true
			}
		}
	}
}
