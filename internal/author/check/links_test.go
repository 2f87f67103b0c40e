package check

import "testing"

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
