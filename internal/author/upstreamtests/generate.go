package upstreamtests

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/repo"
)

// selectors are the edits of upstream's text: fields of replaced types that tests look into.
var selectors = []selector{
	{"the_real_fifo_test.go", "items", "getItems"},
	{"delta_fifo_test.go", "items", "itemsView"},
	{"delta_fifo_test.go", "queue", "queueView"},
	{"reflector_watchlist_test.go", "useWatchList", "usesWatchList"},
	{"shared_informer_test.go", "resyncCheckPeriod", "checkPeriod"},
}

// generate makes the files of a build's package, by name, for the tests of some rows.
func generate(b build, clientGo string, shims fs.FS, rows []Row) (map[string][]byte, error) {
	src, err := readSource(filepath.Join(clientGo, filepath.FromSlash(b.folder)), module+"/"+b.folder)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	replaced := map[string]bool{}
	for _, shim := range b.shims {
		text, err := fs.ReadFile(shims, shim)
		if err != nil {
			return nil, err
		}
		if err := declared(shim, text, replaced); err != nil {
			return nil, err
		}
		files[ownName(b, shim)] = text
	}
	var tests, synctest []string
	for _, r := range rows {
		if r.How.Runs() {
			tests = append(tests, r.Test)
		}
		if r.Synctest {
			synctest = append(synctest, r.Test)
		}
	}
	c := choose(src, b, replaced, tests)
	for _, f := range src.files {
		keep := func(d *decl) bool { return d.file == f && c.keeps(d) }
		text := emit(src, f, selectors, synctest, keep)
		switch {
		case text == nil:
		case f.test:
			files[f.name] = bytes.ReplaceAll(text, []byte(strconv.Quote(src.path)),
				[]byte(strconv.Quote(repo.Module+"/"+b.path())))
		default:
			files[ownName(b, "borrowed_"+f.name)] = text
		}
	}
	files[ownName(b, "aliases.go")] = aliases(src, src.pkg.Name(), func(d *decl) bool {
		return c.isReplaced(d) || c.borrowed[d] || c.tainted[d]
	})
	return files, nil
}

// keeps says whether a declaration is in the package that is made. A method is there if its type is.
func (c *choice) keeps(d *decl) bool {
	if d.file.test || c.isReplaced(d) {
		return c.tests[d]
	}
	if typeName, _, isMethod := strings.Cut(d.names[0], "."); isMethod {
		return c.borrowed[c.src.find(typeName)]
	}
	return c.borrowed[d]
}

// ownName is the name of a file that is not one of upstream's tests. Where upstream's tests are inside their package
// all files are test files: TestMain has to be in one, and it is a shim's. Those of the workqueue are partly outside of
// it, and import the rest.
func ownName(b build, name string) string {
	name = "ours_" + strings.TrimSuffix(strings.TrimSuffix(path.Base(name), ".txt"), ".go")
	if b.name == "workqueue" {
		return name + ".go"
	}
	return name + "_test.go"
}

// declared enters the names that a file declares, methods as "Type.Method".
func declared(name string, text []byte, names map[string]bool) error {
	tree, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	for _, d := range tree.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv != nil {
				names[receiver(d).Name+"."+d.Name.Name] = true
			} else if d.Name.Name != "init" {
				names[d.Name.Name] = true
			}
		case *ast.GenDecl:
			for _, id := range identsOf(d.Specs...) {
				names[id.Name] = true
			}
		}
	}
	return nil
}
