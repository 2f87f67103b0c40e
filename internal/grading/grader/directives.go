package grader

import (
	"fmt"
	"go/build/constraint"
	"go/scanner"
	"go/token"
	"regexp"
)

// checkDirectives refuses comments that speak to the go command or to the compiler: they take the file out of the
// build, hide a data race, reach into other packages, or move a message to another file. The two that do nothing of
// the kind are go:generate, and go:embed, which reaches no further than the exercise's own folder.
//
// It reads tokens, so that what it finds does not depend on a file that parses.
func checkDirectives(source []byte) *Failure {
	fset := token.NewFileSet()
	file := fset.AddFile("exercise.go", fset.Base(), len(source))
	var s scanner.Scanner
	s.Init(file, source, nil, scanner.ScanComments)
	header := true
	for {
		pos, tok, text := s.Scan()
		switch tok {
		case token.EOF:
			return nil
		case token.PACKAGE:
			header = false
		case token.COMMENT:
			if f := directiveFailure(text, header); f != nil {
				f.Line = file.PositionFor(pos, false).Line
				f.Happened = fmt.Sprintf("exercise.go:%d has %s", f.Line, f.Happened)
				return f
			}
		}
	}
}

var (
	compilerDirective = regexp.MustCompile(`^//go:([a-z_]+)`)
	lineDirective     = regexp.MustCompile(`^/[/*]line .*:\s*\d+\s*(\*/)?$`)
)

// directiveFailure judges one comment; header says that it stands before the package clause.
func directiveFailure(comment string, header bool) *Failure {
	if header && (constraint.IsGoBuild(comment) || constraint.IsPlusBuild(comment)) {
		return &Failure{Reason: ReasonFile, Expected: "exercise.go is part of every build",
			Happened: "a build constraint: " + comment}
	}
	directive := lineDirective.MatchString(comment)
	if m := compilerDirective.FindStringSubmatch(comment); m != nil {
		directive = m[1] != "generate" && m[1] != "embed"
	}
	if !directive {
		return nil
	}
	return &Failure{Reason: ReasonFile, Expected: "exercise.go is Go alone, without directives to the compiler",
		Happened: "the directive " + cut(oneLine(comment), 80)}
}
