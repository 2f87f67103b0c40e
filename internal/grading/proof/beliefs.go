package proof

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader"
)

// UnsaidFile lies with an exercise's solutions and lists the beliefs that its tests can point to and that no wrong
// solution is told: the beginning of a text on each line, and lines with # that say why it is kept.
const UnsaidFile = "unsaid.txt"

// beliefBegins is how a text begins that names a belief. Where it is handed on through variables, maps and functions
// until a verdict points to it, this is what it is known by.
const beliefBegins = "the belief that "

// A belief is a text that a verdict can point to: its pieces that are known beforehand, in their order.
type belief []string

// String is the text, with ... for what is not known beforehand.
func (b belief) String() string { return strings.Join(b, "...") }

// saidIn reports whether a verdict pointed to the belief.
func (b belief) saidIn(pointsTo string) bool {
	for _, piece := range b {
		_, after, ok := strings.Cut(pointsTo, piece)
		if !ok {
			return false
		}
		pointsTo = after
	}
	return true
}

// beliefsOf finds the texts that the graded tests of an exercise can point to: what begins as a belief does, and what
// stands where a verdict, HangMeans or LeakMeans takes one.
func beliefsOf(e grader.Exercise) ([]belief, error) {
	files, err := filepath.Glob(filepath.Join(e.Dir(), "*_test.go"))
	if err != nil {
		return nil, err
	}
	c := beliefCollector{named: map[string][]ast.Expr{}, seen: map[string]bool{}}
	var parsed []*ast.File
	for _, path := range files {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		parsed = append(parsed, file)
		ast.Inspect(file, c.collectNames)
	}
	for _, file := range parsed {
		ast.Inspect(file, c.collect)
	}
	return c.all, nil
}

// beliefCollector walks the graded tests.
type beliefCollector struct {
	named map[string][]ast.Expr // what constants and variables of that name are declared as
	seen  map[string]bool
	all   []belief
}

func (c *beliefCollector) collectNames(n ast.Node) bool {
	if spec, ok := n.(*ast.ValueSpec); ok && len(spec.Names) == len(spec.Values) {
		for i, name := range spec.Names {
			c.named[name.Name] = append(c.named[name.Name], spec.Values[i])
		}
	}
	return true
}

func (c *beliefCollector) collect(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.KeyValueExpr:
		if key, ok := n.Key.(*ast.Ident); ok && key.Name == "PointsTo" {
			c.add(n.Value, "")
		}
	case *ast.AssignStmt:
		for i, left := range n.Lhs {
			if field, ok := left.(*ast.SelectorExpr); ok && field.Sel.Name == "PointsTo" && len(n.Rhs) == len(n.Lhs) {
				c.add(n.Rhs[i], "")
			}
		}
	case *ast.CallExpr:
		if f, ok := n.Fun.(*ast.SelectorExpr); ok && len(n.Args) == 1 &&
			(f.Sel.Name == "HangMeans" || f.Sel.Name == "LeakMeans") {
			c.add(n.Args[0], "")
		}
	}
	if text, ok := n.(ast.Expr); ok {
		c.add(text, beliefBegins)
		_, sum := n.(*ast.BinaryExpr)
		return !sum || len(pieces(text)) == 0 // the parts of a text are no texts of their own
	}
	return true
}

// add takes a text that begins as it should, or what a name was declared as.
func (c *beliefCollector) add(text ast.Expr, begins string) {
	if name, ok := text.(*ast.Ident); ok && begins == "" {
		for _, value := range c.named[name.Name] {
			if _, again := value.(*ast.Ident); !again {
				c.add(value, "")
			}
		}
		return
	}
	b := belief(pieces(text))
	if len(b) == 0 || !strings.HasPrefix(b[0], begins) || c.seen[b.String()] {
		return
	}
	c.seen[b.String()] = true
	c.all = append(c.all, b)
}

// pieces gives the literal pieces of a text that is put together with +, neighbours as one.
func pieces(text ast.Expr) (out []string) {
	open := false // whether the last piece goes on
	var walk func(ast.Expr)
	walk = func(e ast.Expr) {
		switch e := e.(type) {
		case *ast.ParenExpr:
			walk(e.X)
			return
		case *ast.BinaryExpr:
			if e.Op == token.ADD {
				walk(e.X)
				walk(e.Y)
				return
			}
		case *ast.BasicLit:
			if s, err := strconv.Unquote(e.Value); err == nil && e.Kind == token.STRING {
				if open {
					out[len(out)-1] += s
				} else if s != "" {
					out = append(out, s)
				}
				open = len(out) > 0
				return
			}
		}
		open = false
	}
	walk(text)
	return out
}

// unsaid compares what the tests of an exercise can point to with what they pointed to, and with the exercise's
// [UnsaidFile].
func unsaid(e grader.Exercise, said []string) (missing []string, err error) {
	all, err := beliefsOf(e)
	if err != nil {
		return nil, err
	}
	listed, err := readUnsaid(e)
	if err != nil {
		return nil, err
	}
	used := map[string]bool{}
	for _, b := range all {
		heard := slices.ContainsFunc(said, b.saidIn)
		dead := slices.IndexFunc(listed, func(begin string) bool { return strings.HasPrefix(b.String(), begin) })
		switch {
		case dead >= 0 && heard:
			missing = append(missing, fmt.Sprintf("%s lists what a wrong solution is told: %s",
				UnsaidFile, listed[dead]))
		case dead < 0 && !heard:
			missing = append(missing, fmt.Sprintf("no wrong solution is told: %s", b))
		}
		if dead >= 0 {
			used[listed[dead]] = true
		}
	}
	for _, begin := range listed {
		if !used[begin] {
			missing = append(missing, fmt.Sprintf("%s lists what no test can say: %s", UnsaidFile, begin))
		}
	}
	return missing, nil
}

func readUnsaid(e grader.Exercise) (begins []string, err error) {
	text, err := os.ReadFile(filepath.Join(e.SolutionDir(), UnsaidFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			begins = append(begins, line)
		}
	}
	return begins, err
}
