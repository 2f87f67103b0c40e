package upstreammessages

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Message is a text that upstream logs, returns or panics with.
type Message struct {
	Package string // its import path
	File    string // the name of the file in it
	Line    int
	Text    string // as in the source: with verbs, each as fmt knows it, and on one line
	Logged  bool   // as an error or a warning; else it is what an error or a panic says
}

// place is where a reader finds the message.
func (m Message) place() string { return fmt.Sprintf("%s/%s:%d", m.Package, m.File, m.Line) }

// A Module is one whose source is read.
type Module struct {
	Path string // as in go.mod
	Dir  string // where its source is
}

// packages gives the import paths of a module's packages that are no tests', sorted.
func (m Module) packages() ([]string, error) {
	var all []string
	err := filepath.WalkDir(m.Dir, func(at string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if name := d.Name(); name == "testdata" || name == "vendor" || strings.HasPrefix(name, ".") && at != m.Dir {
			return filepath.SkipDir
		}
		files, err := sources(at)
		if err != nil || len(files) == 0 {
			return err
		}
		rel, err := filepath.Rel(m.Dir, at)
		all = append(all, path.Join(m.Path, filepath.ToSlash(rel)))
		return err
	})
	slices.Sort(all)
	return all, err
}

// sources lists the Go files of a folder that are no tests.
func sources(dir string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	return slices.DeleteFunc(files, func(f string) bool { return strings.HasSuffix(f, "_test.go") }), err
}

// Collect reads a package of the module and gives what it says, each text once, in the order of the source.
func (m Module) Collect(importPath string) ([]Message, error) {
	rel, ok := strings.CutPrefix(importPath+"/", m.Path+"/")
	if !ok {
		return nil, fmt.Errorf("%s is no package of %s", importPath, m.Path)
	}
	files, err := sources(filepath.Join(m.Dir, filepath.FromSlash(rel)))
	if err != nil {
		return nil, err
	}
	c := collector{importPath: importPath, fset: token.NewFileSet(), constants: map[string]string{},
		seen: map[string]bool{}}
	for _, name := range files {
		source, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		tree, err := parser.ParseFile(c.fset, name, source, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		if !ast.IsGenerated(tree) {
			c.files = append(c.files, tree)
		}
	}
	for _, f := range c.files {
		c.readConstants(f)
	}
	for _, f := range c.files {
		c.readFile(f)
	}
	return c.found, nil
}

// A collector reads one package.
type collector struct {
	importPath string
	fset       *token.FileSet
	files      []*ast.File
	constants  map[string]string // the texts that have a name
	imports    map[string]string // of the file at hand: a package's name there, and its path
	seen       map[string]bool
	found      []Message
}

// readConstants enters the constants of a file that are texts, also those that a function declares, and variables that
// are always given one text.
func (c *collector) readConstants(f *ast.File) {
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ValueSpec:
			for i, name := range n.Names {
				if i < len(n.Values) {
					c.enter(name, n.Values[i])
				}
			}
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				if name, ok := left.(*ast.Ident); ok && len(n.Rhs) == len(n.Lhs) {
					c.enter(name, n.Rhs[i])
				}
			}
		}
		return true
	})
}

// enter enters a name's text. A name that has two in the package has none.
func (c *collector) enter(name *ast.Ident, value ast.Expr) {
	text, fixed := c.text(value)
	if !fixed {
		text = ""
	}
	if old, known := c.constants[name.Name]; known && old != text {
		text = ""
	}
	c.constants[name.Name] = text
}

// majorVersion ends the path of a module from its second version on, and is not its package's name.
var majorVersion = regexp.MustCompile(`^v[0-9]+$`)

func (c *collector) readFile(f *ast.File) {
	c.imports = map[string]string{}
	for _, spec := range f.Imports {
		importPath, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		name := path.Base(importPath)
		if majorVersion.MatchString(name) {
			name = path.Base(path.Dir(importPath))
		}
		if spec.Name != nil {
			name = spec.Name.Name
		}
		c.imports[name] = importPath
	}
	for _, d := range f.Decls {
		if method, ok := d.(*ast.FuncDecl); ok && method.Recv != nil && method.Body != nil &&
			method.Name.Name == "Error" && len(method.Type.Params.List) == 0 {
			c.readErrorMethod(method)
			continue
		}
		ast.Inspect(d, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				c.readCall(n)
			case *ast.KeyValueExpr: // metav1.Status{Message: ...}
				if isNamed(n.Key, "Message") {
					c.add(n.Value, false)
				}
			case *ast.AssignStmt: // message := ..., status.Message = ...
				for i, left := range n.Lhs {
					if i < len(n.Rhs) && (isNamed(left, "message") || isNamed(left, "Message")) {
						c.add(n.Rhs[i], false)
					}
				}
			}
			return true
		})
	}
}

// isNamed says whether an expression is this name, or a field of this name.
func isNamed(e ast.Expr, name string) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name == name
	case *ast.SelectorExpr:
		return e.Sel.Name == name
	}
	return false
}

// readErrorMethod reads what an error of a type of its own says.
func (c *collector) readErrorMethod(method *ast.FuncDecl) {
	ast.Inspect(method.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ReturnStmt:
			for _, e := range n.Results {
				c.add(e, false)
			}
		case *ast.CallExpr:
			c.add(n, false) // a Sprintf into a buffer or a variable
		}
		return true
	})
}

// readCall looks whether a call logs, or makes an error, and where its text is.
func (c *collector) readCall(call *ast.CallExpr) {
	args := call.Args
	if id, ok := call.Fun.(*ast.Ident); ok {
		if id.Name == "panic" && len(args) == 1 {
			c.add(args[0], false)
		} else if makesError(id.Name) {
			c.addFirst(args, false)
		}
		return
	}
	selector, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return
	}
	name, from := selector.Sel.Name, ""
	if id, ok := selector.X.(*ast.Ident); ok {
		from = c.imports[id.Name]
	}
	switch {
	case from == "net/http": // http.Error answers a request, and says nothing here
	case from == "fmt" && name == "Errorf", path.Base(from) == "errors" && makesAny[name], makesError(name):
		c.addFirst(args, false)
	case strings.HasPrefix(from, "k8s.io/klog") && logsLoudly(name), verbose(selector.X) && logsLoudly(name):
		c.addFirst(args, true)
	case name == "Error" && len(args) > 1: // logr: Error(err, "text", ...)
		c.add(args[1], true)
	case name == "HandleErrorWithContext" || name == "HandleErrorWithLogger":
		if len(args) > 2 {
			c.add(args[2], true)
		}
	case name == "Info" && len(args) > 0: // logr has no warnings: the text says that it is one
		if text, _ := c.text(args[0]); strings.HasPrefix(strings.ToLower(text), "warn") {
			c.add(args[0], true)
		}
	}
}

// makesAny are functions that make an error of a text, in packages that are called errors.
var makesAny = map[string]bool{"New": true, "Errorf": true, "Wrap": true, "Wrapf": true, "WithMessage": true,
	"NewBadRequest": true, "NewUnauthorized": true, "NewServiceUnavailable": true, "NewTooManyRequests": true,
	"NewGone": true, "NewResourceExpired": true}

// makesError says whether a function makes an error of a kind of its own, by its name: newNotRegisteredErr.
func makesError(name string) bool {
	return len(name) > 3 && strings.EqualFold(name[:3], "new") && strings.Contains(name, "Err")
}

// logsLoudly says whether a function of klog logs an error or a warning.
func logsLoudly(name string) bool {
	return slices.ContainsFunc([]string{"Error", "Warning", "Fatal", "Exit"},
		func(level string) bool { return strings.HasPrefix(name, level) })
}

// verbose says whether an expression is klog.V(4).
func verbose(e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return false
	}
	v, ok := call.Fun.(*ast.SelectorExpr)
	return ok && v.Sel.Name == "V" && isNamed(v.X, "klog")
}

// addFirst adds the first argument that is a text.
func (c *collector) addFirst(args []ast.Expr, logged bool) {
	for _, e := range args {
		if c.add(e, logged) {
			return
		}
	}
}

// add adds what an expression says, if that is enough to look for.
func (c *collector) add(e ast.Expr, logged bool) bool {
	text, _ := c.text(e)
	text = oneLine(text)
	if !telling(text) || !logged && aName(text) {
		return false
	}
	if !c.seen[text] {
		c.seen[text] = true
		at := c.fset.Position(e.Pos())
		c.found = append(c.found, Message{c.importPath, filepath.Base(at.Filename), at.Line, text, logged})
	}
	return true
}
