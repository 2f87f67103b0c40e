package check

import (
	"context"
	"fmt"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/author/numbers"
)

var numbersCheck = Check{
	Name:   "numbers",
	Guards: "each benchmark of a chapter is in docs/numbers.md, and each figure that a lesson cites is the page's",
	Run: func(_ context.Context, t *Tree) ([]Finding, error) {
		page, found, err := numbersPage(t)
		if err != nil {
			return nil, err
		}
		err = eachPage(t, func(p *Page) error {
			for _, c := range citations(p) {
				if !c.Found {
					found = append(found, Finding{p.File, c.Line,
						"no figure stands before <!-- number: " + c.Name + " -->",
						"write the number, and its unit, on the same line before the directive"})
					continue
				}
				switch want, err := c.Wrong(page); {
				case err != nil:
					found = append(found, Finding{p.File, c.Line, err.Error(), "look the name up in " + numbers.File})
				case want != "":
					found = append(found, Finding{p.File, c.Line,
						fmt.Sprintf("says %s, and %s says %s", c.Figure.Text, numbers.File, want),
						"go run ./scripts/check -fix numbers"})
				}
			}
			return nil
		})
		return found, err
	},
	Fix: func(_ context.Context, t *Tree) ([]string, error) {
		page, _, err := numbersPage(t)
		if err != nil {
			return nil, err
		}
		var wrote []string
		err = eachPage(t, func(p *Page) error {
			did, err := t.Write(p.File, []byte(numbers.Update(string(p.Source), citations(p), page)))
			if did {
				wrote = append(wrote, p.File)
			}
			return err
		})
		return wrote, err
	},
}

// numbersPage reads docs/numbers.md, and finds the benchmarks that it lacks and those that are gone.
func numbersPage(t *Tree) (page numbers.Page, found []Finding, err error) {
	packages, err := numbers.Packages(t.Root)
	if err != nil {
		return page, nil, err
	}
	if len(packages) == 0 {
		return page, nil, nil
	}
	text, err := t.Read(numbers.File)
	if err != nil {
		return page, []Finding{{numbers.File, 0, "is missing, and there are benchmarks", "make bench UPDATE=1"}}, nil
	}
	if page, err = numbers.Parse(text); err != nil {
		return page, nil, err
	}
	measured := map[string]bool{}
	for _, s := range page.Sections {
		for _, r := range s.Rows {
			name, _, _ := strings.Cut(r.Benchmark, "/")
			measured[s.Dir+" "+name] = true
		}
	}
	for dir, names := range packages {
		for _, name := range names {
			if !measured[dir+" "+name] {
				found = append(found, Finding{numbers.File, 0,
					fmt.Sprintf("has nothing of Benchmark%s in %s", name, dir),
					"name its parts impl=ours and impl=upstream, then make bench UPDATE=1"})
			}
			delete(measured, dir+" "+name)
		}
	}
	for gone := range measured {
		found = append(found, Finding{numbers.File, 0, "has figures of " + gone + ", which is no benchmark any more",
			"make bench UPDATE=1"})
	}
	return page, found, nil
}

// citations lists the figures that a page cites, but for those in blocks of code, which show how it is done.
func citations(p *Page) []numbers.Citation {
	text := []byte(string(p.Source))
	for _, b := range p.Blocks {
		for i := b.begin; i < b.end; i++ {
			if text[i] != '\n' {
				text[i] = ' '
			}
		}
	}
	return numbers.Citations(string(text))
}

func eachPage(t *Tree, f func(p *Page) error) error {
	files, err := t.prose()
	if err != nil {
		return err
	}
	for _, file := range files {
		page, err := t.Page(file)
		if err != nil {
			return err
		}
		if err := f(page); err != nil {
			return err
		}
	}
	return nil
}
