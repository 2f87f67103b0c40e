package check

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"regexp"
	"strings"
)

// Evidence is one directive: a test that covers ids, a lesson that cites upstream's source for them or explains them.
type Evidence struct {
	Kind string // covers, cites, explains
	IDs  []string
	File string
	Line int
	Name string // of the test, or of the upstream file or symbol
}

var evidenceCheck = Check{
	Name:   "evidence",
	Guards: "each claim of a built chapter has a test or a source, each directive a known id, and the documents follow",
	Run: func(_ context.Context, t *Tree) ([]Finding, error) {
		if !t.Exists(claimsFile) {
			return nil, nil
		}
		claims, err := loadClaims(t)
		if err != nil {
			return []Finding{{claimsFile, 0, err.Error(), "mend the file: its head describes it"}}, nil
		}
		evidence, found, err := collect(t)
		if err != nil {
			return nil, err
		}
		found = append(found, claims.faults(t)...)
		found = append(found, claims.unknown(evidence)...)
		found = append(found, claims.missing(t, evidence)...)
		for file, fresh := range everyDocument(t, claims, evidence) {
			if old, err := t.Read(file); err != nil || string(old) != fresh {
				found = append(found, Finding{file, 0, "differs from docs/claims.yaml and the directives",
					"go run ./scripts/check -fix evidence"})
			}
		}
		return found, nil
	},
	Fix: func(_ context.Context, t *Tree) ([]string, error) {
		if !t.Exists(claimsFile) {
			return nil, nil
		}
		claims, err := loadClaims(t)
		if err != nil {
			return nil, nil // the finding says so
		}
		evidence, _, err := collect(t)
		if err != nil {
			return nil, err
		}
		var wrote []string
		for file, fresh := range everyDocument(t, claims, evidence) {
			did, err := t.Write(file, []byte(fresh))
			if err != nil {
				return wrote, err
			}
			if did {
				wrote = append(wrote, file)
			}
		}
		return wrote, nil
	},
}

func (c *Claims) unknown(evidence []Evidence) []Finding {
	known := c.known()
	var found []Finding
	for _, e := range evidence {
		for _, id := range e.IDs {
			if !known[id] {
				found = append(found, Finding{e.File, e.Line, id + " is no id of " + claimsFile,
					"mend the id, or add an entry; `go run ./scripts/check -ids` prints those that are free"})
			}
		}
	}
	return found
}

// missing finds the claims of chapters that exist for which nobody shows anything. A definition may be explained;
// a claim needs a test, or at least upstream's source.
func (c *Claims) missing(t *Tree, evidence []Evidence) []Finding {
	kinds := map[string]string{}
	for _, e := range evidence {
		for _, id := range e.IDs {
			kinds[id] += e.Kind + " "
		}
	}
	var found []Finding
	for _, x := range c.Claims {
		if !idForm.MatchString(x.ID) {
			continue
		}
		for _, chapter := range x.Chapters {
			if !t.IsDir("chapters/" + chapter) {
				continue
			}
			has := kinds[x.ID]
			switch {
			case has == "":
				found = append(found, Finding{claimsFile, x.line,
					fmt.Sprintf("%s of %s has no evidence", x.ID, chapter),
					"write `// covers: ID` on the test that shows it, or `<!-- cites: ID import/path.Symbol -->` or " +
						"`<!-- explains: ID -->` in the lesson"})
			case !concept(x.ID) && !strings.Contains(has, "covers") && !strings.Contains(has, "cites"):
				found = append(found, Finding{claimsFile, x.line, x.ID + " is a claim, and only explained",
					"show it with a test (`//covers:`), or cite upstream's source"})
			}
			break
		}
	}
	return found
}

// collect reads all directives of the tree. Findings are directives that are none.
func collect(t *Tree) ([]Evidence, []Finding, error) {
	var evidence []Evidence
	var found []Finding
	err := eachGo(t, func(file string, source []byte) error {
		if coversLine.Match(source) {
			e, f := covers(file, source)
			evidence, found = append(evidence, e...), append(found, f...)
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	pages, err := t.prose()
	if err != nil {
		return nil, nil, err
	}
	for _, file := range pages {
		page, err := t.Page(file)
		if err != nil {
			return nil, nil, err
		}
		for _, c := range page.Comments {
			kind, rest, _ := strings.Cut(c.Value, ":")
			if kind != "cites" && kind != "explains" {
				continue
			}
			e, what := pageEvidence(file, kind, rest)
			if what != "" {
				found = append(found, Finding{file, c.Line, what,
					"<!-- cites: B-64 import/path.Symbol --> or " +
						"<!-- explains: S1-08 -->, in a lesson, its UPSTREAM.md or docs/glossary.md"})
				continue
			}
			e.File, e.Line = file, c.Line
			evidence = append(evidence, e)
		}
	}
	return evidence, found, nil
}

func pageEvidence(file, kind, rest string) (e Evidence, what string) {
	e.Kind = kind
	for _, word := range strings.Fields(rest) {
		switch {
		case idForm.MatchString(word):
			e.IDs = append(e.IDs, word)
		case kind == "cites" && e.Name == "":
			e.Name = word
		default:
			return e, fmt.Sprintf("%q does not belong into a directive %s", word, kind)
		}
	}
	switch base := path.Base(file); {
	case len(e.IDs) == 0:
		return e, "a directive " + kind + " without an id"
	case kind == "cites" && e.Name == "":
		return e, "a directive cites without a file or symbol of upstream"
	case file != "docs/glossary.md" && !(chapterOf(file) != "" && (base == "README.md" || base == "UPSTREAM.md")):
		return e, "a directive " + kind + " outside a lesson, its UPSTREAM.md and the glossary"
	}
	return e, ""
}

// coversLine is the directive. gofmt puts a space before it when it stands in a comment that documents a function.
var coversLine = regexp.MustCompile(`(?m)^// ?covers:(.*)$`)

const coversMend = "`//covers: B-01` is the last line of the comment " +
	"directly above a func TestX(t *testing.T) or FuzzX that runs in CI"

// covers reads the directives of one Go file.
func covers(file string, source []byte) (evidence []Evidence, found []Finding) {
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, file, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, nil // gofmt says so
	}
	tests := map[*ast.Comment]string{}
	for _, d := range parsed.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Doc == nil || f.Recv != nil || !isTest(f, file) {
			continue
		}
		for _, c := range f.Doc.List {
			tests[c] = f.Name.Name
		}
	}
	for _, group := range parsed.Comments {
		for _, c := range group.List {
			m := coversLine.FindStringSubmatch(c.Text)
			if m == nil {
				continue
			}
			rest := m[1]
			line := files.Position(c.Pos()).Line
			name, isTest := tests[c]
			ids := strings.Fields(rest)
			bad := len(ids) == 0
			for _, id := range ids {
				bad = bad || !idForm.MatchString(id)
			}
			switch {
			case !isTest:
				found = append(found, Finding{file, line, "covers stands on something that is no test", coversMend})
			case isExercise(file):
				found = append(found, Finding{file, line,
					"covers stands on a graded test, which skips until a learner writes code", coversMend})
			case bad:
				found = append(found, Finding{file, line, "covers without ids", coversMend})
			default:
				evidence = append(evidence, Evidence{"covers", ids, file, line, name})
			}
		}
	}
	return evidence, found
}

// isTest says whether go test runs this function.
func isTest(f *ast.FuncDecl, file string) bool {
	if !strings.HasSuffix(file, "_test.go") || f.Type.Params.NumFields() != 1 {
		return false
	}
	star, ok := f.Type.Params.List[0].Type.(*ast.StarExpr)
	if !ok {
		return false
	}
	sel, ok := star.X.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	name := f.Name.Name
	return strings.HasPrefix(name, "Test") && sel.Sel.Name == "T" || strings.HasPrefix(name, "Fuzz") &&
		sel.Sel.Name == "F"
}
