package check

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strings"
)

const longestExcerpt = 25

var excerptsCheck = Check{
	Name:   "excerpts",
	Guards: "code shown in a lesson is the code that runs",
	Run: func(_ context.Context, t *Tree) ([]Finding, error) {
		var found []Finding
		err := eachExcerpt(t, func(p *Page, i int, fresh string, err error) {
			b := p.Blocks[i]
			switch {
			case err != nil:
				found = append(found, Finding{p.File, b.Line, err.Error(),
					"mend the directive: <!-- excerpt: FILE Type.Method --> " +
						"or <!-- excerpt: FILE NAME from \"text\" to \"text\" -->"})
			case fresh != b.Content:
				found = append(found, Finding{p.File, b.Line, "the excerpt differs from the source",
					"go run ./scripts/check -fix excerpts"})
			case strings.Count(fresh, "\n") > longestExcerpt:
				found = append(found, Finding{p.File, b.Line,
					fmt.Sprintf("the excerpt has %d lines", strings.Count(fresh, "\n")),
					fmt.Sprintf("show at most %d: cut with from \"...\" to \"...\"", longestExcerpt)})
			}
		})
		return found, err
	},
	Fix: func(_ context.Context, t *Tree) ([]string, error) {
		changes := map[*Page]map[int]string{}
		var order []*Page
		err := eachExcerpt(t, func(p *Page, i int, fresh string, err error) {
			if err != nil || fresh == p.Blocks[i].Content {
				return
			}
			if changes[p] == nil {
				changes[p] = map[int]string{}
				order = append(order, p)
			}
			changes[p][i] = fresh
		})
		if err != nil {
			return nil, err
		}
		var wrote []string
		for _, p := range order {
			if _, err := t.Write(p.File, p.replace(changes[p])); err != nil {
				return wrote, err
			}
			wrote = append(wrote, p.File)
		}
		return wrote, nil
	},
}

func eachExcerpt(t *Tree, f func(p *Page, block int, fresh string, err error)) error {
	files, err := t.prose()
	if err != nil {
		return err
	}
	for _, file := range files {
		page, err := t.Page(file)
		if err != nil {
			return err
		}
		for i, b := range page.Blocks {
			if what, ok := strings.CutPrefix(b.Directive, "excerpt:"); ok {
				fresh, err := t.excerpt(strings.TrimSpace(what))
				f(page, i, fresh, err)
			}
		}
	}
	return nil
}

var excerptForm = regexp.MustCompile(`^(\S+)\s+(\S+)(?:\s+from "(.*?)" to "(.*?)")?$`)

// excerpt gives the source that a directive names.
func (t *Tree) excerpt(directive string) (string, error) {
	m := excerptForm.FindStringSubmatch(directive)
	if m == nil {
		return "", fmt.Errorf("the directive %q does not have the form of an excerpt", directive)
	}
	source, err := t.Read(m[1])
	if err != nil {
		return "", fmt.Errorf("there is no file %s", m[1])
	}
	begin, end, err := declaration(source, m[2])
	if err != nil {
		return "", fmt.Errorf("%s: %w", m[1], err)
	}
	text := string(source[begin:end])
	if m[3] != "" {
		if text, err = between(text, m[3], m[4]); err != nil {
			return "", fmt.Errorf("%s %s: %w", m[1], m[2], err)
		}
	}
	return strings.TrimRight(text, "\n") + "\n", nil
}

// declaration gives the byte offsets of a function, Type.Method, type, constant or variable, without its comment.
func declaration(source []byte, name string) (begin, end int, err error) {
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, "", source, parser.ParseComments)
	if err != nil {
		return 0, 0, err
	}
	offsets := func(n ast.Node) (int, int, error) {
		return files.Position(n.Pos()).Offset, files.Position(n.End()).Offset, nil
	}
	for _, d := range parsed.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if funcName(d) == name {
				return bare(files, d, d.Type.Func)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				for _, n := range specNames(spec) {
					if n != name {
						continue
					}
					if !d.Lparen.IsValid() {
						return bare(files, d, d.TokPos)
					}
					return offsets(spec)
				}
			}
		}
	}
	return 0, 0, fmt.Errorf("no declaration is named %s", name)
}

func bare(files *token.FileSet, n ast.Node, from token.Pos) (int, int, error) {
	return files.Position(from).Offset, files.Position(n.End()).Offset, nil
}

func funcName(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return d.Name.Name
	}
	t := d.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name + "." + d.Name.Name
		default:
			return d.Name.Name
		}
	}
}

func specNames(spec ast.Spec) []string {
	switch s := spec.(type) {
	case *ast.TypeSpec:
		return []string{s.Name.Name}
	case *ast.ValueSpec:
		var names []string
		for _, n := range s.Names {
			names = append(names, n.Name)
		}
		return names
	}
	return nil
}

// between gives whole lines, from the first that contains one text to the first after it that contains the other.
func between(text, from, to string) (string, error) {
	lines := strings.SplitAfter(text, "\n")
	begin := -1
	for i, line := range lines {
		if begin < 0 && strings.Contains(line, from) {
			begin = i
		}
		if begin >= 0 && strings.Contains(line, to) {
			return dedent(strings.Join(lines[begin:i+1], "")), nil
		}
	}
	if begin < 0 {
		return "", fmt.Errorf("no line contains %q", from)
	}
	return "", fmt.Errorf("no line after the one with %q contains %q", from, to)
}

// dedent takes away the tabs that all lines have in front.
func dedent(text string) string {
	common := -1
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		tabs := len(line) - len(strings.TrimLeft(line, "\t"))
		if common < 0 || tabs < common {
			common = tabs
		}
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		if len(line) > common && common > 0 {
			line = line[common:]
		}
		b.WriteString(line)
	}
	return b.String()
}
