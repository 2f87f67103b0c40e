package check

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const numbersTree = `-- chapters/01-a/watch/bench_test.go --
package watch

func BenchmarkStream(b *testing.B) {}
-- docs/numbers.md --
## chapters/01-a/watch

| benchmark | unit | ours | upstream | better |
|---|---|---|---|---|
| Stream/size=1 | sec/op | 3.06 ms ± 2% | 9.05 ms ± 1% | 2.97 |
`

func TestNumbers(t *testing.T) {
	cite := func(text, name string) string {
		return "-- README.md --\n" + text + "<!-- number: " + name + " --> a second.\n"
	}
	for name, c := range map[string]struct{ archive, want string }{
		"right": {numbersTree + cite("It takes 3.1 ms", "watch.Stream/size=1/impl=ours sec/op"), ""},
		"another figure": {numbersTree + cite("It takes 3.2 ms", "watch.Stream/size=1/impl=ours sec/op"),
			"README.md:1: says 3.2 ms, and docs/numbers.md says 3.1 ms\n"},
		"unknown": {numbersTree + cite("It takes 3.2 ms", "watch.Other/impl=ours sec/op"),
			"README.md:1: docs/numbers.md has no"},
		"no figure": {numbersTree + cite("It takes long", "watch.Stream/size=1/impl=ours sec/op"),
			"README.md:1: no figure stands before"},
		"in a code block": {numbersTree + "-- README.md --\n'''md\n" +
			"3.2 ms<!-- number: watch.Stream/size=1/impl=ours sec/op -->\n" + "'''\n", ""},
		"not measured": {strings.Replace(numbersTree, "BenchmarkStream", "BenchmarkOther", 1),
			"docs/numbers.md: has nothing of BenchmarkOther in chapters/01-a/watch\n" +
				"docs/numbers.md: has figures of chapters/01-a/watch Stream"},
		"no document": {strings.SplitAfter(numbersTree, "{}\n")[0], "docs/numbers.md: is missing"},
	} {
		t.Run(name, func(t *testing.T) {
			got := run(t, numbersCheck, tree(t, c.archive))
			if c.want == "" {
				require.Empty(t, got)
			}
			require.Contains(t, got, c.want)
		})
	}
}

func TestFixNumbers(t *testing.T) {
	tr := tree(t, numbersTree+"-- README.md --\nIt takes 4.4 ms<!-- number: watch.Stream/size=1/impl=ours sec/op "+
		"-->, upstream 9 ms<!-- number: watch.Stream/size=1/impl=upstream sec/op -->.\n")
	wrote, err := numbersCheck.Fix(context.Background(), tr)
	require.NoError(t, err)
	require.Equal(t, []string{"README.md"}, wrote)
	require.Empty(t, run(t, numbersCheck, tr))
	text, err := tr.Read("README.md")
	require.NoError(t, err)
	require.Contains(t, string(text), "It takes 3.1 ms<!--")
}
