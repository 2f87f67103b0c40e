package upstreamtests

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
)

// A Difference is a line of the list that is not true, or a test that it does not name.
type Difference struct {
	Line int // of the list; 0 for one that is missing
	What string
}

// Compare says where the list and upstream's tests, in client-go's folder, differ: tests that are new, tests that are
// gone, and rows that are there twice.
func (l List) Compare(clientGo string) ([]Difference, error) {
	there := map[string]bool{} // folder and test
	var order []string
	for _, folder := range folders() {
		tests, err := testsIn(filepath.Join(clientGo, filepath.FromSlash(folder)))
		if err != nil {
			return nil, err
		}
		for _, test := range tests {
			there[folder+" "+test] = true
			order = append(order, folder+" "+test)
		}
	}
	var found []Difference
	listed, rows := map[string]bool{}, map[string]bool{}
	for _, r := range l.Rows {
		b, err := buildOf(r.Mechanism)
		if err != nil {
			return nil, err
		}
		key := b.folder + " " + r.Test
		if !there[key] {
			gone := fmt.Sprintf("%s/%s has no test %s any more", module, b.folder, r.Test)
			found = append(found, Difference{r.Line, gone})
		}
		if rows[r.Mechanism+" "+key] {
			found = append(found, Difference{r.Line, fmt.Sprintf("%s is there twice for %s", r.Test, r.Mechanism)})
		}
		listed[key], rows[r.Mechanism+" "+key] = true, true
	}
	for _, key := range order {
		if folder, test, _ := strings.Cut(key, " "); !listed[key] {
			found = append(found, Difference{0, fmt.Sprintf("%s of %s/%s is not listed", test, module, folder)})
		}
	}
	return found, nil
}

// testsIn lists the tests and examples of a folder.
func testsIn(dir string) (tests []string, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("no tests in %s: %w", dir, err)
	}
	for _, file := range files {
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range tree.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv != nil || f.Name.Name == "TestMain" {
				continue
			}
			if strings.HasPrefix(f.Name.Name, "Test") || strings.HasPrefix(f.Name.Name, "Example") {
				tests = append(tests, f.Name.Name)
			}
		}
	}
	return tests, nil
}
