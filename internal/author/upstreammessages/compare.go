package upstreammessages

import (
	"fmt"
	"slices"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/symptoms"
)

// A Difference is a message that nothing is known of, or a line of messages.txt that is not true any more.
type Difference struct {
	Line int // of messages.txt; 0 for what is missing there
	What string
	Mend string
}

// Compare says where upstream's messages, the rows of docs/symptoms.md and messages.txt differ.
func (l List) Compare(modules []Module, rows []symptoms.Row) ([]Difference, error) {
	messages, differences, err := l.collect(modules)
	if err != nil {
		return nil, err
	}
	listed := map[string]Entry{}
	for _, e := range l.Entries {
		key := e.Package + " " + e.Text
		if first, twice := listed[key]; twice {
			what := fmt.Sprintf("the message stands in line %d as well", first.Line)
			differences = append(differences, Difference{e.Line, what, "take one of them out"})
			continue
		}
		listed[key] = e
	}
	rowOf, err := leads(rows, messages, func(m Message) bool {
		_, isListed := listed[m.Package+" "+m.Text]
		return !isListed
	})
	if err != nil {
		return nil, err
	}
	for _, m := range messages {
		key := m.Package + " " + m.Text
		entry, isListed := listed[key]
		delete(listed, key)
		switch row := rowOf[m]; {
		case isListed && row != nil:
			what := fmt.Sprintf("the message has a row by now: %s:%d is found by %q", symptoms.File, row.Line, m.Text)
			differences = append(differences, Difference{entry.Line, what, "take the line out"})
		case !isListed && row == nil:
			what := fmt.Sprintf("%s says %q, and a log with it finds no row of %s", m.place(), m.Text, symptoms.File)
			mend := fmt.Sprintf("read the code around it; then write a row, or write below the reason that is true of "+
				"it: %s | %s", m.Package, m.Text)
			differences = append(differences, Difference{0, what, mend})
		}
	}
	for _, e := range listed {
		what := fmt.Sprintf("%s does not say %q any more", e.Package, e.Text)
		mend := "take the line out; what is said instead, if anything, is another finding"
		differences = append(differences, Difference{e.Line, what, mend})
	}
	slices.SortStableFunc(differences, func(a, b Difference) int { return a.Line - b.Line })
	return differences, nil
}

// collect gives the messages of all packages that are read, and what is wrong with the lines that say which.
func (l List) collect(modules []Module) (messages []Message, found []Difference, err error) {
	used := make([]bool, len(l.Packages))
	for _, module := range modules {
		packages, err := module.packages()
		if err != nil {
			return nil, nil, err
		}
		for _, importPath := range packages {
			for i, p := range l.Packages {
				_, ok := p.matches(importPath)
				used[i] = used[i] || ok
			}
			yes, listed := l.reads(importPath)
			if !listed {
				found = append(found, Difference{0, importPath + " is neither read nor left out",
					"write `read " + importPath + "`, or `leave " + importPath + " | why`"})
			}
			if !yes {
				continue
			}
			more, err := module.Collect(importPath)
			if err != nil {
				return nil, nil, err
			}
			messages = append(messages, more...)
		}
	}
	for i, p := range l.Packages {
		if !used[i] {
			found = append(found, Difference{p.Line, "no pinned module has a package " + p.Path, "take the line out"})
		}
	}
	return messages, found, nil
}
