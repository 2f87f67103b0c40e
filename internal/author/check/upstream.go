package check

import (
	"context"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
)

var upstreamCheck = Check{
	Name:   "upstream",
	Guards: "each file and symbol of upstream that a lesson names exists in the pinned module",
	Run: func(ctx context.Context, t *Tree) ([]Finding, error) {
		files, err := t.prose()
		if err != nil {
			return nil, err
		}
		pinned, err := pinnedModules(t)
		if err != nil {
			return nil, err
		}
		asked := map[string]string{}
		var found []Finding
		for _, file := range files {
			page, err := t.Page(file)
			if err != nil {
				return nil, err
			}
			for _, name := range upstreamNames(page) {
				what, ok := asked[name.Value]
				if !ok {
					what = pinned.exists(ctx, name.Value)
					asked[name.Value] = what
				}
				if what != "" {
					found = append(found, Finding{file, name.Line, what,
						"name it as in the pinned version: " +
							"import/path.Symbol, import/path.Type.Method or import/path/file.go"})
				}
			}
		}
		return found, nil
	},
}

// upstreamForm is how prose names upstream in code: a module's host, a path, and perhaps a symbol.
var upstreamForm = regexp.MustCompile(`^(?:k8s\.io|sigs\.k8s\.io|go\.etcd\.io)/[\w./-]+$`)

func upstreamNames(p *Page) []Text {
	var names []Text
	for _, c := range p.Comments {
		if rest, ok := strings.CutPrefix(c.Value, "cites:"); ok {
			for _, word := range strings.Fields(rest) {
				if !idForm.MatchString(word) {
					names = append(names, Text{word, c.Line})
				}
			}
		}
	}
	for _, s := range p.Spans {
		if upstreamForm.MatchString(s.Value) && !strings.HasSuffix(s.Value, "/") && strings.Count(s.Value, "/") > 1 {
			names = append(names, s)
		}
	}
	return names
}

// modules maps a module's path to its folder in the module cache.
type modules map[string]module.Version

// pinnedModules reads what go.mod and the nested module of the control plane pin.
func pinnedModules(t *Tree) (modules, error) {
	out := modules{}
	for _, file := range []string{"scripts/controlplane/go.mod", "go.mod"} {
		source, err := t.Read(file)
		if err != nil {
			continue // a test's tree has no control plane
		}
		mod, err := modfile.Parse(file, source, nil)
		if err != nil {
			return nil, err
		}
		for _, r := range mod.Require {
			out[r.Mod.Path] = r.Mod
		}
		for _, r := range mod.Replace {
			if r.New.Version != "" {
				out[r.Old.Path] = r.New
			}
		}
	}
	return out, nil
}

// exists gives what is wrong with a name of upstream, or "".
func (m modules) exists(ctx context.Context, name string) string {
	at, ok := m.longest(name)
	if !ok {
		return fmt.Sprintf("%s is in no pinned module", name)
	}
	root, err := moduleDir(ctx, m[at])
	if err != nil {
		return fmt.Sprintf("%s: the source of %s cannot be had: %v", name, m[at], err)
	}
	rest := strings.TrimPrefix(strings.TrimPrefix(name, at), "/")
	if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(rest))); err == nil {
		return "" // a file or a package
	}
	slash := strings.LastIndex(rest, "/") + 1
	base, symbol, ok := strings.Cut(rest[slash:], ".")
	if !ok {
		return fmt.Sprintf("%s has no %s", m[at], rest)
	}
	dir := filepath.Join(root, filepath.FromSlash(rest[:slash]), base)
	if file, symbolOfFile, ok := strings.Cut(symbol, "."); ok && file == "go" { // path/file.go.Symbol
		return inFiles([]string{dir + ".go"}, symbolOfFile, name, m[at])
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	if len(files) == 0 {
		return fmt.Sprintf("%s has no package %s", m[at], rest[:slash]+base)
	}
	return inFiles(files, symbol, name, m[at])
}

func (m modules) longest(name string) (string, bool) {
	best := ""
	for p := range m {
		if (name == p || strings.HasPrefix(name, p+"/") || strings.HasPrefix(name, p+".")) && len(p) > len(best) {
			best = p
		}
	}
	return best, best != ""
}

// moduleDir gives a module's folder in the module cache, downloading it when it is not there.
func moduleDir(ctx context.Context, v module.Version) (string, error) {
	escaped, err := module.EscapePath(v.Path)
	if err != nil {
		return "", err
	}
	cache := os.Getenv("GOMODCACHE")
	if cache == "" {
		cache = filepath.Join(filepath.SplitList(build.Default.GOPATH)[0], "pkg", "mod")
	}
	dir := filepath.Join(cache, filepath.FromSlash(escaped)+"@"+v.Version)
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	if out, err := exec.CommandContext(ctx, "go", "mod", "download", v.String()).CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return dir, nil
}

func inFiles(paths []string, symbol, name string, v module.Version) string {
	for _, p := range paths {
		parsed, err := parser.ParseFile(token.NewFileSet(), p, nil, parser.SkipObjectResolution)
		if err == nil && declares(parsed, symbol) {
			return ""
		}
	}
	return fmt.Sprintf("%s does not declare %s", v, name)
}

// declares says whether a file has this symbol: Name, Type.Method or Type.Field.
func declares(file *ast.File, symbol string) bool {
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if funcName(d) == symbol {
				return true
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				for _, n := range specNames(spec) {
					if n == symbol {
						return true
					}
				}
				typed, ok := spec.(*ast.TypeSpec)
				if rest, cut := strings.CutPrefix(symbol, nameOf(typed)+"."); ok && cut && hasMember(typed.Type, rest) {
					return true
				}
			}
		}
	}
	return false
}

func nameOf(t *ast.TypeSpec) string {
	if t == nil {
		return ""
	}
	return t.Name.Name
}

func hasMember(t ast.Expr, name string) bool {
	var fields *ast.FieldList
	switch t := t.(type) {
	case *ast.StructType:
		fields = t.Fields
	case *ast.InterfaceType:
		fields = t.Methods
	default:
		return false
	}
	for _, f := range fields.List {
		for _, n := range f.Names {
			if n.Name == name {
				return true
			}
		}
	}
	return false
}
