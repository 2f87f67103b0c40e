package stub

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"slices"
	"strings"
)

// Same reports whether two files hold the same package clause, imports and declarations as syntax: comments,
// layout and the order of the declarations make no difference. A file that does not parse is the same as no other.
func Same(a, b []byte) bool {
	ca, ok := Canonical(a)
	if !ok {
		return false
	}
	cb, ok := Canonical(b)
	return ok && ca == cb
}

// Canonical writes a file so that two files that are the [Same] give the same text. It is no text to be shown. A file
// that does not parse has none.
func Canonical(src []byte) (string, bool) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", src, parser.SkipObjectResolution)
	if err != nil {
		return "", false
	}
	offset := func(p token.Pos) int { return fset.Position(p).Offset }
	out := []string{"package " + file.Name.Name}
	for _, decl := range file.Decls {
		if group, ok := decl.(*ast.GenDecl); ok && group.Tok == token.IMPORT {
			for _, spec := range group.Specs {
				out = append(out, "import "+Tokens(src[offset(spec.Pos()):offset(spec.End())]))
			}
			continue
		}
		out = append(out, Tokens(src[offset(decl.Pos()):offset(decl.End())]))
	}
	slices.Sort(out)
	return strings.Join(out, "\n"), true
}

// Tokens writes source as its tokens, without what only layout decides: comments, semicolons, and the comma before
// a closing bracket on a line of its own.
func Tokens(src []byte) string {
	fset := token.NewFileSet()
	var s scanner.Scanner
	s.Init(fset.AddFile("", fset.Base(), len(src)), src, nil, 0)
	var out strings.Builder
	comma := false
	for {
		_, tok, lit := s.Scan()
		if tok == token.EOF {
			return out.String()
		}
		if tok == token.SEMICOLON {
			continue
		}
		if comma && tok != token.RPAREN && tok != token.RBRACE && tok != token.RBRACK {
			out.WriteString(", ")
		}
		if comma = tok == token.COMMA; comma {
			continue
		}
		if lit == "" {
			lit = tok.String()
		}
		out.WriteString(lit + " ")
	}
}
