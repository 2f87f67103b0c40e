package upstreammessages

import (
	"go/ast"
	"go/token"
	"regexp"
	"strconv"
	"strings"
)

// text gives what an expression says, with a verb in the place of what is known only at run time. fixed says that all
// of it is known.
func (c *collector) text(e ast.Expr) (text string, fixed bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind != token.STRING {
			return "", false
		}
		s, err := strconv.Unquote(e.Value)
		return s, err == nil
	case *ast.Ident:
		s := c.constants[e.Name]
		return s, s != ""
	case *ast.ParenExpr:
		return c.text(e.X)
	case *ast.BinaryExpr:
		return c.sum(e)
	case *ast.CallExpr:
		return c.formatted(e)
	}
	return "", false
}

// sum gives what texts say that are added.
func (c *collector) sum(e *ast.BinaryExpr) (string, bool) {
	if e.Op != token.ADD {
		return "", false
	}
	left, leftFixed := c.text(e.X)
	right, rightFixed := c.text(e.Y)
	if left == "" && right == "" {
		return "", false // numbers, or two variables
	}
	if left == "" {
		left = "%v"
	}
	if right == "" {
		right = "%v"
	}
	return left + right, leftFixed && rightFixed
}

// formatted gives what is formatted, of a call of fmt.Sprintf or fmt.Errorf, or of fmt.Sprint its first text.
func (c *collector) formatted(call *ast.CallExpr) (string, bool) {
	f, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || len(call.Args) == 0 || !isNamed(f.X, "fmt") {
		return "", false
	}
	switch f.Sel.Name {
	case "Sprintf", "Errorf":
		text, _ := c.text(call.Args[0])
		return text, len(call.Args) == 1
	case "Sprint", "Sprintln":
		var all []string
		for _, arg := range call.Args {
			text, _ := c.text(arg)
			if text == "" {
				text = "%v"
			}
			all = append(all, text)
		}
		return strings.Join(all, " "), false
	}
	return "", false
}

// verb is one of fmt's: %v, %+v, %-10s, %[1]q, %%.
var verb = regexp.MustCompile(`%[-+# 0]*(?:\[[0-9]+\])?[0-9*]*(?:\.[0-9*]+)?(?:\[[0-9]+\])?[a-zA-Z%]`)

var word = regexp.MustCompile(`\pL{3}`)

// telling says whether a text has a word in it: "%s: %w" has none, and another text is logged in its place.
func telling(text string) bool { return word.MatchString(verb.ReplaceAllString(text, "")) }

// aName says whether a text is one word, and so what something is called: a reason of a status, or its default.
func aName(text string) bool { return !strings.ContainsAny(text, " %") }

// oneLine is a text on one line, as messages.txt has it.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
