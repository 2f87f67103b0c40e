package check

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const evidenceTree = `-- docs/claims.yaml --
chapters: [01-a, 02-b]
claims:
  - id: B-01
    chapters: [01-a]
    claim: "What is | said."
    verdict: wrong
    actually: "What happens."
  - id: S0-01
    chapters: [01-a]
    claim: "A concept."
    verdict: concept
planned:
  02-b: [B-02]
-- chapters/01-a/a_test.go --
package a

import "testing"

// TestIt shows it.
//
// covers: B-01
func TestIt(t *testing.T) {}
-- chapters/01-a/README.md --
# 01 A

<!-- explains: S0-01 -->
`

// changed gives the tree with one piece of it replaced, its documents written.
func changed(t *testing.T, old, new string) *Tree {
	t.Helper()
	require.Contains(t, evidenceTree, old)
	tr := tree(t, strings.Replace(evidenceTree, old, new, 1))
	_, err := evidenceCheck.Fix(context.Background(), tr)
	require.NoError(t, err)
	return tr
}

func TestEvidence(t *testing.T) {
	tr := changed(t, "TestIt", "TestIt")
	require.Empty(t, run(t, evidenceCheck, tr))
	doc, err := tr.Read("docs/claims.md")
	require.NoError(t, err)
	require.Contains(t, string(doc), `| B-01 | What is \| said. | wrong | What happens. | [TestIt](../chapters/01-a/a_test.go) |`)
	doc, err = tr.Read("docs/concepts.md")
	require.NoError(t, err)
	require.Contains(t, string(doc), "| S0-01 | A concept. | [lesson 01](../chapters/01-a/README.md) |")

	for _, test := range []struct{ name, old, new, want string }{
		{"unknown id", "covers: B-01", "covers: B-01 B-77", "chapters/01-a/a_test.go:7: B-77 is no id"},
		{"a planned id is known", "covers: B-01", "covers: B-01 B-02", ""},
		{"no test", "func TestIt(t *testing.T)", "func helper(t *testing.T)", "covers stands on something that is no test"},
		{"no ids", "covers: B-01", "covers: watch", "covers without ids"},
		{"missing", "// covers: B-01", "//", "B-01 of 01-a has no evidence"},
		{"missing concept", "<!-- explains: S0-01 -->", "", "S0-01 of 01-a has no evidence"},
		{"only explained", "// covers: B-01", "//", "B-01 of 01-a has no evidence"},
		{"cites is evidence", "// covers: B-01", "//\n", "B-01"},
		{"planned chapter built", "planned:\n  02-b", "planned:\n  01-a", "B-02 is planned for 01-a, which now exists"},
		{"twice", "id: S0-01", "id: B-01", "B-01 stands here twice"},
		{"verdict", "verdict: wrong", "verdict: bad", "lacks its claim or its verdict"},
		{"what happens", `actually: "What happens."`, `actually: ""`, "does not say what really happens"},
		{"chapter", "chapters: [01-a]\n    claim: \"What", "chapters: [01-z]\n    claim: \"What", `names chapter "01-z"`},
		{"list of chapters", "chapters: [01-a, 02-b]", "chapters: [02-b, 01-z]", "the list of chapters lacks 01-a"},
		{"field", "verdict: wrong", "verdikt: wrong", "field verdikt not found"},
		{"directive", "<!-- explains: S0-01 -->", "<!-- explains: -->", "a directive explains without an id"},
		{"cites nothing", "<!-- explains: S0-01 -->", "<!-- cites: S0-01 -->", "without a file or symbol"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := run(t, evidenceCheck, changed(t, test.old, test.new))
			if test.want == "" {
				require.Empty(t, got)
			}
			require.Contains(t, got, test.want)
		})
	}
}

func TestEvidenceOnlyExplained(t *testing.T) {
	tr := changed(t, "<!-- explains: S0-01 -->", "<!-- explains: S0-01 B-01 -->\n")
	source, err := tr.Read("chapters/01-a/a_test.go")
	require.NoError(t, err)
	_, err = tr.Write("chapters/01-a/a_test.go", []byte(strings.Replace(string(source), "// covers: B-01", "//", 1)))
	require.NoError(t, err)
	require.Contains(t, run(t, evidenceCheck, tr), "B-01 is a claim, and only explained")
}

func TestEvidenceDrift(t *testing.T) {
	tr := changed(t, "TestIt", "TestIt")
	_, err := tr.Write("docs/claims.md", []byte("old\n"))
	require.NoError(t, err)
	require.Contains(t, run(t, evidenceCheck, tr), "docs/claims.md: differs from docs/claims.yaml")
}

func TestEvidenceGradedTestIsNone(t *testing.T) {
	got := run(t, evidenceCheck, tree(t, evidenceTree+
		"-- chapters/01-a/exercises/1-x/exercise_test.go --\npackage x\n\nimport \"testing\"\n\n// covers: B-01\nfunc TestX(t *testing.T) {}\n"))
	require.Contains(t, got, "covers stands on a graded test")
}

func TestEvidenceOutsideLesson(t *testing.T) {
	require.Contains(t, run(t, evidenceCheck, tree(t, evidenceTree+"-- docs/other.md --\n<!-- explains: S0-01 -->\n")), "outside a lesson and the glossary")
}
