package check

import (
	"strings"
	"testing"
)

const listedTree = `-- chapters/04-store/README.md --
-- chapters/20-tea/README.md --
-- README.md --
| | chapter | what |
| 04 | [The store](chapters/04-store/README.md) | a cache |
| 20 | [Tea](chapters/20-tea/README.md) | a cup |
-- docs/syllabus.md --
[The store](../chapters/04-store/README.md) [Tea](../chapters/20-tea/README.md)
-- docs/symptoms.md --
§go run ./chapters/04-store§ [20](../chapters/20-tea/README.md)
-- docs/glossary.md --
The words of chapters 01 to 20, spelled as upstream spells them.
-- .vscode/launch.json --
"options": ["04-store", "20-tea"]
`

func TestListed(t *testing.T) {
	expect(t, listedCheck, listedTree)
	for _, lost := range []struct{ file, text, instead string }{
		{"README.md", "| 20 | [Tea]", "| [Tea]"},
		{"docs/syllabus.md", "[Tea](../chapters/20-tea/README.md)", ""},
		{"docs/symptoms.md", "[20](../chapters/20-tea/README.md)", ""},
		{"docs/glossary.md", "01 to 20", "01 to 19"},
		{".vscode/launch.json", `, "20-tea"`, ""},
	} {
		expect(t, listedCheck, replaced(t, listedTree, lost.file, lost.text, lost.instead),
			lost.file+": has nothing of chapters/20-tea")
	}
}

// replaced is an archive with another text in one of its files.
func replaced(t *testing.T, archive, file, text, instead string) string {
	t.Helper()
	before, after, ok := strings.Cut(archive, "-- "+file+" --\n")
	if !ok || !strings.Contains(after, text) {
		t.Fatalf("%s has no %q", file, text)
	}
	return before + "-- " + file + " --\n" + strings.Replace(after, text, instead, 1)
}
