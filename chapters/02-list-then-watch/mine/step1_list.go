package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/watch"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/02-list-then-watch/exercises/2-paging"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/faults"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// listInPages has the reader's List list while the server forgets the first attempt.
func listInPages(ctx context.Context, l *lab.Lab) error {
	c := newCollection(l, faults.Written{{Request: 3, Kind: faults.Gone}})
	defer c.Close()
	for i := range 5 {
		if err := c.write(ctx, "page", i); err != nil {
			return err
		}
	}
	names, version, err := paging.List(ctx, l.Aloud(c.proxy.Client()), "http://faults"+c.path, 2)
	if err != nil {
		return fmt.Errorf("your List: %v", err)
	}
	l.Became("%d names at resourceVersion %s: %s", len(names), version, strings.Join(names, " "))
	fresh, err := c.direct.List(ctx, c.path, watch.Options{})
	if err != nil {
		return err
	}
	want, err := namesOf(fresh)
	if err != nil {
		return err
	}
	slices.Sort(names)
	if !slices.Equal(names, want) {
		return fmt.Errorf("your List returned %v, and the collection holds %v: make grade EX=02.2 says more",
			names, want)
	}
	l.Conclude("The names are those of a fresh LIST, although the third request was answered with 410.")
	return nil
}

func namesOf(list *watch.List) (names []string, err error) {
	for _, item := range list.Items {
		meta, err := watch.MetaOf(item)
		if err != nil {
			return nil, err
		}
		names = append(names, meta.Name)
	}
	slices.Sort(names)
	return names, nil
}
