package check

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/repo"
)

var commandsCheck = Check{
	Name:   "commands",
	Guards: "commands that the text shows exist, and so do their flags, and the tests that they run",
	Run: func(_ context.Context, t *Tree) ([]Finding, error) {
		files, err := t.prose()
		if err != nil {
			return nil, err
		}
		programs := map[string]*program{}
		var found []Finding
		for _, file := range files {
			page, err := t.Page(file)
			if err != nil {
				return nil, err
			}
			for _, c := range shownCommands(page) {
				what, mend := t.command(c.Value, programs)
				if file == "CONTRIBUTING.md" && strings.HasPrefix(what, "there is no chapters/") {
					continue // the walk through a new chapter makes it
				}
				if what != "" {
					found = append(found, Finding{file, c.Line, fmt.Sprintf("`%s`: %s", c.Value, what), mend})
				}
			}
		}
		return found, nil
	},
}

var (
	shells      = map[string]bool{"sh": true, "bash": true, "console": true, "shell": true}
	ourCommand  = regexp.MustCompile(`^(?:make|go run \./|go -C|go test |(?:[A-Z_]+=\S+ )+(?:make|go run|go test))`)
	assignment  = regexp.MustCompile(`^[A-Z_]+=`)
	placeholder = regexp.MustCompile(`NN|\.\.\.$|⟨|<|>|\*`)
	quoted      = regexp.MustCompile(`"[^"]*"|'[^']*'`) // one word, whatever is in it
	subcommand  = regexp.MustCompile(`^[a-z][a-z-]*$`)
)

// shownCommands gives what a page tells a reader to type: lines of shell blocks, inline code, recorded commands.
func shownCommands(p *Page) []Text {
	var out []Text
	for _, b := range p.Blocks {
		if cmd, ok := strings.CutPrefix(b.Directive, "recorded:"); ok {
			out = append(out, Text{strings.TrimSpace(strings.SplitN(cmd, ` from "`, 2)[0]), b.Line - 1})
		}
		if !shells[b.Language] {
			continue
		}
		line := b.Line
		joined := strings.ReplaceAll(b.Content, "\\\n", " ")
		for l := range strings.Lines(joined) {
			line++
			out = append(out, Text{strings.TrimPrefix(strings.TrimSpace(l), "$ "), line})
		}
	}
	for _, s := range p.Spans {
		if ourCommand.MatchString(s.Value) || s.Value == "make" {
			out = append(out, s)
		}
	}
	return out
}

// command gives what is wrong with one command line, or "". Commands that are not ours are not looked at.
func (t *Tree) command(line string, programs map[string]*program) (what, mend string) {
	if before, _, ok := strings.Cut(line, " #"); ok {
		line = before
	}
	line = quoted.ReplaceAllString(line, "QUOTED")
	for _, part := range regexp.MustCompile(`&&|\|\||[|;]`).Split(line, -1) {
		words := strings.Fields(part)
		for len(words) > 0 && assignment.MatchString(words[0]) {
			words = words[1:]
		}
		switch {
		case len(words) == 0:
		case words[0] == "make":
			what, mend = t.makeCommand(words[1:])
		case words[0] == "go":
			what, mend = t.goCommand(words[1:], programs)
		}
		if what != "" {
			return what, mend
		}
	}
	return "", ""
}

func (t *Tree) makeCommand(words []string) (what, mend string) {
	source, err := t.Read("Makefile")
	if err != nil {
		return "there is no Makefile", ""
	}
	for _, w := range words {
		name, _, isVariable := strings.Cut(w, "=")
		switch {
		case strings.HasPrefix(w, "-") || w == ">" || w == "&":
			return "", ""
		case isVariable && assignment.MatchString(w):
			if !strings.Contains(string(source), "$("+name+")") && !t.environment(name) {
				return "no target reads " + name, "mend the name; the Makefile says which variables a target reads"
			}
		case !regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(w) + `:`).Match(source):
			return "make has no target " + w, "`make` alone lists the targets"
		}
	}
	return "", ""
}

// environment says whether any program of the repository reads this variable.
func (t *Tree) environment(name string) bool {
	found := false
	_ = eachGo(t, func(_ string, source []byte) error {
		found = found || strings.Contains(string(source), `"`+name+`"`)
		return nil
	})
	return found
}

func (t *Tree) goCommand(words []string, programs map[string]*program) (what, mend string) {
	base := "."
	if len(words) > 1 && words[0] == "-C" {
		base, words = words[1], words[2:]
	}
	if len(words) == 0 || words[0] != "run" && words[0] != "test" {
		return "", ""
	}
	verb := words[0]
	for i, w := range words[1:] {
		if !strings.HasPrefix(w, "./") {
			continue
		}
		if placeholder.MatchString(strings.TrimSuffix(w, "/...")) {
			return "", ""
		}
		dir := path.Join(base, strings.TrimSuffix(w, "/..."))
		if !t.IsDir(dir) {
			return "there is no " + dir, "mend the path"
		}
		if verb == "run" {
			return t.arguments(dir, words[i+2:], programs)
		}
		return t.testCommand(dir, strings.HasSuffix(w, "/..."), words)
	}
	return "", ""
}

// arguments checks the flags and the subcommand of a program of the repository.
func (t *Tree) arguments(dir string, words []string, programs map[string]*program) (what, mend string) {
	p := programs[dir]
	if p == nil {
		p = &program{flags: map[string]bool{"h": true, "help": true}, words: map[string]bool{}}
		t.read(dir, p, map[string]bool{})
		programs[dir] = p
	}
	if !p.main {
		return dir + " is no program", "mend the path"
	}
	if p.wraps && len(p.flags) == 2 { // no flags of its own but -h
		return "", ""
	}
	for i, w := range words {
		if w == ">" || w == "<" || strings.HasPrefix(w, "2>") {
			break
		}
		if name, ok := strings.CutPrefix(w, "-"); ok {
			name, _, _ = strings.Cut(strings.TrimPrefix(name, "-"), "=")
			if name != "" && !p.flags[name] {
				return dir + " has no flag -" + name, fmt.Sprintf("`go run ./%s -h` lists them", dir)
			}
			continue
		}
		if i == 0 && subcommand.MatchString(w) && len(p.words) > 0 && !p.words[w] {
			return dir + " has no command " + w, fmt.Sprintf("`go run ./%s -h` lists them", dir)
		}
	}
	return "", ""
}

// A program is what the source of a command says about its command line.
type program struct {
	main  bool
	flags map[string]bool
	words map[string]bool // string literals: a subcommand is one of them
	wraps bool            // hands its arguments to another program, whose business they are
}

var flagMethods = map[string]int{
	"String": 0, "Bool": 0, "Int": 0, "Int64": 0, "Uint": 0, "Float64": 0, "Duration": 0, "Func": 0, "BoolFunc": 0,
	"StringVar": 1, "BoolVar": 1, "IntVar": 1, "Int64Var": 1, "UintVar": 1, "Float64Var": 1, "DurationVar": 1,
	"TextVar": 1, "Var": 1,
}

// read collects the flags of a package and of the packages of internal/ and of its own folder that it imports.
func (t *Tree) read(dir string, p *program, seen map[string]bool) {
	if seen[dir] {
		return
	}
	seen[dir] = true
	files, _ := filepath.Glob(filepath.Join(t.Path(dir), "*.go"))
	for _, f := range files {
		if strings.HasSuffix(f, "_test.go") {
			continue
		}
		source, err := os.ReadFile(f)
		if err != nil {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), f, source, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		p.main = p.main || parsed.Name.Name == "main"
		ast.Inspect(parsed, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BasicLit:
				if s, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING {
					p.words[s] = true
				}
			case *ast.CallExpr:
				p.flag(n)
			}
			if wrapped(n) {
				p.wraps = true
			}
			return true
		})
		for _, spec := range parsed.Imports {
			imported, _ := strconv.Unquote(spec.Path.Value)
			inside, ok := strings.CutPrefix(imported, repo.Module+"/")
			if ok && !strings.HasPrefix(inside, "chapters/") ||
				ok && strings.HasPrefix(inside, dir) {
				t.read(inside, p, seen)
			}
		}
	}
}

func (p *program) flag(call *ast.CallExpr) {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return
	}
	at, ok := flagMethods[sel.Sel.Name]
	if !ok || len(call.Args) <= at {
		return
	}
	if lit, ok := call.Args[at].(*ast.BasicLit); ok && lit.Kind == token.STRING {
		if s, err := strconv.Unquote(lit.Value); err == nil {
			p.flags[s] = true
		}
	}
}

// wrapped says whether a node runs another program with arguments that were handed on: exec.Command(name, args...).
func wrapped(n ast.Node) bool {
	call, ok := n.(*ast.CallExpr)
	if !ok || !call.Ellipsis.IsValid() {
		return false
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "Command" && sel.Sel.Name != "CommandContext" {
		return false
	}
	last, ok := call.Args[len(call.Args)-1].(*ast.Ident)
	return ok && last.Name == "args"
}
