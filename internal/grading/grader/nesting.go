package grader

import (
	"fmt"
	"go/scanner"
	"go/token"
)

// maxNesting is far more than anybody can read. Parsers and whatever walks over a syntax tree call themselves for each
// level, and a process whose stack is full can't be saved.
const maxNesting = 250

// checkNesting reads the source as tokens, before it is parsed.
func checkNesting(source []byte) *Failure {
	fset := token.NewFileSet()
	file := fset.AddFile("exercise.go", fset.Base(), len(source))
	var s scanner.Scanner
	s.Init(file, source, func(token.Position, string) {}, 0)
	depth := 0
	for {
		pos, tok, _ := s.Scan()
		switch tok {
		case token.EOF:
			return nil
		case token.LPAREN, token.LBRACK, token.LBRACE:
			depth++
		case token.RPAREN, token.RBRACK, token.RBRACE:
			depth--
		}
		if depth > maxNesting {
			return compileFailure(file.Line(pos), fmt.Sprintf("more than %d brackets are open", maxNesting))
		}
	}
}
