package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	before "github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/managed"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/opened"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/repo"
)

// again is step 1: chapter 09's story, in short, of the same controller on a manager.
func (t *tour) again(ctx context.Context, l *lab.Lab) error {
	world, err := before.NewWorld(ctx, l, []string{"north", "south"})
	if err != nil {
		return err
	}
	if err := world.Source(ctx, "menu", "soup"); err != nil {
		return err
	}
	record, ledger := opened.New(), scenario.NewLedger(l)
	running, err := t.mirrors(ctx, l, ledger, record)
	if err != nil {
		return err
	}
	defer func() { _ = running.Stop() }()
	err = do(
		func() error { return ledger.Show(ctx, "POST north/menu", "POST south/menu") },
		func() error { return world.Patch(ctx, "home", "menu", before.Today("stew")) },
		func() error { return ledger.Show(ctx, "PUT north/menu", "PUT south/menu") },
		func() error { return world.Delete(ctx, "south", "menu") },
		func() error { return ledger.Show(ctx, "POST south/menu") },
	)
	if err != nil {
		return err
	}
	for _, watch := range watches(record) {
		l.Became("it has asked for %s", watch)
	}
	l.Became("GETs of single ConfigMaps: %d", ledger.Gets())
	if err := running.Stop(); err != nil {
		return err
	}
	l.Became("the manager has stopped")
	if err := world.Delete(ctx, "home", "menu"); err != nil {
		return err
	}
	if running, err = t.mirrors(ctx, l, ledger, record); err != nil {
		return err
	}
	l.Became("a new one begins")
	if err := ledger.Show(ctx, "DELETE north/menu", "DELETE south/menu"); err != nil {
		return err
	}
	if err := lines(l); err != nil {
		return err
	}
	l.Conclude("The same writes as in chapter 09, and the same two watches. The program is about as long: who " +
		"reads through a client has to say what. What is gone is what was hard: workers, and when they begin and " +
		"end.")
	return nil
}

// mirrors starts a manager with chapter 09's controller.
func (t *tour) mirrors(ctx context.Context, l *lab.Lab, ledger *scenario.Ledger, record *opened.Record) (
	*scenario.Running, error) {
	parts := t.parts.made()
	parts.NewQueue = record.NewQueue(parts.NewQueue)
	m, err := managed.New(scenario.Access(l, ledger.Between, record.Transport("")), nil,
		managed.Options{Group: l.Namespace, Parts: parts, Logger: record.Logger()})
	if err != nil {
		return nil, err
	}
	return scenario.Run(ctx, m.Start), nil
}

// watches are the watches among the requests, each once and in the order of their names.
func watches(record *opened.Record) (all []string) {
	for _, e := range record.Events(opened.Requests) {
		what, ok := cutWatch(e.What)
		if ok && !slices.Contains(all, what) {
			all = append(all, what)
		}
	}
	slices.Sort(all)
	return all
}

// concern is what some files of the two programs are for.
type concern struct {
	name            string
	byHand, managed []string
}

// concerns are those of chapter 09's files, and of this chapter's. The last has the files that no other has.
func concerns() []concern {
	mirrors := []string{"desired.go", "reconcile.go", "handlers.go", "relations.go", "labels.go", "written.go"}
	return []concern{
		{"about mirrors, used by both", mirrors, nil},
		{"start, workers and end", []string{"controller.go", "work.go"}, []string{"manager.go"}},
		{"caches, and reads from them", []string{"caches.go"}, []string{"reader.go", "watched.go"}},
		{"a run's frame, and its writes", []string{"client.go"}, []string{"reconciler.go", "writer.go"}},
		{"options, and parts to choose from", nil, nil},
	}
}

// lines shows how long the two programs are.
func lines(l *lab.Lab) error {
	root, err := repo.Root()
	if err != nil {
		return err
	}
	byHand, err := before.CountLines(filepath.Join(root, "chapters", "09-controller", "mirror"))
	if err != nil {
		return err
	}
	managed, err := before.CountLines(filepath.Join(root, "chapters", "11-manager", "managed"))
	if err != nil {
		return err
	}
	rows := [][]string{{"lines of code", "chapter 09", "chapter 11"}}
	all09, all11 := 0, 0
	for i, c := range concerns() {
		n09, n11 := 0, 0
		if i < len(concerns())-1 {
			n09, byHand = taken(byHand, c.byHand)
			n11, managed = taken(managed, c.managed)
		} else {
			n09, n11 = sum(byHand), sum(managed)
		}
		if i == 0 {
			n11 = n09
		}
		all09, all11 = all09+n09, all11+n11
		rows = append(rows, []string{c.name, fmt.Sprint(n09), fmt.Sprint(n11)})
	}
	l.Table(append(rows, []string{"all", fmt.Sprint(all09), fmt.Sprint(all11)})...)
	return nil
}

// taken counts the lines of some files, and returns the others.
func taken(files []before.Counted, names []string) (n int, rest []before.Counted) {
	for _, f := range files {
		if slices.Contains(names, f.Name) {
			n += f.Lines
		} else {
			rest = append(rest, f)
		}
	}
	return n, rest
}

func sum(files []before.Counted) (n int) {
	for _, f := range files {
		n += f.Lines
	}
	return n
}
