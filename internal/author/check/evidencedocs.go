package check

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/author/numbers"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/author/upstreamtests"
)

// generatedDocs are written by the checks evidence, shape and upstreamtests, and by `make bench`.
var generatedDocs = map[string]bool{"docs/claims.md": true, "docs/concepts.md": true,
	numbers.File: true, shapeFile: true, upstreamtests.Page: true}

const claimsHead = `# Claims, checked

<!-- Generated from claims.yaml and the directives in tests and lessons: go run ./scripts/check -fix evidence -->

What is written about Kubernetes, what the [pinned versions](../README.md) do, and the test or the upstream source that
shows it. A claim that holds is here too, when it is seldom told. The [symptoms](symptoms.md) lead here from an error
message, the [concepts](concepts.md) from a word.
`

const conceptsHead = `# Concepts

<!-- Generated from claims.yaml and the directives in tests and lessons: go run ./scripts/check -fix evidence -->

Each concept in one sentence, the chapter that builds it, and the test or the lesson that shows it. The
[glossary](glossary.md) has the words, the [claims](claims.md) what is told wrongly about them.
`

// documents gives the generated documents by path.
func documents(c *Claims, evidence []Evidence) map[string]string {
	by := byID(evidence)
	var claims, concepts strings.Builder
	claims.WriteString(claimsHead)
	concepts.WriteString(conceptsHead)
	for _, chapter := range c.Chapters {
		var ofClaims, ofConcepts []Claim
		for _, x := range c.Claims {
			if len(x.Chapters) == 0 || x.Chapters[0] != chapter || !idForm.MatchString(x.ID) {
				continue
			}
			if concept(x.ID) {
				ofConcepts = append(ofConcepts, x)
			} else {
				ofClaims = append(ofClaims, x)
			}
		}
		section(&claims, chapter, "| id | what is said | verdict | what really happens | shown by |\n"+
			"|---|---|---|---|---|\n", ofClaims,
			func(x Claim) string {
				return fmt.Sprintf("| %s | %s | %s | %s | %s |\n", x.ID, cell(x.Claim), x.Verdict, cell(x.Actually),
					shown(by[x.ID], fromDocs))
			})
		section(&concepts, chapter, "| id | concept | shown by |\n|---|---|---|\n", ofConcepts,
			func(x Claim) string {
				return fmt.Sprintf("| %s | %s | %s |\n", x.ID, cell(x.Claim), shown(by[x.ID], fromDocs))
			})
	}
	return map[string]string{"docs/claims.md": claims.String(), "docs/concepts.md": concepts.String()}
}

func byID(evidence []Evidence) map[string][]Evidence {
	by := map[string][]Evidence{}
	for _, e := range evidence {
		for _, id := range e.IDs {
			by[id] = append(by[id], e)
		}
	}
	return by
}

// fromDocs is the path of a file of the tree as a document in docs/ links it.
func fromDocs(file string) string { return "../" + file }

func section(b *strings.Builder, chapter, head string, claims []Claim, row func(Claim) string) {
	if len(claims) == 0 {
		return
	}
	slices.SortStableFunc(claims, func(a, b Claim) int { return compareIDs(a.ID, b.ID) })
	fmt.Fprintf(b, "\n## [%s](../chapters/%s/README.md)\n\n%s", chapter, chapter, head)
	for _, x := range claims {
		b.WriteString(row(x))
	}
}

func cell(s string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(s), " "), "|", `\|`)
}

// shown lists the evidence of one id, each once, the tests first. link makes a file's path one that the page can link.
func shown(evidence []Evidence, link func(file string) string) string {
	rank := map[string]int{"covers": 0, "cites": 1, "explains": 2}
	sort.SliceStable(evidence, func(i, j int) bool {
		a, b := evidence[i], evidence[j]
		if rank[a.Kind] != rank[b.Kind] {
			return rank[a.Kind] < rank[b.Kind]
		}
		return a.File+a.Name < b.File+b.Name
	})
	var out []string
	seen := map[string]bool{}
	for _, e := range evidence {
		s := ""
		switch e.Kind {
		case "covers":
			s = fmt.Sprintf("[%s](%s)", e.Name, link(e.File))
		case "cites":
			s = fmt.Sprintf("`%s`", e.Name)
		case "explains":
			s = fmt.Sprintf("[%s](%s)", lessonName(e.File), link(e.File))
		}
		if !seen[s] {
			out = append(out, s)
		}
		seen[s] = true
	}
	return strings.Join(out, ", ")
}

func lessonName(file string) string {
	if c := chapterOf(file); c != "" {
		return "lesson " + c[:2]
	}
	return "glossary"
}
