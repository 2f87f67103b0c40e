package hint

import (
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strings"
)

var (
	mark = regexp.MustCompile(`(?m)^[ \t]*//(solution:(begin|end|forbidden.*)|stub:.*|todo:.*)\n`)
	head = regexp.MustCompile(`(?m)^package .*$`)
	// rule is a line of a comment that is the assignment's: a list, or the heading of a stage.
	rule = regexp.MustCompile(`^//\s+([-*]|\d+\.) |^//\s*Stage \d`)
)

// readable leaves out the marks that the stub is made from, and the assignment: what stands above the package clause,
// and the rules in the comments of declarations.
func readable(code []byte) string {
	text := mark.ReplaceAllString(string(code), "")
	if at := head.FindStringIndex(text); at != nil {
		text = text[at[0]:]
	}
	if short, err := format.Source([]byte(withoutRules(text))); err == nil {
		text = string(short)
	}
	return strings.TrimSpace(text)
}

// withoutRules keeps of a comment that has rules what it says before them, and no more than a paragraph. Comments
// inside of functions stay.
func withoutRules(text string) string {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return text
	}
	lines := strings.Split(text, "\n")
	for _, comment := range slices.Backward(file.Comments) {
		if inFunction(file, comment) {
			continue
		}
		first, end := files.Position(comment.Pos()).Line-1, files.Position(comment.End()).Line
		isRule := func(line string) bool { return rule.MatchString(strings.TrimSpace(line)) }
		if !slices.ContainsFunc(lines[first:end], isRule) {
			continue
		}
		keep := slices.IndexFunc(lines[first:end], func(line string) bool {
			return isRule(line) || strings.TrimSpace(line) == "//"
		})
		lines = slices.Delete(lines, first+keep, end)
	}
	return strings.Join(lines, "\n")
}

// inFunction says whether a comment stands in the body of a function.
func inFunction(file *ast.File, comment *ast.CommentGroup) bool {
	return slices.ContainsFunc(file.Decls, func(d ast.Decl) bool {
		f, ok := d.(*ast.FuncDecl)
		return ok && f.Body != nil && f.Body.Pos() < comment.Pos() && comment.End() < f.Body.End()
	})
}
