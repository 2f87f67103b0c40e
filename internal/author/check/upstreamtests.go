package check

import (
	"context"
	"fmt"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/author/upstreamtests"
)

var upstreamTestsCheck = Check{
	Name:   "upstreamtests",
	Guards: "docs/upstream.md tells of each test of the pinned client-go; `make upstream-tests` says whether it is true",
	Run: func(ctx context.Context, t *Tree) ([]Finding, error) {
		list, err := upstreamList(t)
		if list == nil || err != nil {
			return nil, err
		}
		pinned, err := pinnedModules(t)
		if err != nil {
			return nil, err
		}
		clientGo, err := moduleDir(ctx, pinned["k8s.io/client-go"])
		if err != nil {
			return nil, err
		}
		differences, err := list.Compare(clientGo)
		if err != nil {
			return nil, err
		}
		found := reasonsWithoutRow(t, list)
		for _, d := range differences {
			found = append(found, Finding{upstreamtests.ListFile, d.Line, d.What,
				"mend the list, and run `make upstream-tests`"})
		}
		fresh, err := upstreamPage(t, list)
		if old, readErr := t.Read(upstreamtests.Page); err == nil && (readErr != nil || string(old) != string(fresh)) {
			found = append(found, Finding{upstreamtests.Page, 0, "is not what " + upstreamtests.ListFile + " gives",
				"go run ./scripts/check -fix upstreamtests"})
		}
		return found, err
	},
	Fix: func(_ context.Context, t *Tree) ([]string, error) {
		list, err := upstreamList(t)
		if list == nil || err != nil {
			return nil, err
		}
		fresh, err := upstreamPage(t, list)
		if err != nil {
			return nil, err
		}
		did, err := t.Write(upstreamtests.Page, fresh)
		if did {
			return []string{upstreamtests.Page}, err
		}
		return nil, err
	},
}

// upstreamList is the list of upstream's tests, nil in a tree that has none.
func upstreamList(t *Tree) (*upstreamtests.List, error) {
	text, err := t.Read(upstreamtests.ListFile)
	if err != nil {
		return nil, nil
	}
	list, err := upstreamtests.ParseList(string(text))
	return &list, err
}

func upstreamPage(t *Tree, list *upstreamtests.List) ([]byte, error) {
	pinned, err := pinnedModules(t)
	if err != nil {
		return nil, err
	}
	wrong, err := upstreamtests.ReadWrong(t.Root)
	return list.Document(pinned["k8s.io/client-go"].Version, wrong), err
}

// reasonsWithoutRow finds failures whose reason no UPSTREAM.md tells.
func reasonsWithoutRow(t *Tree, list *upstreamtests.List) (found []Finding) {
	for name, reason := range list.Reasons {
		page, err := t.Read(reason.File)
		if err != nil || !strings.Contains(string(page), "\n| "+reason.Cell+" |") {
			found = append(found, Finding{upstreamtests.ListFile, reason.Line,
				fmt.Sprintf("%s: no row of %s begins with %q", name, reason.File, reason.Cell),
				"name the row by its first cell, or tell the difference there"})
		}
	}
	return found
}
