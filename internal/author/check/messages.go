package check

import (
	"context"
	"fmt"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/author/upstreammessages"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/symptoms"
)

var messagesCheck = Check{
	Name: "messages",
	Guards: "each error and warning of the pinned client-go, apimachinery and controller-runtime has a row in " +
		symptoms.File + ", or a reason in " + upstreammessages.ListFile,
	Run: func(ctx context.Context, t *Tree) ([]Finding, error) {
		_, differences, err := compareMessages(ctx, t)
		var found []Finding
		for _, d := range differences {
			found = append(found, Finding{upstreammessages.ListFile, d.Line, d.What, d.Mend})
		}
		return found, err
	},
	// Fix takes out the lines that are not true any more. What is missing needs somebody who reads upstream's code.
	Fix: func(ctx context.Context, t *Tree) ([]string, error) {
		text, differences, err := compareMessages(ctx, t)
		if err != nil || text == "" {
			return nil, err
		}
		did, err := t.Write(upstreammessages.ListFile, []byte(upstreammessages.Without(text, differences)))
		if did {
			return []string{upstreammessages.ListFile}, err
		}
		return nil, err
	},
}

// compareMessages gives the list's text, and where it differs from upstream and the page; no text in a tree that has no
// list.
func compareMessages(ctx context.Context, t *Tree) (string, []upstreammessages.Difference, error) {
	text, err := t.Read(upstreammessages.ListFile)
	if err != nil {
		return "", nil, nil
	}
	list, err := upstreammessages.ParseList(string(text))
	if err != nil {
		return "", nil, err
	}
	page, err := t.Read(symptoms.File)
	if err != nil {
		return "", nil, err
	}
	rows, err := symptoms.Parse(string(page))
	if len(rows) == 0 {
		return "", nil, err // a broken row is found by the check symptoms
	}
	modules, err := messagesModules(ctx, t)
	if err != nil {
		return "", nil, err
	}
	differences, err := list.Compare(modules, rows)
	return string(text), differences, err
}

// messagesModules are the modules whose messages a controller's author meets.
func messagesModules(ctx context.Context, t *Tree) ([]upstreammessages.Module, error) {
	pinned, err := pinnedModules(t)
	if err != nil {
		return nil, err
	}
	var all []upstreammessages.Module
	for _, name := range []string{"k8s.io/client-go", "k8s.io/apimachinery", "sigs.k8s.io/controller-runtime"} {
		version, ok := pinned[name]
		if !ok {
			return nil, fmt.Errorf("go.mod does not require %s, whose messages are compared", name)
		}
		dir, err := moduleDir(ctx, version)
		if err != nil {
			return nil, err
		}
		all = append(all, upstreammessages.Module{Path: name, Dir: dir})
	}
	return all, nil
}
