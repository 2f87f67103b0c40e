package check

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLinks(t *testing.T) {
	expect(t, linksCheck, `-- README.md --
# Title, with §code§

[ok](docs/a.md) [ok](docs/a.md#where-it-breaks-1) [ok](docs) [web](https://example.com/x) [here](#title-with-code)
[gone](docs/b.md)
[no heading](docs/a.md#nowhere)
[root](/docs/a.md)
<img src="docs/no.svg"> ![picture](docs/no.png)
'''md
[in code](nothing.md)
'''
-- docs/a.md --
# A
## Where it breaks
## Where it breaks
[out](../../x)
`,
		`README.md:4: the link "docs/b.md"`, "README.md:5: docs/a.md has no heading #nowhere",
		`README.md:6: the link "/docs/a.md" begins at a root`,
		"docs/no.svg", "docs/no.png", `docs/a.md:4: the link "../../x"`)
}

// TestALostDrawingNamesItsRenderer: an SVG that has a source is made by a command, and not by hand.
func TestALostDrawingNamesItsRenderer(t *testing.T) {
	found, err := linksCheck.Run(t.Context(), tree(t, "-- README.md --\n![a](a.svg) ![b](b.svg)\n-- a.d2 --\nx\n"))
	require.NoError(t, err)
	require.Len(t, found, 2)
	require.Equal(t, "render it: go run ./scripts/check -fix diagrams", found[0].Mend)
	require.NotContains(t, found[1].Mend, "render")
}
