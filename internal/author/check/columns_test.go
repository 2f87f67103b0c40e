package check

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWideLines(t *testing.T) {
	source := "package a\n\n" +
		"// " + strings.Repeat("word ", 10) + "\n" + // 3: wide
		"var a = \"" + strings.Repeat("x", wholeString) + "\"\n" + // 4: one string is the reason
		"var b = f(\"short\", \"short\", \"short\", \"short\")\n" + // 5: wide
		"var c = `\n" + strings.Repeat("y", 60) + "\n`\n" + // 6 to 8: inside a raw string
		"var d = 1 // ä ö ü\n\n" + // 9
		"func f() {\n\t\t\t\t\t\t\t\t\t\tg()\n}\n" // 12: tabs
	require.Equal(t, []int{3, 5, 12}, wideLines([]byte(source), 40))
	require.Empty(t, wideLines([]byte(source), 60))
}

func TestColumns(t *testing.T) {
	archive := strings.Replace(budgetsTree, "missed: {}", "columns: 20\nmissed: {}", 1) +
		"-- chapters/01-a/watch/watch_test.go --\npackage watch\n\n// a comment of many words\n" +
		"// +kubebuilder:a:marker:of:many:words\n"
	require.Contains(t, run(t, budgetsCheck, tree(t, archive)),
		"chapters/01-a/watch/watch_test.go:3: 1 lines have more than 20 columns, with tabs of 4")
}
