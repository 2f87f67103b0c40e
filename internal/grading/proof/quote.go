package proof

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
)

// quotes reports whether a sentence stands in one of the comments of a stub, however the lines are broken there.
func quotes(stubText []byte, sentence string) bool {
	file, err := parser.ParseFile(token.NewFileSet(), "", stubText, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return false
	}
	for _, group := range file.Comments {
		if strings.Contains(folded(commentText(group)), folded(sentence)) {
			return true
		}
	}
	return false
}

// commentText is a comment without its marks. Unlike CommentGroup.Text it keeps lines like //todo: and //go:build.
func commentText(group *ast.CommentGroup) string {
	var out strings.Builder
	for _, c := range group.List {
		text := strings.TrimPrefix(c.Text, "//")
		text = strings.TrimSuffix(strings.TrimPrefix(text, "/*"), "*/")
		out.WriteString(text + "\n")
	}
	return out.String()
}

// folded makes every white space one space, and drops the dashes and stars before the items of a list.
func folded(text string) string {
	var out []string
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) > 0 && (words[0] == "-" || words[0] == "*") {
			words = words[1:]
		}
		out = append(out, words...)
	}
	return strings.Join(out, " ")
}
