package check

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

const formsFolder = ".github/ISSUE_TEMPLATE"

var formsCheck = Check{
	Name:   "forms",
	Guards: "the issue forms have what GitHub requires of one; it shows none that it can't read",
	Run: func(_ context.Context, t *Tree) ([]Finding, error) {
		files, err := t.Match(formsFolder+"/*.yml", formsFolder+"/*.yaml")
		if err != nil {
			return nil, err
		}
		var found []Finding
		for _, file := range files {
			source, err := t.Read(file)
			if err != nil {
				return nil, err
			}
			look := formFaults
			if strings.HasPrefix(path.Base(file), "config.") {
				look = formConfigFaults
			}
			for _, what := range look(source) {
				found = append(found, Finding{file, 0, what,
					"mend it as GitHub's page \"Syntax for issue forms\" says"})
			}
		}
		return found, nil
	},
}

// issueForm is what GitHub reads of a form; any other key is refused.
type issueForm struct {
	Name, Description, Title, Type string
	Labels, Assignees, Projects    any
	Body                           []formElement
}

type formElement struct {
	Type, ID   string
	Attributes struct {
		Label, Description, Placeholder, Value, Render string
		Options                                        []any
		Multiple                                       bool
		Default                                        int
	}
	Validations struct{ Required bool }
}

type formConfig struct {
	Blank    *bool                               `yaml:"blank_issues_enabled"`
	Contacts []struct{ Name, URL, About string } `yaml:"contact_links"`
}

var (
	// formInputs are the types of an element that asks for something.
	formInputs = map[string]bool{"input": true, "textarea": true, "dropdown": true, "checkboxes": true}
	formID     = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)
)

func strictly(source []byte, into any) error {
	decoder := yaml.NewDecoder(bytes.NewReader(source))
	decoder.KnownFields(true)
	return decoder.Decode(into)
}

func formFaults(source []byte) (faults []string) {
	var form issueForm
	if err := strictly(source, &form); err != nil {
		return []string{err.Error()}
	}
	add := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	if strings.TrimSpace(form.Name) == "" {
		add("the form has no name")
	}
	if strings.TrimSpace(form.Description) == "" {
		add("the form has no description")
	}
	asks, ids, labels := false, map[string]bool{}, map[string]bool{}
	for i, e := range form.Body {
		where := fmt.Sprintf("element %d", i+1)
		asks = asks || formInputs[e.Type]
		switch {
		case e.Type == "markdown":
			if strings.TrimSpace(e.Attributes.Value) == "" {
				add("%s, markdown, has no value", where)
			}
			continue
		case !formInputs[e.Type]:
			add("%s has the type %q, which GitHub does not know", where, e.Type)
			continue
		case e.Attributes.Label == "":
			add("%s has no label", where)
		case labels[e.Attributes.Label]:
			add("%s has the label of another one: %s", where, e.Attributes.Label)
		}
		labels[e.Attributes.Label] = true
		if e.ID != "" && (!formID.MatchString(e.ID) || ids[e.ID]) {
			add("%s: the id %q is another one's, or has other characters than letters, digits, - and _", where, e.ID)
		}
		ids[e.ID] = true
		if (e.Type == "dropdown" || e.Type == "checkboxes") && len(e.Attributes.Options) == 0 {
			add("%s has no options", where)
		}
	}
	if !asks {
		add("the body asks for nothing: one element is not markdown")
	}
	return faults
}

func formConfigFaults(source []byte) (faults []string) {
	var config formConfig
	if err := strictly(source, &config); err != nil {
		return []string{err.Error()}
	}
	for _, c := range config.Contacts {
		if c.Name == "" || c.About == "" || !strings.HasPrefix(c.URL, "https://") {
			faults = append(faults, "a contact link has a name, an address with https:// and what it is about")
		}
	}
	return faults
}
