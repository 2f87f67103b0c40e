package check

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const goodForm = `-- .github/ISSUE_TEMPLATE/a.yml --
name: A
description: B
body:
  - type: markdown
    attributes: { value: Read this. }
  - type: input
    id: a
    attributes: { label: One, placeholder: "1" }
    validations: { required: true }
  - type: dropdown
    id: b
    attributes: { label: Two, options: [x, y] }
-- .github/ISSUE_TEMPLATE/config.yml --
blank_issues_enabled: true
`

func TestForms(t *testing.T) {
	require.Empty(t, run(t, formsCheck, tree(t, goodForm)))
	for _, c := range []struct{ old, fresh, says string }{
		{"name: A\n", "", "the form has no name"},
		{"description: B", `description: " "`, "the form has no description"},
		{"description: B", "about: B", "field about not found"},
		{"value: Read this.", `value: ""`, "has no value"},
		{"type: input", "type: text", `the type "text"`},
		{"label: One, ", "", "element 2 has no label"},
		{"label: One", "label: Two", "the label of another one"},
		{"id: b", "id: a", `the id "a"`},
		{"id: b", "id: b c", `the id "b c"`},
		{", options: [x, y]", "", "has no options"},
		{"required: true", "required: please", "cannot unmarshal"},
		{"name: A\n", "name: [\n", "yaml:"},
		{"blank_issues_enabled: true", "contact_links: [{ name: a, url: there }]", "a contact link has"},
		{"blank_issues_enabled: true", "blank_issues: true", "field blank_issues not found"},
	} {
		require.Contains(t, goodForm, c.old)
		require.Contains(t, run(t, formsCheck, tree(t, strings.Replace(goodForm, c.old, c.fresh, 1))), c.says)
	}
	require.Contains(t, run(t, formsCheck, tree(t,
		"-- .github/ISSUE_TEMPLATE/a.yml --\nname: A\ndescription: B\nbody: []\n")), "asks for nothing")
}
